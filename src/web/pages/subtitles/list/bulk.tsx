/** Actions on many items at once: on the chosen ones, and on all that match the filters. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../../kit/forms/button.tsx';
import { useAsk } from '../../../data/query.ts';
import { count } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { isUnfinished, type LiveTasks } from '../../../parts/tasks/live.ts';
import { startTask } from '../../../parts/tasks/running.tsx';
import { batch, batchState, MAX_BATCH_ITEMS, wishesMatching } from '../batch/fetching.ts';
import { FETCH_WANTED, lastOf } from '../overview/background.tsx';
import type { Inventory } from '../../../parts/subtitles/words.ts';
import { hasInventoryFilters, type InventoryListing } from './listing.ts';
import css from './list.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

/** Returns the filters with the status limited to items that subtitles can be fetched for. */
export const fetchable = (listing: InventoryListing): InventoryListing => ({
  ...listing,
  status: listing.status === 'unavailable' ? 'unavailable' : 'wanted',
  page: 1,
});

/** The server's task knows no filter but the library; the only language there is, is none. */
const isServersOwn = ({ q, kind, status, language }: InventoryListing, { languages }: Inventory): boolean =>
  q === undefined &&
  kind === 'all' &&
  (status === 'all' || status === 'wanted') &&
  (language === undefined || (languages.length === 1 && languages[0] === language));

/** All that fit: by the server where it can be asked for everything, else one after the other from here. */
export const FetchAll = ({
  listing,
  inventory,
  tasks,
}: {
  listing: InventoryListing;
  inventory: Inventory;
  tasks: LiveTasks | undefined;
}) => {
  const { isRunning } = useStore(batchState);
  const all = fetchable(listing);
  // The filters may leave less than everything that is wanted.
  const { data } = useAsk('subtitles', 'inventory', { ...all, view: 'summary', limit: 1 }, { keep: true });
  const matched = data?.matched ?? 0;
  const isNarrow = hasInventoryFilters({ ...listing, status: listing.status === 'wanted' ? 'all' : listing.status });
  const isForServer =
    isServersOwn(listing, inventory) && tasks?.startable.some(({ name }) => name === FETCH_WANTED) === true;
  const last = lastOf(tasks, FETCH_WANTED);
  const isBusy = isForServer ? last !== undefined && isUnfinished(last) : isRunning;
  if (matched === 0 || !inventory.providers.some(({ configured }) => configured)) return null;
  const start = () =>
    isForServer
      ? void startTask(FETCH_WANTED, listing.library === undefined ? {} : { library: listing.library })
      : void batch.start((signal) => wishesMatching(all, signal));
  return (
    <Button disabled={isBusy} onClick={start}>
      {!isForServer && matched > MAX_BATCH_ITEMS
        ? m.fetchTheFirst({ most: count(MAX_BATCH_ITEMS) })
        : (isNarrow ? m.fetchAllMatching : m.fetchAllMissing)({ count: count(matched) })}
    </Button>
  );
};

export interface ChosenProps {
  matched: number;
  /** On the page: that can be fetched for, and of those chosen. */
  lacking: number;
  picked: number;
  onAll: () => void;
  onFetch: () => void;
  children: ComponentChildren;
}
export const Chosen = ({ matched, lacking, picked, onAll, onFetch, children }: ChosenProps) => {
  const { isRunning } = useStore(batchState);
  return (
    <div className={css.bar}>
      <span className="muted small" role="status">
        {m.itemsCount({ count: matched })}
        {picked > 0 && m.chosen({ picked: count(picked) })}
      </span>
      {lacking > 0 && (
        <div>
          <Button look="quiet" onClick={onAll}>
            {picked === lacking ? m.clearSelection : m.selectAllOnThisPage}
          </Button>
          {children}
          <Button look="primary" disabled={picked === 0 || isRunning} onClick={onFetch}>
            {picked === 0 ? m.fetchSelected : m.fetchFor({ items: m.itemsCount({ count: picked }) })}
          </Button>
        </div>
      )}
    </div>
  );
};
