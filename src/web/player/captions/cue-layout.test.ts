/** Positions of cues, and the times at which they are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeAt, lastBefore, cuePlaceOf, withoutDoubles, type CuePlace } from './cue-layout.ts';

const cue = (change: Partial<CuePlace> = {}): CuePlace => ({
  line: 'auto',
  snapToLines: true,
  position: 'auto',
  size: 100,
  align: 'center',
  ...change,
});

test('a cue without settings is at the bottom in the middle', () => {
  assert.deepEqual(cuePlaceOf(cue()), { band: { at: 'bottom' }, align: 'center' });
});
test('lines count from either end, and per cents from the top', () => {
  assert.deepEqual(cuePlaceOf(cue({ line: 0 })).band, { at: 'top' });
  assert.deepEqual(cuePlaceOf(cue({ line: -2 })).band, { at: 'bottom' });
  assert.deepEqual(cuePlaceOf(cue({ line: 8 })).band, { at: 'percent', top: 50 });
  assert.deepEqual(cuePlaceOf(cue({ line: 40, snapToLines: false })).band, { at: 'percent', top: 40 });
  assert.deepEqual(cuePlaceOf(cue({ line: 90, snapToLines: false })).band, { at: 'bottom' });
});
test('a box stays on the picture', () => {
  assert.deepEqual(cuePlaceOf(cue({ position: 20, size: 60, align: 'start' })).box, { left: 20, width: 60 });
  assert.deepEqual(cuePlaceOf(cue({ position: 90, size: 80, align: 'start' })).box, { left: 80, width: 20 });
  assert.deepEqual(cuePlaceOf(cue({ position: 50, size: 40 })).box, { left: 30, width: 40 });
  for (const position of [0, 33, 100])
    for (const align of ['start', 'center', 'end']) {
      const { box } = cuePlaceOf(cue({ position, align, size: 100 }));
      assert.ok(box && box.left >= 0 && box.left + box.width <= 100, `${position} ${align}`);
    }
});
test('a cue is on from its start until just before its end, and a long one is found behind short ones', () => {
  const cues = [
    { startTime: 0, endTime: 100 },
    ...Array.from({ length: 60 }, (_, n) => ({ startTime: n + 1, endTime: n + 1.5 })),
  ];
  assert.deepEqual(activeAt(cues, 50.2), [
    { startTime: 0, endTime: 100 },
    { startTime: 50, endTime: 50.5 },
  ]);
  assert.deepEqual(activeAt(cues, 100), []);
  assert.deepEqual(activeAt([], 5), []);
});
test('doubled cues are shown once', () => {
  assert.equal(withoutDoubles([{ text: 'a' }, { text: 'a' }, { text: 'b' }]).length, 2);
});
test('the line that was last is found again, with what ended with it, and not one from long ago', () => {
  const cues = [
    { startTime: 0, endTime: 2 },
    { startTime: 1, endTime: 4 },
    { startTime: 3, endTime: 4 },
    { startTime: 8, endTime: 9 },
  ];
  assert.deepEqual(lastBefore(cues, 5, 6), [
    { startTime: 1, endTime: 4 },
    { startTime: 3, endTime: 4 },
  ]);
  assert.deepEqual(lastBefore(cues, 20, 6), []);
  assert.deepEqual(lastBefore(cues, 20, Infinity), [{ startTime: 8, endTime: 9 }]);
  assert.deepEqual(lastBefore([], 5, 6), []);
});
