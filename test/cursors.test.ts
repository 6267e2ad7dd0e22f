/**
 * Cursors: a walk over the pages of any list has every row that was there all the time exactly once, whatever else
 * comes, goes or is renamed.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { catalogMigrations } from '../src/catalog/index.ts';
import { unplacedPaging } from '../src/catalog/core/listing.ts';
import { createCardPages } from '../src/catalog/core/cards/pages.ts';
import { NO_SUBTITLES } from '../src/catalog/core/rule-matches.ts';
import { createVisibleCatalog } from '../src/catalog/core/visible-catalog.ts';
import { createLibraryIndex } from '../src/catalog/core/library-index/index.ts';
import { kinds } from '../src/catalog/kinds/index.ts';
import { createExtraLinks } from '../src/catalog/core/item/extra-links.ts';
import { createItemFiles } from '../src/catalog/core/item/file-cache.ts';
import { readingStore } from '../src/catalog/store/reading.ts';
import { watchingStore } from '../src/catalog/store/watching.ts';
import type { IndexRow } from '../src/catalog/core/library-index/types.ts';
import type { LibraryQuery } from '../src/catalog/types.ts';
import { createWatching } from '../src/catalog/core/watching.ts';
import { SORTS } from '../src/contract/catalog/browsing.ts';
import { OWNER_POLICY } from '../src/contract/identity/profiles.ts';
import { createBus } from '../src/lib/bus.ts';
import { encodeCursor } from '../src/lib/json/cursor.ts';
import { openTemporaryDatabase } from '../src/lib/db/testing.ts';
import { chance, SEED } from './chance.ts';

const LONG = 'a'.repeat(230);
const TITLES = [
  'alpha',
  'beta',
  'gamma ray',
  'gamma burst',
  'élan',
  '000007 days',
  '電影',
  `${LONG} one`,
  `${LONG} two`,
  '\ud83d\ude00 smile',
  '',
];
const id = (n: number): string => n.toString(16).padStart(16, '0');

interface House {
  seen: ReturnType<typeof createVisibleCatalog>;
  other: ReturnType<typeof createVisibleCatalog>;
  watching: ReturnType<typeof createWatching>;
  rows: Map<string, IndexRow>;
  put(row: IndexRow): void;
  drop(id: string): void;
  below(most: number): number;
  pick<T>(all: readonly T[]): T;
  fresh(): IndexRow;
}

async function open(t: TestContext): Promise<House> {
  const db = await openTemporaryDatabase(t, catalogMigrations);
  const index = createLibraryIndex(kinds);
  const clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };
  const watching = createWatching({ store: watchingStore(db), bus: createBus(() => {}), clock });
  const store = readingStore(db);
  const pages = createCardPages({ store, index, kinds, isOnline: () => true });
  const needs = {
    store,
    itemFiles: createItemFiles(store),
    keptPictures: '/pictures',
    sidecarFacts: { unreadable: async () => [], subtitled: async () => NO_SUBTITLES },
    extras: createExtraLinks(store),
    index,
    kinds,
    watching,
    pages,
    texts: { find: () => Promise.resolve({ people: [], plot: [] }), version: () => 0 },
    nameOf: () => undefined,
    rootOf: () => undefined,
    isOnline: () => true,
  };
  const next = chance();
  const below = (most: number) => Math.floor(next() * most);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const rows = new Map<string, IndexRow>();
  let count = 0;
  const fresh = (): IndexRow => {
    count++;
    const title = pick(TITLES);
    return {
      id: id(below(2 ** 30) * 1000 + count),
      kind: 'movie',
      library: id(1),
      title,
      sortTitle: title,
      originalTitle: null,
      year: pick([null, 1999, 2001]),
      released: pick([null, 10, 20]),
      rating: null,
      communityRating: pick([null, 5, 7.5]),
      added: below(3),
      duration: pick([null, 600, 1_200]),
      resolution: null,
      genres: [],
      languages: [],
      parent: null,
      section: null,
      number: null,
    };
  };
  const put = (row: IndexRow) => {
    rows.set(row.id, row);
    index.apply([row], []);
  };
  const drop = (gone: string) => {
    rows.delete(gone);
    index.apply([], [gone]);
  };
  const of = (profile: string) => createVisibleCatalog(needs, { profile, role: 'owner', policy: OWNER_POLICY });
  return { seen: of('ada'), other: of('bob'), watching, rows, put, drop, below, pick, fresh };
}

/** Pages through a list to its end, and does something after each page. Returns the ids in the order they came. */
async function walk(
  ask: (cursor: string | undefined) => Promise<{ ids: string[]; nextCursor?: string | undefined }>,
  between: () => Promise<void> | void,
): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const { ids, nextCursor } = await ask(cursor);
    all.push(...ids);
    cursor = nextCursor;
    if (cursor !== undefined) await between();
    assert.ok(all.length < 1_000, 'the walk ends');
  } while (cursor !== undefined);
  return all;
}
const asksFor =
  ({ seen }: House, query: Omit<LibraryQuery, 'limit' | 'cursor'>, limit = 3) =>
  async (cursor: string | undefined) => {
    const { items, nextCursor } = await seen.library({ ...query, limit, cursor });
    return { ids: items.map((item) => item.id), nextCursor };
  };

