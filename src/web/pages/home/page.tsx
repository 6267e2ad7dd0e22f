/**
 * Home: what is under way, what comes next, what is new, pinned playlists and the libraries, in the order that this
 * Profile chose.
 */
import { useState } from 'preact/hooks';
import { useQueries } from '@tanstack/react-query';
import sliders from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { type Card, Poster, Wide } from '../../parts/catalog/cards.tsx';
import { Carousel } from '../../parts/catalog/carousel.tsx';
import { ask, type Reply, useAll, useAsk } from '../../data/query.ts';
import { useIsOwner, useMe } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { Arrange } from './arrange.tsx';
import { Continue } from './continue.tsx';
import { DatabaseNotice } from './database-notice.tsx';
import { Hero } from './hero.tsx';
import { EmptyHome } from './nothing.tsx';
import { CollectionsRow, PinnedCollection, PinnedPlaylist, PinnedSmartPlaylist } from './list-row.tsx';
import { collectionsIn, featuredIn, homeRows, usualRows } from './rows.ts';
import { Tiles } from './tiles.tsx';
import { TimeLeftToday } from '../../parts/profiles/time-left.tsx';
import css from './home.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const MAX_NEXT_UP = 12;

/** Read at once, because films, audiobooks and books that are under way share one list. */
const MAX_UNDER_WAY = 60;
/** Among as many of the newest items one with a wide picture is looked for. */
const MAX_NEWEST = 60;

const Recent = ({ library, title }: { library: string; title: string }) => {
  const { data } = useAsk('catalog', 'recent', { library, limit: 24 });
  if (!data || data.items.length === 0) return null;
  return (
    <Carousel title={title} all={{ page: 'library', query: { library, sort: 'added', order: 'descending' } }}>
      {data.items.map((card) => (
        <Poster key={card.id} card={card} />
      ))}
    </Carousel>
  );
};

/** Cards that are under way, by what a person does with them. */
function underWayBy(cards: readonly Card[]): Readonly<Record<'continue' | 'listening' | 'reading', readonly Card[]>> {
  const of = (medium: string) => cards.filter(({ kind }) => itemFacts(kind).medium === medium);
  return { continue: of('video'), listening: of('audio'), reading: of('text') };
}

const UnderWay = ({ title, cards }: { title: string; cards: readonly Card[] }) =>
  cards.length === 0 ? null : (
    <Carousel title={title}>
      {cards.map((card) => (
        <Poster key={card.id} card={card} />
      ))}
    </Carousel>
  );

interface HomeLists {
  libraries: Reply<'libraries', 'list'>['items'];
  going: readonly Card[];
  next: readonly Card[];
}
/** Returns the names of rows by their keys. Collections may be many, so that only those on home are read. */
function useNames(libraries: HomeLists['libraries'], chosen: readonly { row: string }[]): Map<string, string> {
  const playlists = useAll('playlists', 'list', {}).data?.items;
  const smart = useAll('smartPlaylists', 'list', {}).data?.items;
  const pinned = collectionsIn(chosen);
  const collections = useQueries({ queries: pinned.map((id) => ask('collections', 'read', { id })) });
  return new Map([
    ...libraries.map(({ id, name }): [string, string] => [
      `recent:${id}`,
      libraries.length === 1 ? m.recentlyAdded : m.recentlyAddedIn({ name }),
    ]),
    ...(playlists ?? []).map(({ id, name }): [string, string] => [`playlist:${id}`, name]),
    ...(smart ?? []).map(({ id, name }): [string, string] => [`smart:${id}`, name]),
    // A deleted collection, or one without an item that this Profile may see, is not found and has no row.
    ...collections.flatMap(({ data }, at): [string, string][] =>
      data ? [[`collection:${pinned[at] ?? ''}`, data.name]] : [],
    ),
    ['continue', m.continueWatching],
    ['listening', m.continueListening],
    ['reading', m.continueReading],
    ['next-up', m.nextUp],
    ['collections', m.collections],
    ['libraries', m.libraries],
  ]);
}

