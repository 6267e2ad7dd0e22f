/** Arrow keys go to the nearest thing in their direction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, type FocusBox } from './spatial.ts';

const box = (column: number, row: number, width = 100, height = 150): FocusBox => ({
  left: column * 120,
  top: row * 200,
  right: column * 120 + width,
  bottom: row * 200 + height,
});
const grid = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => box(column, row)));

test('in a grid each arrow goes to the neighbour', () => {
  const from = box(1, 1);
  assert.equal(nearest(from, grid, 'right'), 6);
  assert.equal(nearest(from, grid, 'left'), 4);
  assert.equal(nearest(from, grid, 'up'), 1);
  assert.equal(nearest(from, grid, 'down'), 9);
});
test('at an edge nothing lies beyond', () => {
  assert.equal(nearest(box(0, 0), grid, 'left'), -1);
  assert.equal(nearest(box(3, 2), grid, 'down'), -1);
  assert.equal(nearest(box(0, 0), [], 'down'), -1);
});
test('down from a short last row goes to the row below, even aside', () => {
  const wide: FocusBox = { left: 0, top: 600, right: 60, bottom: 640 };
  assert.equal(nearest(box(3, 2), [...grid, wide], 'down'), 12);
});
test('right does not jump to another row while something is in line', () => {
  const far: FocusBox = { left: 700, top: 0, right: 800, bottom: 150 };
  const nearButBelow: FocusBox = { left: 110, top: 160, right: 210, bottom: 310 };
  assert.equal(nearest(box(0, 0), [nearButBelow, far], 'right'), 1);
});
test('a start that lies off the screen still finds its way', () => {
  assert.equal(nearest({ left: 0, top: -20, right: 1000, bottom: -10 }, grid, 'down') < 4, true);
});
