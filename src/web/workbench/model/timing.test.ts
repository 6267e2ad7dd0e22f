/** A moved time is found back, whichever way it was moved. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TimingChange, isSteady, movedTime, rateLabel, RATES, ratioWords, unmoved } from './timing.ts';
import { speak } from '../../messages/catalogue.ts';

before(() => speak(['en']));

const WAYS: readonly TimingChange[] = [
  { kind: 'none' },
  { kind: 'offset', ms: -4200 },
  { kind: 'framerate', from: 25, to: 24_000 / 1001 },
  { kind: 'anchors', anchors: [{ at: 60_000, offset: 800 }] },
  {
    kind: 'anchors',
    anchors: [
      { at: 60_000, offset: 800 },
      { at: 600_000, offset: -9000 },
    ],
  },
  {
    kind: 'anchors',
    anchors: [
      { at: 60_000, offset: 800 },
      { at: 600_000, offset: -9000 },
      { at: 900_000, offset: 12_000 },
    ],
  },
];
test('there and back again', () => {
  for (const way of WAYS)
    for (let at = 0; at <= 7_200_000; at += 61_803)
      assert.ok(Math.abs(unmoved(way, movedTime(way, at)) - at) < 0.01, `${JSON.stringify(way)} at ${at}`);
});
test('two anchors set a line that continues beyond them', () => {
  const way: TimingChange = {
    kind: 'anchors',
    anchors: [
      { at: 100_000, offset: 1000 },
      { at: 200_000, offset: 2000 },
    ],
  };
  assert.deepEqual(
    [0, 100_000, 150_000, 200_000, 300_000].map((at) => movedTime(way, at) - at),
    [0, 1000, 1500, 2000, 3000],
  );
});
test('what was aligned in parts goes back by the part that a line is in', () => {
  const aligned = {
    ratio: 1.25,
    segments: [
      { from: 0, to: 4, offsetMilliseconds: 1000 },
      { from: 5, to: 9, offsetMilliseconds: -500 },
    ],
  };
  assert.equal(unmoved({ kind: 'auto' }, 11_000, aligned, 2), 8000);
  assert.equal(unmoved({ kind: 'auto' }, 9500, aligned, 7), 8000);
  assert.equal(unmoved({ kind: 'auto' }, 9500), 9500);
});
test('order of time, and rates by their names', () => {
  assert.equal(
    isSteady([
      { at: 1000, offset: 5000 },
      { at: 2000, offset: 0 },
    ]),
    false,
  );
  assert.equal(
    isSteady([
      { at: 1000, offset: 500 },
      { at: 2000, offset: 0 },
    ]),
    true,
  );
  for (const { label, value } of RATES) assert.equal(rateLabel(value), label);
  assert.equal(ratioWords(1), undefined);
  assert.equal(ratioWords(25 / (24_000 / 1001)), 'from 25 to 23.976 frames per second');
  assert.match(ratioWords(1.02) ?? '', /slower by 2\.00%/);
});
