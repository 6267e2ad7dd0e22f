/**
 * A library that does not answer delays neither the start nor the scan of another, and is scanned when it answers
 * again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { HelperFailure, type Helper, type HelperNeeds, type Processes } from '../../lib/process.ts';
import { LibraryOffline } from './libraries.ts';
import { createProbe } from '../probe/index.ts';
import { createReach } from './reach.ts';
import type { DirectoryReport } from './scan/directory-reader.ts';
import { walk } from './scan/walk.ts';
import type { LibraryTable } from '../store/tables.ts';
import { grow, openWorld } from '../testing/world.ts';

test('an unreachable library delays neither start nor other scans, and is scanned when it is back', async (t) => {
  const w = await openWorld(t, { dead: 'movies', good: 'movies' });
  grow(w.at('dead'), { 'Alpha (2001)/Alpha (2001).mp4': true });
  grow(w.at('good'), { 'Beta (2002)/Beta (2002).mp4': true });
  const back = Promise.withResolvers<void>();
  t.after(() => back.resolve());
  w.disk.answers = (root) => (root === w.at('dead') ? back.promise : Promise.resolve());

  const [dead, good] = w.catalog.background.libraries();
  const scans: string[] = [];
  await w.catalog.start((library) => void scans.push(library));
  await until('the scan of the good library', () => scans.includes(good?.id ?? ''));
  assert.ok(!scans.includes(dead?.id ?? ''));
  assert.match(await w.scan(), /1 new.*cannot be reached/, 'the good one first');
  assert.deepEqual(await w.titles(), ['Beta']);
  assert.deepEqual(
    w.catalog.background.libraries().map(({ isOnline }) => isOnline),
    [false, true],
  );

  back.resolve();
  await until('the scan of the library that came back', () => scans.includes(dead?.id ?? ''));
  assert.deepEqual(
    w.catalog.background.libraries().map(({ isOnline }) => isOnline),
    [true, true],
  );
  await w.scan();
  assert.deepEqual(await w.titles(), ['Alpha', 'Beta']);
});

const LIBRARIES = ['a', 'b', 'c'].map((id): LibraryTable => ({
  id,
  name: id,
  path: `/${id}`,
  kind: 'movies',
  added: 0,
  last_scan: null,
  last_full: null,
  removed: null,
  scan_options: null,
}));

/** Helpers that reply for online roots, fail for missing ones, and never reply for the others. */
function reachOver(
  t: { after(end: () => Promise<void>): void },
  state: Record<string, 'there' | 'away' | 'dead'>,
  isStarted = Promise.resolve(),
) {
  const told: string[] = [];
  let helpers = 0;
  const startHelper = (_needs: HelperNeeds): Helper => {
    helpers++;
    const ask = async (request: { root: string }) => {
      await isStarted;
      const now = state[request.root];
      if (now === 'dead') return new Promise<never>(() => {});
      return Promise.resolve([
        now === 'there'
          ? { path: '', state: 'listed', mtime: 0, signature: '', files: [], portraits: [], folders: ['x'], flaws: [] }
          : { path: '', state: 'gone' },
      ]);
    };
    return {
      ask: ask as Helper['ask'],
      warm: () => {},
      stats: () => ({ children: 1, waiting: 0, answered: 0, replaced: 0 }),
      close: () => Promise.resolve(),
    };
  };
  const reach = createReach({
    processes: { startHelper } as Partial<Processes> as Processes,
    ffmpeg: { probe: () => Promise.reject(new Error('unused')) },
    log: quietLog,
    rootFor: () => Promise.reject(new Error('unused')),
    hasFiles: () => Promise.resolve(true),
    settled: ({ id }, isOnline) => void told.push(`${id} ${isOnline ? 'online' : 'offline'}`),
    returned: ({ id }) => void told.push(`${id} returned`),
    timeoutMs: 20,
    startTimeoutMs: 20,
    retryMs: 20,
  });
  t.after(() => reach.close());
  return { reach, told, helpers: () => helpers };
}

test('libraries are checked in parallel, and an offline one until it answers', async (t) => {
  const state: Record<string, 'there' | 'away' | 'dead'> = { '/a': 'dead', '/b': 'away', '/c': 'there' };
  const { reach, told } = reachOver(t, state);
  reach.follow(LIBRARIES);
  await until('each is settled', () => told.length >= 3);
  assert.deepEqual([...told].sort(), ['a offline', 'b offline', 'c online']);
  assert.deepEqual(
    LIBRARIES.map(({ path }) => reach.isOnline(path)),
    [false, false, true],
  );
  state['/b'] = 'there';
  await until('it came back', () => told.includes('b returned'));
  assert.ok(reach.onlineDirectoryReader('/b') && !reach.onlineDirectoryReader('/a'));
});

