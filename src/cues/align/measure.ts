/** Measures how certain an alignment is, in numbers that do not depend on the aligned file. Pure. */
import { fit, hitOf, type PlacedBlocks } from './blocks.ts';
import { FULL, RATE, REACH, type SpeechSums } from './speech-sums.ts';
import type { OffsetRun } from './split.ts';
import type { Steadiness } from './steadiness.ts';

export interface Measures {
  /** Distance of the score from the scores of the same cues moved by up to five minutes, in standard deviations. */
  z: number;
  /** Lowest z of a single segment. */
  weakest: number;
  /** Share of the time of the cues that is speech, 0 to 1. */
  hit: number;
  /** Share of the whole audio that is speech. */
  base: number;
  /**
   * Lead of the weaker half of the cues: how far its hit is above the share of speech between its first and last cue. 1
   * is the maximum.
   */
  halves: number;
  /**
   * Lowest z of any quarter of the cues among the offsets around its own; infinite if no quarter has enough evidence.
   */
  part: number;
  /** Improvement over leaving the cues unchanged, as a share of the time of the cues. */
  improvement: number;
  steadiness: Steadiness;
}

/** Offsets closer than this belong to the peak of the score (frames). */
const SLOPE = 2 * RATE;
/** Minimum number of blocks in a quarter, and the nearest and farthest offset that it is compared with (frames). */
const MIN_PART = 8;
const [BESIDE, AROUND] = [1.5 * RATE, 12 * RATE];
/** Share of speech above which offsets cannot be distinguished. */
const ALL_SPEECH = 0.92;
/** Maximum number of look-ups for the comparison of quarters. */
const MAX_WORK = 8_000_000;

export function measureAlignment(
  sums: SpeechSums,
  { placed, runs, asIs }: { placed: PlacedBlocks; runs: readonly OffsetRun[]; asIs: PlacedBlocks },
): Omit<Measures, 'steadiness'> {
  const hits = runs.map((run) => hitOf(sums, placed, run));
  const frames = hits.reduce((total, one) => total + one.frames, 0);
  const scores = runs.map((run) => fit(sums, placed, run));
  const total = sum(scores);
  const left = runs.reduce((all, { from, to }) => all + fit(sums, asIs, { from, to, offset: 0 }), 0);
  const { whole, each } = spread(sums, placed, runs);
  return {
    z: zOf(total, whole),
    weakest: Math.min(...each.map((one, n) => zOf(scores[n] ?? 0, one))),
    hit: frames === 0 ? 0 : hits.reduce((all, one) => all + one.hit * one.frames, 0) / frames,
    base: sums.mean,
    halves: leadOfHalves(sums, placed, runs),
    part: leastPart(sums, placed, runs),
    improvement: frames === 0 ? 0 : (total - left) / 100 / frames,
  };
}

/** Returns the lead of the weaker half. Cues of a film that shares only its beginning with this one fit in one half. */
function leadOfHalves(sums: SpeechSums, placed: PlacedBlocks, runs: readonly OffsetRun[]): number {
  const first = runs[0]?.from ?? 0;
  const last = runs.at(-1)?.to ?? first;
  const middle = Math.floor((first + last) / 2);
  return Math.min(
    ...[
      [first, middle],
      [middle, last],
    ].map(([from = 0, to = 0]) => {
      const within = runs
        .map((run) => ({ ...run, from: Math.max(run.from, from), to: Math.min(run.to, to) }))
        .filter((run) => run.to > run.from);
      const hits = within.map((run) => hitOf(sums, placed, run));
      const frames = sum(hits.map((one) => one.frames));
      const [head, tail] = [within[0], within.at(-1)];
      if (!head || !tail || frames === 0) return 0;
      const [begin, end] = [(placed.start[head.from] ?? 0) + head.offset, (placed.end[tail.to - 1] ?? 0) + tail.offset];
      const base = ((sums.inside[end] ?? 0) - (sums.inside[begin] ?? 0)) / (2 * FULL) / Math.max(1, end - begin) + 0.5;
      return (sum(hits.map((one) => one.hit * one.frames)) / frames - base) / Math.max(0.01, 1 - base);
    }),
  );
}

