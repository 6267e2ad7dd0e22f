/** Intros and credits of real seasons, found by the real programs. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openWorld, type World, worldMigrations } from '../../../catalog/testing/world.ts';
import { OWNER_POLICY } from '../../../contract/identity/profiles.ts';
import { openTemporaryDatabase } from '../../../lib/db/testing.ts';
import { createFfmpeg } from '../../../lib/ffmpeg/index.ts';
import { createProcesses, type Processes } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { until } from '../../../../test/until.ts';
import { createMarkers } from '../index.ts';
import { createMarkerStore, markerMigrations } from '../store.ts';
import { runTask } from '../../../lib/tasks/testing.ts';
import { createMarkerAnalysis, type AnalysisNeeds } from './index.ts';
import { joinAudio, makeMusic, makeSilence, makeVideo } from './testing-season.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

const OWNER = { profile: 'p', role: 'owner', policy: OWNER_POLICY } as const;
const VIEWER = { ...OWNER, role: 'viewer' } as const;
const never = new AbortController().signal;

interface Lab {
  world: World;
  processes: Processes;
  analysis: ReturnType<typeof createMarkerAnalysis>;
  markers: ReturnType<typeof createMarkers>;
  store: ReturnType<typeof createMarkerStore>;
  run(input?: object, signal?: AbortSignal): Promise<void>;
  /** Markers of an episode, as `intro 10-30`. */
  shown(title: string, by?: typeof OWNER | typeof VIEWER): Promise<string[]>;
  /** Runs of fpcalc so far. */
  prints(): number;
}

async function lab(t: TestContext, needs: Partial<AnalysisNeeds> = {}): Promise<Lab> {
  const db = await openTemporaryDatabase(t, [...worldMigrations, ...markerMigrations]);
  const world = await openWorld(t, { shows: 'shows', films: 'movies' }, db);
  const processes = await createProcesses({
    log: quietLog,
    temporary: join(world.folder, 'programs'),
    helperModule: builtHelper,
  });
  t.after(() => processes.close());
  let prints = 0;
  const counting: Processes = {
    ...processes,
    run: (command, signal) => ((prints += command.args.includes('-raw') ? 1 : 0), processes.run(command, signal)),
  };
  const store = createMarkerStore(db);
  const clock = { now: () => Date.now() };
  const analysis = createMarkerAnalysis({
    catalog: world.catalog.background,
    store,
    ffmpeg: createFfmpeg({ processes: counting }),
    processes: counting,
    clock,
    log: quietLog,
    cache: join(world.folder, 'cache'),
    program: 'fpcalc',
    isPlaying: () => false,
    ...needs,
  });
  const markers = createMarkers({ catalog: world.catalog, store, clock, log: quietLog });
  return {
    world,
    processes,
    analysis,
    markers,
    store,
    prints: () => prints,
    run: (input = {}, signal = never) => runTask(analysis.task, input, { signal }),
    shown: async (title, by = OWNER) =>
      (await markers.list(by, await world.id(title))).map(
        ({ kind, start, end, state }) =>
          `${kind} ${Math.floor(start)}-${Math.floor(end)}${state === 'published' ? '' : ` ${state}`}`,
      ),
  };
}

const place = (world: World, episode: number): string =>
  world.at('shows', 'Show', 'Season 1', `Show S01E0${episode}.mkv`);
/**
 * An episode of nearly four minutes: its own sound, the theme between two short silences, its own sound, the song of
 * the end.
 */
function episode(
  path: string,
  number: number,
  { theme = 1, ending = 2 }: { theme?: number; ending?: number | 'own' } = {},
): void {
  const pause = makeSilence(0.4);
  const song = (seed: number | 'own', seconds: number): Int16Array =>
    makeMusic(seconds, seed === 'own' ? 900 + number : seed);
  const sound = (): Int16Array =>
    joinAudio(
      makeMusic(5 + number * 3, 100 + number),
      pause,
      song(theme, 20),
      pause,
      makeMusic(180, 200 + number),
      pause,
      song(ending, 18),
      pause,
      makeMusic(4, 300 + number),
    );
  makeVideo(path, { key: JSON.stringify([number, theme, ending]), sound });
}
const introOf = (number: number): string => `intro ${5 + number * 3}-${25 + number * 3}`;

