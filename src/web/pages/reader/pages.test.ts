/** Pages of comics are paired, and places in a text are found again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  distanceTo,
  matchesOnLines,
  offsetOf,
  pageAtLine,
  pageAtOffset,
  pageCount,
  placeAtLine,
  spreads,
  spreadOf,
  TOP_OFFSET,
} from './pages.ts';
import { parseDirections, parsePreferences, stepSize, USUAL_READING } from './preferences.ts';

test('the cover and wide pages are alone', () => {
  assert.deepEqual(
    spreads(7, true, () => false),
    [0, 1, 3, 5],
  );
  assert.deepEqual(
    spreads(7, true, (page) => page === 3),
    [0, 1, 3, 4, 6],
  );
  assert.deepEqual(
    spreads(3, false, () => true),
    [0, 1, 2],
  );
  assert.deepEqual(
    [0, 1, 2, 6].map((page) => spreadOf([0, 1, 3, 5], page)),
    [0, 1, 1, 3],
  );
});

test('a place is found again at the same number of pages', () => {
  for (const pages of [1, 2, 3, 7, 40])
    for (let page = 0; page < pages; page++) assert.equal(pageAtOffset(offsetOf(page, pages), pages), page);
  assert.deepEqual([pageCount(2999, 1000), pageCount(0, 1000)], [3, 1]);
});

test('the page that is read lies on a line, also if it is higher than the window', () => {
  const bottoms = [-100, 240, 4200, 8200];
  assert.deepEqual(
    [0, 240, 800, 9000].map((line) => pageAtLine(bottoms, line)),
    [1, 2, 2, 3],
  );
  assert.equal(pageAtLine([], 10), 0);
});

test('a place in a high page is found again in another size of the window and of the pages', () => {
  const pagesAt = (height: number, scrolled: number) =>
    [0, 1, 2].map((n) => ({ top: n * height - scrolled, bottom: (n + 1) * height - scrolled }));
  for (const scrolled of [0, 700, 9000, 17_000]) {
    const place = placeAtLine(pagesAt(9000, scrolled), 240);
    assert.equal(place.page, Math.floor((scrolled + 240) / 9000));
    // A phone: lower pages, and another line.
    const on = pagesAt(3000, 500);
    const page = on[place.page];
    assert.ok(page);
    const moved = 500 + distanceTo(page, place.offset, 150);
    const again = placeAtLine(pagesAt(3000, moved), 150);
    assert.equal(again.page, place.page);
    assert.ok(Math.abs(again.offset - place.offset) < 1e-9, `${again.offset} ${place.offset}`);
  }
  assert.deepEqual(placeAtLine(pagesAt(9000, -600), 240), { page: 0, offset: TOP_OFFSET });
  // A page begins at the top of the window if no place in it is given.
  for (const offset of [0, TOP_OFFSET]) assert.equal(distanceTo({ top: 80, bottom: 980 }, offset, 240), 80);
  assert.deepEqual(placeAtLine([], 240), { page: 0, offset: 1 });
});

test('damaged directions are left out', () => {
  assert.deepEqual(
    [...parseDirections('{"a":"rtl","b":7,"c":"up","d":"ltr"}')],
    [
      ['a', 'rtl'],
      ['d', 'ltr'],
    ],
  );
  for (const damaged of [null, 'x', '7', 'null']) assert.equal(parseDirections(damaged).size, 0);
});

test('damaged preferences are the usual ones', () => {
  assert.deepEqual(parsePreferences('nonsense'), USUAL_READING);
  assert.deepEqual(parsePreferences('{"theme":"dark","size":7,"isScrolled":"yes","fit":"width"}'), {
    ...USUAL_READING,
    theme: 'dark',
    fit: 'width',
  });
  assert.equal(parsePreferences('{"fit":"height"}').fit, 'page');
  assert.deepEqual([stepSize(100, 1), stepSize(200, 1), stepSize(80, -1)], [115, 200, 80]);
});

test('a text is found on the lines of a page, also across their ends and in another case', () => {
  const lines = ['The White Rabbit', 'ran past a rabbit', 'hole.'];
  assert.deepEqual(matchesOnLines(lines, 'RABBIT'), [[{ line: 0, from: 10, to: 16 }], [{ line: 1, from: 11, to: 17 }]]);
  assert.deepEqual(matchesOnLines(lines, 'rabbit  ran'), [
    [
      { line: 0, from: 10, to: 16 },
      { line: 1, from: 0, to: 3 },
    ],
  ]);
  assert.deepEqual(matchesOnLines(lines, 'hare'), []);
  assert.deepEqual(matchesOnLines(lines, ' '), []);
  assert.deepEqual(matchesOnLines([], 'x'), []);
  // Lower case of the first letter is two characters.
  assert.deepEqual(matchesOnLines(['\u0130x END', 'the end'], 'END'), [[{ line: 1, from: 4, to: 7 }]]);
});
