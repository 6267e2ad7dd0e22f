/** The reducer of the view of the lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkbenchCue, LineComparison } from '../model/rows.ts';
import { lineOf, placesOf, selectionReducer, startSelection, type SelectionChange } from './selection.ts';

const cue = (index: number): WorkbenchCue => ({ index, start: index, end: index + 1, text: '', warnings: [] });
const row = (current: readonly number[], proposed: readonly number[]): LineComparison => ({
  kind: 'same',
  current: current.map(cue),
  proposed: proposed.map(cue),
  shift: 0,
  isChanged: false,
  isReworded: false,
  warnings: [],
  confidence: undefined,
});
const after = (...changes: readonly SelectionChange[]) => changes.reduce(selectionReducer, startSelection('timing'));

test('choosing a line scrolls to its row if a place is given, each time', () => {
  const line = { side: 'proposed', index: 3 } as const;
  assert.deepEqual(after({ type: 'choose', line }).reveal, undefined);
  const once = after({ type: 'choose', line, place: 2 });
  assert.deepEqual(once.reveal, { place: 2, isFocus: false });
  assert.notEqual(selectionReducer(once, { type: 'choose', line, place: 2 }).reveal, once.reveal);
});
test('showing all clears the filter and the search, and keeps the line', () => {
  const line = { side: 'current', index: 1 } as const;
  const {
    filter,
    search,
    line: kept,
  } = after(
    { type: 'choose', line },
    { type: 'filter', filter: 'changed' },
    { type: 'search', text: 'x' },
    { type: 'showAll' },
  );
  assert.deepEqual({ filter, search, kept }, { filter: 'all', search: '', kept: line });
});
test('opening the open panel changes nothing, so that nothing is drawn again', () => {
  const before = startSelection('line');
  assert.equal(selectionReducer(before, { type: 'panel', panel: 'line' }), before);
});
test('a line is found again by its cue when rows have moved', () => {
  const rows = [row([], [0]), row([0], [1]), row([1, 2], [2])];
  const places = placesOf(rows);
  assert.equal(places.current.get(2), 2);
  assert.equal(places.proposed.get(1), 1);
  assert.deepEqual(lineOf(rows[0]), { side: 'proposed', index: 0 });
  assert.deepEqual(lineOf(rows[2]), { side: 'current', index: 1 });
  assert.equal(lineOf(undefined), undefined);
});
