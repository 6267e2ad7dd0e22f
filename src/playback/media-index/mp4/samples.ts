/** Gathers the samples of one MP4 track into a table, from sample tables or fragments. */
import { uncertain } from '../../../lib/media/source.ts';
import type { SampleTable } from '../types.ts';

/**
 * More samples than twelve hours of film with three tracks of sound have are refused. Indexing so many takes 130 MiB.
 */
export const MAX_SAMPLES = 3_000_000;
/** Bytes of a sample: more than a picture of 8K without compression has. */
const MAX_SAMPLE_BYTES = 256 * 1024 * 1024;
/** Samples of a run at most: finding one sums the sizes of those before it in its run. */
const MAX_RUN = 64;

export interface Mp4Samples {
  readonly count: number;
  /** Presentation times in the timescale, not moved by an edit list. */
  times: Float64Array;
  sizes: Uint32Array;
  /** Latest end of a sample. */
  end: number;
  isKey: Uint8Array;
  /** Set when a sample was added that is no keyframe. */
  hasOthers: boolean;
  add(sample: { time: number; duration: number; size: number; isKey: boolean }): void;
  /** Says where the samples `first` to `last` (not included) lie, one after the other. They were added already. */
  place(first: number, position: number, last: number): void;
  table(): SampleTable;
}

/** `fileSize` bounds the positions; a sample beyond it is `Uncertain`. `isVideo` makes it read keyframes. */
export function createSamples({
  fileSize,
  expected,
  isVideo,
}: {
  fileSize: number;
  expected: number;
  isVideo: boolean;
}): Mp4Samples {
  let count = 0;
  const runs: number[] = [];
  const positions: number[] = [];
  let nextPosition = -1;
  const samples: Mp4Samples = {
    times: new Float64Array(expected),
    sizes: new Uint32Array(expected),
    isKey: new Uint8Array(expected),
    end: 0,
    hasOthers: false,
    get count() {
      return count;
    },
    add: ({ time, duration, size, isKey }) => {
      if (count >= MAX_SAMPLES) uncertain('too many samples');
      if (size > MAX_SAMPLE_BYTES) uncertain('a sample is too large');
      if (count === samples.sizes.length) grow(samples);
      samples.times[count] = time;
      samples.sizes[count] = size;
      samples.end = Math.max(samples.end, time + duration);
      samples.isKey[count] = Number(isKey);
      if (!isKey && isVideo) samples.hasOthers = true;
      count += 1;
    },
    place: (first, position, last) => {
      let at = position;
      for (let i = first; i < last; i += 1) {
        if (at !== nextPosition || i - (runs.at(-1) ?? 0) >= MAX_RUN) {
          runs.push(i);
          positions.push(at);
        }
        at += samples.sizes[i] ?? 0;
        nextPosition = at;
      }
      if (position < 0 || at > fileSize || !Number.isSafeInteger(at)) uncertain('a sample lies outside of the file');
    },
    table: () => {
      const [times, sizes] = [samples.times.slice(0, count), samples.sizes.slice(0, count)];
      return {
        count,
        times: evenly(times) ?? times,
        sizes: sizes.every((size) => size === sizes[0]) ? (sizes[0] ?? 0) : sizes,
        end: samples.end,
        runs: { samples: Uint32Array.from(runs), positions: Float64Array.from(positions) },
        ...(samples.hasOthers && { keys: keysIn(samples.isKey.subarray(0, count)) }),
      };
    },
  };
  return samples;
}

function keysIn(isKey: Uint8Array): Uint32Array {
  const keys: number[] = [];
  isKey.forEach((value, sample) => void (value === 1 && keys.push(sample)));
  return Uint32Array.from(keys);
}

const GROWTH = 1.5;

function grow(samples: Mp4Samples): void {
  const length = Math.max(1024, Math.ceil(samples.sizes.length * GROWTH));
  const [times, sizes, isKey] = [new Float64Array(length), new Uint32Array(length), new Uint8Array(length)];
  times.set(samples.times);
  sizes.set(samples.sizes);
  isKey.set(samples.isKey);
  Object.assign(samples, { times, sizes, isKey });
}

/** Times of equal distance are two numbers. */
function evenly(times: Float64Array): { first: number; step: number } | undefined {
  const [first = 0, second = 0] = times;
  const step = second - first;
  return times.length > 1 && times.every((time, i) => time === first + i * step) ? { first, step } : undefined;
}
