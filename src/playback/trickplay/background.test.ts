/** Preview pictures are made of every new video once there is room for them and its library can be reached. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEFORE_ALL, type FollowedPosition, type Subject } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { runTask } from '../../lib/tasks/testing.ts';
import { createTrickplayBackground } from './background.ts';

function background(count = 120) {
  let at: FollowedPosition & { gone: number } = { ...BEFORE_ALL, gone: 0 };
  const away = new Set<string>();
  const made: string[] = [];
  const state = { room: Infinity, fails: '' };
  const isOnline = (library: string): boolean => !away.has(library);
  const subject = (n: number): Subject => {
    const library = n % 2 === 0 ? 'even' : 'odd';
    const id = `${n}`;
    const available = isOnline(library);
    return { id, library, change: n, gone: false, available, files: [{ id, relative: id, available }] } as Subject;
  };
  const { task, isDue } = createTrickplayBackground({
    catalog: {
      isOnline,
      changedSince: async (since, most, library) =>
        Array.from({ length: count }, (_, i) => subject(i + 1))
          .filter((one) => one.change > since && (library === undefined || one.library === library))
          .slice(0, most),
      subject: async (id) => subject(Number(id)),
    },
    store: { cursor: async () => at, follow: async (_, next) => void (at = { gone: 0, ...next }) },
    trickplay: {
      hasRoom: async () => made.length < state.room,
      make: async ({ relative }) => {
        if (relative === state.fails)
          throw new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' });
        made.push(relative);
        return 'made';
      },
    },
    isConverting: () => false,
    log: quietLog,
  });
  return { made, away, state, isDue, run: async () => runTask(task, {}) };
}

const ALL = Array.from({ length: 120 }, (_, i) => `${i + 1}`);

test('videos of a library that is away are done when it is back, and nothing is due until then', async () => {
  const { made, away, isDue, run } = background();
  away.add('odd');
  await run();
  assert.deepEqual(
    made,
    ALL.filter((id) => Number(id) % 2 === 0),
  );
  assert.equal(await isDue(), false);
  away.delete('odd');
  assert.equal(await isDue(), true);
  await run();
  assert.deepEqual([made.length, new Set(made).size, await isDue()], [120, 120, false]);
});

test('a library that goes away in the middle is tried again from there', async () => {
  const { made, state, isDue, run } = background(10);
  state.fails = '7';
  await run();
  assert.deepEqual([made.includes('7'), await isDue()], [false, true]);
  state.fails = '';
  await run();
  assert.deepEqual([made.includes('7'), await isDue()], [true, false]);
});

test('a full cache ends the run, which continues when there is room', async () => {
  const { made, state, isDue, run } = background();
  state.room = 60;
  await run();
  assert.deepEqual([made.length, await isDue()], [60, false]);
  state.room = Infinity;
  assert.equal(await isDue(), true);
  await run();
  assert.deepEqual([...new Set(made)], ALL);
});