/** Adds, removes and renames rows, and says which it touched. */
function stir({ rows, put, drop, below, pick, fresh }: House, touched: Set<string>): void {
  for (let i = below(4); i > 0; i--) put(fresh());
  for (let i = Math.max(below(3), rows.size - 40); i > 0 && rows.size > 12; i--) {
    const gone = pick([...rows.keys()]);
    touched.add(gone);
    drop(gone);
  }
  const renamed = pick([...rows.values()]);
  touched.add(renamed.id);
  const title = pick(TITLES);
  put({
    ...renamed,
    title,
    sortTitle: title,
    year: pick([null, 1999, 2001]),
    added: below(3),
    communityRating: pick([null, 5, 7.5]),
  });
}

/** Every row of `before` that nothing touched came once, and nothing that was only added or removed came twice. */
function judge(what: string, came: readonly string[], before: readonly string[], touched: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const one of came) counts.set(one, (counts.get(one) ?? 0) + 1);
  const wrong = before
    .filter((one) => !touched.has(one) && counts.get(one) !== 1)
    .map((one) => `${one} came ${counts.get(one) ?? 0} times`);
  assert.deepEqual(wrong, [], `${what}, seed ${SEED}`);
}

test(`every sort, both ways: rows come, go and are renamed between pages (seed ${SEED})`, async (t) => {
  const house = await open(t);
  for (let i = 0; i < 30; i++) house.put(house.fresh());
  for (const sort of SORTS) {
    for (const order of ['ascending', 'descending'] as const) {
      for (const more of [{}, { letter: 'b' }, ...(sort === 'random' ? [{ seed: 5 }] : [])]) {
        const query = { view: 'all', sort, order, ...more };
        const all = await house.seen.library({ ...query, limit: 200, ...(sort === 'random' && { seed: 5 }) });
        const touched = new Set<string>();
        judge(
          JSON.stringify(query),
          await walk(asksFor(house, query), () => stir(house, touched)),
          all.items.map((item) => item.id),
          touched,
        );
      }
    }
  }
});

test(`search and the views of a Profile, likewise (seed ${SEED})`, async (t) => {
  const house = await open(t);
  for (let i = 0; i < 40; i++) house.put(house.fresh());
  for (const [i, item] of [...house.rows.keys()].entries()) {
    if (i % 3 !== 0) await house.watching.progress('ada', item, { position: 60, session: `session-${i}` }, 1_000);
    if (i % 4 !== 3) await house.watching.list('ada', item, true);
    if (i % 5 === 0) await house.watching.progress('ada', item, { position: 0, watched: true }, 1_000);
  }
  for (const query of [
    { view: 'all', q: 'gam' },
    { view: 'all', q: 'a', order: 'ascending' as const },
    ...['list', 'unwatched', 'continue', 'history', 'movies'].map((view) => ({ view })),
    { view: 'list', sort: 'added' as const },
    { view: 'history', order: 'descending' as const },
  ]) {
    const all = (await house.seen.library({ ...query, limit: 200 })).items.map((item) => item.id);
    assert.ok(all.length > 3, JSON.stringify(query));
    const touched = new Set<string>();
    judge(JSON.stringify(query), await walk(asksFor(house, query), () => stir(house, touched)), all, touched);
  }
});

test('continue watching has only items of five minutes or more, and those without a length', async (t) => {
  const house = await open(t);
  for (const duration of [null, 120, 299, 300, 600]) {
    const item = { ...house.fresh(), duration };
    house.put(item);
    await house.watching.progress('ada', item.id, { position: 60, session: item.id }, 1_000);
  }
  const { items } = await house.seen.library({ view: 'continue', limit: 200 });
  assert.deepEqual(items.map(({ duration }) => duration ?? null).toSorted(), [300, 600, null]);
});

