/** Items for which a work is not certain although its title and year fit: another item has it, or an id is unknown. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { EXAMPLE_SHOWS, type MetadataPage } from '../../test/stand-ins/metadata-fixtures.ts';
import { fakeMetadata, METADATA_TOKEN } from '../../test/stand-ins/metadata.ts';
import { startElsewhere, startStandIn } from '../../test/stand-ins/server.ts';
import { watchStatements } from '../../test/statements.ts';
import { fakeClock } from '../../test/world.ts';
import { grow, makeNfo, openWorld, type Tree } from '../catalog/testing/world.ts';
import { PLACEMENT_CLUES } from '../contract/catalog/clues.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { createNet } from '../lib/net.ts';
import { quietLog } from '../lib/process/testing.ts';
import { createMetadataClient } from './client.ts';
import { createMetadata, metadataMigrations } from './index.ts';

const SIGNAL = new AbortController().signal;
const REFRESH = { mode: 'all', images: false } as const;

async function open(t: TestContext, films: readonly MetadataPage[], tree: Tree) {
  const elsewhere = await startElsewhere();
  const fixtures = { films, shows: EXAMPLE_SHOWS };
  const standIn = await startStandIn(() => fakeMetadata(() => performance.now(), fixtures), {
    elsewhere: elsewhere.url,
  });
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), tree);
  await w.scan();
  const net = createNet({ version: 'test' });
  const clock = fakeClock();
  const client = createMetadataClient({
    ...{ net, clock, log: quietLog, url: standIn.url, token: METADATA_TOKEN },
    imageUrl: standIn.url.replace('/3', '/t/p'),
  });
  const metadata = createMetadata({
    ...{ client, clock, log: quietLog, catalog: w.catalog.background },
    db: await openTemporaryDatabase(t, metadataMigrations),
    preferencesOf: () => ({ language: 'en', country: 'de', isAskedFor: true }),
  });
  w.catalog.useRefusedItems(metadata.refused);
  t.after(async () => {
    standIn.drop();
    await net.close();
    await elsewhere.close();
    await standIn.close();
  });
  const { items } = await w.seen().library({ view: 'movies', offset: 0, limit: 10 });
  /** Ids by the years that the files state. A match changes the years that are shown. */
  const ids = new Map(items.map(({ id, year }) => [year, id]));
  const idOf = (year: number): string => ids.get(year) ?? '';
  const refresh = async (year: number) => (await metadata.refresh(idOf(year), REFRESH, SIGNAL)).outcome;
  const workOf = async (year: number) => (await w.seen().item(idOf(year)))?.ids['tmdb'];
  const listed = async () =>
    (await w.catalog.admin.unplaced({ limit: 10 })).items.map(({ title, reason, candidates = [] }) => ({
      title,
      reason,
      candidates: candidates.map(({ id, evidence }) => [id, ...evidence].join(' ')),
    }));
  return { refresh, workOf, listed, metadata, idOf };
}
test('the items of a work are looked up in an index', async (t) => {
  const statements = watchStatements();
  t.after(statements.end);
  const years = [1979, 1980, 1981, 1982];
  const tree = Object.fromEntries(years.map((year) => [`High Seas (${year})/High Seas (${year}).mp4`, 61]));
  const films = years.map((year) => ({ id: year, title: 'High Seas', release_date: `${year}-03-04`, runtime: 1 }));
  const { refresh } = await open(t, films, tree);
  for (const year of years) assert.equal(await refresh(year), 'refreshed');
  assert.ok(statements.count(years.length) > 3);
  assert.deepEqual(statements.walking(years.length), []);
});

const SEAS = [{ id: 301, title: 'High Seas', release_date: '1980-03-04', runtime: 1 }];

test('of two items for one work the one that fits it better has it', async (t) => {
  const { refresh, workOf, listed } = await open(t, SEAS, {
    'High Seas (1979)/High Seas (1979).mp4': 61,
    'High Seas (1980)/High Seas (1980).mp4': 61,
    'High Seas (1981)/High Seas (1981).mp4': 61,
  });
  assert.equal(await refresh(1979), 'refreshed', 'a year may be off by one');
  assert.equal(await refresh(1981), 'unsure', 'another item that fits as well has the work');
  assert.deepEqual(await listed(), [
    {
      title: 'High Seas',
      reason: PLACEMENT_CLUES.noCertainMatch,
      candidates: ['301 title near-year duration counts taken'],
    },
  ]);
  assert.deepEqual([await workOf(1979), await workOf(1981)], ['301', undefined]);
  assert.equal(await refresh(1980), 'refreshed');
  assert.deepEqual([await workOf(1979), await workOf(1980)], [undefined, '301'], 'the exact year displaces the other');
  assert.equal(await refresh(1979), 'unsure');
  assert.equal(await refresh(1980), 'refreshed', 'the one that has it keeps it');
});

test('a work that an Owner chose for another item is not displaced', async (t) => {
  const { refresh, workOf, metadata, idOf } = await open(t, SEAS, {
    'High Seas (1950)/High Seas (1950).mp4': 61,
    'High Seas (1980)/High Seas (1980).mp4': 61,
  });
  await metadata.match(idOf(1950), '301', SIGNAL);
  assert.equal(await refresh(1980), 'refreshed', 'title, year and length are certain in any case');
  assert.deepEqual([await workOf(1950), await workOf(1980)], ['301', '301']);
});

test('an unknown id that a file states is listed with the reason, and not replaced by a search', async (t) => {
  const { refresh, workOf, listed, metadata, idOf } = await open(t, SEAS, {
    'High Seas (1980)/High Seas (1980).mp4': 61,
    'High Seas (1980)/movie.nfo': makeNfo('movie', { title: 'High Seas', year: 1980, tmdbid: 999 }),
  });
  assert.equal(await refresh(1980), 'unsure');
  assert.equal(await workOf(1980), '999', 'the file still says so');
  assert.deepEqual(await listed(), [
    { title: 'High Seas', reason: PLACEMENT_CLUES.statedIdUnknown, candidates: ['301 title year duration counts'] },
  ]);
  assert.equal((await metadata.candidates(idOf(1980), undefined, SIGNAL)).certain, false);
});
