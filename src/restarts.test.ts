/** Which runs follow one another: after faults of settings, while the database is held, and when nothing works. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Boot, OwnerTexts } from './config/index.ts';
import { systemClock } from './lib/clock.ts';
import { silentLog } from './lib/log.ts';
import { createRestarts, RunRefused, type Run, type RunOptions } from './restarts.ts';

const boot = (name: string) => ({ name }) as unknown as Boot;
const WAITING: OwnerTexts = new Map([
  ['listen', '127.0.0.1:1'],
  ['logging.playback_retention', ''],
] as const);

type Opening = (options: RunOptions) => void | Promise<void>;
const works: Opening = () => {};
const refuses =
  (...args: ConstructorParameters<typeof RunRefused>): Opening =>
  () => {
    throw new RunRefused(...args);
  };

/** Runs that open, or fail, one after the other. `events` is what happened. */
function fakeRuns(
  openings: readonly Opening[],
  { startFails = [] as readonly number[], startsUntilClosed = [] as readonly number[], neverCloses = false } = {},
) {
  const events: string[] = [];
  const opened: RunOptions[] = [];
  let number = 0;
  let failed: readonly string[] | undefined;
  const restarts = createRestarts({
    boot: boot('first'),
    load: async () => boot('reloaded'),
    open: async (options): Promise<Run> => {
      const own = ++number;
      opened.push(options);
      await openings[own - 1]?.(options);
      events.push(`open ${own}`);
      const closed = Promise.withResolvers<void>();
      return {
        start: async () => {
          if (startsUntilClosed.includes(own)) await closed.promise;
          if (startFails.includes(own)) throw new Error('bug');
          events.push(`start ${own}`);
        },
        inForce: () => WAITING,
        close: async () => {
          events.push(`close ${own}`);
          closed.resolve();
          if (neverCloses) await new Promise(() => {});
        },
      };
    },
    clock: systemClock,
    log: silentLog,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    fail: (lines) => (failed = lines),
  });
  const quiet = async () => {
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    restarts,
    events,
    opened,
    failed: () => failed,
    quiet,
    /** Starts the first run and restarts it. Returns the options of the last run that was tried. */
    restart: async () => {
      await restarts.begin();
      opened[0]?.restarter.begin?.();
      await quiet();
      return opened.at(-1);
    },
  };
}

test('a restart closes before it opens, reads the configuration again, and gives every run an id', async () => {
  const { restart, events, opened } = fakeRuns([works, works]);
  const last = await restart();
  assert.deepEqual(events, ['open 1', 'start 1', 'close 1', 'open 2', 'start 2']);
  assert.deepEqual([last?.boot, last?.putBack, last?.restarter.failure], [boot('reloaded'), undefined, undefined]);
  assert.equal(new Set(opened.map(({ restarter }) => restarter.run)).size, 2);
});

test('the setting at fault is put back alone, and the run says why', async () => {
  const { restart } = fakeRuns([works, refuses(['listen: taken'], { keys: ['listen'] }), works]);
  const last = await restart();
  assert.deepEqual([last?.boot, [...(last?.putBack ?? [])]], [boot('reloaded'), [['listen', '127.0.0.1:1']]]);
  const { error, putBack } = last?.restarter.failure ?? {};
  assert.deepEqual([error, putBack], ['listen: taken', ['listen']]);
});

test('what no setting explains, and a start that fails, lead back to everything as it was', async () => {
  for (const runs of [
    fakeRuns([works, refuses(['no room']), works]),
    fakeRuns([works, refuses(['a'], { keys: ['listen'] }), refuses(['b'], { keys: ['listen'] }), works]),
    fakeRuns([works, works, works], { startFails: [2] }),
  ]) {
    const last = await runs.restart();
    assert.deepEqual([last?.boot, last?.putBack], [boot('first'), WAITING]);
    assert.deepEqual(last?.restarter.failure?.putBack, [...WAITING.keys()]);
    assert.equal(runs.failed(), undefined);
    assert.equal(runs.events.at(-1), `start ${runs.opened.length}`);
  }
});

test('a run whose start fails is closed before the next is opened', async () => {
  const { restart, events } = fakeRuns([works, works, works], { startFails: [2] });
  await restart();
  assert.deepEqual(events, ['open 1', 'start 1', 'close 1', 'open 2', 'close 2', 'open 3', 'start 3']);
});

test('a restart takes over from one that is still starting its run', async () => {
  const { restart, opened, events, failed, quiet } = fakeRuns([works, works, works], {
    startsUntilClosed: [2],
    startFails: [2],
  });
  const second = await restart();
  second?.restarter.begin?.();
  await quiet();
  assert.deepEqual(events, ['open 1', 'start 1', 'close 1', 'open 2', 'close 2', 'open 3', 'start 3']);
  assert.deepEqual([opened.at(-1)?.restarter.failure, failed()], [undefined, undefined]);
});

test('a database that another program has is waited for, and no setting is put back for it', async () => {
  const held = refuses(['in use'], { isHeld: true });
  const { restart, opened } = fakeRuns([works, held, held, works]);
  const last = await restart();
  assert.equal(opened.length, 4);
  assert.deepEqual([last?.boot, last?.putBack, last?.restarter.failure], [boot('reloaded'), undefined, undefined]);
});

test('the process ends when nothing opens any more, or a run does not close', async () => {
  const none = fakeRuns([works, refuses(['a']), refuses(['b'])]);
  await none.restart();
  assert.deepEqual(none.failed(), ['b']);
  const stuck = fakeRuns([works, works], { neverCloses: true });
  await stuck.restart();
  assert.deepEqual([stuck.failed()?.length, stuck.opened.length], [1, 1]);
});

test('a stop during a restart closes what is open and opens nothing more', async () => {
  const opening = Promise.withResolvers<void>();
  const { restarts, opened, events } = fakeRuns([works, () => opening.promise]);
  await restarts.begin();
  opened[0]?.restarter.begin?.();
  while (opened.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const stopped = restarts.stop();
  opening.resolve();
  await stopped;
  assert.deepEqual(events, ['open 1', 'start 1', 'close 1', 'open 2', 'close 2']);
  assert.equal(opened.length, 2);
});