/** Names and contents of rows, by their keys. */
function useRows({ libraries, going, next }: HomeLists) {
  const chosen = useMe()?.preferences.home ?? [];
  const names = useNames(libraries, chosen);
  const nameOf = (row: string): string => names.get(row) ?? '';
  const usual = usualRows(libraries);
  const rows = homeRows(usual, chosen, (row) => names.has(row));
  const pinnable = [...names.keys()].filter((row) => /^(playlist|smart):/.test(row));
  const begun = underWayBy(going);
  const contents = (row: string) => {
    const [kind, id = ''] = row.split(':');
    if (kind === 'continue') return begun.continue.length > 0 && <Continue key={row} cards={begun.continue} />;
    if (kind === 'listening' || kind === 'reading')
      return <UnderWay key={row} title={nameOf(row)} cards={begun[kind]} />;
    if (kind === 'recent') return <Recent key={row} library={id} title={nameOf(row)} />;
    if (kind === 'playlist') return <PinnedPlaylist key={row} id={id} name={nameOf(row)} />;
    if (kind === 'smart') return <PinnedSmartPlaylist key={row} id={id} name={nameOf(row)} />;
    if (kind === 'collection') return <PinnedCollection key={row} id={id} name={nameOf(row)} />;
    if (kind === 'collections') return <CollectionsRow key={row} title={nameOf(row)} />;
    if (kind === 'libraries') return libraries.length > 0 && <Tiles key={row} libraries={libraries} />;
    if (next.length === 0) return null;
    return (
      <Carousel key={row} title={nameOf(row)} isWide>
        {next.map((card) => (
          <Wide key={card.id} card={card} />
        ))}
      </Carousel>
    );
  };
  return { rows, pinnable, nameOf, contents };
}

const Rows = (lists: HomeLists) => {
  const { rows, pinnable, nameOf, contents } = useRows(lists);
  const [isArranging, setArranging] = useState(false);
  return (
    <>
      {rows.map(({ row, hidden }) => !hidden && contents(row))}
      <p className={css.arrange}>
        <Button look="quiet" icon={sliders} onClick={() => setArranging(true)}>
          {m.arrangeHome}
        </Button>
      </p>
      {isArranging && <Arrange {...{ rows, pinnable, nameOf }} onClose={() => setArranging(false)} />}
    </>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.home.label());
  const me = useMe();
  const isOwner = useIsOwner();
  const libraries = useAll('libraries', 'list', {});
  const underWay = useAsk('catalog', 'library', { view: 'continue', limit: MAX_UNDER_WAY });
  // The name of a photo is no headline, and there may be hundreds of new ones.
  const newest = useAsk('catalog', 'recent', { limit: MAX_NEWEST, personal: 'false' });
  const newestAtAll = useAsk('catalog', 'recent', { limit: 1 });
  const going = underWay.data?.items ?? [];
  const next =
    useAsk('catalog', 'nextUp', {
      limit: MAX_NEXT_UP,
      ...(me?.preferences.rewatch === true && { rewatch: 'true' as const }),
    }).data?.items ?? [];
  const failed = libraries.error ?? underWay.error ?? newest.error ?? newestAtAll.error;
  if (failed && !libraries.data)
    return <ErrorState isAlone title={m.homeCouldNotBeLoaded} error={failed} retry={() => void libraries.refetch()} />;
  if (!libraries.data || !underWay.data || !newest.data || !newestAtAll.data) return <Pending />;
  // Items under way come first, and among them those with a picture.
  const watched = [...underWayBy(going).continue, ...next];
  const featured = featuredIn(watched) ?? featuredIn(newest.data.items) ?? going[0] ?? newestAtAll.data?.items[0];
  return (
    <>
      <h1 className="unseen">{me ? m.homeOf({ name: me.profile.name }) : m.home}</h1>
      {isOwner && <DatabaseNotice />}
      <TimeLeftToday />
      {featured ? <Hero card={featured} /> : <EmptyHome libraries={libraries.data.items} />}
      <Rows libraries={libraries.data.items} going={going} next={next} />
    </>
  );
};
