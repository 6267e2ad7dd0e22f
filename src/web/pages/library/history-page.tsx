/** History: what this Profile watched, day by day, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import check from 'lucide/dist/esm/icons/check.mjs';
import remove from 'lucide/dist/esm/icons/x.mjs';
import clock from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import { Link } from '../../lib/navigation/link.tsx';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { removeFromHistory } from '../../parts/catalog/actions.ts';
import { pageOf, wideArt } from '../../parts/catalog/cards.tsx';
import { call } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { Button, ButtonLink, IconButton } from '../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { day, episodeCode, facts, position } from '../../lib/format.ts';
import css from './library.module.css';
import rows from './history.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';
import { perLocale } from '../../messages/plural.ts';

type Entry = Reply<'watching', 'history'>['items'][number];
const hours = perLocale((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }));

/** The entries under the day they belong to, in their order. */
function byDay(entries: readonly Entry[]): [string, Entry[]][] {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = day(entry.at);
    days.set(name, [...(days.get(name) ?? []), entry]);
  }
  return [...days];
}

/** Removes the entry of a row, and moves the focus from its button to that of a neighbour. */
async function removeRow({ id, item }: Entry, button: HTMLElement): Promise<void> {
  const row = button.closest('li');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  if (await removeFromHistory(id, item.title)) neighbour?.querySelector('button')?.focus();
}

const Row = ({ entry }: { entry: Entry }) => {
  const { item, at, watched, position: reached } = entry;
  const { kind, version } = wideArt(item);
  return (
    <li className={rows.entry}>
      <Link to={pageOf(item)} className={rows.row}>
        <span className={rows.picture}>
          <Artwork id={item.id} kind={kind} version={version} title={item.title} sizes="160px" isFilling />
        </span>
        <span className={rows.words}>
          <strong>{item.show?.title ?? item.title}</strong>
          <span className="muted small">
            {facts(item.kind === 'episode' && episodeCode(item), item.kind === 'episode' ? item.title : item.year).join(
              ' · ',
            )}
          </span>
        </span>
        <span className={rows.state}>
          {watched ? (
            <>
              <Icon of={check} size={1} /> {m.watched}
            </>
          ) : (
            m.stoppedAt({ position: position(reached) })
          )}
          <time dateTime={at}>{hours().format(new Date(at))}</time>
        </span>
      </Link>
      <IconButton
        icon={remove}
        label={m.removeFromHistory({ title: item.title })}
        onClick={({ currentTarget }) => void removeRow(entry, currentTarget)}
      />
    </li>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.history.label());
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['watching', 'history', 'all'],
    queryFn: ({ pageParam, signal }) =>
      call.watching.history({ limit: 50, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (!data)
    return error ? (
      <ErrorState isAlone title={m.watchHistoryCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const entries = data.pages.flatMap(({ items }) => items);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{DESTINATIONS.history.label()}</h1>
      </header>
      {entries.length === 0 && (
        <EmptyState
          isAlone
          icon={clock}
          title={m.nothingWatchedYet}
          action={<ButtonLink to={{ page: 'library' }}>{m.browseTheLibraries}</ButtonLink>}
        >
          {m.whatYouWatchIsListed}
        </EmptyState>
      )}
      {byDay(entries).map(([name, some]) => (
        <section key={name} className={rows.day}>
          <h2>{name}</h2>
          <ul>
            {some.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {m.showEarlier}
        </Button>
      )}
    </div>
  );
};
