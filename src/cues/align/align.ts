/**
 * Aligns cues with speech: finds one offset, another frame rate, breaks in the timing, or all of these, or refuses.
 * Pure.
 *
 * Two stages, as in published subtitle synchronizers: a correlation by Fourier transform for each of seven frame-rate
 * ratios, then a Viterbi search for breaks; both are refined to 10 ms. Weak evidence is a refusal with its reason: a
 * file is changed only if the result is clearly better, because a ruined good file is worse than an untouched bad one.
 * No cue is dropped; a cue that would begin before 0 begins at 0. Linear in cues and audio except for sorting and the
 * transform; times that make no sense do no harm.
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

/** Frame rates of cinema, its NTSC form and PAL, each played as another one. No other ratio is proposed. */
export const RATIOS: readonly number[] = [1, 1.001, 1001 / 960, 25 / 24, 1 / 1.001, 960 / 1001, 24 / 25];

/** Minimum number of cues that count as evidence. */
const LEAST_CUES = 8;
/**
 * Minimum number of cues for a move. Unrelated texts of ten cues fit each other somewhere one time in ten; of twenty
 * cues, less than once in hundreds.
 */
const LEAST_TO_MOVE = 20;
const LEAST_SPEECH = 10;
/** Cues within this distance everywhere are left as they are (ms). */
const RIGHT = 100;
/** Score by which another ratio than 1 must win; less may be chance. */
const RATIO_PRICE = PRICE / 4;
/** One offset is preferred to uncertain breaks if its hit is lower by no more than this. */
const PLAIN = 0.03;
/** Delay of the detected speech after the real speech (ms). */
const LATENESS: Record<Reference, number> = { speech: 30, light: 20, cues: 0 };

/** Aligns cues with a speech curve: the likelihood of speech, 100 values a second from 0 to 255. */
export function align(cues: readonly Cue[], curve: Uint8Array): Alignment {
  const ordered = inOrder(cues);
  return settle(ordered, find(timesOf(ordered), curve, 'speech'));
}

/** Aligns cues with cues whose timing is right, such as those of a text track in the video, in any language. */
export function alignToCues(cues: readonly Cue[], reference: readonly Cue[]): Alignment {
  const ordered = inOrder(cues);
  return settle(ordered, find(timesOf(ordered), curveOf(reference), 'cues'));
}

/** Returns cues as a speech curve, as if speech filled each cue. */
export function curveOf(cues: readonly Cue[]): Uint8Array {
  const { starts, ends } = blocksOf(timesOf(inOrder(cues), () => true));
  const curve = new Uint8Array(Math.ceil((ends.at(-1) ?? 0) / 10));
  starts.forEach((start, n) => curve.fill(255, Math.round(start / 10), Math.round((ends[n] ?? 0) / 10)));
  return curve;
}

/** Returns the alignment with its moved cues. `cues` are in order of time. */
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

/** Searches for the alignment on numbers alone, so that its input and output can be sent to another process. */
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
  // Uncertain breaks may be chance around one offset that is certain.
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
    // Cues that are no evidence move with the block before them, and at the beginning with the first one.
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

/** Maximum number of cells in all searches for breaks. */
const MOST_CELLS = 120_000_000;
const FINE = 5;
/** Factors on the price of a break, tried while there are too many breaks. */
const DEARER = [2, 4, 8] as const;

/** Returns the ratio and runs that fit best, and the best single run at that ratio. */
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
    // If a search of the whole range is too large, search one minute around the best single offset.
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
  // A path of many breaks follows chance; a higher price shows whether fewer breaks remain.
  for (const dear of DEARER)
    if (path.runs.length > MAX_TIMING_SEGMENTS) path = bestPath(sums, placed, { ...grid, dear });
  const runs = refine(sums, placed, path.runs);
  // Discards breaks that win only on the coarse grid.
  const alone = { from: 0, to: size, offset: ranked.find((one) => one.placed === placed)?.whole.offset ?? 0 };
  const whole = refine(sums, placed, [alone])[0] ?? alone;
  return {
    placed,
    whole,
    runs: runs.length > 1 && scoreOf(sums, placed, [whole]) >= scoreOf(sums, placed, runs) ? [whole] : runs,
  };
}
