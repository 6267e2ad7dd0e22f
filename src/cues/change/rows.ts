/**
 * Records which cue became which. Indexes count from zero in order of time (`inOrder`): the order in which cues are
 * shown to people and in which a changed document holds them.
 */
import type { Cue } from '../cue.ts';

export const CHANGE_ROW_KINDS = ['matched', 'merged', 'removed', 'unpaired-current', 'unpaired-proposed'] as const;

/**
 * `matched`: one cue and its changed form. `merged`: several cues that became one. `removed`: a cue without a
 * successor. The unpaired kinds claim no correspondence: they are only listed together in order of time.
 */
export interface ChangeRow {
  kind: (typeof CHANGE_ROW_KINDS)[number];
  current?: number[];
  proposed?: number[];
}

/** A cue during the changes, and the current cues that it comes from. */
export interface CuePiece {
  cue: Cue;
  from: readonly number[];
}

/** Sorts pieces as `inOrder` sorts cues. */
export const ordered = (pieces: readonly CuePiece[]): CuePiece[] =>
  pieces.toSorted(
    (a, b) => a.cue.start - b.cue.start || a.cue.end - b.cue.end || (a.cue.layer ?? 0) - (b.cue.layer ?? 0),
  );

/** Returns the rows of `count` current cues and the remaining pieces, by their first current cue. */
export function rowsOf(count: number, pieces: readonly CuePiece[]): ChangeRow[] {
  const by = new Map<number, ChangeRow>();
  const kept = new Set<number>();
  pieces.forEach((piece, proposed) => {
    const current = piece.from.toSorted((a, b) => a - b);
    for (const each of current) kept.add(each);
    const [first] = current;
    if (first !== undefined)
      by.set(first, { kind: current.length > 1 ? 'merged' : 'matched', current, proposed: [proposed] });
  });
  const out: ChangeRow[] = [];
  for (let index = 0; index < count; index++) {
    const row = by.get(index);
    if (row) out.push(row);
    else if (!kept.has(index)) out.push({ kind: 'removed', current: [index] });
  }
  return out;
}

/**
 * Returns rows for two documents of different sources (another file, a draft, text from an editor, another character
 * set): every cue of both in order of their starts, the current one first if they are equal.
 */
export function unpaired(current: readonly Cue[], proposed: readonly Cue[]): ChangeRow[] {
  const entries = [
    ...current.map((cue, index) => ({
      start: cue.start,
      row: { kind: 'unpaired-current', current: [index] } satisfies ChangeRow as ChangeRow,
    })),
    ...proposed.map((cue, index) => ({
      start: cue.start,
      row: { kind: 'unpaired-proposed', proposed: [index] } satisfies ChangeRow as ChangeRow,
    })),
  ];
  return entries.toSorted((a, b) => a.start - b.start).map(({ row }) => row);
}
