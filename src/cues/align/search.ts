/** Searches the best offset, or offsets with breaks between them, at given ratios. Pure. */
import type { PlacedBlocks } from './blocks.ts';
import { correlate } from './correlate.ts';
import { refine } from './refine.ts';
import { RATE, REACH, type SpeechSums } from './speech-sums.ts';
import { bestPath, type OffsetGrid, type OffsetRun, type Path, PRICE, scoreOf } from './split.ts';
import { MAX_TIMING_SEGMENTS } from './verdict.ts';

/** Maximum number of cells in all searches for breaks. */
const MAX_CELLS = 120_000_000;
const FINE = 5;
/** Factors on the price of a break, tried while there are too many breaks. */
const DEARER = [2, 4, 8] as const;
/** Score by which another ratio than 1 must win; less may be chance. */
const RATIO_PRICE = PRICE / 4;

/** The runs that fit best at a ratio, and the best single run. */
export interface SearchResult {
  placed: PlacedBlocks;
  runs: readonly OffsetRun[];
  whole: OffsetRun;
}

/** Returns the ratio and runs that fit best. */
export function searchRatios(sums: SpeechSums, all: readonly PlacedBlocks[]): SearchResult {
  const wholes = correlate(sums, all);
  const ranked = all
    .map((placed, n) => ({ placed, whole: wholes[n] ?? { offset: 0, score: -Infinity } }))
    .toSorted((a, b) => b.whole.score - a.whole.score);
  const size = all[0]?.count ?? 0;
  const tried = ranked.slice(
    0,
    Math.max(2, Math.min(all.length, Math.floor(MAX_CELLS / Math.max(1, size * FULL_GRID.count)))),
  );
  let top: { placed: PlacedBlocks; path: Path; offset: number; score: number } | undefined;
  for (const { placed, whole } of tried) {
    const path = bestPath(sums, placed, gridAround(placed, whole.offset));
    const score = path.score - (placed.ratio === 1 ? 0 : RATIO_PRICE);
    if (!top || score > top.score) top = { placed, path, offset: whole.offset, score };
  }
  if (!top) throw new Error('nothing to compare');
  return refinedPath(sums, top.placed, top);
}

/** Returns the runs that fit best at one ratio, whose best single offset is about `offset` (frames). */
export function searchRatio(sums: SpeechSums, placed: PlacedBlocks, offset: number): SearchResult & { score: number } {
  const path = bestPath(sums, placed, gridAround(placed, offset));
  return { ...refinedPath(sums, placed, { path, offset }), score: path.score };
}

const FULL_GRID: OffsetGrid = { lowest: -REACH, step: FINE, count: (2 * REACH) / FINE + 1 };
/** Returns the whole range, or one minute around the best single offset if a search of the whole range is too large. */
const gridAround = ({ count }: PlacedBlocks, offset: number): OffsetGrid =>
  count * FULL_GRID.count * 2 <= MAX_CELLS
    ? FULL_GRID
    : { lowest: offset - 60 * RATE, step: 2 * FINE, count: (120 * RATE) / (2 * FINE) + 1 };

function refinedPath(
  sums: SpeechSums,
  placed: PlacedBlocks,
  { path, offset }: { path: Path; offset: number },
): SearchResult {
  let { runs: coarse } = path;
  // A path of many breaks follows chance; a higher price shows whether fewer breaks remain.
  for (const dear of DEARER)
    if (coarse.length > MAX_TIMING_SEGMENTS)
      coarse = bestPath(sums, placed, { ...gridAround(placed, offset), dear }).runs;
  const runs = refine(sums, placed, coarse);
  // Discards breaks that win only on the coarse grid.
  const alone = { from: 0, to: placed.count, offset };
  const whole = refine(sums, placed, [alone])[0] ?? alone;
  return {
    placed,
    whole,
    runs: runs.length > 1 && scoreOf(sums, placed, [whole]) >= scoreOf(sums, placed, runs) ? [whole] : runs,
  };
}
