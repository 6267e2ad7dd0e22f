/** Cuts the samples of a segment out of a complete table. Pure. */
import type { SegmentSpan } from '../rendition.ts';
import type { Keyframes, Pieces, SampleTable, SegmentSamples, TrackData } from './types.ts';

export interface TablePlan {
  segments: readonly SegmentSpan[];
  /** Number of the keyframe that each segment begins with. */
  keys: Uint32Array;
  keyframes: Keyframes;
}

export const timeOfSample = ({ times }: SampleTable, sample: number): number =>
  times instanceof Float64Array ? (times[sample] ?? 0) : times.first + sample * times.step;

export const sizeOf = ({ sizes }: SampleTable, sample: number): number =>
  typeof sizes === 'number' ? sizes : (sizes[sample] ?? 0);

/** Position in the file of a sample's first byte. */
export function positionOf(table: SampleTable, sample: number): number {
  const { samples, positions } = table.runs;
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle] ?? 0) <= sample) low = middle + 1;
    else high = middle;
  }
  let at = positions[low - 1] ?? 0;
  for (let i = samples[low - 1] ?? 0; i < sample; i += 1) at += sizeOf(table, i);
  return at;
}

/** First sample whose time is `time` or later; the times of audio increase. */
function firstFrom(table: SampleTable, time: number): number {
  let [low, high] = [0, table.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOfSample(table, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Range {
  from: number;
  /** Not included. */
  to: number;
}

type TimedTrack = Pick<TrackData, 'kind' | 'timescale' | 'priming'>;

/**
 * Numbers of the samples of a segment: of video from one keyframe to another, of audio those that begin in its time.
 */
function rangeOf(
  table: SampleTable,
  { kind, timescale, priming }: TimedTrack,
  { segments, keys, keyframes }: TablePlan,
  n: number,
): Range {
  const isLast = n + 1 >= segments.length;
  if (kind === 'video')
    return {
      from: keyframes.places[keys[n] ?? 0] ?? 0,
      to: isLast ? table.count : (keyframes.places[keys[n + 1] ?? 0] ?? table.count),
    };
  const at = (segment: number): number => firstFrom(table, (segments[segment]?.start ?? 0) * timescale + priming);
  return { from: n === 0 ? 0 : at(n), to: isLast ? table.count : at(n + 1) };
}

/** Returns the samples of segment `n`. */
export function tableSegment(table: SampleTable, track: TimedTrack, plan: TablePlan, n: number): SegmentSamples {
  const range = rangeOf(table, track, plan, n);
  return samplesIn(
    table,
    range,
    range.to >= table.count
      ? table.end
      : track.kind === 'video'
        ? earliestFrom(table, range.to)
        : timeOfSample(table, range.to),
  );
}

/** Returns one keyframe, which lasts until `end`. */
export const tableKeyframe = (table: SampleTable, sample: number, end: number): SegmentSamples =>
  samplesIn(table, { from: sample, to: sample + 1 }, end);

function samplesIn(table: SampleTable, { from, to }: Range, end: number): SegmentSamples {
  const count = Math.max(0, to - from);
  const times = Float64Array.from({ length: count }, (_, i) => timeOfSample(table, from + i));
  const sizes = Uint32Array.from({ length: count }, (_, i) => sizeOf(table, from + i));
  return { times, sizes, isKey: keysIn(table, from, count), pieces: piecesIn(table, from, sizes), end };
}

/** The earliest time at or after a keyframe in decoding order: its leading pictures come before it. */
function earliestFrom(table: SampleTable, key: number): number {
  const time = timeOfSample(table, key);
  let earliest = time;
  for (let i = key + 1; i < table.count && timeOfSample(table, i) < time; i += 1)
    earliest = Math.min(earliest, timeOfSample(table, i));
  return earliest;
}

function keysIn({ keys }: SampleTable, from: number, count: number): Uint8Array {
  const isKey = new Uint8Array(count);
  if (keys === undefined) return isKey.fill(1);
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  for (let i = low; (keys[i] ?? Infinity) < from + count; i += 1) isKey[(keys[i] ?? 0) - from] = 1;
  return isKey;
}

/** Adjacent samples are one piece while its length is a number of 32 bits. */
const MAX_PIECE = 2 ** 31;

/** Returns the positions of the samples, adjacent ones as one piece. */
function piecesIn(table: SampleTable, from: number, sizes: Uint32Array): Pieces {
  const positions: number[] = [];
  const lengths: number[] = [];
  const { samples, positions: starts } = table.runs;
  let run = samples.findLastIndex((first) => first <= from);
  let at = sizes.length > 0 ? positionOf(table, from) : 0;
  let end = -1;
  sizes.forEach((size, i) => {
    if (i > 0 && samples[run + 1] === from + i) {
      run += 1;
      at = starts[run] ?? 0;
    }
    const last = lengths.at(-1) ?? 0;
    if (at === end && last + size < MAX_PIECE) lengths[lengths.length - 1] = last + size;
    else {
      positions.push(at);
      lengths.push(size);
    }
    at += size;
    end = at;
  });
  return { positions: Float64Array.from(positions), lengths: Uint32Array.from(lengths) };
}

/** Bytes of a segment in front of its samples, without the row of each. */
const HEADER_BYTES = 156;

/** Exact bits per second of a track's segments: of the largest segment for its length, and of all. */
export function bandwidthOf(table: SampleTable, track: TimedTrack, plan: TablePlan): { peak: number; average: number } {
  let [peak, total, length] = [0, 0, 0];
  plan.segments.forEach(({ duration }, n) => {
    const { from, to } = rangeOf(table, track, plan, n);
    let bytes = 0;
    for (let i = from; i < to; i += 1) bytes += sizeOf(table, i);
    bytes += HEADER_BYTES + Math.max(0, to - from) * (track.kind === 'video' ? 16 : 8);
    peak = Math.max(peak, (bytes * 8) / duration);
    total += bytes;
    length += duration;
  });
  return { peak: Math.ceil(peak), average: length > 0 ? Math.ceil((total * 8) / length) : 0 };
}
