/** Tasks are promised once, run in order, told about, and outlive the process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until as comes } from '../../../test/until.ts';
import { eachEngine, openTemporaryDatabase } from '../db/testing.ts';
import { Failure } from '../failure.ts';
import { task, taskMigrations } from './index.ts';
import type { TaskContext, TaskStatus } from './index.ts';
import { canonicalJson } from './json.ts';
import { taskStore } from './store.ts';
import { fakeTask, makeTasks, openFile } from './testing-queue.ts';

const failing = (kind: string) => (error: unknown) => error instanceof Failure && error.kind === kind;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const until = async (is: () => boolean): Promise<void> => void (await comes(`${is.toString()}`, is, { everyMs: 0 }));

eachEngine('a task is queued, runs, tells of its progress and ends', taskMigrations, async (_t, db) => {
  const work = fakeTask('work');
  const { tasks, bus } = makeTasks(db, [work.declared]);
  const told: TaskStatus[] = [];
  let nudges = 0;
  bus.on('tasks.changed', () => void nudges++);
  tasks.watch((status) => void told.push(status));
  const started = await tasks.start('work', { part: 1 });
  assert.deepEqual(
    { ...started, id: '' },
    { id: '', number: 1, name: 'work', title: 'Wait', state: 'queued', progress: 0, createdAt: 1_700_000_000_000 },
  );
  assert.equal(work.runs.length, 0);
  await tasks.resume();
  await until(() => work.runs.length === 1);
  assert.deepEqual([work.runs[0]?.input, work.runs[0]?.resumed, work.runs[0]?.saved], [{ part: 1 }, false, undefined]);
  for (let i = 1; i <= 100; i++)
    work.runs[0]?.progress(i / 200, { reason: 'videos-of', values: { done: i, total: 200 } });
  await until(() => told.some((status) => status.progress === 0.5));
  work.runs[0]?.progress(Number.NaN, { reason: 'title', values: { title: 'x'.repeat(1000) } });
  work.runs[0]?.progress(7);
  assert.equal((await tasks.get(started.id))?.progress, 1);
  assert.equal((await tasks.get(started.id))?.detail?.length, 200);
  assert.deepEqual((await tasks.get(started.id))?.remarks, [{ reason: 'title', values: { title: 'x'.repeat(200) } }]);
  work.runs[0]?.end();
  const ended = await tasks.ended(started.id);
  assert.deepEqual([ended.state, ended.progress, ended.endedAt], ['done', 1, 1_700_000_000_000]);
  assert.deepEqual(
    (await tasks.list()).map((status) => [status.id, status.state]),
    [[started.id, 'done']],
  );
  assert.deepEqual(
    told.map((status) => status.state).filter((state, i, all) => state !== all[i - 1]),
    ['queued', 'running', 'done'],
  );
  assert.ok(told.length < 10, 'a hundred steps are not a hundred notices');
  await until(() => nudges === 3);
  work.runs[0]?.progress(0.1);
  await work.runs[0]?.save('late');
  assert.equal((await tasks.get(started.id))?.progress, 1);
  await tasks.stop(1000);
});

eachEngine('a second start of a waiting or running one answers with that one', taskMigrations, async (_t, db) => {
  const work = fakeTask('work');
  const { tasks } = makeTasks(db, [work.declared]);
  await tasks.resume();
  const all = await Promise.all([
    tasks.start('work'),
    tasks.start('work', {}),
    tasks.start('work', { part: 1 }),
    tasks.start('work', { part: 1 }),
  ]);
  assert.equal(new Set(all.map((status) => status.id)).size, 2);
  await until(() => work.runs.length === 1);
  assert.equal((await tasks.start('work')).id, all[0].id);
  work.runs[0]?.end();
  await tasks.ended(all[0].id);
  assert.notEqual((await tasks.start('work')).id, all[0].id);
  await tasks.stop(1000);
});

eachEngine('a start for a change during a run is queued once, to run after it', taskMigrations, async (_t, db) => {
  const work = fakeTask('work');
  const { tasks } = makeTasks(db, [work.declared]);
  await tasks.resume();
  const first = await tasks.start('work');
  await until(() => work.runs.length === 1);
  const afterChange = () => tasks.start('work', {}, { evenIfRunning: true });
  const [second, third] = await Promise.all([afterChange(), afterChange()]);
  assert.notEqual(second.id, first.id);
  assert.equal(third.id, second.id);
  assert.equal(work.runs.length, 1);
  work.runs[0]?.end();
  await until(() => work.runs.length === 2);
  work.runs[1]?.end();
  assert.equal((await tasks.ended(second.id)).state, 'done');
  await tasks.stop(1000);
});

test('equal inputs are equal whatever the order of their keys', () => {
  assert.equal(
    canonicalJson({ b: 1, a: { d: [1, { z: 1, y: undefined }], c: null } }),
    canonicalJson({ a: { c: null, d: [1, { z: 1 }] }, b: 1 }),
  );
  assert.notEqual(canonicalJson({ a: [1, 2] }), canonicalJson({ a: [2, 1] }));
});

test('what is not declared or does not fit is refused before anything is stored', async (t) => {
  const { tasks } = makeTasks(await openTemporaryDatabase(t, taskMigrations), [fakeTask('work').declared]);
  await assert.rejects(tasks.start('other'), failing('missing'));
  await assert.rejects(tasks.start('work', { odd: 1 }), failing('invalid'));
  await assert.rejects(tasks.cancel('0123456789abcdef'), failing('missing'));
  await assert.rejects(tasks.ended('0123456789abcdef'), failing('missing'));
  assert.deepEqual(await tasks.list(), []);
  assert.throws(() => task({ name: 'Not_kebab', title: '', summary: '', run: async () => {} }));
  await tasks.stop(1000);
});

test('no task waits for one of another name, and runs of a name are bounded, with different inputs', async (t) => {
  const [one, two, wide] = [fakeTask('one'), fakeTask('two'), fakeTask('wide', { atOnce: 2 })];
  const { tasks } = makeTasks(await openTemporaryDatabase(t, taskMigrations), [
    one.declared,
    two.declared,
    wide.declared,
  ]);
  for (const part of [1, 2]) await tasks.start('one', { part });
  await tasks.start('two');
  for (const part of [1, 2, 3]) await tasks.start('wide', { part });
  await tasks.resume();
  await until(() => one.runs.length === 1 && two.runs.length === 1 && wide.runs.length === 2);
  await tasks.start('wide', { part: 2 }, { evenIfRunning: true });
  wide.runs[0]?.end();
  await until(() => wide.runs.length === 3);
  wide.runs[2]?.end();
  await turn();
  assert.deepEqual([one.runs.length, wide.runs.length], [1, 3], 'the second run of an input waits for the first one');
  wide.runs[1]?.end();
  one.runs[0]?.end();
  await until(() => one.runs.length === 2 && wide.runs.length === 4);
  await tasks.stop(1000);
});

test('a failure is a sentence for people, and never what a bug quoted', async (t) => {
  const work = fakeTask('work');
  const { tasks } = makeTasks(await openTemporaryDatabase(t, taskMigrations), [work.declared]);
  await tasks.resume();
  const run = async (error: Error): Promise<TaskStatus> => {
    const before = work.runs.length;
    const { id } = await tasks.start('work');
    await until(() => work.runs.length > before);
    work.runs.at(-1)?.end(error);
    return tasks.ended(id);
  };
  const known = await run(new Failure('unavailable', 'the library is offline', { reason: 'library-offline' }));
  assert.deepEqual([known.state, known.error], ['failed', 'the library is offline']);
  const bug = await run(new Error('ENOENT /media/The Film.mkv'));
  assert.deepEqual([known.why?.reason, bug.state, bug.why?.reason], ['failed', 'failed', 'unexpected']);
  assert.equal(/Film|media/.test(bug.error ?? ''), false);
  await tasks.stop(1000);
});

eachEngine('cancelling ends a waiting one at once and stops a running one', taskMigrations, async (_t, db) => {
  const work = fakeTask('work');
  const { tasks } = makeTasks(db, [work.declared]);
  await tasks.resume();
  const running = await tasks.start('work');
  const waiting = await tasks.start('work', { part: 2 });
  await until(() => work.runs.length === 1);
  assert.equal((await tasks.cancel(waiting.id)).state, 'cancelled');
  await tasks.cancel(running.id);
  assert.equal((await tasks.ended(running.id)).state, 'cancelled');
  await assert.rejects(tasks.cancel(running.id), failing('conflict'));
  assert.equal(work.runs.length, 1);
  // A new one may be started while a cancelled one is still stopping.
  const stubborn = await tasks.start('work', { part: 3 });
  await until(() => work.runs.length === 2);
  assert.notEqual((await tasks.start('work', { part: 4 })).id, stubborn.id);
  await tasks.stop(1000);
});

test('a stop is quick, and the interrupted task continues after the next start from its saved state', async (t) => {
  const reopen = openFile(t);
  const work = fakeTask('work');
  let db = await reopen();
  const before = makeTasks(db, [work.declared]);
  await before.tasks.resume();
  const { id } = await before.tasks.start('work', { part: 1 });
  await until(() => work.runs.length === 1);
  await work.runs[0]?.save({ at: 'm', seen: [1, 2] });
  await before.tasks.stop(1000);
  await assert.rejects(before.tasks.start('work'), failing('unavailable'));
  assert.equal((await taskStore(db).one(id))?.state, 'queued');

  db = await reopen();
  const after = makeTasks(db, [work.declared]);
  await after.tasks.resume();
  await until(() => work.runs.length === 2);
  assert.deepEqual(
    [work.runs[1]?.id, work.runs[1]?.resumed, work.runs[1]?.saved],
    [id, true, { at: 'm', seen: [1, 2] }],
  );
  work.runs[1]?.end();
  assert.equal((await after.tasks.ended(id)).state, 'done');
  assert.equal((await taskStore(db).one(id))?.cursor, undefined);
  await after.tasks.stop(1000);
});

test('a run that does not listen to the stop is left behind and goes unheard', async (t) => {
  const reopen = openFile(t);
  const db = await reopen();
  let end = (): void => {};
  let heard: TaskContext<unknown> | undefined;
  const deaf = task({
    name: 'deaf',
    title: 'Deaf',
    summary: 'Does not listen',
    run: (context: TaskContext<unknown>) => ((heard = context), new Promise<void>((resolve) => void (end = resolve))),
  });
  const { tasks } = makeTasks(db, [deaf]);
  await tasks.resume();
  const { id } = await tasks.start('deaf');
  await until(() => heard !== undefined);
  await tasks.stop(5);
  assert.equal((await taskStore(db).one(id))?.state, 'queued');
  end();
  await heard?.save('too late');
  await turn();
  const row = await taskStore(db).one(id);
  assert.deepEqual([row?.state, row?.cursor], ['queued', undefined]);
});

test('what a dead process left running is run again, and given up the third time', async (t) => {
  const reopen = openFile(t);
  const work = fakeTask('work');
  let id = '';
  for (let life = 1; life <= 3; life++) {
    const { tasks } = makeTasks(await reopen(), [work.declared]);
    await tasks.resume();
    id ||= (await tasks.start('work')).id;
    await until(() => work.runs.length === life);
    assert.equal(work.runs[life - 1]?.resumed, life > 1);
    // The process dies here: no stop, and the database is taken as it is.
  }
  const { tasks } = makeTasks(await reopen(), [work.declared]);
  await tasks.resume();
  assert.deepEqual([(await tasks.get(id))?.state, work.runs.length], ['failed', 3]);
  await tasks.stop(1000);
});

test('a death after a cancel, and a task that is no more', async (t) => {
  const reopen = openFile(t);
  const deaf = task({ name: 'deaf', title: '', summary: '', run: () => new Promise<void>(() => {}) });
  const gone = fakeTask('gone');
  const first = makeTasks(await reopen(), [deaf, gone.declared]);
  await first.tasks.resume();
  const cancelled = await first.tasks.start('deaf');
  const lost = await first.tasks.start('gone');
  await until(() => gone.runs.length === 1);
  await first.tasks.cancel(cancelled.id);
  const second = makeTasks(await reopen(), [deaf]);
  await second.tasks.resume();
  assert.equal((await second.tasks.get(cancelled.id))?.state, 'cancelled');
  assert.equal((await second.tasks.get(lost.id))?.state, 'failed');
  await second.tasks.stop(1000);
});

eachEngine(
  'the newest 200 that have ended are kept, and those that wait are not touched',
  taskMigrations,
  async (_t, db) => {
    const store = taskStore(db);
    const { tasks } = makeTasks(db, [fakeTask('work').declared]);
    const waiting = await tasks.start('work');
    const row = await store.one(waiting.id);
    assert.ok(row);
    for (let number = 2; number <= 205; number++) {
      await store.end({ ...row, id: `${number}`, number, state: 'done', endedAt: number }, false, 200);
    }
    const list = await tasks.list();
    assert.equal(list.length, 201);
    assert.deepEqual([list[0]?.id, list.at(-2)?.id, list.at(-1)?.id], ['205', '6', waiting.id]);
    await tasks.stop(1000);
  },
);

test('a scheduled task runs when it is due, by a setting that may change, across restarts', async (t) => {
  const reopen = openFile(t);
  let every: number | undefined = 60_000;
  const work = fakeTask('work', { every: () => every });
  const first = makeTasks(await reopen(), [work.declared]);
  const look = async (to: typeof first): Promise<void> => {
    to.bus.announce('config.changed');
    for (let i = 0; i < 20; i++) await turn();
  };
  await first.tasks.resume();
  first.time.now += 59_000;
  await look(first);
  assert.equal(work.runs.length, 0);
  every = undefined;
  first.time.now += 10_000;
  await look(first);
  assert.equal(work.runs.length, 0);
  every = 60_000;
  await look(first);
  await until(() => work.runs.length === 1);
  first.time.now += 500_000;
  await look(first);
  assert.equal(work.runs.length, 1, 'not again while it runs');
  const id = work.runs[0]?.id ?? '';
  work.runs[0]?.end();
  await first.tasks.ended(id);
  await first.tasks.stop(1000);

  const second = makeTasks(await reopen(), [work.declared]);
  second.time.now = first.time.now + 59_999;
  await second.tasks.resume();
  await look(second);
  assert.equal(work.runs.length, 1);
  second.time.now += 1;
  await look(second);
  await until(() => work.runs.length === 2);
  await second.tasks.stop(1000);
});
