/** Subtitles of everything: coverage, providers, what is wanted and why, and fetching it. */
import { useState } from 'preact/hooks';
import captions from 'lucide/dist/esm/icons/captions.mjs';
import languages from 'lucide/dist/esm/icons/languages.mjs';
import folder from 'lucide/dist/esm/icons/folder-open.mjs';
import { useQueryParams } from '../../lib/navigation/navigate.ts';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { cx } from '../../lib/cx.ts';
import { CallFailed } from '../../data/client.ts';
import { useAsk } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Link } from '../../lib/navigation/link.tsx';
import { EmptyState, ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { RestartNotice } from '../../parts/restart/notice.tsx';
import { isUnfinished, useTasks } from '../../parts/tasks/live.ts';
import { cancelTask, TaskProgress as TaskRunning } from '../../parts/tasks/running.tsx';
import { RunningBatch } from './batch/running.tsx';
import { List, showList } from './list/list.tsx';
import { changeFilters } from './list/filters.tsx';
import { inventoryListingOf, type InventoryListing } from './list/listing.ts';
import { Background, FETCH_WANTED, lastOf } from './overview/background.tsx';
import { Coverage } from './overview/coverage.tsx';
import { Misfits } from './overview/misfits.tsx';
import { Providers } from './overview/providers.tsx';
import { WantedDialog } from '../../parts/subtitles/wanted/dialogs.tsx';
import type { Inventory } from '../../parts/subtitles/words.ts';
import { OwnersOnly } from '../../parts/settings/owners-only.tsx';
import overview from './overview/overview.module.css';
import css from './subtitles.module.css';
import { subtitlesWords as m } from '../../messages/subtitles.ts';
import { rich } from '../../messages/rich.ts';

export const Page = () => {
  useTitle(DESTINATIONS.subtitles.label());
  const isOwner = useIsOwner();
  return (
    <div className={css.page}>
      <div className={overview.top}>
        <h1>{DESTINATIONS.subtitles.label()}</h1>
        {isOwner && (
          <div>
            <WantedButton />
            <ButtonLink look="quiet" to={{ page: 'subtitleCleanup' }}>
              {m.cleanUpFiles}
            </ButtonLink>
          </div>
        )}
      </div>
      {isOwner ? <Managed /> : <OwnersOnly title={m.onlyAnOwnerCanManage} says={m.askAnOwnerOfThisServer} />}
    </div>
  );
};

const WantedButton = () => {
  const { data } = useAsk('wantedSubtitles', 'list', {});
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  return (
    <>
      <Button icon={languages} onClick={() => setOpen(true)}>
        {m.wantedSubtitles}
      </Button>{' '}
      {isOpen && <WantedDialog wanted={data} onClose={() => setOpen(false)} />}
    </>
  );
};

const Managed = () => {
  const listing = inventoryListingOf(useQueryParams());
  const { data, error, refetch, isPlaceholderData } = useAsk('subtitles', 'inventory', listing, { keep: true });
  if (error instanceof CallFailed && error.status === 404)
    return (
      <EmptyState
        icon={folder}
        title={m.thereIsNoSuchLibrary}
        action={<Button onClick={() => changeFilters(listing, { library: undefined })}>{m.showAllLibraries}</Button>}
      >
        {m.theLibraryInThisAddress}
      </EmptyState>
    );
  if (!data)
    return error ? (
      <ErrorState title={m.theSubtitlesCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  if (data.languages.length === 0) return <NoLanguage />;
  return data.total === 0 ? (
    <>
      {isWaiting(data) && <RestartNotice />}
      <NothingYet inventory={data} />
    </>
  ) : (
    <Body inventory={data} listing={listing} isBefore={isPlaceholderData} />
  );
};

/** Whether the saved settings of a provider wait for a restart. */
const isWaiting = ({ providers }: Inventory): boolean =>
  providers.some(({ restartPending }) => restartPending === true);

const NoLanguage = () => (
  <EmptyState
    icon={captions}
    title={m.noLanguageIsChosenYet}
    action={
      <ButtonLink
        look="primary"
        to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles.language' } }}
      >
        {m.chooseALanguage}
      </ButtonLink>
    }
  >
    {m.onceALanguageIsChosen}
  </EmptyState>
);

const NothingYet = ({ inventory: { byLibrary } }: { inventory: Inventory }) => (
  <EmptyState
    icon={folder}
    title={byLibrary.length === 0 ? m.thereIsNoFilmOr : m.noFilmOrEpisodeYet}
    action={
      <ButtonLink look="primary" to={{ page: 'settingsPart', params: { part: 'libraries' } }}>
        {byLibrary.length === 0 ? m.addALibrary : m.lookAtTheLibraries}
      </ButtonLink>
    }
  >
    {byLibrary.length === 0 ? m.subtitlesBelongToFilmsAnd : m.theyAppearHereAfterA}
  </EmptyState>
);

/** Scrolls from a number of the overview to what it counts, which is below it on the same page. */
const onOverview = (event: MouseEvent) => {
  const link = (event.target as HTMLElement).closest('a');
  if (link && event.defaultPrevented && link.pathname === location.pathname) showList();
};

const Body = ({
  inventory,
  listing,
  isBefore,
}: {
  inventory: Inventory;
  listing: InventoryListing;
  /** It is the answer to the question before. */ isBefore: boolean;
}) => {
  const { tasks } = useTasks();
  const fetching = lastOf(tasks, FETCH_WANTED);
  return (
    <>
      {isWaiting(inventory) && <RestartNotice />}
      {!inventory.providers.some(({ configured, restartPending }) => configured || restartPending) && (
        <Notice tone="warn">
          {rich(m.noProviderIsSetUp, {
            link: (
              <Link
                to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'integrations.subtitles' } }}
                className="link"
              >
                {m.setUpAProvider}
              </Link>
            ),
          })}
        </Notice>
      )}
      <div className={cx(overview.overview, inventory.wants.length > 2 && overview.columns)} onClick={onOverview}>
        <Coverage inventory={inventory} />
        <Providers providers={inventory.providers} />
        <Background tasks={tasks} />
      </div>
      {fetching && isUnfinished(fetching) && (
        <section className={css.card} aria-label={m.fetchingMissingSubtitles}>
          <div className={css.head}>
            <h2>{m.fetchingMissingSubtitles}</h2>
            <Button onClick={() => void cancelTask(fetching.id)}>{m.cancel}</Button>
          </div>
          <TaskRunning task={fetching} />
          <p className="muted small">{m.theServerContinuesWhenYou}</p>
        </section>
      )}
      <Misfits />
      <RunningBatch />
      <List inventory={inventory} listing={listing} tasks={tasks} isBefore={isBefore} />
    </>
  );
};
