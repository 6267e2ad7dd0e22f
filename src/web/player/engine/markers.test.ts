/** Which passage is skipped, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingAt, isLast, markerAt, skipOf, type PlanMarker } from './markers.ts';

const intro: PlanMarker = { kind: 'intro', start: 10, end: 40 };
const credits: PlanMarker = { kind: 'credits', start: 580, end: 600 };
const markers = [intro, credits];
const skip = (from: number, to: number, change: Partial<Parameters<typeof skipOf>[0]> = {}) =>
  skipOf({ markers, autoSkip: ['intro'], undone: new Set(), from, to, ...change })?.kind;

test('a time is in a passage until just before its end', () => {
  assert.deepEqual(
    [9.9, 10, 38.9, 39.1, 590].map((time) => markerAt(markers, time)?.kind),
    [undefined, 'intro', 'intro', undefined, 'credits'],
  );
  assert.equal(
    markerAt(
      [
        { start: 0, end: 20 },
        { start: 5, end: 50 },
      ],
      8,
    )?.end,
    50,
  );
});
test('playing into a passage skips it', () => {
  assert.deepEqual(
    [skip(9.8, 10.05), skip(0, 0.2, { markers: [{ kind: 'intro', start: 0, end: 30 }] }), skip(579.9, 580.1)],
    ['intro', 'intro', undefined],
  );
});
test('jumping into one does not, nor does going back after the skip was undone', () => {
  assert.deepEqual(
    [skip(100, 20), skip(5, 20), skip(15, 15.2), skip(9.8, 10.05, { undone: new Set([intro]) })],
    [undefined, undefined, undefined, undefined],
  );
});
test('the closing passage is the last one, or the last seconds', () => {
  assert.equal(closingAt(markers, 600, 25), 580);
  assert.equal(closingAt([intro], 600, 25), 575);
  assert.equal(closingAt([{ kind: 'credits', start: 500, end: 540 }], 600, 25), 575);
  assert.equal(closingAt([], 40, 25), Infinity);
  assert.ok(isLast(credits, 602) && !isLast(credits, 640));
});
