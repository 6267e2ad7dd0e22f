/** Moving an entry of a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idAfter, indexUnder, withMoved } from './order.ts';

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

test('a dragged row is below as many others as the pointer has passed, and stays there', () => {
  const middles = [10, 30, 50];
  const at = (dragged: number) => [-5, 10, 11, 30, 45, 50, 99].map((y) => indexUnder(middles, dragged, y));
  assert.deepEqual(at(0), [0, 0, 0, 0, 1, 1, 2]);
  assert.deepEqual(at(1), [0, 0, 1, 1, 1, 1, 2]);
  assert.deepEqual(at(2), [0, 0, 1, 1, 2, 2, 2]);
  // A pointer that rests keeps the row in its new place.
  for (const y of [5, 20, 40, 60])
    for (const from of [0, 1, 2]) {
      const to = indexUnder(middles, from, y);
      assert.equal(indexUnder(middles, to, y), to);
    }
  assert.equal(indexUnder([], 0, 5), 0);
});
