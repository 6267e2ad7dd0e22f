/**
 * Brings cues to where people speak: one offset, another frame rate, breaks, or all of it; or says that it cannot.
 * Pure.
 *
 * Two stages (the idea is that of published subtitle synchronizers): a correlation by Fourier transform for each of
 * seven frame-rate ratios, then a Viterbi search for breaks, and both exact to 10 ms in the end. Weak evidence is a
 * refusal with its reason: nothing is moved that is not clearly better, because a good file that is ruined is worse
 * than a bad one left alone. No cue is dropped; what would begin before 0 begins at 0. Linear in cues and audio but
 * for sorting and the transform; times that make no sense are harmless.
 */
import { retime } from '../change/timing.ts';
import { type Cue, inOrder } from '../cue.ts';
import { LIMITS } from '../limits.ts';
import { type Blocks, blocksOf, type SpokenTimes, place, type PlacedBlocks, timesOf } from './blocks.ts';
import { correlate } from './correlate.ts';
import { measureAlignment } from './measure.ts';
import { isLongEnough, refine } from './refine.ts';
import { RATE, REACH, type SpeechSums, speechSums } from './speech-sums.ts';
import { bestPath, type OffsetGrid, type Path, PRICE, type OffsetRun, scoreOf } from './split.ts';
import type { Alignment, UnappliedAlignment, Segment } from './types.ts';
import { judgeAlignment, MAX_TIMING_SEGMENTS, type Reference } from './verdict.ts';

/** Cinema, its NTSC form, and PAL, each played as another; no other ratio is ever proposed. */
export const RATIOS: readonly number[] = [1, 1.001, 1001 / 960, 25 / 24, 1 / 1.001, 960 / 1001, 24 / 25];

/** Less is no evidence of anything. */
const LEAST_CUES = 8;
/** Unrelated texts of ten cues fit each other somewhere, one time in ten; of twenty, not once in hundreds. */
const LEAST_TO_MOVE = 20;
const LEAST_SPEECH = 10;
/** What is nearer than this everywhere is right as it is (ms). */
const RIGHT = 100;
/** Another ratio than 1 has to win so much, or it is chance. */
const RATIO_PRICE = PRICE / 4;
/** With so much less of a hit, one offset is preferred to breaks that are not sure. */
const PLAIN = 0.03;
/** The detectors tell of speech this much late (ms). */
const LATENESS: Record<Reference, number> = { speech: 30, light: 20, cues: 0 };

/** `curve` is how likely somebody speaks, 100 values a second from 0 to 255. */
export function align(cues: readonly Cue[], curve: Uint8Array): Alignment {
  const ordered = inOrder(cues);
  return settle(ordered, find(timesOf(ordered), curve, 'speech'));
}

/** The same against cues whose timing is right, such as those of a text track inside the video, in any language. */
export function alignToCues(cues: readonly Cue[], reference: readonly Cue[]): Alignment {
  const ordered = inOrder(cues);
  return settle(ordered, find(timesOf(ordered), curveOf(reference), 'cues'));
}

/** Cues as a curve, as if somebody spoke all the time of each. */
export function curveOf(cues: readonly Cue[]): Uint8Array {
  const { starts, ends } = blocksOf(timesOf(inOrder(cues), () => true));
  const curve = new Uint8Array(Math.ceil((ends.at(-1) ?? 0) / 10));
  starts.forEach((start, n) => curve.fill(255, Math.round(start / 10), Math.round((ends[n] ?? 0) / 10)));
  return curve;
}

/** What was found, with the moved cues. `cues` stand in order of time. */
export function settle(cues: readonly Cue[], found: UnappliedAlignment): Alignment {
  if (found.outcome !== 'moved') return found;
  const last = cues.reduce((most, { start, end }) => Math.max(most, start, end), 0);
  if (found.segments.some(({ offset }) => last * found.ratio + offset > LIMITS.time))
    return { ...found, outcome: 'refused', reason: 'weak', sentence: 'a cue would move beyond 36 hours' };
  const moved = retime(cues, { alignment: found });
  const clamped = {
    kind: 'clamped',
    detail: `${moved.clamped === 1 ? '1 cue' : `${moved.clamped} cues`} would begin before the video and begin at 0`,
    points: 0,
  };
  return { ...found, cues: moved.cues, evidence: moved.clamped > 0 ? [...found.evidence, clamped] : found.evidence };
}

