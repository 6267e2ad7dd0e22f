/** The line of lyrics at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineAt } from './lyrics.ts';

test('a line is current from its start to the start of the next', () => {
  const lines = [
    { start: 2, text: 'a' },
    { start: 4, text: '' },
    { start: 4, text: 'b' },
    { start: 9, text: 'c' },
  ];
  assert.deepEqual(
    [0, 1.99, 2, 3.9, 4, 8, 9, 1e6].map((time) => lineAt(lines, time)),
    [-1, -1, 0, 0, 2, 2, 3, 3],
  );
  assert.equal(lineAt([], 5), -1);
  assert.equal(lineAt([{ text: 'without a time' }], 5), -1);
});