/**
 * Returns the lowest z of a quarter of the cues. Two episodes may share scenes, and the cues of the others then fit no
 * better than chance. Each quarter is compared with itself a few seconds off, so that both meet the same speech.
 */
function leastPart({ between }: SpeechSums, placed: PlacedBlocks, runs: readonly OffsetRun[]): number {
  const count = placed.count;
  const offsets = Int32Array.from(
    { length: count },
    (_, i) => runs.find(({ to }) => i < to)?.offset ?? runs.at(-1)?.offset ?? 0,
  );
  // Returns for each index the score of all blocks before it, moved by so many frames. Blocks outside the audio count
  // nothing.
  const fits = (by: number): Float64Array => {
    const all = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) {
      const at = (offsets[i] ?? 0) + by;
      const start = (placed.start[i] ?? 0) + at;
      all[i + 1] =
        (all[i] ?? 0) +
        (between[(placed.end[i] ?? 0) + at] ?? 0) -
        2 * (between[start] ?? 0) +
        (between[(placed.gap[i] ?? 0) + at] ?? 0);
    }
    return all;
  };
  const parts = partsOf(count).filter(([from, to]) => {
    const [begin, end] = [
      (placed.start[from] ?? 0) + (offsets[from] ?? 0),
      (placed.end[to - 1] ?? 0) + (offsets[to - 1] ?? 0),
    ];
    return ((between[end] ?? 0) - (between[begin] ?? 0)) / (2 * FULL) / Math.max(1, end - begin) + 0.5 <= ALL_SPEECH;
  });
  const spreads = parts.map(none);
  const step = Math.max(20, Math.ceil((2 * AROUND * count) / MAX_WORK));
  for (let by = -AROUND; by <= AROUND; by += step) {
    if (Math.abs(by) < BESIDE) continue;
    const beside = fits(by);
    parts.forEach(([from, to], n) => {
      const into = spreads[n];
      if (into) note(into, (beside[to] ?? 0) - (beside[from] ?? 0));
    });
  }
  const own = fits(0);
  return Math.min(...parts.map(([from, to], n) => zOf((own[to] ?? 0) - (own[from] ?? 0), spreads[n] ?? none())));
}

/** Returns quarters of the blocks, each beginning a sixteenth after the one before it. */
function partsOf(count: number): [number, number][] {
  const size = Math.min(count, Math.max(MIN_PART, Math.ceil(count / 4)));
  const step = Math.max(1, Math.floor(size / 4));
  const parts: [number, number][] = [];
  for (let from = 0; from + size < count; from += step) parts.push([from, from + size]);
  parts.push([count - size, count]);
  return parts;
}

interface Spread {
  count: number;
  total: number;
  squares: number;
}
const none = (): Spread => ({ count: 0, total: 0, squares: 0 });
const note = (into: Spread, value: number): void => {
  into.count++;
  into.total += value;
  into.squares += value * value;
};

/** Returns the scores at other offsets, of all runs moved together and of each run. */
function spread(sums: SpeechSums, placed: PlacedBlocks, runs: readonly OffsetRun[]): { whole: Spread; each: Spread[] } {
  const step = Math.max(10, Math.ceil((2 * REACH * placed.count) / MAX_WORK));
  const whole = none();
  const each = runs.map(none);
  for (let by = -REACH; by <= REACH; by += step) {
    if (Math.abs(by) < SLOPE) continue;
    let total = 0;
    runs.forEach((run, n) => {
      const score = fit(sums, placed, { ...run, offset: run.offset + by });
      total += score;
      const into = each[n];
      if (into) note(into, score);
    });
    note(whole, total);
  }
  return { whole, each };
}

function zOf(score: number, { count, total, squares }: Spread): number {
  const mean = total / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return deviation < 1 ? 0 : (score - mean) / deviation;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
