/** Moving an entry of a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idAfter, rowUnder, withMoved } from './order.ts';

test('an entry is moved to a place, and no further than the ends', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const moved = (from: number, to: number) => withMoved(ids, from, to).join('');
  assert.equal(moved(0, 2), 'bcad');
  assert.equal(moved(3, 0), 'dabc');
  assert.equal(moved(1, 9), 'acdb');
  assert.equal(moved(1, -4), 'bacd');
  assert.equal(moved(2, 2), 'abcd');
  assert.equal(moved(7, 0), 'abcd');
  assert.equal(idAfter(withMoved(ids, 0, 2), 'a'), 'd');
  assert.equal(idAfter(withMoved(ids, 0, 3), 'a'), null);
});

test('the row under the pointer', () => {
  const middles = [10, 30, 50];
  assert.deepEqual(
    [-5, 10, 11, 30, 45, 50, 99].map((y) => rowUnder(middles, y)),
    [0, 0, 1, 1, 2, 2, 2],
  );
  assert.equal(rowUnder([], 5), 0);
});
