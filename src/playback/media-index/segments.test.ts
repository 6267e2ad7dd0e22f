/** Starts of segments, and refused files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkKeyframes } from './spread.ts';
import { planSegments } from './segments.ts';
import type { Keyframes } from './types.ts';

const keyframes = (times: readonly number[], isIdr: readonly number[] = times.map(() => 1)): Keyframes => ({
  times: Float64Array.from(times),
  places: Float64Array.from(times),
  isIdr: Uint8Array.from(isIdr),
});
const every = (step: number, duration: number): number[] =>
  Array.from({ length: Math.ceil(duration / step) }, (_, i) => i * step);
const starts = (frames: Keyframes, duration: number, isIdrNeeded = true) =>
  planSegments(frames, duration, isIdrNeeded).segments.map(({ start }) => start);

test('a segment begins at the first keyframe that is 4 s after the last one', () => {
  assert.deepEqual(starts(keyframes([0, 1, 3.9, 4.1, 8, 8.2, 15]), 16), [0, 4.1, 8.2, 15]);
  assert.deepEqual(starts(keyframes([0, 3.96, 7.96]), 10), [0, 3.96, 7.96]);
  assert.deepEqual(starts(keyframes(every(2, 600)), 600), every(4, 600));
});

test('segments cover the file from 0 to its end', () => {
  const plan = planSegments(keyframes([0.7, 5, 9.5]), 11, true);
  assert.deepEqual(plan.segments, [
    { start: 0, duration: 5 },
    { start: 5, duration: 4.5 },
    { start: 9.5, duration: 1.5 },
  ]);
  assert.deepEqual([...plan.keys], [0, 1, 2]);
  assert.deepEqual(starts(keyframes([0, 5, 10]), 10), [0, 5]);
  assert.deepEqual(planSegments(keyframes([]), 10, true), {
    segments: [],
    keys: new Uint32Array(0),
    obstacle: 'sparse-keyframes',
  });
});

test('what is left at the end and shorter than half a second belongs to the segment before', () => {
  assert.deepEqual(starts(keyframes([0, 4, 8]), 8.04), [0, 4]);
  assert.deepEqual(starts(keyframes([0, 4, 8]), 8.499), [0, 4]);
  assert.deepEqual(starts(keyframes([0, 4, 8]), 8.5), [0, 4, 8]);
  assert.deepEqual(starts(keyframes([0]), 0.04), [0]);
  assert.equal(planSegments(keyframes([0, 20]), 20.2, true).obstacle, undefined);
});

test('a gap of more than 20 s is refused', () => {
  assert.equal(planSegments(keyframes(every(20, 100)), 100, true).obstacle, undefined);
  assert.equal(planSegments(keyframes([0, 4, 24.5]), 30, true).obstacle, 'sparse-keyframes');
  assert.equal(planSegments(keyframes([0, 4]), 30, false).obstacle, 'sparse-keyframes');
});

test('a single recovery point is an obstacle for clients that begin at IDR frames only', () => {
  const times = every(2, 40);
  const mixed = keyframes(
    times,
    times.map((time) => Number(time !== 22)),
  );
  assert.equal(planSegments(mixed, 40, true).obstacle, 'open-gop', 'although it begins no segment');
  assert.equal(planSegments(mixed, 40, false).obstacle, undefined);
  assert.deepEqual(planSegments(mixed, 40, true).segments, planSegments(mixed, 40, false).segments);
  assert.deepEqual(starts(mixed, 40), every(4, 40));
  assert.equal(planSegments(keyframes(times), 40, true).obstacle, undefined);
  const short = keyframes([0, 2, 4, 6], [1, 0, 0, 0]);
  assert.equal(planSegments(short, 8, true).obstacle, 'open-gop', 'a film as short as a segment');
  const late = keyframes([0, 2, 4, 6], [0, 1, 1, 1]);
  assert.equal(planSegments(late, 8, true).obstacle, 'open-gop', 'a file that begins with a recovery point');
  const sparse = keyframes([0, 30], [1, 0]);
  assert.equal(planSegments(sparse, 40, true).obstacle, 'sparse-keyframes');
});

test('keyframes that were not looked at are left out if some of a file are none', () => {
  const kinds = (unfit: boolean) => {
    let looked = 0;
    const { isIdr, unfit: left } = checkKeyframes(1000, false, (key) => {
      looked += 1;
      return unfit && key > 0 ? 'other' : 'recovery';
    });
    return [looked, isIdr.filter((one) => one === 0).length, new Set(left).size];
  };
  assert.deepEqual(kinds(false), [64, 1000, 0]);
  assert.deepEqual(kinds(true), [64, 937, 999]);
});
