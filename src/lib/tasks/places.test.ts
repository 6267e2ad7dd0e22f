/** Heavy tasks share few places, give them back while they wait, and keep no other task from starting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import { until as comes } from '../../../test/until.ts';
import { openTemporaryDatabase } from '../db/testing.ts';
import { Failure } from '../failure.ts';
import { taskMigrations, waitsWhile } from './index.ts';
import type { TaskDefinition, Tasks } from './index.ts';
import { heavyPlacesOf } from './places.ts';
import { taskStore } from './store.ts';
import { fakeTask, makeTasks, openFile } from './testing-queue.ts';

const ANNA = { askedBy: 'anna' };
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};
const until = async (is: () => boolean): Promise<void> => void (await comes(`${is.toString()}`, is, { everyMs: 0 }));
const remarksOf = async (tasks: Tasks, id: string): Promise<string[]> =>
  ((await tasks.get(id))?.remarks ?? []).map(({ reason }) => reason);

/** Follows a promise that should stay open for a while. */
function follow(promise: Promise<unknown>) {
  const state = { isOver: false, error: undefined as unknown };
  promise.then(
    () => (state.isOver = true),
    (error: unknown) => Object.assign(state, { isOver: true, error }),
  );
  return state;
}

/** A scan and three heavy tasks; the first of these waits while `held.is`. */
async function openQueue(t: TestContext, more: Partial<TaskDefinition> = {}) {
  const held = { is: false };
  const heavy = { heavy: { waitsFor: waitsWhile(() => held.is, 'waiting-for-playback') } };
  const scan = fakeTask('scan', { atOnce: 3, ownAtOnce: 1, isBeforeHeavy: true });
  const [a, b, c] = [
    fakeTask('first', { ...heavy, ...more }),
    fakeTask('second', { heavy: {} }),
    fakeTask('third', { heavy: {} }),
  ];
  const db = await openTemporaryDatabase(t, taskMigrations);
  const made = makeTasks(
    db,
    [scan, a, b, c].map(({ declared }) => declared),
  );
  await made.tasks.resume();
  return { ...made, db, held, scan, a, b, c };
}

test('a scan that is asked for starts while heavy tasks hold or want all places', async (t) => {
  const { tasks, scan, a, b, c } = await openQueue(t);
  const first = await tasks.start('first');
  const second = await tasks.start('second');
  for (let part = 0; part < 10; part++) await tasks.start('third', { part }, ANNA);
  await until(() => a.runs.length === 1);
  const asked = await tasks.start('scan', {}, ANNA);
  await until(() => scan.runs.length === 1);
  assert.equal((await tasks.get(asked.id))?.state, 'running');
  assert.deepEqual([b.runs.length, c.runs.length], [0, 0]);
  assert.equal((await tasks.get(first.id))?.state, 'running');
  assert.deepEqual(
    [(await tasks.get(second.id))?.state, await remarksOf(tasks, second.id)],
    ['queued', ['waiting-for-scan']],
  );
  scan.runs[0]?.end();
  await tasks.ended(asked.id);
  await until(() => a.runs.length === 1);
  await turns();
  assert.deepEqual(await remarksOf(tasks, second.id), ['waiting-for-place']);
  assert.equal((await tasks.get(second.id))?.detail, 'waiting for other work in the background');
  await tasks.stop(1000);
});

test('a person’s scan starts next to one of the server, and never next to one of the same input', async (t) => {
  const { tasks, scan } = await openQueue(t);
  for (const part of [1, 2]) await tasks.start('scan', { part });
  await until(() => scan.runs.length === 1);
  await tasks.start('scan', { part: 3 }, ANNA);
  await until(() => scan.runs.length === 2);
  assert.equal((await tasks.start('scan', { part: 1 }, ANNA)).state, 'running');
  await turns();
  assert.equal(scan.runs.length, 2);
  // One that the server has queued becomes the person's.
  await tasks.start('scan', { part: 2 }, ANNA);
  await until(() => scan.runs.length === 3);
  assert.deepEqual(
    scan.runs.map(({ input }) => input),
    [{ part: 1 }, { part: 3 }, { part: 2 }],
  );
  await tasks.stop(1000);
});

