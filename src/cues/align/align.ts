/**
 * Aligns cues with speech: finds one offset, another frame rate, breaks in the timing, or all of these, or refuses.
 * Pure.
 *
 * Two stages, as in published subtitle synchronizers: a correlation by Fourier transform for each of seven frame-rate
 * ratios, then a Viterbi search for breaks; both are refined to 10 ms. A result that drifts, or none, leads to a search
 * for any rate. Weak evidence is a refusal with its reason: a file is changed only if the result is clearly better,
 * because a ruined good file is worse than an untouched bad one. No cue is dropped; a cue that would begin before 0
 * begins at 0. Linear in cues and audio except for sorting and the transforms; times that make no sense do no harm.
 */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import { retime } from '../change/timing.ts';
import { type Cue, inOrder } from '../cue.ts';
import { LIMITS } from '../limits.ts';
import { type Blocks, blocksOf, type SpokenTimes, place, type PlacedBlocks, timesOf } from './blocks.ts';
import { searchFreeRate } from './free-rate.ts';
import { measureAlignment } from './measure.ts';
import { isLongEnough } from './refine.ts';
import { type SearchResult, searchRatios } from './search.ts';
import { RATE, type SpeechSums, speechSums } from './speech-sums.ts';
import type { OffsetRun } from './split.ts';
import { measureSteadiness } from './steadiness.ts';
import type { Alignment, UnappliedAlignment, Segment } from './types.ts';
import { judgeAlignment, type Reference } from './verdict.ts';

/**
 * Frame rates of cinema, its NTSC form and PAL, each played as another one. Another ratio is proposed only if none of
 * these fits, and on stronger evidence.
 */
export const RATIOS: readonly number[] = [1, 1.001, 1001 / 960, 25 / 24, 1 / 1.001, 960 / 1001, 24 / 25];

/** Minimum number of cues that count as evidence. */
const MIN_CUES = 8;
/**
 * Minimum number of cues for a move. Unrelated texts of ten cues fit each other somewhere one time in ten; of twenty
 * cues, less than once in hundreds.
 */
const MIN_TO_MOVE = 20;
const MIN_SPEECH = 10;
/** Cues within this distance everywhere are left as they are (ms). */
const RIGHT = 100;
/** Minimum drift over a run that another rate is searched for, in frames. Right subtitles are below 6. */
const MIN_DRIFT = 8;
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
    return { ...found, outcome: 'refused', reason: 'weak', refusal: 'beyond-limit' };
  const moved = retime(cues, { alignment: found });
  const clamped = evidenceOf('clamped', 0, { reason: 'clamped', values: { count: moved.clamped } });
  return { ...found, cues: moved.cues, evidence: moved.clamped > 0 ? [...found.evidence, clamped] : found.evidence };
}

/** Searches for the alignment on numbers alone, so that its input and output can be sent to another process. */
export function find(times: SpokenTimes, curve: Uint8Array, reference: Reference): UnappliedAlignment {
  const blocks = blocksOf(times);
  const sums = speechSums(curve);
  const nothing = { ratio: 1, segments: [], evidence: [] };
  if (blocks.spoken < MIN_CUES || blocks.starts.length < 2)
    return {
      ...nothing,
      outcome: 'refused',
      reason: 'too-few-cues',
      refusal: 'too-few-cues',
    };
  if (sums.mean * sums.frames < MIN_SPEECH * RATE)
    return {
      ...nothing,
      outcome: 'refused',
      reason: 'no-speech',
      refusal: reference === 'cues' ? 'other-track-empty' : 'no-speech',
    };
  const placed = RATIOS.map((ratio) => place(blocks, ratio, sums));
  const about = { times, blocks, sums, asIs: placed[0] ?? place(blocks, 1, sums), reference };
  const found = searchRatios(sums, placed);
  const usual = verdictOn(about, found);
  return (
    (isDrifting(usual) ? verdictOnFreeRate(about, found) : undefined) ??
    (usual.outcome === 'refused' ? verdictOnFreeRate(about) : undefined) ??
    usual
  );
}

/** Whether an alignment has a trend that another rate may remove. */
const isDrifting = ({ measures }: UnappliedAlignment): boolean =>
  measures !== undefined && measures.steadiness.drift > Math.max(MIN_DRIFT, 2 * measures.steadiness.doubt);

/** Returns an alignment at a free rate, if it is certain. `drifting` is one whose trend it is to remove. */
function verdictOnFreeRate(about: About, drifting?: SearchResult): UnappliedAlignment | undefined {
  const found = searchFreeRate(about.sums, about.blocks, { ratios: RATIOS, drifting });
  const judged = found && verdictOn(about, found);
  return judged?.outcome === 'moved' || (judged?.outcome === 'fits' && judged.ratio === 1) ? judged : undefined;
}

interface About {
  times: SpokenTimes;
  blocks: Blocks;
  sums: SpeechSums;
  asIs: PlacedBlocks;
  reference: Reference;
}

function verdictOn(about: About, { placed, runs, whole }: SearchResult): UnappliedAlignment {
  const judged = verdictOnRuns(about, placed, runs);
  if (judged.outcome !== 'refused' || runs.length === 1) return judged;
  // Uncertain breaks may be chance around one offset that is certain.
  const plain = verdictOnRuns(about, placed, [whole]);
  return plain.outcome !== 'refused' && (plain.measures?.hit ?? 0) >= (judged.measures?.hit ?? 1) - PLAIN
    ? plain
    : judged;
}

function verdictOnRuns(
  { times, blocks, sums, asIs, reference }: About,
  placed: PlacedBlocks,
  runs: readonly OffsetRun[],
): UnappliedAlignment {
  const { line: _line, ...steadiness } = measureSteadiness(sums, placed, runs);
  const measures = { ...measureAlignment(sums, { placed, runs, asIs }), steadiness };
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
    isFree: !RATIOS.includes(placed.ratio),
    reference,
    isStill,
  });
  const found = { ratio: placed.ratio, segments, evidence, measures };
  if (refusal) return { ...found, outcome: 'refused', ...refusal };
  if (!isStill && blocks.spoken < MIN_TO_MOVE)
    return { ...found, outcome: 'refused', reason: 'weak', refusal: 'too-few-lines' };
  return { ...found, outcome: isStill ? 'fits' : 'moved' };
}
