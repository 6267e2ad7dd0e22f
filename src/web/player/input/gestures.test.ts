/** Rows of taps and what they mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningOf, sideOf, tapped, type Tap } from './gestures.ts';

const row = (...taps: readonly [Tap['side'], number][]): Tap =>
  taps.reduce<Tap | undefined>((before, [side, at]) => tapped(before, side, at), undefined) as Tap;

test('the picture has three parts', () => {
  assert.deepEqual(
    [10, 180, 350].map((x) => sideOf(x, 360)),
    ['left', 'middle', 'right'],
  );
});
test('one tap shows the controls', () => {
  assert.deepEqual(meaningOf(row(['left', 0])), { is: 'reveal' });
});
test('two quick taps on a side skip, and each further one skips again', () => {
  assert.deepEqual(meaningOf(row(['right', 0], ['right', 200])), { is: 'seek', by: 10 });
  assert.deepEqual(meaningOf(row(['left', 0], ['left', 200], ['left', 400])), { is: 'seek', by: -10 });
});
test('slow taps, and taps on two sides, are single ones', () => {
  assert.deepEqual(meaningOf(row(['right', 0], ['right', 900])), { is: 'reveal' });
  assert.deepEqual(meaningOf(row(['left', 0], ['right', 100])), { is: 'reveal' });
});
test('two in the middle play or pause, once', () => {
  assert.deepEqual(meaningOf(row(['middle', 0], ['middle', 100])), { is: 'toggle' });
  assert.equal(meaningOf(row(['middle', 0], ['middle', 100], ['middle', 200])), undefined);
});