test('the theme and the song of the end are found in each episode, to the second', async (t) => {
  const { world, run, shown, analysis, prints, markers } = await lab(t);
  for (const number of [1, 2, 3, 4]) episode(place(world, number), number);
  await world.scan();
  assert.equal(await analysis.isDue(), true);
  await run();
  for (const number of [1, 2, 3, 4]) {
    const [intro, credits] = (await markers.list(VIEWER, await world.id(`Show/1x${number}`))).map(
      ({ start, end, confidence }) => [start, end, confidence],
    );
    const [from, to] = [5 + number * 3 + 0.4, 205 + number * 3 + 1.2];
    assert.ok(intro && credits, (await shown(`Show/1x${number}`)).join());
    for (const [found, expected] of [
      [intro[0], from],
      [intro[1], from + 20],
      [credits[0], to],
      [credits[1], to + 22.4],
    ] as const)
      assert.ok(Math.abs((found ?? 0) - expected) < 0.5, `${found} instead of ${expected} in episode ${number}`);
    assert.equal(intro[2], 1);
  }
  assert.deepEqual(await analysis.status(), { state: 'idle', done: 4, total: 4, suggested: 0 });
  assert.equal(prints(), 8);
  assert.equal(await analysis.isDue(), false);
  // Nothing new: nothing is read again. A fifth episode: only its own sound is.
  await run();
  assert.equal(prints(), 8);
  episode(place(world, 5), 5);
  await world.scan();
  await run();
  assert.equal(prints(), 10);
  assert.deepEqual(await shown('Show/1x5', VIEWER), [introOf(5), 'credits 221-244']);
});

test('a season without a theme has no markers', async (t) => {
  const { world, run, shown } = await lab(t);
  for (const number of [1, 2, 3])
    makeVideo(place(world, number), { key: `own ${number}`, sound: () => makeMusic(100, 10 + number) });
  await world.scan();
  await run();
  for (const number of [1, 2, 3]) assert.deepEqual(await shown(`Show/1x${number}`), []);
});

test('a season of silence, or of one steady tone, has no markers', async (t) => {
  const { world, run, shown } = await lab(t);
  const tone = Int16Array.from({ length: 16_000 * 70 }, (_, n) =>
    Math.round(6_000 * Math.sin((n * 2 * Math.PI * 440) / 16_000)),
  );
  for (const number of [1, 2, 3])
    makeVideo(place(world, number), {
      key: number === 1 ? 'silence' : 'tone',
      sound: () => (number === 1 ? makeSilence(70) : tone),
    });
  for (const number of [4, 5, 6]) makeVideo(place(world, number), { key: 'silence', sound: () => makeSilence(70) });
  await world.scan();
  await run();
  for (const number of [1, 2, 3, 4]) assert.deepEqual(await shown(`Show/1x${number}`), []);
});

test('two themes in a season are each found; what only two of many share is suggested', async (t) => {
  const { world, run, shown, store } = await lab(t);
  for (const number of [1, 2, 3]) episode(place(world, number), number, { theme: 1, ending: 'own' });
  for (const number of [4, 5, 6]) episode(place(world, number), number, { theme: 2, ending: number === 6 ? 'own' : 3 });
  await world.scan();
  await run();
  for (const number of [1, 2, 3, 6]) assert.deepEqual(await shown(`Show/1x${number}`, VIEWER), [introOf(number)]);
  for (const number of [4, 5]) {
    assert.deepEqual(await shown(`Show/1x${number}`, VIEWER), [introOf(number)], 'a Viewer sees no suggestion');
    assert.equal((await shown(`Show/1x${number}`)).at(-1)?.endsWith('suggested'), true);
  }
  assert.equal(await store.countSuggested(), 2);
});

test('two of two are enough, one of one is not', async (t) => {
  const { world, run, shown } = await lab(t);
  for (const number of [1, 2]) episode(place(world, number), number, { ending: 'own' });
  episode(world.at('shows', 'Other', 'Season 1', 'Other S01E01.mkv'), 3);
  await world.scan();
  await run();
  for (const number of [1, 2]) assert.deepEqual(await shown(`Show/1x${number}`, VIEWER), [introOf(number)]);
  assert.deepEqual(await shown('Other/1x1'), []);
});

