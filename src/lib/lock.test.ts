/** Turns in order, never two at once, and nothing left behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from './failure.ts';
import { createKeyedLock, createLock } from './lock.ts';

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one at a time under a key, in the order asked, and keys do not wait for each other', async () => {
  const locks = createKeyedLock();
  const order: string[] = [];
  let inside = 0;
  const work = (name: string) => async (): Promise<string> => {
    assert.equal(++inside, 1);
    await pause();
    order.push(name);
    inside--;
    return name;
  };
  assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map((name) => locks.run('item', work(name)))), [
    'a',
    'b',
    'c',
    'd',
  ]);
  assert.deepEqual(order, ['a', 'b', 'c', 'd']);

  let isOtherDone = false;
  await locks.run('one', async () => {
    await locks.run('two', () => void (isOtherDone = true));
    assert.equal(isOtherDone, true);
  });
  assert.equal(locks.isHeld('one') || locks.isHeld('two') || locks.isHeld('item'), false);
});

test('a latecomer cannot overtake those who wait', async () => {
  const lock = createLock();
  const order: number[] = [];
  const first = lock.run(async () => {
    await pause();
    order.push(1);
  });
  const second = lock.run(() => void order.push(2));
  // Runs in the very turn in which the first lets go.
  const late = first.then(() => lock.run(() => void order.push(3)));
  await Promise.all([second, late]);
  assert.deepEqual(order, [1, 2, 3]);
});

test('a failure lets go', async () => {
  const locks = createKeyedLock();
  await assert.rejects(
    locks.run('k', () => Promise.reject(new Error('x'))),
    /x/,
  );
  assert.equal(await locks.run('k', () => 1), 1);
});

test('tryLock says busy at once', async () => {
  const locks = createKeyedLock();
  let end = (): void => {};
  const held = locks.run('k', () => new Promise<void>((resolve) => void (end = resolve)));
  let hasRun = false;
  await assert.rejects(
    locks.tryLock('k', () => void (hasRun = true), 'this item is busy'),
    (error) => error instanceof Failure && error.kind === 'conflict' && error.message === 'this item is busy',
  );
  assert.equal(hasRun, false);
  end();
  await held;
  assert.equal(await locks.tryLock('k', () => 5, 'busy'), 5);
});

test('an abort while waiting leaves the queue, and the work never starts', async () => {
  const lock = createLock();
  let end = (): void => {};
  const held = lock.run(() => new Promise<void>((resolve) => void (end = resolve)));
  const control = new AbortController();
  let hasRun = false;
  const waiting = lock.run(() => void (hasRun = true), control.signal);
  const after = lock.run(() => 'after');
  control.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  end();
  await held;
  assert.equal(await after, 'after');
  assert.equal(hasRun, false);
  assert.equal(lock.isHeld, false);
});

test('waiting too long fails, and the next in line still gets its turn', async () => {
  const lock = createLock({ longestWaitMs: 5, sentence: 'the store is busy' });
  const release = lock.take();
  assert.equal(lock.take(), undefined);
  await assert.rejects(
    lock.run(() => 1),
    (error) => error instanceof Failure && error.kind === 'unavailable',
  );
  release?.();
  release?.();
  assert.equal(await lock.run(() => 2), 2);
});

test('a turn goes to callers with priority in their order, then to others, and to none that gave up', async () => {
  const lock = createLock();
  const order: string[] = [];
  let open = (): void => {};
  const held = new Promise<void>((resolve) => void (open = resolve));
  const ask = (name: string, isFirst: () => boolean, signal?: AbortSignal) =>
    lock.run(async () => void order.push(name), signal, isFirst);
  const leaving = new AbortController();
  let isJoined = false;
  const all = [
    lock.run(async () => (order.push('begun'), held)),
    ask('other', () => false),
    ask('joined later', () => isJoined),
    ask('gone', () => true, leaving.signal),
    ask('first', () => true),
    ask('failing', () => true).then(() => Promise.reject(new Error('it broke'))),
  ];
  leaving.abort(new Error('gone'));
  isJoined = true;
  open();
  const ended = await Promise.allSettled(all);
  assert.deepEqual(order, ['begun', 'joined later', 'first', 'failing', 'other']);
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  await ask('after it', () => false);
  assert.equal(order.at(-1), 'after it', 'it is free again');
});
