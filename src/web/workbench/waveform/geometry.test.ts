/** The waveform's arithmetic: views stay within the film, tiles cover views, and cues in view are found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onAt, panned, showing, ticksOf, tilesOf, timeAt, wholeView, cuesWithin, xOf, zoomed } from './geometry.ts';

const FILM = 5400;
const isWithin = ({ from, to }: { from: number; to: number }) => from >= 0 && to <= FILM + 1e-9 && to > from;

test('a view stays within the film, however it is moved', () => {
  let view = wholeView(FILM);
  for (let n = 0; n < 300; n++) {
    view =
      n % 3 === 0 ? zoomed(view, n % 2 ? 1.7 : 0.8, (n * 97) % FILM, FILM) : panned(view, ((n * 53) % 400) - 200, FILM);
    assert.ok(isWithin(view), JSON.stringify(view));
  }
  assert.deepEqual(zoomed({ from: 10, to: 20 }, 0, 15, FILM), wholeView(FILM));
});
test('zooming keeps the time under the pointer where it is', () => {
  const before = { from: 1000, to: 1100 };
  const after = zoomed(before, 2, 1030, FILM);
  assert.ok(Math.abs(xOf(before, 800, 1030) - xOf(after, 800, 1030)) < 1e-6);
  assert.ok(Math.abs(after.to - after.from - 50) < 1e-9);
});
test('a place and its time are each other', () => {
  const view = { from: 61.5, to: 99.25 };
  for (let x = 0; x <= 1000; x += 37) assert.ok(Math.abs(xOf(view, 1000, timeAt(view, 1000, x)) - x) < 1e-6);
  assert.equal(timeAt(view, 1000, 5000), 99.25);
});
test('the view turns like a page when the film runs out of it', () => {
  assert.deepEqual(showing({ from: 0, to: 10 }, 5, FILM), { from: 0, to: 10 });
  const next = showing({ from: 0, to: 10 }, 10.5, FILM);
  assert.ok(next.from < 10.5 && next.to > 10.5 && next.to - next.from === 10);
});
test('at most two tiles cover a view, and moving a little asks for the same ones', () => {
  for (let n = 0; n < 200; n++) {
    const view = panned(zoomed(wholeView(FILM), 1 + n * 4, (n * 211) % FILM, FILM), (n * 17) % 90, FILM);
    const tiles = tilesOf(view, FILM);
    assert.ok(tiles.length >= 1 && tiles.length <= 2);
    assert.ok(
      (tiles[0]?.from ?? 1e9) <= view.from + 1e-6 && (tiles[tiles.length - 1]?.to ?? 0) >= view.to - 0.002,
      JSON.stringify({ view, tiles }),
    );
  }
  assert.deepEqual(tilesOf(wholeView(FILM), FILM), [wholeView(FILM)]);
  assert.deepEqual(tilesOf({ from: 100, to: 110 }, FILM), tilesOf({ from: 100.4, to: 110.4 }, FILM));
  assert.deepEqual(tilesOf(wholeView(0), 0), []);
});
test('times are written at round places, not too close', () => {
  const view = { from: 3.2, to: 63.2 };
  const { step, times } = ticksOf(view, 600, 80);
  assert.equal(step, 10);
  assert.deepEqual(times, [10, 20, 30, 40, 50, 60]);
});
test('cues that reach into a view', () => {
  const cues = Array.from({ length: 1000 }, (_, n) => ({ start: n * 5, end: n * 5 + 3 }));
  assert.deepEqual(
    cuesWithin(cues, { from: 12, to: 21 }).map(({ start }) => start),
    [10, 15, 20],
  );
  assert.deepEqual(onAt(cues, 13), []);
  assert.deepEqual(onAt(cues, 10), [{ start: 10, end: 13 }]);
});
