/**
 * Measures whether a timing holds along the whole film. Each stretch of some blocks is moved on its own to where it
 * fits best: a wrong rate shows as a trend of these distances, cues of another film as distances without order. Pure.
 */
import type { PlacedBlocks } from './blocks.ts';
import { RATE, type SpeechSums } from './speech-sums.ts';
import type { OffsetRun } from './split.ts';

export interface Steadiness {
  stretches: number;
  /** Share of stretches that fit best within 200 ms of the alignment, 0 to 1. */
  near: number;
  /** Share of stretches that fit best within 100 ms of it. */
  exact: number;
  /** The same share, where each stretch is smoothed by its neighbours. */
  level: number;
  /** Change of the ratio that removes the trend: the line of the distances over time. */
  slope: number;
  /** Change of that line over the longest run, in frames. */
  drift: number;
  /** Largest difference between the lines of every other stretch and of those between them, in frames. */
  doubt: number;
}

/** Minimum number of blocks in a stretch; fewer are found less exactly than cues are timed. */
const MIN_BLOCKS = 8;
/** Maximum number of stretches, so that the work for the line is bounded. */
const MAX_STRETCHES = 240;
/** Maximum number of blocks that are compared; of more, every second, third and so on is. */
const MAX_BLOCKS = 4_000;
/** Maximum distance that is searched in either direction (frames). */
const LOCAL = 1.5 * RATE;
const NEAR = 0.2 * RATE;
const LEVEL = 0.1 * RATE;
/** Number of neighbours on either side whose median smooths a distance. */
const BESIDE = 2;

/** Distance (frames) by which a stretch fits better than in its run, and the middle of the stretch (frames from 0). */
interface Distance {
  run: number;
  at: number;
  by: number;
}
/** A slope that all runs share, and the height of each run's line at frame 0. */
interface Line {
  slope: number;
  heights: number[];
}

export function measureSteadiness(
  sums: SpeechSums,
  placed: PlacedBlocks,
  runs: readonly OffsetRun[],
): Steadiness & { line: Line } {
  const all = distancesOf(sums, placed, runs);
  const line = lineOf(all, runs.length);
  const halves = [0, 1].map((rest) =>
    lineOf(
      all.filter((_, n) => n % 2 === rest),
      runs.length,
    ),
  );
  const ends = runs.map(({ from, to }) => [
    (placed.start[from] ?? 0) - sums.zero,
    (placed.end[to - 1] ?? 0) - sums.zero,
  ]);
  const valueAt = ({ slope, heights }: Line, run: number, at: number): number => slope * at + (heights[run] ?? 0);
  const [odd = line, even = line] = halves;
  return {
    line,
    stretches: all.length,
    near: share(all, ({ by }) => Math.abs(by) <= NEAR),
    exact: share(all, ({ by }) => Math.abs(by) <= LEVEL),
    level: share(smoothed(all), (by) => Math.abs(by) <= LEVEL),
    slope: line.slope,
    drift: Math.max(...ends.map(([from = 0, to = 0]) => Math.abs(line.slope * (to - from)))),
    doubt: Math.max(
      ...ends.flatMap((both, run) => both.map((at) => Math.abs(valueAt(odd, run, at) - valueAt(even, run, at)))),
    ),
  };
}

function distancesOf(
  { inside, between, zero }: SpeechSums,
  placed: PlacedBlocks,
  runs: readonly OffsetRun[],
): Distance[] {
  const size = Math.max(MIN_BLOCKS, Math.ceil(placed.count / MAX_STRETCHES));
  const step = Math.ceil(placed.count / MAX_BLOCKS);
  const scoreAt = (first: number, to: number, offset: number): number => {
    let total = 0;
    for (let i = first; i < to; i += step) {
      const start = (placed.start[i] ?? 0) + offset;
      total += (inside[(placed.end[i] ?? 0) + offset] ?? 0) - (inside[start] ?? 0);
      total += (between[(placed.gap[i] ?? 0) + offset] ?? 0) - (between[start] ?? 0);
    }
    return total;
  };
  return runs.flatMap(({ from, to, offset }, run) => {
    const count = Math.max(1, Math.floor((to - from) / size));
    return Array.from({ length: count }, (_, n): Distance => {
      // The silence before a run may lie in another part of the film.
      const first = Math.max(from + 1, from + Math.floor(((to - from) * n) / count));
      const end = Math.max(first, from + Math.floor(((to - from) * (n + 1)) / count));
      let [best, top] = [0, scoreAt(first, end, offset)];
      for (let by = 1; by <= LOCAL; by++) {
        for (const signed of [-by, by]) {
          const score = scoreAt(first, end, offset + signed);
          if (score > top) [best, top] = [signed, score];
        }
      }
      return { run, at: ((placed.start[first] ?? 0) + (placed.end[end - 1] ?? 0)) / 2 - zero, by: best };
    });
  });
}

/**
 * Returns the line through the distances: the median of the slopes between any two, then least squares without those
 * far from it.
 */
function lineOf(all: readonly Distance[], runs: number): Line {
  const slopes: number[] = [];
  for (const [n, a] of all.entries())
    for (const b of all.slice(n + 1)) if (a.run === b.run && b.at > a.at) slopes.push((b.by - a.by) / (b.at - a.at));
  const slope = median(slopes);
  const heights = Array.from({ length: runs }, (_, run) =>
    median(all.flatMap((one) => (one.run === run ? [one.by - slope * one.at] : []))),
  );
  let line: Line = { slope, heights };
  for (let round = 0; round < 3; round++) {
    const errors = all.map(({ run, at, by }) => Math.abs(by - line.slope * at - (line.heights[run] ?? 0)));
    const most = Math.max(LEVEL, 3 * median(errors));
    line = squares(
      all.filter((_, n) => (errors[n] ?? 0) <= most),
      line,
    );
  }
  return line;
}

/** Returns the line of least squares; a run without distances keeps its height. */
function squares(all: readonly Distance[], { heights }: Line): Line {
  const middles = heights.map((_, run) => {
    const own = all.filter((one) => one.run === run);
    return { at: mean(own.map(({ at }) => at)), by: mean(own.map(({ by }) => by)), count: own.length };
  });
  let [both, own] = [0, 0];
  for (const { run, at, by } of all) {
    const middle = middles[run] ?? { at: 0, by: 0 };
    both += (at - middle.at) * (by - middle.by);
    own += (at - middle.at) ** 2;
  }
  const slope = own === 0 ? 0 : both / own;
  return {
    slope,
    heights: middles.map(({ at, by, count }, run) => (count === 0 ? (heights[run] ?? 0) : by - slope * at)),
  };
}

/** Returns the median of each distance and its neighbours in the same run. */
const smoothed = (all: readonly Distance[]): number[] =>
  all.map(({ run }, n) =>
    median(all.slice(Math.max(0, n - BESIDE), n + BESIDE + 1).flatMap((one) => (one.run === run ? [one.by] : []))),
  );

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
const share = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.filter(holds).length / Math.max(1, all.length);

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
