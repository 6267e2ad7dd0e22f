/** The catalogue's store answers the same on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { readingStore } from './reading.ts';
import type { MediaInfo } from '../probe/types.ts';
import { type FileRecord, type FolderRecord, formatItem, type ItemToStore } from './records.ts';
import { type ScanBatch, scanningStore } from './scanning.ts';
import type { CatalogTables, LibraryTable } from './tables.ts';
import type { IndexRow } from '../core/library-index/types.ts';
import { catalogMigrations } from './migrations.ts';
import { ratingStore } from './ratings.ts';
import { watchingStore } from './watching.ts';

const id = (n: number): string => n.toString(16).padStart(16, '0');
const library = (n: number, more: Partial<LibraryTable> = {}): LibraryTable => ({
  id: id(n),
  name: `Library ${n}`,
  path: `/media/${n}`,
  kind: 'mixed',
  added: n,
  last_scan: null,
  last_full: null,
  removed: null,
  scan_options: null,
  ...more,
});
const folder = (path: string, more: Partial<FolderRecord> = {}): FolderRecord => ({
  library: id(1),
  path,
  mtime: 1.5,
  signature: `s ${path}`,
  aside: [],
  ...more,
});
const file = (n: number, more: Partial<FileRecord> = {}): FileRecord => ({
  id: id(n),
  library: id(1),
  folder: 'Films',
  name: `${n}.mkv`,
  size: 5_000_000_000 + n,
  mtime: 1_700_000_000_000.25,
  ino: String(n),
  item: null,
  version: id(n),
  label: '',
  part: 1,
  problem: null,
  evidence: [],
  probed: 1,
  missing: null,
  seen: 10,
  ...more,
});
const INFO = { container: 'matroska' } as MediaInfo;
const item = (n: number, more: Partial<ItemToStore> = {}): ItemToStore => ({
  id: id(n),
  library: id(1),
  key: `film:${n}`,
  kind: 'movie',
  title: `Film ${n}`,
  sort_title: `film ${n}`,
  original_title: null,
  year: 1990 + n,
  released: null,
  rating: null,
  community_rating: 7.25,
  added: 1_700_000_000_000 + n,
  duration: 5400.5,
  resolution: '1080p',
  genres: ['Drama'],
  languages: ['en'],
  images: {},
  show: null,
  season: null,
  season_number: null,
  episode_number: null,
  episode_end: null,
  confidence: 0.9,
  detail: { studios: [], people: [], ids: {}, evidence: [] },
  present: 1,
  missing: null,
  ...more,
});
const batch = (more: Partial<ScanBatch>): ScanBatch => ({
  folders: [],
  files: [],
  infos: [],
  noInfos: [],
  items: [],
  left: [],
  now: 10,
  ...more,
});

eachEngine(
  'a batch is written completely, and a second one changes the rows that it names',
  catalogMigrations,
  async (_t, db) => {
    const scanning = scanningStore(db);
    const reading = readingStore(db);
    await scanning.putLibrary(library(1));
    const first = await scanning.put(
      batch({
        folders: [folder(''), folder('Films', { aside: [{ n: 'a.srt', s: 1, m: 2 }] })],
        files: [file(11, { item: id(21) }), file(12, { item: id(22) })],
        infos: [{ file: id(11), info: INFO }],
        items: [item(21), item(22)],
      }),
    );
    assert.deepEqual(
      first.map(({ row }) => row?.title),
      ['Film 21', 'Film 22'],
    );
    const changes = async () => (await scanning.itemsById([id(21), id(22)])).map(({ change }) => change);
    assert.deepEqual((await changes()).toSorted(), [1, 2]);
    await scanning.put(batch({ items: [item(21, { title: 'Film, again', added: 5 })] }));
    assert.deepEqual((await changes()).toSorted(), [2, 3]);
    const row = await reading.item(id(21));
    assert.deepEqual(
      [row?.title, row?.added, row?.community_rating, row?.duration],
      ['Film, again', 1_700_000_000_021, 7.25, 5400.5],
      'when it was added stays',
    );
    assert.deepEqual(
      (await scanning.folders(id(1))).map(({ path, mtime }) => [path, mtime]),
      [
        ['', 1.5],
        ['Films', 1.5],
      ],
    );
    assert.deepEqual(
      (await reading.files(id(21))).map(({ id: of, size, mtime }) => [of, size, mtime]),
      [[id(11), 5_000_000_011, 1_700_000_000_000.25]],
    );
    assert.deepEqual(await reading.info(id(11)), INFO);
    assert.deepEqual(
      (await reading.changedSince(1, 10)).map((one) => one.id),
      [id(22), id(21)],
    );
    assert.deepEqual(
      (await scanning.itemsByKey(id(1), ['film:22', 'film:99'])).map((one) => one.id),
      [id(22)],
    );
    assert.deepEqual(
      (await scanning.ofSizes([5_000_000_012])).map((one) => one.id),
      [id(12)],
    );
    const index: string[] = [];
    await reading.eachIndexRow(({ title, genres, year }) => void index.push(`${title} ${genres.join()} ${year}`));
    assert.deepEqual(index.sort(), ['Film 22 Drama 2012', 'Film, again Drama 2011']);
    assert.deepEqual(await reading.companionsNear(id(1), 'Films'), [
      { below: '', companions: [{ n: 'a.srt', s: 1, m: 2 }] },
    ]);
    await scanning.put(batch({ noInfos: [id(11)] }));
    assert.equal(await reading.info(id(11)), undefined);
  },
);

eachEngine(
  'what is gone takes its season and show along, waits its time, and is then forgotten',
  catalogMigrations,
  async (_t, db) => {
    const scanning = scanningStore(db);
    const reading = readingStore(db);
    await scanning.putLibrary(library(1));
    const show = item(30, { kind: 'show', key: 'show:a' });
    const season = item(31, { kind: 'season', key: 'season:a', show: id(30), season_number: 1 });
    const episodes = [
      item(32, { kind: 'episode', key: 'e1', show: id(30), season: id(31), season_number: 1, episode_number: 1 }),
      item(33, { kind: 'episode', key: 'e2', show: id(30), season: id(31), season_number: 1, episode_number: 2 }),
    ];
    const files = [file(42, { item: id(32) }), file(43, { item: id(33) })];
    await scanning.put(batch({ folders: [folder('Films')], files, items: [show, season, ...episodes] }));
    const one = await scanning.drop({ library: id(1), files: files.slice(0, 1), gone: [], folders: [], now: 20 });
    assert.equal(one.count, 1);
    assert.deepEqual(
      one.changes.map((of) => [of.id, of.row]),
      [[id(32), undefined]],
    );
    const both = await scanning.drop({ library: id(1), files: files.slice(1), gone: ['Films'], folders: [], now: 30 });
    assert.deepEqual(both.changes.map((of) => of.id).sort(), [id(30), id(31), id(33)]);
    assert.deepEqual(await scanning.folders(id(1)), []);
    const again = await scanning.drop({ library: id(1), files, gone: [], folders: [], now: 40 });
    assert.deepEqual([again.count, again.changes.length], [0, 0], 'what is gone is not gone again');

    assert.deepEqual(await scanning.purge([id(1)], 20), [], 'not before its time');
    assert.deepEqual(await scanning.purge([id(2)], 100), [], 'and not where its library is away');
    assert.deepEqual((await scanning.purge([id(1)], 25)).sort(), [id(32)]);
    await scanning.correctMissing(30, 3);
    assert.deepEqual(await scanning.purge([id(1)], 10), [], 'nothing was missing later than that');
    await scanning.correctMissing(29, 3);
    assert.deepEqual(
      (await scanning.purge([id(1)], 10)).sort(),
      [id(30), id(31), id(33)],
      'a clock that ran ahead keeps nothing for ever',
    );
    const gone = await reading.goneSince(0, 10);
    assert.deepEqual(gone.map((of) => of.id).sort(), [id(30), id(31), id(32), id(33)]);
    assert.equal(new Set(gone.map(({ change }) => change)).size, 4, 'each with a number of its own');
  },
);

eachEngine('unplaced files are listed with their reason, by library', catalogMigrations, async (_t, db) => {
  const scanning = scanningStore(db);
  const reading = readingStore(db);
  await scanning.put(
    batch({
      files: [
        file(51, { problem: 'no name', folder: 'b' }),
        file(52, { problem: 'broken', folder: 'a' }),
        file(53),
        file(54, { problem: 'x', library: id(2) }),
        file(55, { problem: 'gone', missing: 9, folder: 'c' }),
      ],
    }),
  );
  const page = await reading.unplaced({ library: id(1), limit: 10 });
  assert.deepEqual([page.total, page.rows.map(({ problem }) => problem)], [2, ['broken', 'no name']]);
  assert.deepEqual((await reading.unplaced({ offset: 1, limit: 1 })).rows.length, 1);
  const first = page.rows[0] ?? assert.fail();
  assert.deepEqual(
    (await reading.unplaced({ library: id(1), after: first, limit: 10 })).rows.map(({ problem }) => problem),
    ['no name'],
    'after a row',
  );
  assert.equal(await reading.countUnplaced(), 3);
});

eachEngine('watched items belong to a Profile and are deleted with it', catalogMigrations, async (_t, db) => {
  const watching = watchingStore(db);
  const [ada, bob] = [id(61), id(62)];
  const seen = await watching.change(ada, id(21), {
    change: (now) => ({ ...now, position: 12.5, last_played: 1_700_000_000_000 }),
  });
  assert.equal(seen.position, 12.5);
  await watching.change(ada, id(21), { change: (now) => ({ ...now, listed: 5 }) });
  await watching.change(bob, id(21), { change: (now) => ({ ...now, watched: 1 }) });
  assert.deepEqual(
    (await watching.all(ada)).map(({ position, listed, watched }) => [position, listed, watched]),
    [[12.5, 5, 0]],
  );
  await assert.rejects(
    watching.change(ada, id(21), {
      change: () => {
        throw new Error('stale');
      },
    }),
    /stale/,
  );
  assert.equal((await watching.of(ada, [id(21)])).get(id(21))?.position, 12.5, 'a change that fails writes nothing');
  await watching.forgetProfile(ada, async () => {});
  assert.deepEqual([(await watching.all(ada)).length, (await watching.all(bob)).length], [0, 1]);
});

eachEngine('libraries are kept with their last name', catalogMigrations, async (_t, db) => {
  const scanning = scanningStore(db);
  await scanning.putLibrary(library(1));
  await scanning.putLibrary(library(2));
  await scanning.putLibrary(library(1, { name: 'Films', removed: 99 }));
  await scanning.scanned(id(2), 50, true);
  assert.deepEqual(
    (await scanning.libraries()).map(({ name, removed, last_full }) => [name, removed, last_full]),
    [
      ['Films', 99, null],
      ['Library 2', null, 50],
    ],
  );
});

const AGES_MIGRATION = 'catalog-007-ratings';

eachEngine(
  'an update to ratings by age keeps items with their certifications, and ratings by hand come and go with items',
  catalogMigrations.filter(({ id: own }) => own !== AGES_MIGRATION),
  async (_t, db) => {
    const old = { ...formatItem(item(21, { rating: 'PG-13', library: id(1) }), 1), rating_rank: 1 };
    await db.write<CatalogTables, unknown>('safe', (tx) => tx.insertInto('catalog_item').values(old).execute());
    const migration = catalogMigrations.find((one) => one.id === AGES_MIGRATION);
    await db.write('safe', async (tx) => migration?.up(tx, db.engine));
    const [reading, scanning, ratings] = [readingStore(db), scanningStore(db), ratingStore(db)];
    const rows: IndexRow[] = [];
    await reading.eachIndexRow((row) => void rows.push(row));
    assert.deepEqual(
      rows.map(({ title, rating, added, number }) => [title, rating, added, number]),
      [['Film 21', 'PG-13', 1_700_000_000_021, null]],
    );
    await scanning.put(batch({ items: [item(21, { rating: 'R' }), item(22)] }));
    await ratings.set(id(21), '12', 1);
    await ratings.set(id(21), 'FSK 6', 2);
    await ratings.set(id(22), '18', 3);
    assert.deepEqual([...(await ratings.all())].toSorted(), [
      [id(21), 'FSK 6'],
      [id(22), '18'],
    ]);
    await scanning.put(batch({ items: [item(22, { present: 0, missing: 5 })] }));
    assert.deepEqual(await scanning.purge([id(1)], 10), [id(22)]);
    await ratings.set(id(21), undefined, 4);
    assert.equal((await ratings.all()).size, 0);
  },
);

const RULES_MIGRATION = 'catalog-044-rule-columns';

eachEngine(
  'an update to the columns of rules fills in the studios of items that no scan changes',
  catalogMigrations.filter(({ id: own }) => own !== RULES_MIGRATION),
  async (_t, db) => {
    const {
      hdr: _hdr,
      codecs: _codecs,
      studios: _studios,
      ...old
    } = formatItem(
      item(31, { library: id(1), detail: { studios: ['Gaumont'], people: [], ids: {}, evidence: [] } }),
      1,
    );
    await db.write<CatalogTables, unknown>('safe', (tx) =>
      tx
        .insertInto('catalog_item')
        .values(old as CatalogTables['catalog_item'])
        .execute(),
    );
    const migration = catalogMigrations.find((one) => one.id === RULES_MIGRATION);
    await db.write('safe', async (tx) => migration?.up(tx, db.engine));
    const rows: IndexRow[] = [];
    await readingStore(db).eachIndexRow((row) => void rows.push(row));
    assert.deepEqual(
      rows.map(({ studios, hdr, codecs }) => [studios, hdr, codecs]),
      [[['Gaumont'], null, []]],
    );
    await scanningStore(db).put(batch({ items: [item(31, { library: id(1), hdr: 'hlg', codecs: ['hevc', 'aac'] })] }));
    const [changed] = await readingStore(db).indexChangesSince(0);
    assert.deepEqual([changed?.row?.studios, changed?.row?.hdr, changed?.row?.codecs], [[], 'hlg', ['hevc', 'aac']]);
  },
);

const SERIES_MIGRATION = 'catalog-047-audiobook-series';
eachEngine(
  'the series of audiobooks that are known go into their column, without a scan',
  catalogMigrations.filter((one) => one.id !== SERIES_MIGRATION),
  async (_t, db) => {
    await scanningStore(db).putLibrary(library(1));
    const audiobook = (n: number, series?: { name: string; position?: string }) => {
      const { detail } = item(n);
      const kept = { ...detail, audiobook: { narrators: [], ...(series && { series }) } };
      const { series: _series, ...old } = formatItem(item(n, { kind: 'audiobook', detail: kept }), n);
      return old as CatalogTables['catalog_item'];
    };
    const old = [
      audiobook(31, { name: 'Saga "A"', position: '1.5' }),
      audiobook(32, { name: 'Saga' }),
      audiobook(33),
      audiobook(34, { name: '' }),
    ];
    await db.write<CatalogTables, unknown>('safe', (tx) => tx.insertInto('catalog_item').values(old).execute());
    const migration = catalogMigrations.find((one) => one.id === SERIES_MIGRATION);
    await db.write('safe', async (tx) => migration?.up(tx, db.engine));
    const rows = new Map<string, IndexRow>();
    await readingStore(db).eachIndexRow((row) => void rows.set(row.id, row));
    assert.deepEqual(
      [31, 32, 33, 34].map((n) => rows.get(id(n))?.series),
      [['Saga "A"', '1.5'], ['Saga'], [], ['']],
    );
  },
);
