/** A saved index is used only when it is exactly this database's; anything else leaves the index to the rows. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import { eachEngine } from '../../../lib/db/testing.ts';
import type { Database } from '../../../lib/db/index.ts';
import { silentLog } from '../../../lib/log.ts';
import { createLibraryIndex } from '../library-index/index.ts';
import { kinds } from '../../kinds/index.ts';
import { readingStore } from '../../store/reading.ts';
import { scanningStore } from '../../store/scanning.ts';
import type { ItemToStore } from '../../store/records.ts';
import { worldMigrations } from '../../testing/world.ts';
import type { IndexQuery } from '../library-index/types.ts';
import { decodeSnapshot, encode, treeLayoutOf, seal, type Tree } from './format.ts';
import { createSnapshot } from './index.ts';

const HEX = (kind: string, n: number) => `${kind}${n.toString(16).padStart(15, '0')}`;
const LIBRARIES = [HEX('a', 0), HEX('a', 1)];
const ITEM: Omit<ItemToStore, 'id' | 'key'> = {
  library: LIBRARIES[0] ?? '',
  kind: 'movie',
  title: 'A film',
  sort_title: 'a film',
  original_title: null,
  year: 1999,
  released: null,
  rating: 'PG',
  community_rating: 7.5,
  added: 5,
  duration: 90,
  resolution: '4k',
  genres: ['Drama'],
  languages: ['en'],
  images: {},
  show: null,
  season: null,
  season_number: null,
  episode_number: null,
  episode_end: null,
  confidence: 1,
  detail: { studios: [], people: [], ids: {}, evidence: [] },
  present: 1,
  missing: null,
};
const film = (n: number, more: Partial<ItemToStore> = {}): ItemToStore => ({
  ...ITEM,
  id: HEX('b', n),
  key: `movie:${n}`,
  title: `Film ${n}`,
  sort_title: `film ${n}`,
  ...more,
});
const show = HEX('c', 0);
const START: ItemToStore[] = [
  ...Array.from({ length: 30 }, (_, n) =>
    film(n, {
      library: LIBRARIES[n % 2] ?? '',
      year: 1950 + n,
      rating: ['G', 'PG', 'R', null, 'FSK 12'][n % 5] ?? null,
      original_title: n % 7 === 0 ? `Œuvre ${n}` : null,
    }),
  ),
  film(31, { title: '七人の侍', sort_title: '七人の侍' }),
  { ...ITEM, id: show, key: 'show', kind: 'show', title: 'A show', sort_title: 'show' },
  { ...ITEM, id: HEX('d', 0), key: 'season', kind: 'season', title: 'Season 1', show, season_number: 1 },
  ...Array.from({ length: 4 }, (_, n) => ({
    ...ITEM,
    id: HEX('e', n),
    key: `episode:${n}`,
    kind: 'episode',
    title: `Part ${n}`,
    sort_title: `part ${n}`,
    show,
    season_number: 1,
    episode_number: 4 - n,
  })),
];

interface House {
  folder: string;
  put(items: ItemToStore[]): Promise<void>;
  /** Opens a server's index on this database: from its copy if that is valid, and otherwise from the rows. */
  open(libraries?: readonly string[]): Promise<{
    index: ReturnType<typeof createLibraryIndex>;
    snapshot: ReturnType<typeof createSnapshot>;
    isFromCopy: boolean;
    state: unknown;
  }>;
  /** Contents of an index that is built from the rows. */
  truth(libraries?: readonly string[]): Promise<unknown>;
}

const QUERY: IndexQuery = {
  kinds: ['movie', 'show', 'episode'],
  sort: 'title',
  order: 'ascending',
  offset: 0,
  limit: 500,
};
const POLICIES: readonly Policy[] = [
  OWNER_POLICY,
  { ...OWNER_POLICY, rating: 13, unrated: false },
  { ...OWNER_POLICY, libraries: [LIBRARIES[1] ?? ''] },
];

function stateOf(index: ReturnType<typeof createLibraryIndex>): unknown {
  return POLICIES.map((policy) => {
    const { ids, total, facets } = index.page(QUERY, policy);
    return {
      total,
      facets,
      found: index.page({ ...QUERY, q: 'film', sort: 'match', order: 'descending' }, policy).ids.toSorted(),
      rows: ids.map(index.row),
      episodes: index.itemsOf(show, policy),
      counts: [...index.counts.byLibrary(policy)],
      seen: START.map(({ id }) => index.isVisible(id, policy)),
    };
  });
}

async function house(t: TestContext, db: Database): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-index-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [reading, scanning] = [readingStore(db), scanningStore(db)];
  const fill = (index: ReturnType<typeof createLibraryIndex>, libraries: readonly string[]) =>
    index.load((put) => reading.eachIndexRow((row) => void (libraries.includes(row.library) && put(row))));
  const put = async (items: ItemToStore[]) =>
    void (await scanning.put({ items, folders: [], files: [], infos: [], noInfos: [], left: [], now: 1 }));
  await put(START);
  return {
    folder,
    put,
    open: async (libraries = LIBRARIES) => {
      const index = createLibraryIndex(kinds);
      const snapshot = createSnapshot({
        folder,
        log: silentLog,
        index,
        store: { ...reading, setSnapshotKey: scanning.setSnapshotKey },
        least: 1,
        libraries: () => libraries,
      });
      t.after(() => snapshot.close());
      const isFromCopy = await snapshot.load(libraries);
      if (!isFromCopy) await fill(index, libraries);
      return { index, snapshot, isFromCopy, state: stateOf(index) };
    },
    truth: async (libraries = LIBRARIES) => {
      const index = createLibraryIndex(kinds);
      await fill(index, libraries);
      return stateOf(index);
    },
  };
}

