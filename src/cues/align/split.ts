/**
 * Finds breaks in the timing: the best path of offsets through the blocks, where each change of offset has a price.
 * Pure.
 *
 * A Viterbi search over blocks and a grid of offsets. A change may come from the best state only, so that walking back
 * needs one bit for each block and offset and one number for each block.
 */
import { fit, MAX_SEAM_FRAMES, type PlacedBlocks, seam } from './blocks.ts';
import { FULL, RATE, type SpeechSums } from './speech-sums.ts';

/** Score that a change of offset must win: twelve seconds of speech. */
export const PRICE = 12 * RATE * FULL;
/**
 * Pauses shorter than this are inside a conversation, where films are rarely cut: a change there has an additional
 * price (frames, price).
 */
const QUICK = RATE;
const QUICK_PRICE = 2 * RATE * FULL;

/** Blocks from `from` to `to` (exclusive) with one offset in frames. */
export interface OffsetRun {
  from: number;
  to: number;
  offset: number;
}

export interface OffsetGrid {
  /** First offset, distance between offsets (both in frames) and number of offsets. */
  lowest: number;
  step: number;
  count: number;
  /** Factor on the usual price of a change (default 1). */
  dear?: number;
}

export interface Path {
  runs: OffsetRun[];
  /** Score of all runs minus the price of the changes. */
  score: number;
}

export const priceAt = (placed: PlacedBlocks, block: number): number =>
  PRICE + ((placed.pause[block] ?? 0) < QUICK ? QUICK_PRICE : 0);

export function bestPath(sums: SpeechSums, placed: PlacedBlocks, { lowest, step, count, dear = 1 }: OffsetGrid): Path {
  const { inside, between } = sums;
  const score = new Float64Array(count);
  const isChange = new Uint8Array(Math.ceil((placed.count * count) / 8));
  const from = new Int32Array(placed.count);
  let best = 0;
  for (let i = 0; i < placed.count; i++) {
    const [s, e, g] = [placed.start[i] ?? 0, placed.end[i] ?? 0, placed.gap[i] ?? 0];
    const changed = i === 0 ? -Infinity : (score[best] ?? 0) - priceAt(placed, i) * dear;
    const left = (placed.end[i - 1] ?? 0) + lowest + best * step;
    from[i] = best;
    let [next, top] = [0, -Infinity];
    for (let at = 0, bit = i * count, offset = lowest; at < count; at++, bit++, offset += step) {
      const said = (inside[e + offset] ?? 0) - (inside[s + offset] ?? 0);
      let value = (score[at] ?? 0) + said + (between[g + offset] ?? 0) - (between[s + offset] ?? 0);
      // Only a few offsets pass this test and need a closer look.
      const other =
        changed + said + MAX_SEAM_FRAMES > value ? changed + said + seam(between, left, s + offset) : -Infinity;
      if (other > value) {
        value = other;
        isChange[bit >> 3] = (isChange[bit >> 3] ?? 0) | (1 << (bit & 7));
      }
      score[at] = value;
      if (value > top) [top, next] = [value, at];
    }
    best = next;
  }
  const runs: OffsetRun[] = [];
  let [at, to] = [best, placed.count];
  for (let i = placed.count - 1; i >= 0; i--) {
    const bit = i * count + at;
    const isFirst = i === 0 || (((isChange[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
    if (!isFirst) continue;
    runs.push({ from: i, to, offset: lowest + at * step });
    [to, at] = [i, from[i] ?? 0];
  }
  return { runs: runs.toReversed(), score: score[best] ?? 0 };
}

/** Returns the score of a path as `bestPath` computes it. */
export function scoreOf(sums: SpeechSums, placed: PlacedBlocks, runs: readonly OffsetRun[]): number {
  let total = 0;
  runs.forEach((run, n) => {
    const last = runs[n - 1];
    total += fit(sums, placed, run);
    if (last)
      total +=
        seam(sums.between, (placed.end[last.to - 1] ?? 0) + last.offset, (placed.start[run.from] ?? 0) + run.offset) -
        priceAt(placed, run.from);
  });
  return total;
}
