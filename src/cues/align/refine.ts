/**
 * Refines the coarse path into the final runs: joins short runs with their neighbours, makes offsets exact to 10 ms,
 * and moves each break to the block where both sides fit best. Pure.
 */
import { fit, type PlacedBlocks } from './blocks.ts';
import { RATE, type SpeechSums } from './speech-sums.ts';
import { type OffsetRun, scoreOf } from './split.ts';

/** Minimum length of a run in frames. A run with enough blocks may be shorter. */
const MIN_FRAMES = 60 * RATE;
const MIN_BLOCKS = 10;
/** Offsets that are tried on either side of the coarse one (frames). */
const AROUND = 15;
/** Maximum number of blocks by which a break moves. */
const FAR = 24;
/** Offsets that differ by less count as equal (frames). */
const SAME = 4;

export function refine(sums: SpeechSums, placed: PlacedBlocks, coarse: readonly OffsetRun[]): OffsetRun[] {
  let runs = withoutShort(sums, placed, coarse);
  for (let round = 0; round < 2; round++) {
    runs = runs.map((run) => exact(sums, placed, run));
    runs = withBreaksMoved(sums, placed, runs);
  }
  return joined(sums, placed, withoutShort(sums, placed, runs));
}

export function isLongEnough(placed: PlacedBlocks, { from, to }: OffsetRun): boolean {
  return to - from >= MIN_BLOCKS || (placed.end[to - 1] ?? 0) - (placed.start[from] ?? 0) >= MIN_FRAMES;
}

/** Joins each short run with the neighbour whose offset fits it better, the shortest one first. */
function withoutShort(sums: SpeechSums, placed: PlacedBlocks, given: readonly OffsetRun[]): OffsetRun[] {
  const runs = [...given];
  for (;;) {
    const short = runs
      .filter((run) => !isLongEnough(placed, run))
      .toSorted((a, b) => a.to - a.from - (b.to - b.from))[0];
    if (!short || runs.length < 2) return runs;
    const at = runs.indexOf(short);
    const around = [runs[at - 1], runs[at + 1]].filter((run) => run !== undefined);
    const scores = around.map(({ offset }) => fit(sums, placed, { ...short, offset }));
    const into = around[scores.indexOf(Math.max(...scores))];
    if (!into) return runs;
    runs.splice(runs.indexOf(into), 1, {
      offset: into.offset,
      from: Math.min(into.from, short.from),
      to: Math.max(into.to, short.to),
    });
    runs.splice(runs.indexOf(short), 1);
  }
}

function exact(sums: SpeechSums, placed: PlacedBlocks, run: OffsetRun): OffsetRun {
  let best = run.offset;
  let top = -Infinity;
  for (let offset = run.offset - AROUND; offset <= run.offset + AROUND; offset++) {
    const score = fit(sums, placed, { ...run, offset });
    if (score > top) [best, top] = [offset, score];
  }
  return { ...run, offset: best };
}

function withBreaksMoved(sums: SpeechSums, placed: PlacedBlocks, given: readonly OffsetRun[]): OffsetRun[] {
  const runs = given.map((run) => ({ ...run }));
  for (let n = 1; n < runs.length; n++) {
    const [left, right] = [runs[n - 1], runs[n]];
    if (!left || !right) continue;
    const lowest = Math.max(left.from + 1, right.from - FAR);
    const highest = Math.min(right.to - 1, right.from + FAR);
    let best = right.from;
    let top = -Infinity;
    for (let at = lowest; at <= highest; at++) {
      const score = scoreOf(sums, placed, [
        { from: lowest - 1, to: at, offset: left.offset },
        { from: at, to: highest + 1, offset: right.offset },
      ]);
      if (score > top) [best, top] = [at, score];
    }
    left.to = best;
    right.from = best;
  }
  return runs;
}

/** Joins neighbours with nearly the same offset into one run and refines its offset. */
function joined(sums: SpeechSums, placed: PlacedBlocks, runs: readonly OffsetRun[]): OffsetRun[] {
  const out: OffsetRun[] = [];
  let isJoined = false;
  for (const run of runs) {
    const last = out.at(-1);
    if (!last || Math.abs(last.offset - run.offset) > SAME) out.push({ ...run });
    else {
      last.to = run.to;
      isJoined = true;
    }
  }
  return isJoined ? out.map((run) => exact(sums, placed, run)) : out;
}