test('what is played while its list is paged through stays where it was', async (t) => {
  const house = await open(t);
  for (let i = 0; i < 20; i++) house.put(house.fresh());
  const items = [...house.rows.keys()];
  for (const [i, item] of items.entries())
    await house.watching.progress('ada', item, { position: 60, session: `session-${i}` }, 1_000);
  let plays = 0;
  // The same session continues, another begins, and something is played for the first time.
  const play = async () => {
    const n = house.below(items.length);
    await house.watching.progress('ada', items[n] as string, { position: 100 + plays, session: `session-${n}` }, 1_000);
    await house.watching.progress('ada', house.pick(items), { position: 70, session: `another-${plays++}` }, 1_000);
    house.put(house.fresh());
    await house.watching.progress(
      'ada',
      [...house.rows.keys()].at(-1) as string,
      { position: 70, session: `another-${plays++}` },
      1_000,
    );
  };
  for (const view of ['history', 'continue']) judge(view, await walk(asksFor(house, { view }), play), items, new Set());
  const sessions = async (cursor: string | undefined) => {
    const { items: some, nextCursor } = await house.seen.watched.history({ limit: 3, cursor });
    return { ids: some.map(({ item, at }) => `${item.id} ${at}`), nextCursor };
  };
  const before = (await house.seen.watched.history({ limit: 200 })).items.map(({ item, at }) => `${item.id} ${at}`);
  const came = await walk(sessions, play);
  assert.deepEqual(came, before, 'the history as it was when the walk began');
});

test('a cursor is of one query: another one, an altered, cut or rewritten one is refused', async (t) => {
  const house = await open(t);
  for (let i = 0; i < 12; i++) {
    const row = house.fresh();
    house.put(row);
    await house.watching.progress('ada', row.id, { position: 60, session: `session-${i}` }, 1_000);
  }
  const cursor = (await house.seen.library({ view: 'all', limit: 3 })).nextCursor ?? assert.fail('no cursor');
  const refused = (what: Promise<unknown>) => assert.rejects(what, { kind: 'invalid', reason: 'cursor' });
  assert.equal(
    (await house.seen.library({ view: 'all', sort: 'title', order: 'ascending', limit: 5, cursor })).items.length,
    5,
    'the usual order may be named',
  );
  for (const query of [
    { view: 'movies' },
    { view: 'all', sort: 'added' },
    { view: 'all', order: 'descending' },
    { view: 'all', q: 'a' },
    { view: 'all', year: 1999 },
    { view: 'all', letter: 'b' },
    { view: 'all', seed: 1 },
    { view: 'all', offset: 0 },
    { view: 'shows' },
    { list: 'shows', view: 'all' },
  ] as const) {
    await refused(house.seen.library({ ...query, limit: 3, cursor }));
  }
  await refused(house.other.library({ view: 'all', limit: 3, cursor }));
  await refused(house.seen.watched.history({ limit: 3, cursor }));
  const history = (await house.seen.watched.history({ limit: 3 })).nextCursor ?? assert.fail('no cursor');
  await refused(house.seen.library({ view: 'history', limit: 3, cursor: history }));
  await refused(house.other.watched.history({ limit: 3, cursor: history }));
  const altered = Array.from(
    { length: cursor.length },
    (_, i) => `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`,
  );
  for (const wrong of [
    ...altered,
    cursor.slice(0, -1),
    cursor.slice(0, -4),
    `${cursor}A`,
    `${cursor}=`,
    ` ${cursor}`,
    'bzM',
    'A',
    encodeCursor(['library'], [1]),
  ])
    await refused(house.seen.library({ view: 'all', limit: 3, cursor: wrong }));
  assert.throws(() => unplacedPaging({ cursor, limit: 3 }), { kind: 'invalid', reason: 'cursor' });
  const paging = unplacedPaging({ library: id(1), limit: 3 });
  const next = paging.cursorAfter({ folder: 'Films', name: 'x.mkv', id: id(2) });
  assert.deepEqual(unplacedPaging({ library: id(1), limit: 3, cursor: next }).after, {
    folder: 'Films',
    name: 'x.mkv',
    id: id(2),
  });
  for (const query of [{ library: id(2) }, {}, { library: id(1), offset: 3 }])
    assert.throws(() => unplacedPaging({ ...query, limit: 3, cursor: next }), { kind: 'invalid' });
});
