/** Jobs run one at a time, are shared, and end when their last caller leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { createMaker } from './maker.ts';

const never = new AbortController().signal;

function jobs() {
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const job = (name: string, isWanted = false) => ({
    isWanted,
    work: async (progress: (part: number) => void, _turn: unknown, signal: AbortSignal): Promise<void> => {
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
  const maker = createMaker({ isHeld: () => false });
  const waits = ['a', 'b', 'c'].map((name) => maker.ask(name, job(name)).wait(never));
  const wanted = maker.ask('d', job('d', true));
  for (const name of ['d', 'a', 'b', 'c']) {
    await until(`the beginning of ${name}`, () => gates.get(name));
    gates.get(name)?.resolve();
  }
  await Promise.all([...waits, wanted.wait(never)].map((one) => one.catch(() => {})));
  assert.deepEqual(
    log,
    ['d', 'a', 'b', 'c'].flatMap((name) => [`begin ${name}`, `end ${name}`]),
  );
  await maker.close();
});

test('a job is shared, says how far it is, and may be asked for again once it has ended', async () => {
  const { log, gates, job } = jobs();
  const maker = createMaker({ isHeld: () => false });
  const heard: number[] = [];
  const first = maker.ask('a', job('a')).wait(never, (part) => void heard.push(part));
  const second = maker.ask('a', job('a')).wait(never);
  await until('the job', () => gates.get('a'));
  assert.equal(maker.ask('a', job('a')).progress, 0.5);
  gates.get('a')?.resolve();
  await Promise.all([first, second]);
  assert.deepEqual([log, heard], [['begin a', 'end a'], [0.5]]);
  gates.delete('a');
  const again = maker.ask('a', job('a')).wait(never);
  await until('the second job', () => gates.get('a'));
  gates.get('a')?.reject(new Error('it broke'));
  await assert.rejects(again, /it broke/);
  await maker.close();
});

test('background jobs end with the background work; requested jobs continue', async () => {
  const { log, gates, job } = jobs();
  const maker = createMaker({ isHeld: () => false });
  const stop = new AbortController();
  const waiting = maker.ask('a', job('a')).wait(stop.signal);
  await until('the job', () => gates.get('a'));
  stop.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  gates.delete('a');
  maker.ask('a', job('a', true));
  await until('another job of the same name', () => gates.get('a'));
  const watching = new AbortController();
  const watched = maker.ask('a', job('a')).wait(watching.signal);
  watching.abort(new Error('left'));
  await assert.rejects(watched, /left/);
  gates.get('a')?.resolve();
  await until('its end', () => log.includes('end a'));
  assert.deepEqual(log, ['begin a', 'begin a', 'end a']);
  await maker.close();
});

test('work waits for its turn while it is held, and a stop ends it all the same', async () => {
  let isHeld = true;
  let looks = 0;
  const maker = createMaker({ isHeld: () => (looks++, isHeld), everyMs: 1 });
  let turns = 0;
  const work = async (
    _progress: unknown,
    turn: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    await turn(signal);
    signal.throwIfAborted();
    turns += 1;
  };
  const waiting = maker.ask('a', { isWanted: true, work }).wait(never);
  await until('some looks', () => looks > 3);
  assert.equal(turns, 0);
  isHeld = false;
  await waiting;
  assert.equal(turns, 1);
  isHeld = true;
  const stopped = maker.ask('b', { isWanted: true, work }).wait(never);
  const closing = maker.close();
  await assert.rejects(stopped, /the server is stopping/);
  await closing;
  assert.equal(turns, 1);
  assert.throws(() => maker.ask('c', { isWanted: true, work }), /the server is stopping/);
});
