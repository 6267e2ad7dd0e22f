/**
 * The comparison of the server as rows to look at: what each line was, what it becomes, and in which way it
 * differs. Rows that claim no correspondence are only laid side by side where their times overlap. Pure and
 * linear; made for a hundred thousand cues.
 */
import type { EditedCue, SureWord } from './settings.ts';
import { plainOf } from './srt.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

export interface WorkbenchCue {
  index: number;
  /** Seconds. */
  start: number;
  end: number;
  text: string;
  warnings: readonly string[];
  confidence?: number | undefined;
  words?: readonly SureWord[] | undefined;
}
export interface ComparisonEntry {
  kind: 'matched' | 'merged' | 'removed' | 'unpaired-current' | 'unpaired-proposed';
  current?: readonly number[] | undefined;
  proposed?: readonly number[] | undefined;
}
/** `overlap`: two lines that only overlap in time. `alone`: a line of either side without a counterpart. */
export type ComparisonKind = 'same' | 'moved' | 'reworded' | 'merged' | 'removed' | 'overlap' | 'alone';
export interface LineComparison {
  kind: ComparisonKind;
  current: readonly WorkbenchCue[];
  proposed: readonly WorkbenchCue[];
  /** Milliseconds by which the start moved; only where the two are one line. */
  shift: number;
  isChanged: boolean;
  isReworded: boolean;
  warnings: readonly string[];
  confidence: number | undefined;
}

const MIN_MOVE_MS = 1;
const ms = (seconds: number): number => Math.round(seconds * 1000);
const pick = (cues: readonly WorkbenchCue[], indexes: readonly number[] | undefined): WorkbenchCue[] =>
  (indexes ?? []).flatMap((at) => cues[at] ?? []);

function least(cues: readonly WorkbenchCue[]): number | undefined {
  let found: number | undefined;
  for (const { confidence } of cues)
    if (confidence !== undefined && (found === undefined || confidence < found)) found = confidence;
  return found;
}
const isMoved = (a: WorkbenchCue, b: WorkbenchCue): boolean =>
  Math.abs(ms(a.start) - ms(b.start)) >= MIN_MOVE_MS || Math.abs(ms(a.end) - ms(b.end)) >= MIN_MOVE_MS;

function rowOf(
  kind: ComparisonKind,
  current: readonly WorkbenchCue[],
  proposed: readonly WorkbenchCue[],
): LineComparison {
  const [a] = current;
  const [b] = proposed;
  const isPair = kind !== 'overlap' && a !== undefined && b !== undefined;
  const isReworded = kind === 'merged' || (a !== undefined && b !== undefined && a.text !== b.text);
  return {
    kind,
    current,
    proposed,
    shift: isPair ? ms(b.start) - ms(a.start) : 0,
    isChanged:
      kind !== 'same' && !(kind === 'overlap' && a !== undefined && b !== undefined && !isReworded && !isMoved(a, b)),
    isReworded,
    warnings: [...new Set((proposed.length > 0 ? proposed : current).flatMap(({ warnings }) => warnings))],
    confidence: least(proposed),
  };
}
function matched(current: readonly WorkbenchCue[], proposed: readonly WorkbenchCue[]): LineComparison {
  const [a] = current;
  const [b] = proposed;
  if (!a || !b) return rowOf(a ? 'removed' : 'alone', current, proposed);
  return rowOf(a.text !== b.text ? 'reworded' : isMoved(a, b) ? 'moved' : 'same', current, proposed);
}

/** Share of the shorter of two lines that has to overlap with the other for both to be one row. */
const MIN_OVERLAP = 0.4;
const overlaps = (a: WorkbenchCue, b: WorkbenchCue): boolean =>
  Math.min(a.end, b.end) - Math.max(a.start, b.start) >
  MIN_OVERLAP * Math.max(0.001, Math.min(a.end - a.start, b.end - b.start));

/** Two lists in order of time, laid side by side where they overlap. */
function overlap(current: readonly WorkbenchCue[], proposed: readonly WorkbenchCue[]): LineComparison[] {
  const rows: LineComparison[] = [];
  let a = 0;
  let b = 0;
  while (a < current.length || b < proposed.length) {
    const left = current[a];
    const right = proposed[b];
    if (left && right && overlaps(left, right)) {
      rows.push(rowOf('overlap', [left], [right]));
      a++;
      b++;
    } else if (left && (!right || left.start <= right.start)) {
      rows.push(rowOf('alone', [left], []));
      a++;
    } else if (right) {
      rows.push(rowOf('alone', [], [right]));
      b++;
    }
  }
  return rows;
}

