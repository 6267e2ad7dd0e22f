/** The steps are counted without a gap, with and without a second factor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepNumber } from './counting.ts';

test('no number is left out or goes back, and all steps say the same total', () => {
  for (const run of [
    ['owner', 'factor', 'libraries', 'subtitles', 'scan'],
    ['owner', 'libraries', 'subtitles', 'scan'],
  ] as const) {
    const numbers = run.map((step) => stepNumber(step));
    assert.deepEqual([...new Set(numbers.map(({ step }) => step))], [1, 2, 3, 4]);
    assert.deepEqual([...new Set(numbers.map(({ of }) => of))], [4]);
  }
});
