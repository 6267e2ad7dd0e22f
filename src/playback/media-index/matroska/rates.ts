/**
 * Bits per second of Matroska tracks. What the file takes between two keyframes is exact; how it is shared among the
 * tracks is measured in a few segments, or told by the muxer's statistics.
 */
import { type ByteSource, Uncertain } from '../../../lib/media/source.ts';
import { planSegments } from '../segments.ts';
import { spreadIndexes } from '../spread.ts';
import type { Keyframes } from '../types.ts';
import { type MatroskaBlock, blocks } from './blocks.ts';
import { type MatroskaHeader, ratesOf } from './header.ts';
import type { TrackEntry } from './tracks.ts';

export interface Rate {
  peak: number;
  average: number;
}

/** Segments that are measured, and the time after which no more are: a disk may seek slowly. */
const MEASURED_SEGMENTS = 5;
const BUDGET_MS = 100;
/** How much more than in the measured segments sound may take. */
const SOUND_MARGIN = 1.15;

interface Stretch {
  at: number;
  end: number;
  duration: number;
}

function stretchesOf({ firstCluster, end }: MatroskaHeader, keys: Keyframes, duration: number): Stretch[] {
  const { segments, keys: begins } = planSegments(keys, duration, false);
  return segments.map((span, i) => ({
    at: i === 0 ? firstCluster : (keys.places[begins[i] ?? 0] ?? 0),
    end: keys.places[begins[i + 1] ?? -1] ?? end,
    duration: span.duration,
  }));
}

/** Returns the rates by track number. Peaks are estimates that are seldom too low. */
export function trackRates(
  measured: ReadonlyMap<number, Rate>,
  {
    header,
    keys,
    duration,
    tracks,
  }: { header: MatroskaHeader; keys: Keyframes; duration: number; tracks: readonly TrackEntry[] },
): Map<number, Rate> {
  const stretches = stretchesOf(header, keys, duration);
  const told = ratesOf(header.tags);
  const rates = new Map<number, Rate>();
  for (const { number, uid } of tracks) {
    const found = measured.get(number);
    const average = told.get(uid) ?? found?.average ?? 0;
    rates.set(number, {
      average: Math.ceil(average),
      peak: Math.ceil(Math.max(average, found?.peak ?? 0) * SOUND_MARGIN),
    });
  }
  const video = tracks.find(({ type }) => type === 1);
  if (video === undefined) return rates;
  const others = [...measured].reduce((sum, [number, { average }]) => sum + (number === video.number ? 0 : average), 0);
  const most = stretches.reduce((peak, { at, end, duration: length }) => Math.max(peak, ((end - at) * 8) / length), 0);
  const own = rates.get(video.number) ?? { peak: 0, average: 0 };
  rates.set(video.number, {
    average: own.average,
    peak: Math.ceil(Math.max(own.average, measured.get(video.number)?.peak ?? 0, most - others)),
  });
  return rates;
}

/** Seconds over which the rates of a walk are counted. */
const BUCKET = 4;
const MAX_TRACKS = 128;
const MAX_BUCKETS = 50_000;

/** Counts the bytes of each track while all blocks are walked. `scale` is the nanoseconds of a tick. */
export function createRateCounter(scale: number): {
  add(block: MatroskaBlock): void;
  result(duration: number): Map<number, Rate>;
} {
  const tracks = new Map<number, Map<number, number>>();
  return {
    add: ({ track, ticks, frames }) => {
      const buckets = tracks.get(track) ?? new Map<number, number>();
      const bucket = Math.floor((ticks * scale) / 1e9 / BUCKET);
      // A file may claim any track and time.
      if ((tracks.size >= MAX_TRACKS && !tracks.has(track)) || (buckets.size >= MAX_BUCKETS && !buckets.has(bucket)))
        return;
      buckets.set(
        bucket,
        frames.reduce((sum, { size }) => sum + size, buckets.get(bucket) ?? 0),
      );
      tracks.set(track, buckets);
    },
    result: (duration) =>
      new Map(
        [...tracks].map(([track, buckets]) => {
          const bytes = [...buckets.values()];
          return [
            track,
            {
              peak: (bytes.reduce((most, each) => Math.max(most, each), 0) * 8) / BUCKET,
              average: (bytes.reduce((sum, each) => sum + each, 0) * 8) / duration,
            },
          ];
        }),
      ),
  };
}

/** Walks some segments, spread over the file, and counts the bytes of each track. */
export function measureRates(
  source: ByteSource,
  header: MatroskaHeader,
  keys: Keyframes,
  duration: number,
): Map<number, Rate> {
  const stretches = stretchesOf(header, keys, duration);
  const began = performance.now();
  const bytes = new Map<number, { total: number; peak: number }>();
  let [length, count] = [0, 0];
  for (const n of spreadIndexes(stretches.length)) {
    const stretch = stretches[n];
    if (stretch === undefined || count >= MEASURED_SEGMENTS || (count > 0 && performance.now() - began > BUDGET_MS))
      break;
    const own = new Map<number, number>();
    try {
      for (const { track, frames } of blocks(source, stretch.at, stretch.end))
        own.set(track, (own.get(track) ?? 0) + frames.reduce((sum, { size }) => sum + size, 0));
    } catch (error) {
      // A damaged segment says little of the others.
      if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
      continue;
    }
    for (const [track, size] of own) {
      const had = bytes.get(track) ?? { total: 0, peak: 0 };
      bytes.set(track, { total: had.total + size, peak: Math.max(had.peak, (size * 8) / stretch.duration) });
    }
    length += stretch.duration;
    count += 1;
  }
  return new Map([...bytes].map(([track, { total, peak }]) => [track, { peak, average: (total * 8) / length }]));
}