/** The rows of a preview, or of what is installed alone when nothing is proposed. */
export function comparisonRows(
  comparison: readonly ComparisonEntry[],
  current: readonly WorkbenchCue[],
  proposed: readonly WorkbenchCue[],
): LineComparison[] {
  const rows: LineComparison[] = [];
  let left: WorkbenchCue[] = [];
  let right: WorkbenchCue[] = [];
  const flush = () => {
    if (left.length + right.length > 0) for (const row of overlap(left, right)) rows.push(row);
    left = [];
    right = [];
  };
  for (const one of comparison) {
    const a = pick(current, one.current);
    const b = pick(proposed, one.proposed);
    if (one.kind === 'unpaired-current') left.push(...a);
    else if (one.kind === 'unpaired-proposed') right.push(...b);
    else {
      flush();
      rows.push(one.kind === 'matched' ? matched(a, b) : rowOf(one.kind, a, b));
    }
  }
  flush();
  return rows;
}
export const unchanged = (cues: readonly WorkbenchCue[]): ComparisonEntry[] =>
  cues.map((_, at) => ({ kind: 'matched', current: [at], proposed: [at] }));

/**
 * The comparison of a text that was edited here: which cue came from which is known, as long as the server
 * found as many cues in it as were sent. Undefined when it did not, and its own rows hold.
 */
export function comparedByEdits(
  edited: readonly EditedCue[],
  proposed: number,
  current: number,
): ComparisonEntry[] | undefined {
  if (edited.length !== proposed) return undefined;
  const kept = new Set<number>();
  for (const cue of edited) for (const at of cue.current) kept.add(at);
  const rows: ComparisonEntry[] = [];
  let next = 0;
  const removedUpTo = (end: number) => {
    for (; next < end; next++) if (!kept.has(next)) rows.push({ kind: 'removed', current: [next] });
  };
  edited.forEach(({ current: from }, at) => {
    removedUpTo(Math.min(current, from[0] ?? next));
    rows.push(
      from.length === 0
        ? { kind: 'unpaired-proposed', proposed: [at] }
        : { kind: from.length > 1 ? 'merged' : 'matched', current: from, proposed: [at] },
    );
  });
  removedUpTo(current);
  return rows;
}

export const lineFilters = () => ({ all: m.all, changed: m.changed, warned: m.warnings, unsure: m.uncertain }) as const;
export type LineFilter = keyof ReturnType<typeof lineFilters>;
/** Below this a reading is worth a look; below the second it is likely wrong. */
export const UNSURE = 0.85;
export const DOUBTFUL = 0.6;

export const isIn = (row: LineComparison, filter: LineFilter): boolean =>
  filter === 'changed'
    ? row.isChanged
    : filter === 'warned'
      ? row.warnings.length > 0
      : filter === 'unsure'
        ? row.confidence !== undefined && row.confidence < UNSURE
        : true;

/** The places of the rows that a filter and a search leave. */
export function shownRows(rows: readonly LineComparison[], filter: LineFilter, search: string): number[] {
  const wanted = search.trim().toLowerCase();
  const shown: number[] = [];
  rows.forEach((row, at) => {
    if (!isIn(row, filter)) return;
    if (
      wanted === '' ||
      [...row.current, ...row.proposed].some(({ text }) => plainOf(text).toLowerCase().includes(wanted))
    )
      shown.push(at);
  });
  return shown;
}

/** Returns the index of a place among those on show, which are in order; -1 if it is not shown. */
export function indexIn(shown: readonly number[], place: number): number {
  let low = 0;
  let high = shown.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shown[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return shown[low] === place ? low : -1;
}

export interface Tally {
  changed: number;
  warned: number;
  unsure: number;
  moved: number;
  reworded: number;
  removed: number;
  added: number;
  /** The one shift of all lines that moved, when it is one. */
  shift: number | undefined;
}
const SAME_SHIFT_MS = 2;
export function tallyOf(rows: readonly LineComparison[]): Tally {
  const tally: Tally = {
    changed: 0,
    warned: 0,
    unsure: 0,
    moved: 0,
    reworded: 0,
    removed: 0,
    added: 0,
    shift: undefined,
  };
  let isOne = true;
  for (const row of rows) {
    const isPair = row.current.length > 0 && row.proposed.length > 0 && row.kind !== 'overlap';
    if (row.isChanged) tally.changed++;
    if (isIn(row, 'warned')) tally.warned++;
    if (isIn(row, 'unsure')) tally.unsure++;
    if (isPair && row.isReworded) tally.reworded++;
    if (row.current.length > 0 && row.proposed.length === 0) tally.removed++;
    if (row.kind === 'merged') tally.removed += row.current.length - 1;
    if (row.proposed.length > 0 && row.current.length === 0) tally.added++;
    if (!isPair || !(row.current[0] && row.proposed[0] && isMoved(row.current[0], row.proposed[0]))) continue;
    tally.moved++;
    tally.shift ??= row.shift;
    if (Math.abs(tally.shift - row.shift) > SAME_SHIFT_MS) isOne = false;
  }
  return isOne ? tally : { ...tally, shift: undefined };
}

/**
 * Returns the row of the cue at a time, or else of the last one before it. A binary search, because rows are nearly in
 * order.
 */
export function rowAt(rows: readonly LineComparison[], time: number): number | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(rows[middle]) <= time) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : low - 1;
}
/** Returns the start of a row: of its proposed cue, or else of the installed one. */
export const startOf = (row: LineComparison | undefined): number =>
  row?.proposed[0]?.start ?? row?.current[0]?.start ?? 0;
