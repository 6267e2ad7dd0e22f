/**
 * Cues at the same place of the picture that overlap: the earlier one ends before the later one begins.
 *
 * Promises: only ends move, and only to earlier; never to less than half a second of showing. Two cues
 * that begin together stay: which of them would have to wait is not for a rule to say.
 */
import type { CuePiece } from '../change/rows.ts';
import type { Cue } from '../cue.ts';
import { placeKeyOf } from '../quality.ts';
import type { Rule } from './types.ts';

/** ms: a pause that the eye sees, where there is room for one. */
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

/** Scripts put styles and layers over one another on purpose. */
const placed = (cue: Cue): string => `${placeKeyOf(cue)}|${cue.style ?? ''}|${cue.layer ?? 0}`;

/** The first of sorted numbers that is at least so much. */
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
