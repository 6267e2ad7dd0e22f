/** Days that are drawn in part, and pictures that are zoomed: the arithmetic of the photo pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayAcross,
  dayAt,
  dayOfPhoto,
  layoutOfDays,
  monthAt,
  monthsOf,
  photoPosition,
  rowsOfDays,
  visibleDays,
  yearMarks,
} from './layout.ts';
import { slideMs } from './slideshow.ts';
import { bounded, NO_ZOOM, pinched, swipeOf, zoomedAt } from './zoom.ts';

const NEEDS = { width: 430, leastCell: 100, gap: 10, head: 40, below: 20 };

test('days are laid out one below another, and a photo is found again', () => {
  const layout = layoutOfDays(
    [
      { date: '2024-07-02', count: 5 },
      { date: '2024-07-01', count: 1 },
      { date: '2023-12-31', count: 9 },
    ],
    NEEDS,
  );
  assert.deepEqual([layout.columns, layout.cell, layout.total], [4, 100, 15]);
  assert.deepEqual(
    layout.days.map(({ top, height, first }) => [top, height, first]),
    [
      [0, 270, 0],
      [270, 160, 5],
      [430, 380, 6],
    ],
  );
  assert.equal(layout.height, 810);
  assert.deepEqual(
    [0, 269, 270, 429, 5000].map((top) => dayAt(layout, top)),
    [0, 0, 1, 1, 2],
  );
  assert.deepEqual(
    [0, 4, 5, 6, 14].map((index) => dayOfPhoto(layout, index)),
    [0, 0, 1, 2, 2],
  );
  const [first] = layout.days;
  assert.deepEqual(first && photoPosition(layout, first, 4), { x: 0, y: 150 });
  assert.deepEqual(
    monthsOf(layout).map(({ month, top }) => [month, top]),
    [
      ['2024-07', 0],
      ['2023-12', 430],
    ],
  );
  assert.deepEqual(
    yearMarks(monthsOf(layout), layout.height, 0.1).map(({ year }) => year),
    ['2024', '2023'],
  );
  assert.equal(yearMarks(monthsOf(layout), layout.height, 0.9).length, 1, 'years do not overlap');
});

test('consecutive days of a year share a row while their photos fit in it', () => {
  const counts = (days: [string, number][], columns: number) =>
    rowsOfDays(
      days.map(([date, count]) => ({ date, count })),
      columns,
    ).map((row) => row.map(({ count }) => count));
  const days: [string, number][] = [
    ['2024-07-09', 1],
    ['2024-07-08', 3],
    ['2024-07-07', 1],
    ['2024-06-01', 2],
    ['2024-05-20', 9],
    ['2024-05-19', 1],
    ['2023-12-31', 1],
  ];
  assert.deepEqual(counts(days, 4), [[1, 3], [1, 2], [9], [1], [1]]);
  assert.deepEqual(counts(days, 9), [[1, 3, 1, 2], [9], [1], [1]]);
  assert.deepEqual(counts(days, 1), [[1], [3], [1], [2], [9], [1], [1]]);
  assert.deepEqual(counts([], 4), []);
});

test('days of one row are side by side, and the scrubber leads to all of their months', () => {
  const layout = layoutOfDays(
    [
      { date: '2024-07-02', count: 6 },
      { date: '2024-07-01', count: 1 },
      { date: '2024-06-30', count: 2 },
      { date: '2024-04-30', count: 1 },
      { date: '2024-04-12', count: 3 },
    ],
    NEEDS,
  );
  assert.deepEqual(
    layout.days.map((day) => ({ first: day.first, top: day.top, height: day.height, ...dayAcross(layout, day) })),
    [
      { first: 0, top: 0, height: 270, x: 0, width: 430 },
      { first: 6, top: 270, height: 160, x: 0, width: 100 },
      { first: 7, top: 270, height: 160, x: 110, width: 210 },
      { first: 9, top: 270, height: 160, x: 330, width: 100 },
      { first: 10, top: 430, height: 160, x: 0, width: 430 },
    ],
  );
  assert.deepEqual([layout.height, layout.total], [590, 13]);
  const second = layout.days[2] ?? assert.fail();
  assert.deepEqual(photoPosition(layout, second, 8), { x: 110, y: 40 });
  assert.deepEqual(
    visibleDays(layout, 300, 400).map(({ day, from, to }) => [day.date, from, to]),
    [
      ['2024-07-01', 6, 7],
      ['2024-06-30', 7, 9],
      ['2024-04-30', 9, 10],
    ],
  );
  const months = monthsOf(layout);
  assert.deepEqual(months, [
    { month: '2024-07', until: '2024-07', top: 0 },
    { month: '2024-06', until: '2024-04', top: 270 },
  ]);
  assert.deepEqual(
    [-50, 0, 269, 270, 9999].map((top) => monthAt(months, top)),
    [0, 0, 0, 1, 1],
  );
});

test('of 100,000 photos only those in view are drawn, wherever the view is', () => {
  const days = Array.from({ length: 4000 }, (_, at) => ({ date: `2024-01-${at}`, count: at === 7 ? 20_000 : 20 }));
  days.push(...Array.from({ length: 2000 }, (_, at) => ({ date: `2023-01-${at}`, count: 1 + (at % 3) })));
  const layout = layoutOfDays(days, NEEDS);
  const seen = new Set<number>();
  for (let top = 0; top < layout.height; top += 700) {
    const visible = visibleDays(layout, top, top + 900);
    const drawn = visible.reduce((sum, { from, to }) => sum + to - from, 0);
    assert.ok(drawn <= 60, `${drawn} at ${top}`);
    for (const { from, to } of visible) for (let index = from; index < to; index++) seen.add(index);
  }
  assert.equal(seen.size, layout.total, 'and each of them at some height');
});

test('zooming keeps the point under the pointer, and the picture on the stage', () => {
  const stage = { width: 1000, height: 500 };
  const picture = { width: 4000, height: 3000 };
  const zoom = zoomedAt(NO_ZOOM, { x: 100, y: -50 }, 2);
  assert.deepEqual(zoom, { scale: 2, x: -100, y: 50 });
  assert.deepEqual(zoomedAt(zoom, { x: 100, y: -50 }, 0.5), NO_ZOOM);
  // The picture is 667 wide: at twice the size it is wider than the stage by 333.
  const kept = bounded({ scale: 2, x: 9999, y: -9999 }, picture, stage);
  assert.ok(Math.abs(kept.x - 166.67) < 0.1 && kept.y === -250);
  assert.deepEqual(bounded({ scale: 0.3, x: 50, y: 50 }, picture, stage), NO_ZOOM);
  const two = pinched(
    NO_ZOOM,
    [
      { x: -50, y: 0 },
      { x: 50, y: 0 },
    ],
    [
      { x: -90, y: 10 },
      { x: 110, y: 10 },
    ],
  );
  assert.deepEqual(two, { scale: 2, x: 10, y: 10 });
});

test('a drag is the next picture, the one before, or the way out', () => {
  assert.equal(swipeOf({ x: -200, y: 20 }, 400), 'next');
  assert.equal(swipeOf({ x: 90, y: -20 }, 400), 'previous');
  assert.equal(swipeOf({ x: 10, y: 160 }, 400), 'close');
  assert.equal(swipeOf({ x: 30, y: 10 }, 400), undefined);
});

test('a slideshow shows photos for their time, and clips to their end', () => {
  assert.equal(slideMs(5, undefined), 5000);
  assert.equal(slideMs(5, 'ended'), 0);
  assert.equal(slideMs(5, 'failed'), 5000);
  assert.equal(slideMs(5, 'paused'), undefined, 'it waits');
  assert.ok(Number(slideMs(5, 'playing')) > 60_000 && Number(slideMs(5, 'loading')) > 20_000);
});
