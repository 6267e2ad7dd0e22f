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

/** Boxes as a television of 1920 pixels draws them: left, top, width, height. */
const at = (left: number, top: number, width: number, height: number, isElsewhere = false): FocusBox => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
  isElsewhere,
});
const LAYOUTS: readonly {
  name: string;
  direction: 'up' | 'down';
  from: FocusBox;
  goal?: number;
  boxes: Record<string, FocusBox>;
  to: string | undefined;
}[] = [
  {
    name: 'the last button of a film goes nowhere, because only the sidebar is above it',
    direction: 'up',
    from: at(1609, 372, 66, 66),
    boxes: { history: at(18, 267, 312, 63, true), list: at(18, 201, 312, 63, true), play: at(900, 366, 160, 78) },
    to: undefined,
  },
  {
    name: 'the last row of a library does not go to the sidebar either',
    direction: 'down',
    from: at(420, 535, 259, 462),
    boxes: { account: at(18, 990, 312, 63, true) },
    to: undefined,
  },
  {
    name: 'the bar of a phone is below everything, and is reached',
    direction: 'down',
    from: at(16, 500, 110, 200),
    boxes: { home: at(0, 740, 90, 56, true), more: at(270, 740, 90, 56, true) },
    to: 'home',
  },
  {
    name: 'an episode that was found goes to the film above it, not past it to the field in line',
    direction: 'up',
    from: at(1140, 783, 720, 119),
    boxes: { field: at(420, 48, 1104, 84), show: at(408, 226, 259, 462) },
    to: 'show',
  },
  {
    name: 'a card goes to the link above its row before a wide row far above',
    direction: 'up',
    from: at(948, 656, 234, 425),
    boxes: { version: at(421, 0, 1426, 40), all: at(640, 600, 86, 42) },
    to: 'all',
  },
  {
    name: 'a card goes to the card above it, not to the first control of the row between',
    direction: 'up',
    from: at(1212, 656, 234, 425),
    boxes: { all: at(640, 600, 86, 42), first: at(420, 130, 234, 425), above: at(1212, 130, 234, 425) },
    to: 'above',
  },
  {
    name: 'a card above the small player goes to the next row, which is still below the window',
    direction: 'down',
    from: at(420, 559, 234, 425),
    boxes: { player: at(420, 985, 1164, 95, true), card: at(420, 1090, 234, 425) },
    to: 'card',
  },
  {
    name: 'a row of the queue goes to the tabs above it, not to the nearer button beside it',
    direction: 'up',
    from: at(768, 270, 814, 77),
    boxes: { back: at(72, 12, 66, 66), tab: at(768, 99, 121, 60), clear: at(1618, 204, 230, 66) },
    to: 'tab',
  },
  {
    name: 'in a row of buttons of two heights the one above is nearest',
    direction: 'up',
    from: at(1609, 520, 300, 60),
    boxes: { play: at(900, 366, 160, 80), mark: at(1072, 366, 317, 78), more: at(1640, 372, 66, 66) },
    to: 'more',
  },
  {
    name: 'an element as wide as the page goes to the middle of the row above',
    direction: 'up',
    from: at(421, 640, 1426, 71),
    boxes: { play: at(900, 366, 160, 78), mark: at(1072, 366, 317, 78), more: at(1609, 372, 66, 66) },
    to: 'mark',
  },
  {
    name: 'unless it was reached from another column',
    direction: 'up',
    from: at(421, 640, 1426, 71),
    goal: 1642,
    boxes: { play: at(900, 366, 160, 78), mark: at(1072, 366, 317, 78), more: at(1609, 372, 66, 66) },
    to: 'more',
  },
  {
    name: 'a slider that begins lower than the buttons of its row is returned to from the bar above it',
    direction: 'down',
    from: at(72, 948, 1776, 42),
    goal: 486,
    boxes: { pause: at(72, 990, 78, 78), mute: at(306, 990, 78, 78), volume: at(384, 1005, 204, 48) },
    to: 'volume',
  },
];
for (const { name, direction, from, goal, boxes, to } of LAYOUTS)
  test(name, () => {
    assert.equal(Object.keys(boxes)[nearest(from, Object.values(boxes), direction, goal)], to);
  });
