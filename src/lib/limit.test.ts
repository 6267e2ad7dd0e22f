/** Never more at a time than allowed, in order, and a failure frees its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimit, createSlots } from './limit.ts';

test('never more than the limit run, also when one asks just as a place is freed', async () => {
  const limit = createLimit(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (n: number) => async () => {
    most = Math.max(most, ++running);
    order.push(n);
    await Promise.resolve();
    running--;
    if (n === 1) throw new Error('fails');
  };
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < 6; n++) all.push(limit(work(n)));
  // Asked in the very turn in which places are freed.
  for (let turn = 0; turn < 8; turn++) {
    await Promise.resolve();
    all.push(limit(work(10 + turn)));
  }
  const ended = await Promise.allSettled(all);
  assert.equal(most, 2);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17]);
  assert.equal(ended.filter(({ status }) => status === 'rejected').length, 1);
});

test('an owner who holds no slot is forgotten, and giving a slot back twice counts once', () => {
  const slots = createSlots();
  const [first, second] = [slots.take('a', 2), slots.take('a', 2)];
  assert.equal(slots.take('a', 2), undefined);
  assert.ok(slots.take('b', 1), 'another owner has slots of its own');
  first?.();
  first?.();
  assert.ok(slots.take('a', 2));
  assert.equal(slots.take('a', 2), undefined, 'the second return of one slot freed no other');
  second?.();
  assert.equal(slots.size, 2);
});
