/** The grid's arithmetic: nothing in view is left out, nothing far away is drawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { gridLayoutOf, pagesOf, cellPositionOf, rangeOf, gridStepOf } from './window.ts';

const needs = { width: 1000, total: 100_000, leastColumn: 150, gap: 20, ratio: 1.5, words: 50 };

test('columns fill the width and are never narrower than asked', () => {
  const layout = gridLayoutOf(needs);
  assert.equal(layout.columns, 6);
  assert.equal(layout.cellWidth, 150);
  assert.equal(layout.rowStep, 295);
  assert.equal(layout.rows, 16_667);
  assert.equal(gridLayoutOf({ ...needs, width: 90 }).columns, 1);
});
test('at any depth of a hundred thousand cards only some dozens are drawn', () => {
  const layout = gridLayoutOf(needs);
  for (const top of [0, 1_000_000, layout.height - 900]) {
    const { first, end } = rangeOf(layout, needs.total, { top, view: 900, spare: 2 });
    assert.ok(end - first <= 54, `${end - first} cards at ${top}`);
  }
});
test('every card that touches the view is in the range', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: -500, max: 900_000 }),
      fc.integer({ min: 1, max: 3000 }),
      (total, width, top, view) => {
        const layout = gridLayoutOf({ ...needs, total, width });
        const { first, end } = rangeOf(layout, total, { top, view, spare: 0 });
        for (let index = 0; index < total; index += 7) {
          const { y } = cellPositionOf(layout, index);
          const isInView = y < top + view && y + layout.cellHeight > top;
          if (isInView) assert.ok(index >= first && index < end, `card ${index} is in view and not drawn`);
        }
        assert.ok(first >= 0 && end <= total && first <= end);
      },
    ),
  );
});
test('the pages asked for hold the range and no more', () => {
  assert.deepEqual(pagesOf({ first: 0, end: 100 }, 100), [0]);
  assert.deepEqual(pagesOf({ first: 99, end: 101 }, 100), [0, 1]);
  assert.deepEqual(pagesOf({ first: 250, end: 250 }, 100), []);
});
test('arrows stay inside the grid', () => {
  const layout = gridLayoutOf({ ...needs, total: 8 });
  assert.equal(gridStepOf(layout, 8, 0, 'ArrowLeft'), undefined);
  assert.equal(gridStepOf(layout, 8, 5, 'ArrowRight'), undefined);
  assert.equal(gridStepOf(layout, 8, 4, 'ArrowDown'), 7);
  assert.equal(gridStepOf(layout, 8, 7, 'ArrowDown'), undefined);
  assert.equal(gridStepOf(layout, 8, 7, 'ArrowUp'), 1);
  assert.equal(gridStepOf(layout, 8, 3, 'Home'), 0);
  assert.equal(gridStepOf(layout, 8, 3, 'End'), 7);
  assert.equal(gridStepOf(layout, 8, 3, 'x'), undefined);
});
