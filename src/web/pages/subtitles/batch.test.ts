/** One after the other, to the end, or until it is cancelled or hopeless. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch, NO_BATCH, type Batch, type Wish } from './batch.ts';

function world(fetchOne: (wish: Wish) => Promise<string>) {
  let now: Batch = NO_BATCH;
  const state = { get: () => now, set: (next: Batch) => void (now = next), change: (how: (b: Batch) => Batch) => void (now = how(now)), subscribe: () => () => undefined };
  const batch = createBatch({ state, fetchOne, explain: (error) => String(error), isHopeless: (error) => error === 'none configured' });
  return { batch, state };
}
const wishes = ['a', 'b', 'c'].map((id) => ({ id, title: id }));

test('each is fetched once, in order, never two at a time', async () => {
  let under = 0;
  const order: string[] = [];
  const { batch, state } = world(async ({ id }) => {
    assert.equal(++under, 1);
    await new Promise((resolve) => setImmediate(resolve));
    under--;
    order.push(id);
    if (id === 'b') throw 'no candidate';
    return 'written';
  });
  await batch.start(wishes);
  assert.deepEqual(order, ['a', 'b', 'c']);
  assert.deepEqual(state.get().outcomes.map(({ isDone, says }) => [isDone, says]), [[true, 'written'], [false, 'no candidate'], [true, 'written']]);
  assert.equal(state.get().isRunning, false);
});
test('cancelled, it stops and keeps what is done', async () => {
  const { batch, state } = world(async ({ id }) => {
    if (id === 'b') batch.cancel();
    return 'written';
  });
  await batch.start(wishes);
  assert.deepEqual(state.get().outcomes.map(({ id }) => id), ['a', 'b']);
  batch.dismiss();
  assert.deepEqual(state.get(), NO_BATCH);
});
test('what would fail for all ends it', async () => {
  const { batch, state } = world(() => Promise.reject('none configured'));
  await batch.start(wishes);
  assert.equal(state.get().outcomes.length, 1);
});
