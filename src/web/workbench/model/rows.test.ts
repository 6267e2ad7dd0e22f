/** A comparison becomes rows that say in which way each line differs, and claim no more than the server does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  comparedByEdits,
  indexIn,
  isIn,
  rowAt,
  comparisonRows,
  shownRows,
  tallyOf,
  unchanged,
  type WorkbenchCue,
  type LineComparison,
} from './rows.ts';

const cue = (index: number, start: number, text = `line ${index}`, more: Partial<WorkbenchCue> = {}): WorkbenchCue => ({
  index,
  start,
  end: start + 2,
  text,
  warnings: [],
  ...more,
});
const cues = (...starts: number[]): WorkbenchCue[] => starts.map((start, index) => cue(index, start));
const kinds = (rows: readonly LineComparison[]) => rows.map(({ kind }) => kind);

test('matched lines are the same, moved or reworded; others are joined or removed', () => {
  const current = cues(1, 5, 9, 13, 17);
  const proposed = [cue(0, 1, 'line 0'), cue(1, 5.5, 'line 1'), cue(2, 9.5, 'other'), cue(3, 13, 'both')];
  const rows = comparisonRows(
    [
      { kind: 'matched', current: [0], proposed: [0] },
      { kind: 'matched', current: [1], proposed: [1] },
      { kind: 'matched', current: [2], proposed: [2] },
      { kind: 'merged', current: [3, 4], proposed: [3] },
    ],
    current,
    proposed,
  );
  assert.deepEqual(kinds(rows), ['same', 'moved', 'reworded', 'merged']);
  assert.deepEqual(
    rows.map(({ shift }) => shift),
    [0, 500, 500, 0],
  );
  assert.deepEqual(tallyOf(rows), {
    changed: 3,
    warned: 0,
    unsure: 0,
    moved: 2,
    reworded: 2,
    removed: 1,
    added: 0,
    shift: 500,
  });
  assert.deepEqual(kinds(comparisonRows([{ kind: 'removed', current: [0] }], current, [])), ['removed']);
});
test('unpaired lines are next to each other only if their times overlap', () => {
  const current = cues(1, 5, 20);
  const proposed = [cue(0, 1.2, 'line 0'), cue(1, 10), cue(2, 20.5)];
  const rows = comparisonRows(
    [
      ...current.map((_, at) => ({ kind: 'unpaired-current' as const, current: [at] })),
      ...proposed.map((_, at) => ({ kind: 'unpaired-proposed' as const, proposed: [at] })),
    ],
    current,
    proposed,
  );
  assert.deepEqual(kinds(rows), ['overlap', 'alone', 'alone', 'overlap']);
  assert.ok(
    rows.every(({ shift }) => shift === 0),
    'no shift is claimed',
  );
  assert.deepEqual(
    rows.map(({ current: a, proposed: b }) => [a.length, b.length]),
    [
      [1, 1],
      [1, 0],
      [0, 1],
      [1, 1],
    ],
  );
});
test('every cue of either side is in exactly one row', () => {
  const current = Array.from({ length: 3000 }, (_, at) => cue(at, at * 3 + (at % 7) * 0.3));
  const proposed = Array.from({ length: 2500 }, (_, at) => cue(at, at * 3.4 + (at % 5) * 0.2));
  const rows = comparisonRows(
    [
      ...current.map((_, at) => ({ kind: 'unpaired-current' as const, current: [at] })),
      ...proposed.map((_, at) => ({ kind: 'unpaired-proposed' as const, proposed: [at] })),
    ],
    current,
    proposed,
  );
  assert.deepEqual(
    rows.flatMap((row) => row.current.map(({ index }) => index)),
    current.map(({ index }) => index),
  );
  assert.deepEqual(
    rows.flatMap((row) => row.proposed.map(({ index }) => index)),
    proposed.map(({ index }) => index),
  );
});
test('filters, search and counts go by what a line becomes', () => {
  const current = cues(1, 5, 9);
  const proposed = [
    cue(0, 1, '<i>Fog</i> ahead'),
    cue(1, 5, 'line 1', { warnings: ['too-fast'] }),
    cue(2, 9, 'line 2', { confidence: 0.4 }),
  ];
  const rows = comparisonRows(unchanged(current), current, proposed);
  assert.deepEqual(shownRows(rows, 'changed', ''), [0]);
  assert.deepEqual(shownRows(rows, 'warned', ''), [1]);
  assert.deepEqual(shownRows(rows, 'unsure', ''), [2]);
  assert.deepEqual(shownRows(rows, 'all', ' FOG '), [0]);
  assert.deepEqual(shownRows(rows, 'all', '<i>'), [], 'marks are not searched');
  assert.equal(isIn(rows[2] as LineComparison, 'unsure'), true);
});
test('an edited text pairs by where each line came from, and gives up when the server read another number', () => {
  const edited = [
    { start: 1, end: 2, text: 'a', current: [0] },
    { start: 3, end: 4, text: 'new', current: [] },
    { start: 5, end: 6, text: 'c', current: [2, 3] },
  ];
  assert.deepEqual(comparedByEdits(edited, 3, 5), [
    { kind: 'matched', current: [0], proposed: [0] },
    { kind: 'unpaired-proposed', proposed: [1] },
    { kind: 'removed', current: [1] },
    { kind: 'merged', current: [2, 3], proposed: [2] },
    { kind: 'removed', current: [4] },
  ]);
  assert.equal(comparedByEdits(edited, 2, 5), undefined);
});
test('the index of a place among those on show', () => {
  const shown = [1, 4, 5, 9];
  for (const [at, place] of shown.entries()) assert.equal(indexIn(shown, place), at);
  for (const place of [0, 2, 8, 10]) assert.equal(indexIn(shown, place), -1, String(place));
  assert.equal(indexIn([], 0), -1);
});
test('the row at a time', () => {
  const rows = comparisonRows(unchanged(cues(1, 5, 9)), cues(1, 5, 9), cues(1, 5, 9));
  assert.deepEqual(
    [0, 1, 4.9, 5, 100].map((time) => rowAt(rows, time)),
    [undefined, 0, 0, 1, 2],
  );
});