eachEngine('an index is restored with the changes since it was saved', worldMigrations, async (t, db) => {
  const h = await house(t, db);
  const first = await h.open();
  assert.equal(first.isFromCopy, false);
  await first.snapshot.save();
  const second = await h.open();
  assert.deepEqual([second.isFromCopy, second.state], [true, first.state]);
  await h.put([
    film(3, { title: 'Renamed', sort_title: 'renamed', rating: 'R' }),
    film(40),
    film(5, { present: 0 }),
    {
      ...ITEM,
      id: HEX('e', 9),
      key: 'episode:9',
      kind: 'episode',
      title: 'Part 9',
      show,
      season_number: 1,
      episode_number: 9,
    },
  ]);
  const third = await h.open();
  assert.deepEqual([third.isFromCopy, third.state], [true, await h.truth()], 'a right that was narrowed since holds');
  await third.snapshot.save();
  // The arrays grow after the restored part.
  third.index.apply([], [HEX('b', 1)]);
  await h.put(Array.from({ length: 100 }, (_, n) => film(100 + n)));
  const fourth = await h.open();
  assert.deepEqual([fourth.isFromCopy, fourth.state], [true, await h.truth()]);
});

eachEngine(
  'a copy of another database, of an older one or of other libraries is not used',
  worldMigrations,
  async (t, db) => {
    const h = await house(t, db);
    const path = join(h.folder, 'library.index');
    await (await h.open()).snapshot.save();
    const older = readFileSync(path);
    await h.put([film(3, { rating: 'R' })]);
    const next = await h.open();
    assert.equal(next.isFromCopy, true);
    await next.snapshot.save();
    const newer = readFileSync(path);
    writeFileSync(path, older);
    const restored = await h.open();
    assert.deepEqual(
      [restored.isFromCopy, restored.state],
      [false, await h.truth()],
      'the key of the older copy is not that of the database',
    );
    writeFileSync(path, newer);
    assert.equal((await h.open()).isFromCopy, true);
    const [only] = LIBRARIES.slice(1);
    const fewer = await h.open([only ?? '']);
    assert.deepEqual([fewer.isFromCopy, fewer.state], [false, await h.truth([only ?? ''])]);
    assert.throws(() => readFileSync(path), { code: 'ENOENT' }, 'what does not fit is removed');
  },
);

eachEngine('a damaged or truncated copy is never used, whichever bit is wrong', worldMigrations, async (t, db) => {
  const h = await house(t, db);
  const path = join(h.folder, 'library.index');
  await (await h.open()).snapshot.save();
  const good = readFileSync(path);
  const truth = await h.truth();
  let state = 20_261;
  const next = (below: number): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % below;
  for (let i = 0; i < 60; i++) {
    const bad = Buffer.from(good);
    const at = i < 48 ? i : next(bad.length);
    bad[at] = (bad[at] ?? 0) ^ (1 << next(8));
    // Bytes 12 to 15 are unused: any value is valid.
    if (at >= 12 && at < 16) continue;
    writeFileSync(
      path,
      i % 10 === 9 ? good.subarray(0, at) : i % 10 === 8 ? Buffer.concat([good, bad.subarray(0, at + 1)]) : bad,
    );
    const opened = await h.open();
    assert.deepEqual([opened.isFromCopy, opened.state], [false, truth], `byte ${at}`);
  }
  writeFileSync(path, good);
  assert.equal((await h.open()).isFromCopy, true, 'the whole one is still good');
});

eachEngine('no copy is saved while the index lacks rows', worldMigrations, async (t, db) => {
  const h = await house(t, db);
  const { snapshot, index } = await h.open();
  const hidden = film(3, { rating: 'R' });
  await snapshot.during(async () => {
    await h.put([hidden]);
    await snapshot.save();
  });
  assert.throws(() => readFileSync(join(h.folder, 'library.index')), { code: 'ENOENT' });
  const saving = snapshot.save();
  // It begins while the copy reads the number of the last change.
  await snapshot.during(async () => h.put([film(4, { rating: 'R' })]));
  await saving;
  assert.throws(() => readFileSync(join(h.folder, 'library.index')), { code: 'ENOENT' });
  void index;
  const again = await h.open();
  assert.deepEqual([again.isFromCopy, again.state], [false, await h.truth()]);
});

test('a tree is read back unchanged, and only with its key', async () => {
  const tree = {
    a: 1,
    list: [
      [1, 'ü'],
      [2, '日'],
    ],
    none: null,
    columns: {
      u8: new Uint8Array([1, 2, 3]),
      u16: new Uint16Array([65_535]),
      u32: new Uint32Array([7, 2 ** 32 - 1]),
      f64: new Float64Array([NaN, -0.5]),
      empty: new Uint8Array(0),
    },
  };
  const bytes = encode(tree as Tree);
  await seal(bytes, 'key');
  const from = {
    size: bytes.length,
    read: async (into: Uint8Array, position: number) =>
      bytes.copy(into, 0, position, position + Math.min(5, into.length)),
  };
  assert.deepEqual(await decodeSnapshot(from, 'key'), tree);
  assert.equal(await decodeSnapshot(from, 'another'), undefined);
  assert.equal(
    treeLayoutOf(tree as Tree),
    '{a:number,list:list,none:null,columns:{u8:u8,u16:u16,u32:u32,f64:f64,empty:u8}}',
  );
});
