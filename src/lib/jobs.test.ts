/** Jobs run one at a time, are shared, and end when their last caller leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { createJobQueue, type JobContext, whileHeld } from './jobs.ts';

const never = new AbortController().signal;

function jobs() {
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const job = (name: string, isWanted = false) => ({
    isWanted,
    work: async ({ progress, signal }: JobContext): Promise<void> => {
      log.push(`begin ${name}`);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      progress(0.5);
      signal.addEventListener('abort', () => gate.reject(signal.reason));
      await gate.promise;
      log.push(`end ${name}`);
    },
  });
  return { log, gates, job };
}

test('one job at a time, and what a person asked for comes first', async () => {
  const { log, gates, job } = jobs();
  const queue = createJobQueue<void>();
  const waits = ['a', 'b', 'c'].map((name) => queue.ask(name, job(name)).wait(never));
  const wanted = queue.ask('d', job('d', true));
  for (const name of ['d', 'a', 'b', 'c']) {
    await until(`the beginning of ${name}`, () => gates.get(name));
    gates.get(name)?.resolve();
  }
  await Promise.all([...waits, wanted.wait(never)].map((one) => one.catch(() => {})));
  assert.deepEqual(
    log,
    ['d', 'a', 'b', 'c'].flatMap((name) => [`begin ${name}`, `end ${name}`]),
  );
  await queue.close();
});

test('a job is shared, says how far it is, and may be asked for again once it has ended', async () => {
  const { log, gates, job } = jobs();
  const queue = createJobQueue<void>();
  const heard: number[] = [];
  const first = queue.ask('a', job('a')).wait(never, (part) => void heard.push(part));
  const second = queue.ask('a', job('a')).wait(never);
  await until('the job', () => gates.get('a'));
  assert.equal(queue.ask('a', job('a')).progress, 0.5);
  gates.get('a')?.resolve();
  await Promise.all([first, second]);
  assert.deepEqual([log, heard], [['begin a', 'end a'], [0.5]]);
  gates.delete('a');
  const again = queue.ask('a', job('a')).wait(never);
  await until('the second job', () => gates.get('a'));
  gates.get('a')?.reject(new Error('it broke'));
  await assert.rejects(again, /it broke/);
  await queue.close();
});

test('background jobs end with the background work; requested jobs continue', async () => {
  const { log, gates, job } = jobs();
  const queue = createJobQueue<void>();
  const stop = new AbortController();
  const waiting = queue.ask('a', job('a')).wait(stop.signal);
  await until('the job', () => gates.get('a'));
  stop.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  gates.delete('a');
  queue.ask('a', job('a', true));
  await until('another job of the same name', () => gates.get('a'));
  const watching = new AbortController();
  const watched = queue.ask('a', job('a')).wait(watching.signal);
  watching.abort(new Error('left'));
  await assert.rejects(watched, /left/);
  gates.get('a')?.resolve();
  await until('its end', () => log.includes('end a'));
  assert.deepEqual(log, ['begin a', 'begin a', 'end a']);
  await queue.close();
});

test('closing ends the job that runs and those that wait', async () => {
  const { log, gates, job } = jobs();
  const queue = createJobQueue<void>();
  const waits = ['a', 'b'].map((name) => queue.ask(name, job(name, true)).wait(never));
  await until('the first job', () => gates.get('a'));
  assert.deepEqual(
    [queue.size, queue.has('b'), queue.progressOf('a'), queue.progressOf('c')],
    [2, true, 0.5, undefined],
  );
  const closing = queue.close();
  for (const waiting of waits) await assert.rejects(waiting, /the server is stopping/);
  await closing;
  assert.deepEqual([log, queue.size], [['begin a'], 0]);
  assert.throws(() => queue.ask('c', job('c')), /the server is stopping/);
});

test('work waits while it is held, and an abort ends that', async () => {
  let isHeld = true;
  let looks = 0;
  const check = (): boolean => (looks++, isHeld);
  const waiting = whileHeld(check, 1, never);
  await until('some looks', () => looks > 3);
  isHeld = false;
  await waiting;
  isHeld = true;
  const stop = new AbortController();
  const stopped = whileHeld(check, 60_000, stop.signal);
  stop.abort();
  await stopped;
});