test('a heavy task that waits gives its place to another one, says why, and continues after that', async (t) => {
  const { tasks, held, a, b } = await openQueue(t);
  const [first, second] = [await tasks.start('first'), await tasks.start('second')];
  await until(() => a.runs.length === 1);
  a.runs[0]?.progress(0.5, { reason: 'videos-of', values: { done: 1, total: 2 } });
  const free = follow(a.runs[0]?.turn() ?? assert.fail());
  await turns();
  assert.equal(free.isOver, true, 'nothing keeps it');
  held.is = true;
  const waiting = follow(a.runs[0]?.turn() ?? assert.fail());
  await until(() => b.runs.length === 1);
  assert.equal(waiting.isOver, false);
  const shown = await tasks.get(first.id);
  assert.deepEqual(
    [shown?.state, shown?.progress, shown?.detail],
    ['running', 0.5, '1 of 2 videos, waiting while something is played'],
  );
  held.is = false;
  await until(() => a.runs.length === 1);
  await comes('the other reason', async () => (await remarksOf(tasks, first.id)).includes('waiting-for-place'));
  assert.equal(waiting.isOver, false, 'the other one has the place');
  b.runs[0]?.end();
  await tasks.ended(second.id);
  await until(() => waiting.isOver);
  assert.equal((await tasks.get(first.id))?.detail, '1 of 2 videos');
  a.runs[0]?.end();
  assert.equal((await tasks.ended(first.id)).detail, '1 of 2 videos');
  await tasks.stop(1000);
});

test('heavy tasks wait for scans that are queued or run, also for one that is cancelled', async (t) => {
  const { tasks, scan, a, b } = await openQueue(t);
  const running = await tasks.start('scan', { part: 1 });
  const queued = await tasks.start('scan', { part: 2 });
  await tasks.start('first');
  await until(() => scan.runs.length === 1);
  scan.runs[0]?.end();
  await tasks.ended(running.id);
  await until(() => scan.runs.length === 2);
  assert.equal(a.runs.length, 0);
  await tasks.cancel(queued.id);
  await until(() => a.runs.length === 1);
  const [next, last] = [await tasks.start('scan', { part: 3 }), await tasks.start('scan', { part: 4 })];
  const waiting = follow(a.runs[0]?.turn() ?? assert.fail());
  await tasks.start('second');
  await until(() => scan.runs.length === 3);
  await tasks.cancel(last.id);
  await turns();
  assert.deepEqual([waiting.isOver, b.runs.length], [false, 0]);
  scan.runs[2]?.end();
  await tasks.ended(next.id);
  await until(() => b.runs.length === 1 || waiting.isOver);
  await tasks.stop(1000);
});

test('a task that a person asked for gets the place at the next turn, and equals take turns', async (t) => {
  const { tasks, time, a, b, c } = await openQueue(t);
  await tasks.start('first');
  await until(() => a.runs.length === 1);
  await tasks.start('second');
  await tasks.start('third', {}, ANNA);
  time.now += 1000;
  const outranked = follow(a.runs[0]?.turn() ?? assert.fail());
  await until(() => c.runs.length === 1);
  const asked = follow(c.runs[0]?.turn() ?? assert.fail());
  time.now += 3_600_000;
  const longAsked = follow(c.runs[0]?.turn() ?? assert.fail());
  await turns();
  assert.deepEqual([asked.isOver, longAsked.isOver, outranked.isOver, b.runs.length], [true, true, false, 0]);
  c.runs[0]?.end();
  await until(() => b.runs.length === 1);
  const early = follow(b.runs[0]?.turn() ?? assert.fail());
  await turns();
  assert.deepEqual([early.isOver, outranked.isOver], [true, false]);
  time.now += 3_600_000;
  const late = follow(b.runs[0]?.turn() ?? assert.fail());
  await until(() => outranked.isOver);
  assert.equal(late.isOver, false);
  a.runs[0]?.end();
  await until(() => late.isOver);
  await tasks.stop(1000);
});

test('a piece is interrupted when its task has to wait, and run again after that', async (t) => {
  const { tasks, held, a, b } = await openQueue(t);
  await tasks.start('first');
  await until(() => a.runs.length === 1);
  const pieces: { signal: AbortSignal; end(): void }[] = [];
  const done = a.runs[0]?.piece(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        pieces.push({ signal, end: () => resolve('done') });
      }),
  );
  await until(() => pieces.length === 1);
  await tasks.start('second');
  held.is = true;
  await until(() => pieces[0]?.signal.aborted === true && b.runs.length === 1);
  held.is = false;
  b.runs[0]?.end();
  await until(() => pieces.length === 2);
  pieces[1]?.end();
  assert.equal(await done, 'done');
  await assert.rejects(
    a.runs[0]?.piece(() => Promise.reject(new Error('broken'))) ?? assert.fail(),
    /broken/,
    'a fault of the work is no interruption',
  );
  await tasks.stop(1000);
});

