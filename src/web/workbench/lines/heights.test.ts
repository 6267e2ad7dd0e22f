/** A hundred thousand rows of unlike heights: any place is found, and measuring one moves those below it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeights } from './heights.ts';

test('tops and places agree, before and after measuring', () => {
  const heights = createHeights(100_000, () => 58);
  assert.equal(heights.top(100_000), 5_800_000);
  for (let at = 0; at < 100_000; at += 3) heights.measured(at, 58 + (at % 41));
  for (let at = 0; at < 100_000; at += 997) {
    assert.equal(heights.at(heights.top(at)), at);
    assert.equal(heights.at(heights.top(at + 1) - 1), at);
  }
});
test('a measure is news once', () => {
  const heights = createHeights(10, () => 50);
  assert.equal(heights.measured(2, 80), true);
  assert.equal(heights.measured(2, 80.2), false);
  assert.equal(heights.measured(11, 80), false);
  assert.equal(heights.top(3), 180);
});
test('what was measured outlives a change, and the rest is estimated again', () => {
  const first = createHeights(10, () => 50);
  first.measured(2, 80);
  first.measured(3, 50);
  assert.deepEqual([first.known(1), first.known(2), first.known(3)], [undefined, 80, 50]);
  const next = createHeights(4, (at) => 60 + at, first);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((at) => next.top(at)),
    [0, 60, 121, 201, 251],
  );
  assert.equal(createHeights(4, () => 1, next).known(2), 80);
});
test('an empty list has no height and no fault', () => {
  const heights = createHeights(0, () => 50);
  assert.equal(heights.top(0), 0);
  assert.equal(heights.at(100), 0);
});
