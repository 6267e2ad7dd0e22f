/** Work that is asked for more than once: no call is lost, none overlap, and a failure reaches those who wait. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import {
  coalesce,
  createInFlight,
  createProducers,
  createPromiseCache,
  createSharedWork,
  debounce,
  untilAborted,
} from './coalesce.ts';

test('calls made while it runs make it run exactly once more', async () => {
  let runs = 0;
  let inside = 0;
  const gates: (() => void)[] = [];
  const go = coalesce(async () => {
    assert.equal(++inside, 1);
    runs++;
    await new Promise<void>((resolve) => void gates.push(resolve));
    inside--;
  });
  const first = go();
  const others = [go(), go(), go()];
  assert.equal(runs, 1);
  gates[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 2);
  gates[1]?.();
  await Promise.all([first, ...others]);
  assert.equal(runs, 2);
  const later = go();
  gates[2]?.();
  await later;
  assert.equal(runs, 3);
});

test('a failure is thrown to all who wait, and does not eat the call made meanwhile', async () => {
  let runs = 0;
  const go = coalesce(async () => {
    await null;
    if (++runs === 1) throw new Error('first');
  });
  const all = await Promise.allSettled([go(), go()]);
  assert.equal(runs, 2);
  assert.deepEqual(
    all.map((r) => r.status),
    ['rejected', 'rejected'],
  );
  await go();
  assert.equal(runs, 3);
});

test('work that throws at once leaves it usable', async () => {
  let runs = 0;
  const go = coalesce(() => {
    if (++runs === 1) throw new Error('at once');
    return Promise.resolve();
  });
  await assert.rejects(go(), /at once/);
  await go();
  assert.equal(runs, 2);
});

test('work begins when it is quiet, or after the longest wait', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  let count = 0;
  const { ask, stop } = debounce(() => void count++, { quietMs: 100, mostMs: 1_000 });
  ask();
  mock.timers.tick(99);
  ask();
  mock.timers.tick(99);
  assert.equal(count, 0);
  mock.timers.tick(1);
  assert.equal(count, 1);
  for (let n = 0; n < 15; n++) {
    ask();
    mock.timers.tick(90);
  }
  assert.equal(count, 2, 'the longest wait has passed once');
  mock.timers.tick(1_000);
  assert.equal(count, 3);
  ask();
  stop();
  ask();
  mock.timers.tick(5_000);
  assert.equal(count, 3, 'nothing is begun after a stop');
});

test('shared work ends with its last asker and begins again after', async () => {
  const sharing = createSharedWork<number>();
  const signals: AbortSignal[] = [];
  const work = ({ signal }: { signal: AbortSignal }): Promise<number> => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
  };
  const [a, b] = [new AbortController(), new AbortController()];
  const asked = [a, b].map(({ signal }) => sharing.join('key', { work, progress: () => {}, signal }));
  const rejections = asked.map((one) => assert.rejects(one, /gone/));
  a.abort(new Error('gone'));
  await rejections[0];
  assert.equal(signals[0]?.aborted, false);
  b.abort(new Error('gone'));
  await rejections[1];
  assert.equal(signals[0]?.aborted, true);
  assert.equal(
    await sharing.join('key', {
      work: () => Promise.resolve(7),
      progress: () => {},
      signal: new AbortController().signal,
    }),
    7,
  );
  const last = sharing.join('key', { work, progress: () => {}, signal: new AbortController().signal });
  const ended = assert.rejects(last, /ended/);
  await Promise.resolve();
  sharing.close();
  await ended;
});

test('a caller that leaves does not end the work of others; a failure without callers is ignored', async () => {
  const gate = Promise.withResolvers<number>();
  const leaving = new AbortController();
  const left = untilAborted(gate.promise, leaving.signal);
  const stays = untilAborted(gate.promise, new AbortController().signal);
  leaving.abort(new Error('left'));
  await assert.rejects(left, /left/);
  gate.resolve(7);
  assert.equal(await stays, 7);
  await assert.rejects(
    untilAborted(Promise.reject(new Error('late')), AbortSignal.abort(new Error('gone before'))),
    /gone before/,
  );
});

test('calls with one key share the work that is under way, and begin it again after', async () => {
  const join = createInFlight<number>();
  let runs = 0;
  const work = async (): Promise<number> => {
    await Promise.resolve();
    return (runs += 1);
  };
  assert.deepEqual(await Promise.all([join('a', work), join('a', work), join('b', work)]), [1, 1, 2]);
  assert.equal(await join('a', work), 3);
  const failing = (): Promise<number> => Promise.reject(new Error('failed'));
  await Promise.all([assert.rejects(join('a', failing), /failed/), assert.rejects(join('a', work), /failed/)]);
  assert.equal(await join('a', work), 4);
});

test('recent results are kept, those used longest ago go first, and a failure is forgotten', async () => {
  const recent = createPromiseCache<string>(2);
  const made: string[] = [];
  const get = (key: string) => recent(key, async () => (made.push(key), key));
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) assert.equal(await get(key), key);
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  await assert.rejects(
    recent('d', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await get('d'), 'd');
});

test('those who follow a pass all get it from its first piece, as it comes', async () => {
  const passes = createProducers<string[]>();
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  let runs = 0;
  const begin = () => {
    const state: string[] = [];
    const run = async (arrived: () => void): Promise<void> => {
      runs += 1;
      for (const [i, { promise }] of gates.entries()) {
        await promise;
        state.push(`piece ${i}`);
        arrived();
      }
    };
    return { state, run };
  };
  const follow = () => passes.follow('key', begin, (state, at) => state[at], new AbortController().signal);
  const first = follow();
  assert.equal(runs, 0, 'nothing is begun before the first piece is asked for');
  gates[0]?.resolve();
  assert.deepEqual(await first.next(), { value: 'piece 0', done: false });
  const second = follow();
  assert.deepEqual(await second.next(), { value: 'piece 0', done: false });
  assert.equal(passes.size, 1);
  const rest = [first, second].map(async (one) => {
    const all: string[] = [];
    for await (const piece of one) all.push(piece);
    return all;
  });
  for (const { resolve } of gates) resolve();
  assert.deepEqual(await Promise.all(rest), [
    ['piece 1', 'piece 2'],
    ['piece 1', 'piece 2'],
  ]);
  assert.deepEqual([runs, passes.size], [1, 0]);
});

test('a producer without followers is ended, and a failure reaches all followers', async () => {
  const passes = createProducers<string[]>();
  const signals: AbortSignal[] = [];
  const begin = () => ({
    state: ['piece'],
    run: (_: () => void, signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    },
  });
  const follow = (signal: AbortSignal) => passes.follow('key', begin, (state, at) => state[at], signal);
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const [one, other] = [follow(leaving.signal), follow(never)];
  await Promise.all([one.next(), other.next()]);
  const waiting = one.next();
  leaving.abort();
  await assert.rejects(waiting, { kind: 'unavailable' });
  assert.equal(signals[0]?.aborted, false);
  await other.return();
  assert.deepEqual([signals[0]?.aborted, passes.size], [true, 0]);
  const later = follow(never);
  await later.next();
  assert.equal(signals.length, 2, 'begun again');
  const failed = assert.rejects(later.next(), /ended/);
  passes.close();
  await failed;
  await assert.rejects(follow(AbortSignal.abort()).next(), { kind: 'unavailable' });
  assert.equal(signals.length, 2, 'one who has left begins nothing');
});
