/** Selecting by id: single items, ranges, all, and the limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watching } from '../../../contract/catalog/watching.ts';
import { withRange, MAX_SELECTED, positionsBetween, type ItemSelection, withToggled } from './selection.ts';

const idsOf = (now: ItemSelection | undefined) => [...(now?.ids ?? [])];
const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `item ${from + at}`);

test('items are selected and deselected one by one, and without one the selection ends', () => {
  const one = withToggled(undefined, 'films', 'a');
  const two = withToggled(one, 'films', 'b');
  assert.deepEqual([idsOf(one), idsOf(two), two?.anchor], [['a'], ['a', 'b'], 'b']);
  const back = withToggled(two, 'films', 'a');
  assert.deepEqual(idsOf(back), ['b']);
  assert.equal(withToggled(back, 'films', 'b'), undefined);
});

test('selecting in another list ends the selection of the first', () => {
  const films = withRange(undefined, 'films', ['a', 'b']);
  assert.deepEqual(idsOf(withToggled(films, 'episodes', 'x')), ['x']);
  assert.deepEqual(idsOf(withRange(films, 'episodes', ['x', 'y'])), ['x', 'y']);
});

test('a range adds to what is selected, once each, and keeps its anchor for the next range', () => {
  const one = withToggled(withToggled(undefined, 'films', 'z'), 'films', 'b');
  const range = withRange(one, 'films', ['b', 'c', 'd']);
  assert.deepEqual([idsOf(range), range?.anchor], [['z', 'b', 'c', 'd'], 'b']);
});

test('a range runs in both directions, from its anchor, over cards that were never drawn', () => {
  assert.deepEqual(positionsBetween(3, 6), [3, 4, 5, 6]);
  assert.deepEqual(positionsBetween(6, 3), [6, 5, 4, 3]);
  assert.deepEqual(positionsBetween(5, 5), [5]);
  const far = positionsBetween(99_000, 0);
  assert.deepEqual([far.length, far[0], far.at(-1)], [MAX_SELECTED, 99_000, 99_000 - MAX_SELECTED + 1]);
});

test('no more are selected than the server changes at once', () => {
  const full = withRange(undefined, 'films', many(MAX_SELECTED + 40));
  assert.equal(full?.ids.size, MAX_SELECTED);
  assert.equal(withToggled(full, 'films', 'one more'), full);
  assert.equal(withToggled(full, 'films', 'item 0')?.ids.size, MAX_SELECTED - 1);
  const body = watching.change.body;
  const ids = (count: number) => Array.from({ length: count }, (_, at) => at.toString(16).padStart(16, '0'));
  assert.equal(body.safeParse({ ids: ids(MAX_SELECTED), mark: 'watched' }).success, true);
  assert.equal(body.safeParse({ ids: ids(MAX_SELECTED + 1), mark: 'watched' }).success, false);
});
