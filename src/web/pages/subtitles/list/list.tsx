/** The items with the state of each language, to filter, to choose from, and to fetch for. */
import { useState } from 'preact/hooks';
import { hrefOf } from '../../../lib/navigation/addresses.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { EmptyState } from '../../../kit/states/states.tsx';
import { cx } from '../../../lib/cx.ts';
import { useStore } from '../../../lib/store.ts';
import type { LiveTasks } from '../../../parts/tasks/live.ts';
import { batch, batchState, wishesOf } from '../batch/fetching.ts';
import type { Inventory, InventoryItem } from '../../../parts/subtitles/words.ts';
import { Chosen, FetchAll } from './bulk.tsx';
import { changeFilters, InventoryFilters } from './filters.tsx';
import { hasInventoryFilters, pageLinks, type InventoryListing } from './listing.ts';
import { InventoryListRow } from './row.tsx';
import css from './list.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

/** Brings the list into view, and the reading to it, when it was changed from far above or below. */
export function showList(): void {
  const list = document.getElementById('list');
  list?.focus({ preventScroll: true });
  list?.scrollIntoView({ block: 'start' });
}

const Pages = ({ listing, pages }: { listing: InventoryListing; pages: number }) => {
  if (pages < 2) return null;
  return (
    <nav className={css.pages} aria-label={m.pages}>
      {pageLinks(listing.page, pages).map((one, at) =>
        one === undefined ? (
          <span key={`gap${at}`}>…</span>
        ) : (
          <button
            key={one}
            type="button"
            aria-current={one === listing.page ? 'page' : undefined}
            aria-label={m.page({ number: one })}
            onClick={() => {
              changeFilters(listing, { page: one });
              showList();
            }}
          >
            {one}
          </button>
        ),
      )}
    </nav>
  );
};

const Nothing = ({ listing, pages }: { listing: InventoryListing; pages: number }) => {
  const showAll = <Button onClick={() => go(hrefOf({ page: 'subtitles' }))}>{m.showAll}</Button>;
  if (listing.page > 1 && pages > 0)
    return (
      <EmptyState
        title={m.thereIsNoSuchPage}
        action={<Button onClick={() => changeFilters(listing, { page: pages })}>{m.goToTheLastPage}</Button>}
      />
    );
  const isOnlyWanted = listing.status === 'wanted' && !hasInventoryFilters({ ...listing, status: 'all' });
  if (isOnlyWanted)
    return (
      <EmptyState title={m.nothingIsMissing} action={showAll}>
        {m.everyFilmAndEpisodeHas}
      </EmptyState>
    );
  return (
    <EmptyState title={m.noItemMatchesTheseFilters} action={showAll}>
      {m.tryFewerWordsOrAnother}
    </EmptyState>
  );
};

/** Which items of the page are chosen; those that need nothing any more are let go. */
function useChosen(items: readonly InventoryItem[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const lacking = items.filter(({ missing }) => missing.length > 0);
  const picked = lacking.filter(({ id }) => chosen.has(id));
  return {
    lacking,
    picked,
    isChosen: (id: string) => chosen.has(id),
    choose: (id: string, is: boolean) =>
      setChosen((before) => new Set(is ? [...before, id] : [...before].filter((one) => one !== id))),
    all: () => setChosen(picked.length === lacking.length ? new Set() : new Set(lacking.map(({ id }) => id))),
    none: () => setChosen(new Set()),
  };
}

export const List = ({
  inventory,
  listing,
  tasks,
  isBefore,
}: {
  inventory: Inventory;
  listing: InventoryListing;
  tasks: LiveTasks | undefined;
  isBefore: boolean;
}) => {
  const { isRunning } = useStore(batchState);
  const { items, matched, pages, providers } = inventory;
  const { lacking, picked, isChosen, choose, all, none } = useChosen(items);
  const canFetch = providers.some(({ configured }) => configured) && !isRunning;
  const fetchFor = (some: readonly InventoryItem[]) => void batch.start(wishesOf(some, listing.language));
  return (
    <section id="list" className={css.list} tabIndex={-1} aria-labelledby="items">
      <h2 id="items" className="unseen">
        {m.filmsAndEpisodes}
      </h2>
      <InventoryFilters listing={listing} inventory={inventory} />
      <Chosen
        matched={matched}
        lacking={lacking.length}
        picked={picked.length}
        onAll={all}
        onFetch={() => {
          fetchFor(picked);
          none();
        }}
      >
        <FetchAll listing={listing} inventory={inventory} tasks={tasks} />
      </Chosen>
      {items.length === 0 ? (
        <Nothing listing={listing} pages={pages} />
      ) : (
        <ul className={cx(css.rows, isBefore && css.before)} aria-busy={isBefore || undefined}>
          {items.map((item) => (
            <InventoryListRow
              key={item.id}
              item={item}
              isChosen={isChosen(item.id)}
              onChoose={(is) => choose(item.id, is)}
              onFetch={canFetch ? () => fetchFor([item]) : undefined}
            />
          ))}
        </ul>
      )}
      <Pages listing={listing} pages={pages} />
    </section>
  );
};
