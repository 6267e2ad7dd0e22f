/** One after the other, to the end, or until it is cancelled or hopeless. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch, NO_BATCH, type FetchBatch, type FetchWish } from './batch.ts';

function world(fetchOne: (wish: FetchWish) => Promise<string>) {
  let now: FetchBatch = NO_BATCH;
  const state = {
    get: () => now,
    set: (next: FetchBatch) => void (now = next),
    change: (how: (b: FetchBatch) => FetchBatch) => void (now = how(now)),
    subscribe: () => () => undefined,
  };
  const batch = createBatch({
    state,
    fetchOne,
    explain: (error) => String(error),
    isChoice: () => false,
    outlook: (error) => (error === 'none configured' ? 'always' : error === 'nobody answers' ? 'failing' : 'own'),
  });
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
  assert.deepEqual(
    state.get().outcomes.map(({ isDone, says }) => [isDone, says]),
    [
      [true, 'written'],
      [false, 'no candidate'],
      [true, 'written'],
    ],
  );
  assert.deepEqual([state.get().isRunning, state.get().ended], [false, undefined]);
});
test('cancelled, it stops and keeps what is done', async () => {
  const { batch, state } = world(async ({ id }) => {
    if (id === 'b') batch.cancel();
    return 'written';
  });
  await batch.start(wishes);
  assert.deepEqual(
    state.get().outcomes.map(({ id }) => id),
    ['a', 'b'],
  );
  batch.dismiss();
  assert.deepEqual(state.get(), NO_BATCH);
});
test('what would fail for all ends it and is said', async () => {
  const { batch, state } = world(() => Promise.reject('none configured'));
  await batch.start(wishes);
  assert.equal(state.get().outcomes.length, 1);
  assert.equal(state.get().ended, 'none configured');
});
test('three items in a row without a reply end the batch; a reply in between resets the count', async () => {
  const answers = [0, 0, 1, 0, 0, 0, 1].map((is, n) => ({ id: String(n), title: is ? 'written' : 'nobody answers' }));
  const { batch, state } = world(async ({ title }) => (title === 'written' ? title : Promise.reject(title)));
  await batch.start(answers);
  assert.equal(state.get().outcomes.length, 6);
  assert.equal(state.get().ended, 'nobody answers');
});
test('what it is for is found out first, and a failure there is said', async () => {
  const { batch, state } = world(async () => 'written');
  await batch.start(async () => {
    assert.deepEqual([state.get().isRunning, state.get().wishes.length], [true, 0]);
    return wishes;
  });
  assert.equal(state.get().outcomes.length, 3);
  await batch.start(() => Promise.reject('no answer'));
  assert.deepEqual([state.get().isRunning, state.get().ended, state.get().wishes.length], [false, 'no answer', 0]);
});