test('what an Owner set or removed is the same after another analysis', async (t) => {
  const { world, run, shown, markers } = await lab(t);
  for (const number of [1, 2, 3]) episode(place(world, number), number);
  await world.scan();
  await run();
  const [first, second] = [await world.id('Show/1x1'), await world.id('Show/1x2')];
  await markers.set(OWNER, first, { kind: 'intro', start: 1, end: 2 });
  await markers.remove(OWNER, second, 'intro');
  for (const input of [
    { item: first },
    { show: (await world.seen().item(first))?.show?.id },
    { library: (await world.seen().item(first))?.library },
  ]) {
    await run(input);
    assert.deepEqual((await shown('Show/1x1', VIEWER))[0], 'intro 1-2');
    assert.deepEqual((await shown('Show/1x2', VIEWER)).length, 1);
    assert.deepEqual((await shown('Show/1x3', VIEWER))[0], introOf(3));
  }
});

test('credits of a film are found by its pictures', async (t) => {
  const { world, run, shown } = await lab(t);
  const white = "drawtext=text='A NAME':fontcolor=white:fontsize=8:x=20:y=12";
  const film = (name: string, filter: string): void =>
    makeVideo(world.at('films', name, `${name}.mkv`), {
      key: 'film',
      sound: () => makeSilence(600),
      picture: `testsrc2=s=64x36:r=1,${filter}`,
    });
  film('Clear', `drawbox=c=black:t=fill:enable='gte(t,560)',${white}`);
  film('None', 'null');
  film('Short', `drawbox=c=black:t=fill:enable='gte(t,585)'`);
  film('Scene', `drawbox=c=black:t=fill:enable='between(t,545,580)'`);
  await world.scan();
  await run();
  assert.deepEqual(await shown('Clear', VIEWER), ['credits 560-600']);
  for (const name of ['None', 'Short']) assert.deepEqual(await shown(name), [], name);
  assert.deepEqual(
    await shown('Scene', VIEWER),
    ['credits 548-584'],
    'from keyframe to keyframe, with a scene after them',
  );
});

test('it waits while something is played, and a cancel ends it', async (t) => {
  let isPlaying = true;
  let looks = 0;
  const { world, run, analysis, prints } = await lab(t, { isPlaying: () => (looks++, isPlaying) });
  for (const number of [1, 2]) episode(place(world, number), number);
  await world.scan();
  const cancel = new AbortController();
  const cancelled = run({}, cancel.signal);
  await until('some looks', () => looks > 3);
  assert.deepEqual([(await analysis.status()).state, prints()], ['waiting', 0]);
  cancel.abort(new Error('cancelled'));
  await assert.rejects(cancelled, /cancelled/);
  assert.equal((await analysis.status()).state, 'idle');
  isPlaying = false;
  await run();
  assert.equal(prints(), 4);
});

test('a damaged file takes no part, and a library that is away is looked at later', async (t) => {
  const { world, run, shown, analysis } = await lab(t);
  for (const number of [1, 2, 3]) episode(place(world, number), number, { ending: 'own' });
  await world.scan();
  writeFileSync(place(world, 3), Buffer.alloc(50_000, 0x41));
  await run();
  for (const number of [1, 2]) assert.deepEqual(await shown(`Show/1x${number}`), [introOf(number)]);
  assert.deepEqual(await shown('Show/1x3'), []);
  episode(place(world, 3), 3, { ending: 'own' });
  await world.scan();
  rmSync(world.at('shows'), { recursive: true });
  await run();
  assert.equal(await analysis.isDue(), true);
});

test('without fpcalc it says so and changes nothing', async (t) => {
  const { world, run, analysis, shown } = await lab(t, { program: 'no-fpcalc-here' });
  episode(place(world, 1), 1);
  await world.scan();
  await assert.rejects(run(), /fpcalc is not installed/);
  await assert.rejects(analysis.check({}), /fpcalc is not installed/);
  assert.deepEqual(await analysis.status(), {
    state: 'unavailable',
    done: 0,
    total: 0,
    suggested: 0,
    error: 'fpcalc is not installed, so intros and credits cannot be found',
  });
  assert.deepEqual([await analysis.isDue(), await shown('Show/1x1')], [false, []]);
});

test('what is not there is said before a task is started', async (t) => {
  const { analysis } = await lab(t);
  await assert.rejects(analysis.check({ item: 'b'.repeat(16) }), /no such item/);
  await assert.rejects(analysis.check({ show: 'b'.repeat(16) }), /no such show/);
});
