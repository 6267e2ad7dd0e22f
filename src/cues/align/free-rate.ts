/**
 * Aligns cues whose rate is none of the usual ones, as after a capture or an edit at a slightly wrong speed. Pure.
 *
 * The rate is first guessed, from the trend of an alignment that drifts or by trying rates, and then fitted: the line
 * through the distances of single stretches is removed from ratio and offsets until nothing of it is left.
 */
import { type Blocks, place, type PlacedBlocks } from './blocks.ts';
import { likelyRates, MAX_RATE_CHANGE } from './rates.ts';
import { type SearchResult, searchRatio } from './search.ts';
import { measureSteadiness } from './steadiness.ts';
import { RATE, type SpeechSums } from './speech-sums.ts';
import type { OffsetRun } from './split.ts';

/** Number of rates whose breaks are searched. */
const MAX_RATES = 3;
/** Minimum z of a rate that is looked at: subtitles of other films reach 5.2, right ones begin at 7. */
const MIN_Z = 5.5;
/** Maximum number of blocks; more are no film, and would take seconds. */
const MAX_BLOCKS = 12_000;
const MAX_ROUNDS = 5;
/** A line that rises by less over the whole film is no trend (frames). */
const FLAT = 1;
/** A usual ratio that differs by less at either end of the film is the one that is meant (frames). */
const SAME = 0.06 * RATE;

/** Returns an alignment at a free rate, or undefined if none is likely. `drifting` is one that has a trend. */
export function searchFreeRate(
  sums: SpeechSums,
  blocks: Blocks,
  { ratios, drifting }: { ratios: readonly number[]; drifting?: Pick<SearchResult, 'placed' | 'runs'> | undefined },
): SearchResult | undefined {
  if (blocks.starts.length > MAX_BLOCKS) return undefined;
  const starts = drifting
    ? [drifting]
    : likelyRates(sums, blocks, MAX_RATES)
        .filter(({ z }) => z >= MIN_Z)
        .map(({ ratio, offset }) => searchRatio(sums, place(blocks, ratio, sums), offset));
  const found = starts.map((start) => {
    const fitted = withoutTrend(sums, blocks, start);
    const ratio = usualRatio(fitted.placed, ratios);
    if (ratio === undefined) return undefined;
    const placed = place(blocks, ratio, sums);
    const again = searchRatio(sums, placed, fitted.runs[0]?.offset ?? 0);
    if (ratios.includes(ratio)) return again;
    // Breaks may have moved.
    return { ...again, ...withoutTrend(sums, blocks, again) };
  });
  return found.filter((one) => one !== undefined).toSorted((a, b) => b.score - a.score)[0];
}

/** Returns the usual ratio that is meant, or else the own one; undefined if that is out of range. */
function usualRatio({ ratio, start, end, count }: PlacedBlocks, ratios: readonly number[]): number | undefined {
  const half = ((end[count - 1] ?? 0) - (start[0] ?? 0)) / 2;
  const nearest = ratios.toSorted((a, b) => Math.abs(a - ratio) - Math.abs(b - ratio))[0] ?? ratio;
  if (Math.abs(nearest / ratio - 1) * half <= SAME) return nearest;
  return Math.abs(ratio - 1) <= MAX_RATE_CHANGE ? ratio : undefined;
}

/** Fits the ratio and the offsets of the runs until their line is flat. */
function withoutTrend(
  sums: SpeechSums,
  blocks: Blocks,
  { placed, runs }: Pick<SearchResult, 'placed' | 'runs'>,
): { placed: PlacedBlocks; runs: readonly OffsetRun[] } {
  let now = { placed, runs };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { line, drift } = measureSteadiness(sums, now.placed, now.runs);
    if (drift <= FLAT && line.heights.every((height) => Math.abs(height) < 1)) break;
    const ratio = now.placed.ratio * (1 + line.slope);
    if (!(Math.abs(ratio - 1) <= 2 * MAX_RATE_CHANGE)) break;
    now = {
      placed: place(blocks, ratio, sums),
      runs: now.runs.map((run, n) => ({ ...run, offset: Math.round(run.offset + (line.heights[n] ?? 0)) })),
    };
  }
  return now;
}