/** The search itself, on numbers alone: what goes to another process and comes back. */
export function find(times: SpokenTimes, curve: Uint8Array, reference: Reference): UnappliedAlignment {
  const blocks = blocksOf(times);
  const sums = speechSums(curve);
  const nothing = { ratio: 1, segments: [], evidence: [] };
  if (blocks.spoken < LEAST_CUES || blocks.starts.length < 2)
    return {
      ...nothing,
      outcome: 'refused',
      reason: 'too-few-cues',
      sentence: 'too few cues hold speech to compare them',
    };
  if (sums.mean * sums.frames < LEAST_SPEECH * RATE)
    return {
      ...nothing,
      outcome: 'refused',
      reason: 'no-speech',
      sentence:
        reference === 'cues' ? 'the other track holds hardly any text' : 'there is hardly any speech in this audio',
    };
  const all = RATIOS.map((ratio) => place(blocks, ratio, sums));
  const { placed, runs, whole } = best(sums, all);
  const asIs = all[0] ?? placed;
  const judged = verdictOn({ times, blocks, sums, placed, asIs, runs, reference });
  if (judged.outcome !== 'refused' || runs.length === 1) return judged;
  // Breaks that are not sure may still be chance around one offset that is.
  const plain = verdictOn({ times, blocks, sums, placed, asIs, runs: [whole], reference });
  return plain.outcome !== 'refused' && (plain.measures?.hit ?? 0) >= (judged.measures?.hit ?? 1) - PLAIN
    ? plain
    : judged;
}

interface Candidate {
  times: SpokenTimes;
  blocks: Blocks;
  sums: SpeechSums;
  placed: PlacedBlocks;
  asIs: PlacedBlocks;
  runs: readonly OffsetRun[];
  reference: Reference;
}

function verdictOn({ times, blocks, sums, placed, asIs, runs, reference }: Candidate): UnappliedAlignment {
  const measures = measureAlignment(sums, { placed, runs, asIs });
  const late = LATENESS[reference];
  const segments = runs.map(({ from, offset }, n): Segment => ({
    // What is no evidence goes with the block before it, and at the beginning with the first.
    from: n === 0 ? 0 : (blocks.first[from] ?? 0),
    to: (blocks.first[runs[n + 1]?.from ?? -1] ?? times.starts.length) - 1,
    offset: offset * 10 - late,
  }));
  const isStill = segments.every(({ from, to, offset }) =>
    [from, to].every((at) => Math.abs((times.starts[at] ?? 0) * (placed.ratio - 1) + offset) <= RIGHT),
  );
  const { refusal, evidence } = judgeAlignment({
    measures,
    segments: segments.length,
    areLong: runs.every((run) => isLongEnough(placed, run)),
    ratio: placed.ratio,
    reference,
    isStill,
  });
  const found = { ratio: placed.ratio, segments, evidence, measures };
  if (refusal) return { ...found, outcome: 'refused', ...refusal };
  if (!isStill && blocks.spoken < LEAST_TO_MOVE)
    return { ...found, outcome: 'refused', reason: 'weak', sentence: 'too few lines hold speech to be sure' };
  return { ...found, outcome: isStill ? 'fits' : 'moved' };
}

/** Cells of the search for breaks that are worth their time in all. */
const MOST_CELLS = 120_000_000;
const FINE = 5;
/** How much dearer breaks become while there are too many. */
const DEARER = [2, 4, 8] as const;

/** The ratio and runs that fit best, and the best single run at that ratio. */
function best(
  sums: SpeechSums,
  all: readonly PlacedBlocks[],
): { placed: PlacedBlocks; runs: OffsetRun[]; whole: OffsetRun } {
  const wholes = correlate(sums, all);
  const ranked = all
    .map((placed, n) => ({ placed, whole: wholes[n] ?? { offset: 0, score: -Infinity } }))
    .toSorted((a, b) => b.whole.score - a.whole.score);
  const size = all[0]?.count ?? 0;
  const full: OffsetGrid = { lowest: -REACH, step: FINE, count: (2 * REACH) / FINE + 1 };
  const tried = ranked.slice(
    0,
    Math.max(2, Math.min(all.length, Math.floor(MOST_CELLS / Math.max(1, size * full.count)))),
  );
  let top: { placed: PlacedBlocks; path: Path; grid: OffsetGrid; score: number } | undefined;
  for (const { placed, whole } of tried) {
    // Where there is too much to look everywhere, a minute around the best single offset has to do.
    const grid =
      size * full.count * 2 <= MOST_CELLS
        ? full
        : { lowest: whole.offset - 60 * RATE, step: 2 * FINE, count: (120 * RATE) / (2 * FINE) + 1 };
    const path = bestPath(sums, placed, grid);
    const score = path.score - (placed.ratio === 1 ? 0 : RATIO_PRICE);
    if (!top || score > top.score) top = { placed, path, grid, score };
  }
  if (!top) throw new Error('nothing to compare');
  const { placed, grid } = top;
  let { path } = top;
  // A path of many breaks follows chance; fewer and dearer ones show whether there is anything in it.
  for (const dear of DEARER)
    if (path.runs.length > MAX_TIMING_SEGMENTS) path = bestPath(sums, placed, { ...grid, dear });
  const runs = refine(sums, placed, path.runs);
  // Breaks that won only on the coarse grid are not worth having.
  const alone = { from: 0, to: size, offset: ranked.find((one) => one.placed === placed)?.whole.offset ?? 0 };
  const whole = refine(sums, placed, [alone])[0] ?? alone;
  return {
    placed,
    whole,
    runs: runs.length > 1 && scoreOf(sums, placed, [whole]) >= scoreOf(sums, placed, runs) ? [whole] : runs,
  };
}
