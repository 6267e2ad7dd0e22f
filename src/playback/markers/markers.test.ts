/** Edit lists of libraries that do not answer, and where credits begin. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Catalog, Subject } from '../../catalog/index.ts';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { openRoot, type Root } from '../../lib/files.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createMarkers } from './index.ts';
import { createMarkerStore, markerMigrations } from './store.ts';

const ID = 'a'.repeat(16);
const OWNER = { profile: 'p', role: 'owner', policy: OWNER_POLICY } as const;

async function lab(
  t: TestContext,
  { root, parts = 1 }: { root?: (path: string) => Promise<Root>; parts?: number } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'markers-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'Film.edl'), '10 20 3');
  const chapters = [{ start: 900, end: 1_000, title: 'Credits' }];
  const file = (part: number) => ({
    id: 'v',
    item: ID,
    library: 'l',
    root: folder,
    relative: `Film ${part}.mkv`,
    size: 1,
    modifiedMs: 1,
    part,
    available: true,
    info: { container: 'matroska', size: 1, duration: 1_000, streams: [], chapters, tags: {} },
  });
  const files = Array.from({ length: parts }, (_, n) => file(n + 1));
  const subject = {
    id: ID,
    kind: 'movie',
    files,
    sidecars: [],
    editLists: files.map(({ part }) => ({ relative: 'Film.edl', size: 7, modifiedMs: 1, version: 'v', part })),
  } as unknown as Subject;
  let opened = 0;
  const catalog = {
    root: async (path: string) => {
      opened++;
      return (root ?? openRoot)(path);
    },
    seenBy: () => ({ subject: async () => subject }),
  } as unknown as Pick<Catalog, 'seenBy' | 'root'>;
  const store = createMarkerStore(await openTemporaryDatabase(t, markerMigrations));
  return {
    markers: createMarkers({ catalog, store, clock: { now: () => 0 }, log: quietLog }),
    subject,
    opened: () => opened,
  };
}
const commercials = async ({ markers }: Awaited<ReturnType<typeof lab>>): Promise<number[]> =>
  (await markers.list(OWNER, ID)).filter(({ kind }) => kind === 'commercial').map(({ start }) => start);

test('an edit list is read once', async (t) => {
  const own = await lab(t);
  for (let n = 0; n < 3; n++) assert.deepEqual(await commercials(own), [10]);
  assert.equal(own.opened(), 1);
});

test('a library that is not responding delays no request, and is asked once', async (t) => {
  const answer = Promise.withResolvers<Root>();
  const own = await lab(t, { root: () => answer.promise });
  for (let n = 0; n < 2; n++) assert.deepEqual(await commercials(own), []);
  assert.equal(own.opened(), 1);
  assert.deepEqual(
    (await own.markers.list(OWNER, ID)).map(({ kind }) => kind),
    ['credits'],
    'chapters need no file',
  );
  answer.resolve(await openRoot(own.subject.files[0]?.root ?? ''));
  assert.deepEqual(await commercials(own), [10]);
});

test('the parts of a film follow each other', async (t) => {
  const own = await lab(t, { parts: 2 });
  assert.deepEqual(await commercials(own), [10, 1_010]);
  assert.equal(await own.markers.creditsOf(OWNER, ID), 1_900, 'the chapter of the first part lies before the middle');
});

test('credits begin where the first marker of the end does, and not before the middle', async (t) => {
  const { markers } = await lab(t);
  assert.equal(await markers.creditsOf(OWNER, ID), 900);
  await markers.set(OWNER, ID, { kind: 'credits', start: 950, end: 999 });
  assert.equal(await markers.creditsOf(OWNER, ID), 950);
  await markers.set(OWNER, ID, { kind: 'outro', start: 800, end: 900 });
  assert.equal(await markers.creditsOf(OWNER, ID), 800);
  await markers.set(OWNER, ID, { kind: 'outro', start: 100, end: 900 });
  assert.equal(await markers.creditsOf(OWNER, ID), undefined);
});