test('a cancel ends a task that waits within its run, and does not wait for what it waits for', async (t) => {
  const { tasks, held, a, b } = await openQueue(t);
  const first = await tasks.start('first');
  await until(() => a.runs.length === 1);
  held.is = true;
  const waiting = follow(a.runs[0]?.turn() ?? assert.fail());
  await tasks.start('second');
  await until(() => b.runs.length === 1);
  await tasks.cancel(first.id);
  assert.equal((await tasks.ended(first.id)).state, 'cancelled');
  await until(() => waiting.isOver);
  assert.match(String(waiting.error), /cancelled/);
  const queued = await tasks.start('first', { part: 1 });
  assert.equal((await tasks.cancel(queued.id)).state, 'cancelled');
  await tasks.stop(1000);
});

test('a stop ends a task that waits, the next start continues it, and no death meanwhile counts', async (t) => {
  const reopen = openFile(t);
  const held = { is: false };
  const heavy = fakeTask('first', { heavy: { waitsFor: waitsWhile(() => held.is, 'waiting-for-playback') } });
  let db = await reopen();
  const before = makeTasks(db, [heavy.declared]);
  await before.tasks.resume();
  const { id } = await before.tasks.start('first', {}, ANNA);
  await until(() => heavy.runs.length === 1);
  await heavy.runs[0]?.save('here');
  heavy.runs[0]?.progress(0.5, { reason: 'videos', values: { count: 1 } });
  held.is = true;
  const waiting = follow(heavy.runs[0]?.turn() ?? assert.fail());
  await comes('it waits', async () => (await before.tasks.get(id))?.detail?.includes('waiting') === true);
  await before.tasks.stop(60_000);
  assert.equal(waiting.isOver, true);
  const stored = await taskStore(db).one(id);
  assert.deepEqual([stored?.state, stored?.detail, stored?.isAsked], ['queued', '1 videos', 1]);
  for (let life = 2; life <= 6; life++) {
    db = await reopen();
    const { tasks } = makeTasks(db, [heavy.declared]);
    held.is = false;
    await tasks.resume();
    await until(() => heavy.runs.length === life);
    assert.deepEqual([heavy.runs.at(-1)?.saved, heavy.runs.at(-1)?.resumed], ['here', true]);
    held.is = true;
    follow(heavy.runs.at(-1)?.turn() ?? assert.fail());
    await comes('it is stored as waiting', async () => (await taskStore(db).one(id))?.state === 'queued');
    // The process dies here: no stop, and the database is taken as it is.
  }
});

test('one Profile has only some runs open, which keeps no other one from its own', async (t) => {
  const { tasks, a } = await openQueue(t);
  const started = [];
  for (let part = 0; part < 50; part++) started.push(await tasks.start('first', { part }, ANNA));
  const isThrottled = (error: unknown): boolean => error instanceof Failure && error.reason === 'too-many-tasks';
  await assert.rejects(tasks.start('first', { part: 50 }, ANNA), isThrottled);
  assert.equal((await tasks.start('first', { part: 3 }, ANNA)).id, started[3]?.id, 'one that exists is no further one');
  await tasks.start('first', { part: 50 }, { askedBy: 'bert' });
  await tasks.start('first', { part: 51 });
  await until(() => a.runs.length === 1);
  a.runs[0]?.end();
  await tasks.ended(started[0]?.id ?? '');
  await tasks.start('first', { part: 52 }, ANNA);
  await tasks.stop(1000);
});

test('heavy tasks have places for half of the processors', () => {
  assert.deepEqual([1, 2, 3, 4, 6, 64].map(heavyPlacesOf), [1, 1, 1, 2, 3, 3]);
  const remark: TaskRemark | undefined = waitsWhile(() => true, 'waiting-for-playback')();
  assert.deepEqual(remark, { reason: 'waiting-for-playback', values: {} });
});