test('a removed library is not checked any more, and one that answers is not checked again', async (t) => {
  const state: Record<string, 'there' | 'away' | 'dead'> = { '/a': 'away', '/b': 'there', '/c': 'there' };
  const { reach, told } = reachOver(t, state);
  reach.follow(LIBRARIES);
  await until('each is settled', () => told.length >= 3);
  reach.follow(LIBRARIES.slice(1));
  state['/a'] = 'there';
  reach.lost(LIBRARIES[1] as LibraryTable);
  await until('the lost one came back', () => told.includes('b returned'));
  assert.deepEqual(told.filter((one) => one.startsWith('a') || one.startsWith('c')).sort(), ['a offline', 'c online']);
});

test('a library whose check is queued gets no helper after a stop or its removal', async (t) => {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const { reach, helpers } = reachOver(t, { '/a': 'away', '/b': 'away', '/c': 'away' });
  reach.follow(LIBRARIES);
  const asked = helpers();
  await reach.close();
  await turns();
  assert.equal(helpers(), asked, 'after the stop');
  const other = reachOver(t, { '/a': 'away', '/b': 'away', '/c': 'away' });
  other.reach.follow(LIBRARIES);
  other.reach.follow(LIBRARIES.slice(0, 2));
  await turns();
  assert.equal(other.helpers(), asked, 'after it left the list');
});

/** A helper whose process every request kills by a hang. */
function hanging(): { helper: Helper; asked: () => number } {
  let asked = 0;
  const ask = () => {
    asked++;
    return Promise.reject(new HelperFailure('directory-reader', 'hung'));
  };
  return {
    helper: {
      ask,
      warm: () => {},
      stats: () => ({ children: 0, waiting: 0, answered: 0, replaced: 0 }),
      close: () => Promise.resolve(),
    },
    asked: () => asked,
  };
}
const { signal } = new AbortController();

test('a walk stops when the whole library hangs, and skips a folder that hangs alone', async () => {
  const known = Array.from({ length: 8 }, (_, n) => ({ path: `${n}`, mtime: 1, signature: '' }));
  const walking = async (isAnswering: boolean) => {
    const { helper, asked } = hanging();
    const states: string[] = [];
    const each = (looked: readonly DirectoryReport[]) =>
      Promise.resolve(void states.push(...looked.map(({ state }) => state)));
    await walk(
      {
        directoryReader: helper,
        root: '/a',
        known,
        isFull: false,
        now: 0,
        placement: '',
        ignored: [],
        each,
        progress: () => {},
        isAnswering: () => Promise.resolve(isAnswering),
      },
      signal,
    ).catch((error: unknown) => {
      if (!(error instanceof LibraryOffline)) throw error;
      states.push('away');
    });
    return { states: [...new Set(states)], asked: asked() };
  };
  const away = await walking(false);
  assert.deepEqual(away.states, ['away']);
  assert.ok(away.asked <= 3, `${away.asked} questions`);
  assert.deepEqual((await walking(true)).states, ['denied']);
});

test('headers of a library that does not answer are not read one by one', async () => {
  const files = Array.from({ length: 20 }, (_, n) => ({ path: `/a/${n}`, size: 1, mtimeMs: 1 }));
  const { helper, asked } = hanging();
  const probe = createProbe({
    processes: { startHelper: () => helper },
    ffprobe: () => Promise.reject(new Error('unused')),
    log: quietLog,
  });
  await assert.rejects(
    probe.probe(files, signal, () => Promise.resolve(false)),
    LibraryOffline,
  );
  assert.equal(asked(), 1);
  const results = await probe.probe(files, signal, () => Promise.resolve(true));
  assert.ok(results.every((one) => !one.ok && one.reason === 'hung'));
});

test('the time limit of a library does not include the start of a helper', async (t) => {
  const isStarted = Promise.withResolvers<void>();
  const { reach, told } = reachOver(t, { '/a': 'there' }, isStarted.promise);
  const checked = reach.check(LIBRARIES[0] as LibraryTable);
  // Five times the time limit of the library.
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(told, []);
  isStarted.resolve();
  assert.equal(await checked, true);
  assert.deepEqual(told, ['a online']);
});
