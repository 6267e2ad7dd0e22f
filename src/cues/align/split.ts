/**
 * Finds breaks in the timing: the best path of offsets through the blocks, where each change of offset has a price.
 * Pure.
 *
 * A Viterbi search over blocks and a grid of offsets. A change may come from the best state only, so that walking back
 * needs one bit for each block and offset and one number for each block.
 */
import { fit, type PlacedBlocks, SEAM, seam } from './blocks.ts';
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

/** Score of a change before the first block, which none has: less than any other, and sums with it fit in 32 bits. */
const NEVER = -(2 ** 30);

export function bestPath(sums: SpeechSums, placed: PlacedBlocks, { lowest, step, count, dear = 1 }: OffsetGrid): Path {
  const { inside, between } = sums;
  const score = new Int32Array(count);
  const bytes = Math.ceil(count / 8);
  const isChange = new Uint8Array(placed.count * bytes);
  const from = new Int32Array(placed.count);
  let best = 0;
  for (let i = 0; i < placed.count; i++) {
    const [s, e, g] = [placed.start[i] ?? 0, placed.end[i] ?? 0, placed.gap[i] ?? 0];
    const changed = i === 0 ? NEVER : (score[best] ?? 0) - priceAt(placed, i) * dear;
    const left = (placed.end[i - 1] ?? 0) + lowest + best * step;
    // Nearly all offsets are far from the break, where the two sides of its seam do not touch each other.
    const far = changed + (between[left] ?? 0) - (between[left + SEAM] ?? 0);
    from[i] = best;
    let [next, top, bits] = [0, -Infinity, 0];
    for (let at = 0, right = s + lowest; at < count; at++, right += step) {
      const here = between[right] ?? 0;
      const kept = (score[at] ?? 0) + (between[right - s + g] ?? 0) - here;
      const other =
        right - left > 2 * SEAM ? far + (between[right - SEAM] ?? 0) - here : changed + seam(between, left, right);
      // -1 if the change wins, or else 0. A branch here would be guessed wrong half of the time.
      const change = (kept - other) >> 31;
      bits |= (change & 1) << (at & 7);
      if ((at & 7) === 7 || at === count - 1) {
        isChange[i * bytes + (at >> 3)] = bits;
        bits = 0;
      }
      const value = kept + ((other - kept) & change) + (inside[right - s + e] ?? 0) - (inside[right] ?? 0);
      score[at] = value;
      if (value > top) [top, next] = [value, at];
    }
    best = next;
  }
  const runs: OffsetRun[] = [];
  let [at, to] = [best, placed.count];
  for (let i = placed.count - 1; i >= 0; i--) {
    const isFirst = i === 0 || (((isChange[i * bytes + (at >> 3)] ?? 0) >> (at & 7)) & 1) === 1;
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
