/** Meaning of a finger's movement on the picture. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveOf } from './swipe.ts';

const from = { x: 200, y: 100, width: 400, height: 300 };

test('a short way is a tap', () => {
  assert.equal(moveOf(from, { dx: 13, dy: -13 }, 6000), undefined);
});
test('sideways seeks, the whole width three minutes, less in a short film', () => {
  assert.deepEqual(moveOf(from, { dx: 100, dy: 20 }, 6000), { is: 'seek', by: 45 });
  assert.deepEqual(moveOf(from, { dx: -200, dy: 0 }, 60), { is: 'seek', by: -10 });
});
test('up and down on the right half is volume, on the left half nothing', () => {
  assert.deepEqual(moveOf({ ...from, x: 300 }, { dx: 0, dy: -150 }, 6000), { is: 'volume', by: 0.5 });
  assert.equal(moveOf({ ...from, x: 100 }, { dx: 0, dy: -150 }, 6000), undefined);
});
test('what it meant first it means to the end, and the edges belong to the system', () => {
  assert.deepEqual(moveOf(from, { dx: 10, dy: 200 }, 6000, 'seek'), { is: 'seek', by: 5 });
  for (const x of [5, 395]) assert.equal(moveOf({ ...from, x }, { dx: 100, dy: 0 }, 6000), undefined);
});
