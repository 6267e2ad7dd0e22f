/** Computes the times of a fragment from the presentation times of its samples. Pure. */
import type { FragmentSamples } from '../cmaf/fragment.ts';
import type { SegmentSamples } from '../media-index/types.ts';

/**
 * Returns the largest distance that a picture of these samples is shown before the place that it has in the order of
 * decoding. Shown that much later, none has a negative composition offset.
 */
export function reorderingOf(times: Float64Array): number {
  const sorted = times.toSorted();
  return times.reduce((most, time, i) => Math.max(most, (sorted[i] ?? 0) - time), 0);
}

/**
 * Video: decode times are the presentation times in order, from the back never later than the sample's own time plus
 * `shift`, and increasing. The edit list subtracts `shift` again, so that tfdt is the time at which the segment is
 * shown. `start` is the decode time of the first sample of the file, which fills what comes before its first picture.
 */
export function videoFragment(
  { times, sizes, isKey, end }: SegmentSamples,
  shift: number,
  start?: number,
): FragmentSamples {
  const sorted = times.toSorted();
  const decode = Float64Array.from(sorted);
  for (let i = times.length - 1; i >= 0; i -= 1) {
    decode[i] = Math.min(sorted[i] ?? 0, (times[i] ?? 0) + shift, (decode[i + 1] ?? Infinity) - 1);
  }
  if (start !== undefined && start < (decode[0] ?? 0)) decode[0] = start;
  const stop = Math.max(end, (decode.at(-1) ?? 0) + 1);
  return {
    start: Math.max(0, decode[0] ?? 0),
    sizes,
    isKey,
    durations: Uint32Array.from(decode, (time, i) => (decode[i + 1] ?? stop) - time),
    offsets: Int32Array.from(times, (time, i) => time - (decode[i] ?? 0) + shift),
  };
}

/** Audio is decoded in the order in which it is heard. `start` is the time of a segment without any. */
export function audioFragment({ times, sizes, end }: SegmentSamples, start: number): FragmentSamples {
  const stop = Math.max(end, (times.at(-1) ?? 0) + 1);
  return {
    start: Math.max(0, times[0] ?? start),
    sizes,
    durations: Uint32Array.from(times, (time, i) => Math.max(0, (times[i + 1] ?? stop) - time)),
  };
}
