/** Times of fragments for the decoder, with reordered pictures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import type { SegmentSamples } from '../media-index/types.ts';
import { audioFragment, reorderingOf, videoFragment } from './timing.ts';

const samples = (times: readonly number[], end: number): SegmentSamples => ({
  times: Float64Array.from(times),
  end,
  sizes: new Uint32Array(times.length).fill(10),
  isKey: Uint8Array.from(times, (_, i) => Number(i === 0)),
  pieces: { positions: new Float64Array(times.length), lengths: new Uint32Array(times.length).fill(10) },
});
/** Decoding order of a pyramid of three B-pictures, and what follows it. */
const PYRAMID = [0, 160, 80, 40, 120, 320, 240, 200, 280];
const decodeTimes = ({ start, durations }: { start: number; durations: Uint32Array }): number[] =>
  durations.reduce<number[]>((times, duration) => [...times, (times.at(-1) ?? 0) + duration], [start]);

test('decode times are the presentation times in order, and the delay makes room for the reordering', () => {
  const shift = reorderingOf(Float64Array.from(PYRAMID));
  assert.equal(shift, 80);
  const { start, durations, offsets } = videoFragment(samples(PYRAMID, 360), shift);
  assert.equal(start, 0, 'tfdt is the time at which the segment is shown');
  assert.deepEqual(
    [...durations],
    PYRAMID.map(() => 40),
    'pictures are decoded as evenly as they are shown',
  );
  const decoded = decodeTimes({ start, durations });
  assert.deepEqual(
    PYRAMID.map((_, i) => (decoded[i] ?? 0) + (offsets?.[i] ?? 0) - shift),
    PYRAMID,
  );
});

test('the last picture lasts to the first time of the next segment', () => {
  const { start, durations } = videoFragment(samples([1000, 1080, 1040], 1200), 40);
  assert.equal(decodeTimes({ start, durations }).at(-1), 1200);
});

test('leading pictures of an open GOP come before the keyframe that they follow', () => {
  const { start, durations, offsets } = videoFragment(samples([1000, 920, 960, 1120, 1040, 1080], 1160), 80);
  assert.equal(start, 920);
  assert.deepEqual([...durations], [40, 40, 40, 40, 40, 40]);
  assert.deepEqual([...(offsets ?? [])], [160, 40, 40, 160, 40, 40]);
});

test('the first segment begins at 0 when the first picture comes later', () => {
  const { start, durations, offsets } = videoFragment(samples([700, 740], 780), 0, 0);
  assert.deepEqual([start, [...durations], [...(offsets ?? [])]], [0, [740, 40], [700, 0]]);
});

test('offsets are never negative and decode times increase, whatever the order', () => {
  const order = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(order, fc.boolean(), (times, isKnown) => {
      // A later segment may reorder more than the first one did.
      const shift = isKnown ? reorderingOf(Float64Array.from(times)) : 40;
      const base = times.map((time) => time + 10_000);
      const { start, durations, offsets } = videoFragment(samples(base, 16_000), shift);
      const decoded = decodeTimes({ start, durations });
      base.forEach((time, i) => {
        assert.equal((decoded[i] ?? 0) + (offsets?.[i] ?? 0) - shift, time);
        assert.ok((offsets?.[i] ?? -1) >= 0 && (durations[i] ?? 0) > 0);
      });
    }),
    { numRuns: 500 },
  );
});

test('audio lasts as long as it is until the next frame', () => {
  const { start, durations } = audioFragment(samples([4096, 5120, 6144], 7300), 0);
  assert.deepEqual([start, [...durations]], [4096, [1024, 1024, 1156]]);
  assert.deepEqual(audioFragment(samples([], 0), 192_000).start, 192_000, 'a segment without sound');
});
