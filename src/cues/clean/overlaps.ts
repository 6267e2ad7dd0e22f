/**
 * Corrects cues that overlap at the same position: the earlier one ends before the later one begins.
 *
 * Promises: only ends move, and only to earlier times; every cue is shown for at least half a second. Two cues that
 * begin together stay: a rule cannot decide which one should wait.
 */
import type { CuePiece } from '../change/rows.ts';
import type { Cue } from '../cue.ts';
import { placeKeyOf } from '../quality.ts';
import type { Rule } from './types.ts';

/** Pause between two cues that the eye can see, if there is room for one (ms). */
const GAP = 80;
const LEAST = 500;

export const fixOverlaps: Rule = (pieces) => {
  const starts = new Map<string, number[]>();
  for (const { cue } of pieces) {
    const place = placed(cue);
    const list = starts.get(place);
    if (list) list.push(cue.start);
    else starts.set(place, [cue.start]);
  }
  for (const list of starts.values()) list.sort((a, b) => a - b);
  const touched: number[] = [];
  const out = pieces.map((piece): CuePiece => {
    const { cue } = piece;
    const next = firstFrom(starts.get(placed(cue)) ?? [], cue.start + LEAST);
    if (next === undefined || cue.end <= next) return piece;
    for (const index of piece.from) touched.push(index);
    return { ...piece, cue: { ...cue, end: next - GAP - cue.start >= LEAST ? next - GAP : next } };
  });
  return { pieces: out, touched };
};

/** Scripts lay styles and layers over one another on purpose. */
const placed = (cue: Cue): string => `${placeKeyOf(cue)}|${cue.style ?? ''}|${cue.layer ?? 0}`;

/** Returns the first of sorted numbers that is at least `least`. */
function firstFrom(sorted: readonly number[], least: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
