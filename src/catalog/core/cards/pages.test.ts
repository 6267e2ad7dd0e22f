/** Pages as JSON text say what pages as objects say, for every Profile, before and after changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '../../../contract/catalog/browsing.ts';
import { OWNER_POLICY } from '../../../contract/identity/profiles.ts';
import type { IndexRow } from '../library-index/types.ts';
import type { LibraryQuery, VisibleCatalog } from '../../types.ts';
import { createLibraryIndex } from '../library-index/index.ts';
import { kinds } from '../../kinds/index.ts';
import type { CardRecord } from '../../store/reading.ts';
import { grow, makeNfo, openWorld } from '../../testing/world.ts';
import { createCardPages } from './pages.ts';

async function same(seen: VisibleCatalog, query: LibraryQuery, what: string): Promise<number> {
  const [text, object] = [await seen.libraryJson(query), await seen.library(query)];
  const json = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual(json, JSON.parse(JSON.stringify(object)), what);
  assert.ok(catalog.library.result.safeParse(json).success, what);
  return object.items.length;
}

test('a page as text is the page as objects, for an Owner and for others, whatever changes', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), {
    'Kind "1" (2001)/Kind (2001).mp4': true,
    'Kind "1" (2001)/movie.nfo': makeNfo('movie', {
      title: 'Kind &quot;one&quot; \u2028 ü',
      mpaa: 'G',
      genre: 'Family',
    }),
    'Zealous (1999)/Zealous (1999).mp4': true,
    'Zealous (1999)/movie.nfo': makeNfo('movie', { title: 'Zealous', mpaa: 'R' }),
    'Zealous (1999)/poster.jpg': 'x',
  });
  grow(w.at('shows'), {
    'Open/tvshow.nfo': makeNfo('tvshow', { title: 'Open', mpaa: 'TV-Y' }),
    'Open/Season 1/Open S01E01.mkv': true,
    'Open/Season 1/Open S01E02.mkv': 301,
  });
  await w.scan();
  const check = async (what: string) => {
    for (const [seen, films] of [
      [w.seen(), 2],
      [w.seen({ rating: 7, unrated: false }, 'viewer', 'kid'), 1],
    ] as const) {
      for (const view of ['all', 'shows', 'history', 'continue', 'list', 'unwatched'])
        await same(seen, { view, limit: 100 }, `${what} ${view}`);
      assert.equal(await same(seen, { view: 'movies', limit: 100 }, what), films);
      await same(seen, { view: 'all', q: 'open', limit: 2 }, `${what} search`);
      await same(seen, { view: 'all', limit: 1, sort: 'added' }, `${what} first of several pages`);
    }
  };
  await check('at first');
  await check('from what was kept');
  const [film, episode] = [await w.id('Zealous'), await w.id('Open/1x1')];
  await w.catalog.watching.progress('p1', film, { position: 60, session: 'session-1' }, 1_000);
  await w.catalog.watching.progress('p1', episode, { position: 0, watched: true }, 1_000);
  await w.catalog.watching.list('kid', await w.id('Open'), true);
  await check('after plays');
  const nextUp = async (seen: VisibleCatalog) => (await seen.watched.nextUp(5)).items.map(({ id }) => id);
  const second = await w.id('Open/1x2');
  assert.deepEqual(
    [await nextUp(w.seen()), await nextUp(w.seen({}, 'viewer', 'kid'))],
    [[second], []],
    'after the first episode comes the second',
  );
  assert.deepEqual(
    [await nextUp(w.seen({ libraries: [] })), (await w.seen().page('shows', await w.id('Open')))?.nextUp?.id],
    [[], second],
  );
  const show = await w.id('Open');
  await w.catalog.watching.dismiss('p1', show);
  assert.deepEqual(await nextUp(w.seen()), [], 'hidden');
  assert.equal((await w.seen().page('shows', show))?.nextUp?.id, second, 'and nothing is marked');
  await w.catalog.watching.showAgain('p1', show);
  assert.deepEqual(await nextUp(w.seen()), [second]);
  w.clock.ahead += 366 * 24 * 60 * 60 * 1000;
  assert.deepEqual(await nextUp(w.seen()), [], 'nothing happened for a year');
  w.clock.ahead = 0;
  await w.catalog.watching.progress('p1', second, { position: 60, session: 'session-2' }, 1_000);
  assert.deepEqual(await nextUp(w.seen()), [], 'what is under way is continued and does not come next');
  await w.catalog.watching.progress('p1', second, { position: 0, watched: true }, 1_000);
  assert.deepEqual(await nextUp(w.seen()), [], 'after the last episode comes none');
  await check('after all episodes');
  const shown = async (seen: VisibleCatalog) => (await seen.library({ view: 'shows', limit: 1 })).items[0]?.playNext;
  assert.deepEqual(await shown(w.seen()), { id: episode, season: 1, episode: 1, position: 0 }, 'all again');
  await w.catalog.watching.progress('p1', second, { position: 45, session: 'session-3' }, 1_000);
  assert.deepEqual(await shown(w.seen()), { id: second, season: 1, episode: 2, position: 45 }, 'being watched again');
  assert.deepEqual((await shown(w.seen({ rating: 7, unrated: false }, 'viewer', 'kid')))?.id, episode);
  const open = await w.id('Open');
  assert.deepEqual(w.seen().watched.itemsOf([open, film]), [episode, second, film], 'a show stands for its episodes');
  assert.equal(w.seen({ rating: 7, unrated: false }, 'viewer', 'kid').watched.itemsOf([open, film]), undefined);
  grow(w.at('films'), {
    'Zealous (1999)/movie.nfo': makeNfo('movie', { title: 'Zealous Again', mpaa: 'R' }),
    'New (2020)/New (2020).mp4': true,
    'New (2020)/movie.nfo': makeNfo('movie', { title: 'New', mpaa: 'R' }),
  });
  await w.scan();
  const titles = (
    JSON.parse(await w.seen().libraryJson({ view: 'movies', limit: 9 })) as { items: { title: string }[] }
  ).items.map(({ title }) => title);
  assert.deepEqual(
    titles.filter((title) => title !== titles[0]),
    ['New', 'Zealous Again'],
  );
  assert.equal(
    w.seen().watched.duration(episode) === undefined || w.seen().watched.duration(await w.id('Open')) !== undefined,
    false,
  );
  assert.equal(w.seen({ rating: 7, unrated: false }, 'viewer', 'kid').watched.duration(film), undefined);
});

const id = (n: number) => n.toString(16).padStart(16, '0');
const row = (n: number): IndexRow => ({
  id: id(n),
  kind: 'movie',
  library: id(0),
  title: `Film ${n}`,
  sortTitle: `film ${n}`,
  originalTitle: null,
  year: 1999,
  released: null,
  rating: null,
  communityRating: null,
  added: 1,
  duration: 60,
  resolution: null,
  genres: [],
  languages: [],
  parent: null,
  section: null,
  number: null,
});
const policy = OWNER_POLICY;

test('pages made at the same time are whole when each overwrites the cards of the other', async () => {
  const index = createLibraryIndex(kinds);
  index.apply(
    Array.from({ length: 60 }, (_, n) => row(n)),
    [],
  );
  let reads = 0;
  const store = {
    cards: async (ids: readonly string[]) => {
      reads += ids.length;
      await new Promise(setImmediate);
      return new Map<string, CardRecord>(
        ids.map((one) => [one, { id: one, images: {}, season: null, episode_end: null }]),
      );
    },
  };
  // Some twenty cards fit, and each page has thirty.
  const pages = createCardPages(
    { store, index, kinds, isOnline: () => true } as unknown as Parameters<typeof createCardPages>[0],
    7_000,
  );
  const page = async (from: number): Promise<string[]> => {
    const {
      offset: _,
      last: _last,
      ...of
    } = index.page({ kinds: ['movie'], sort: 'title', order: 'ascending', offset: 0, limit: 60 }, policy);
    const rows = Array.from({ length: 30 }, (_one, i) => of.ids.indexOf(id((from + i) % 60)));
    const json = await pages.library(
      { ...of, ids: rows.map((at) => of.ids[at] ?? ''), slots: Uint32Array.from(rows, (at) => of.slots[at] ?? 0) },
      { policy, watched: new Map() },
    );
    return (JSON.parse(json) as { items: { title: string }[] }).items.map(({ title }) => title);
  };
  for (let round = 0; round < 20; round++) {
    const starts = [round, round + 20, round + 40];
    const shown = await Promise.all(starts.map(page));
    assert.deepEqual(
      shown,
      starts.map((from) => Array.from({ length: 30 }, (_, i) => `Film ${(from + i) % 60}`)),
    );
  }
  assert.ok(reads < 20 * 3 * 30, 'some cards were kept');
});

test('a page whose rows change while its cards are read has the cards of its items, and no others', async () => {
  const index = createLibraryIndex(kinds);
  index.apply([1, 2, 3].map(row), []);
  let whileRead = async () => {};
  const store = {
    cards: async (ids: readonly string[]) => {
      await new Promise(setImmediate);
      await whileRead();
      return new Map<string, CardRecord>(
        ids.map((one) => [one, { id: one, images: {}, season: null, episode_end: null }]),
      );
    },
  };
  const pages = createCardPages({ store, index, kinds, isOnline: () => true } as unknown as Parameters<
    typeof createCardPages
  >[0]);
  const query = {
    kinds: ['movie' as const],
    sort: 'title' as const,
    order: 'ascending' as const,
    offset: 0,
    limit: 60,
  };
  const titles = (json: string) => (JSON.parse(json) as { items: { title: string }[] }).items.map(({ title }) => title);
  const show = async (page = index.page(query, policy)) =>
    titles(await pages.library(page, { policy, watched: new Map() }));
  const earlier = index.page(query, policy);
  const all = ['Film 1', 'Film 2', 'Film 3', 'Film 4'];
  // Film 2 goes, film 4 takes its slot, and film 2 comes back; another reply is made after that.
  whileRead = async () => {
    whileRead = async () => {};
    index.apply([], [id(2)]);
    index.apply([row(4)], []);
    index.apply([row(2)], []);
    assert.deepEqual(await show(), all);
  };
  assert.deepEqual(await show(earlier), ['Film 1', 'Film 2', 'Film 3']);
  assert.deepEqual(await show(), all);
  assert.deepEqual(await show(earlier), ['Film 1', 'Film 2', 'Film 3'], 'a page that is older than the change');
  assert.deepEqual(await show(), all);
});

test('specials are where their NFO places them in the order of a show, and last without a place', async (t) => {
  const w = await openWorld(t, { shows: 'shows' });
  const special = (title: string, more: Record<string, string>) => makeNfo('episodedetails', { title, ...more });
  grow(w.at('shows'), {
    'Open/tvshow.nfo': makeNfo('tvshow', { title: 'Open' }),
    'Open/Season 1/Open S01E01.mkv': true,
    'Open/Season 1/Open S01E02.mkv': 301,
    'Open/Season 2/Open S02E01.mkv': 302,
    'Open/Specials/Open S00E01.mkv': 303,
    'Open/Specials/Open S00E02.mkv': 304,
    'Open/Specials/Open S00E02.nfo': special('Between', { displayseason: '1', displayepisode: '2' }),
    'Open/Specials/Open S00E03.mkv': 305,
    'Open/Specials/Open S00E03.nfo': special('After', { airsafter_season: '1' }),
  });
  await w.scan();
  const numbered = async () => {
    const show = await w.seen().page('shows', await w.id('Open'));
    const all = show?.seasons.flatMap(({ number, episodes }) =>
      episodes.map(({ id, episode }) => [id, `${number}x${episode}`]),
    );
    return new Map(all as [string, string][]);
  };
  const names = await numbered();
  assert.deepEqual([...names.values()], ['0x1', '0x2', '0x3', '1x1', '1x2', '2x1'], 'the page shows them as a season');
  const order: (string | undefined)[] = [];
  for (let id: string | undefined = await w.id('Open/1x1'); id !== undefined && order.length < 9;) {
    order.push(names.get(id));
    await w.catalog.watching.progress('p1', id, { position: 0, watched: true }, 1_000);
    id = (await w.seen().watched.nextUp(5)).items[0]?.id;
  }
  assert.deepEqual(order, ['1x1', '0x2', '1x2', '0x3', '2x1']);
});
