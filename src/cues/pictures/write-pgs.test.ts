/** The PGS writer against the readers: pictures of a DVD come back as they were, and hostile ones are bounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, sup, vobSub } from '../../../test/subtitles/picture-writers.ts';
import { readPgs } from './pgs.ts';
import { type Picture, rgbaOf } from './picture.ts';
import { atOnce } from './steps.ts';
import { readVobSub } from './vobsub.ts';
import { readVobSubIndex } from './vobsub-index.ts';
import { createSupShift, supSteps } from './write-pgs.ts';

const SIZE = { width: 720, height: 576 };
/** Video range has 219 steps for 255, so a colour may come back this far off. */
const COLOR_STEP = 2;

function difference(a: Uint8Array, b: Uint8Array): number {
  let most = Math.abs(a.length - b.length);
  for (let at = 0; at < a.length; at += 4) {
    if (a[at + 3] === 0 && b[at + 3] === 0) continue;
    for (let channel = 0; channel < 4; channel++)
      most = Math.max(most, Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)));
  }
  return most;
}
const block = (change: Partial<Picture>, color = 1): Picture => {
  const picture = {
    start: 0,
    end: 1_000,
    x: 0,
    y: 0,
    width: 100,
    height: 50,
    frame: SIZE,
    forced: false,
    isRecoloured: false,
    ...change,
  };
  return {
    ...picture,
    pixels: () => ({
      width: picture.width,
      height: picture.height,
      indexes: new Uint8Array(picture.width * picture.height).fill(color),
      palette: new Uint8Array(1024).fill(255),
    }),
  };
};

test('pictures of a DVD come back with their times, places and colours', async () => {
  const drawn = await Promise.all(
    ['One line', 'Two lines\nof text, and more', 'g|j'].map((text, n) => draw(text, { size: 24 + n * 7 })),
  );
  const shown = drawn.map((drawing, n) => ({
    start: 1_000 + n * 2_000,
    end: 2_000 + n * 2_000,
    drawing,
    x: 13 + n,
    y: SIZE.height - drawing.height - 5,
    forced: n === 1,
  }));
  const { idx, sub } = vobSub([{ language: 'en', shown }], SIZE, { letter: 'fae020', outline: '102040' });
  const index = readVobSubIndex(idx);
  assert.ok(index.tracks[0]);
  const before = readVobSub(index, index.tracks[0], sub);
  const { pictures, notes } = readPgs(atOnce(supSteps(before)));
  assert.deepEqual(notes, []);
  const facts = ({ start, end, x, y, width, height, frame, forced }: Picture) => ({
    start,
    end,
    x,
    y,
    width,
    height,
    frame,
    forced,
  });
  assert.equal(pictures.length, 3);
  assert.deepEqual(pictures.map(facts), before.pictures.map(facts));
  for (const [n, picture] of pictures.entries())
    assert.ok(
      difference(rgbaOf(picture.pixels()), rgbaOf(before.pictures[n]?.pixels() ?? picture.pixels())) <= COLOR_STEP,
      `picture ${n}`,
    );
});

test('runs of every length, a picture that follows at once, and an object in several pieces', () => {
  const noise = Uint8Array.from({ length: 400 * 400 }, (_, at) => (at * 2_654_435_761) >>> 24);
  const palette = Uint8Array.from({ length: 1024 }, (_, at) => (at % 4 === 3 ? 255 : (at >> 2) & 0xf0));
  const pictures: Picture[] = [
    block({ start: 0, end: 1_000, width: 720, height: 2 }),
    block({ start: 1_000, end: 2_000, width: 64, height: 3 }, 0),
    {
      ...block({ start: 2_000, end: 3_000, width: 400, height: 400 }),
      pixels: () => ({ width: 400, height: 400, indexes: noise, palette }),
    },
  ];
  const bytes = atOnce(supSteps({ pictures }));
  const back = readPgs(bytes).pictures;
  assert.deepEqual(
    back.map(({ start, end }) => [start, end]),
    [
      [0, 1_000],
      [1_000, 2_000],
      [2_000, 3_000],
    ],
  );
  assert.deepEqual([...(back[2]?.pixels().indexes ?? [])], [...noise]);
  assert.ok(bytes.length > 130_000, 'more than two pieces of 65,000 bytes');
});

test('the work is bounded by pixels, and a picture that no screen holds is left out', () => {
  let drawn = 0;
  const count = (picture: Picture): Picture => ({ ...picture, pixels: () => (drawn++, picture.pixels()) });
  const frame = { width: 4096, height: 4096 };
  assert.equal(
    readPgs(
      atOnce(
        supSteps({
          pictures: [count(block({ frame, width: 4096, height: 4096 })), count(block({ start: 1_000, end: 2_000 }))],
        }),
      ),
    ).pictures.length,
    1,
  );
  assert.equal(drawn, 1);
  const large = { width: 1920, height: 1080, frame: { width: 1920, height: 1080 } };
  const steps = supSteps({
    pictures: Array.from({ length: 20_000 }, (_, n) => ({
      ...block({ ...large, start: n, end: n + 1 }),
      pixels: () => ({ width: 1, height: 1, indexes: Uint8Array.of(1), palette: new Uint8Array(1024) }),
    })),
  });
  let taken = 0;
  while (steps.next().done !== true) taken++;
  assert.ok(taken < 1_000, `${taken} pictures of a whole screen`);
});

test('times move earlier in any pieces, and malformed bytes end the stream', async () => {
  const drawing = await draw('moved');
  const at = (start: number) => sup([{ start: start + 1_000, end: start + 2_000, drawing, x: 5, y: 6 }], SIZE);
  const whole = Buffer.from(at(60_000));
  for (const size of [1, 7, 13, 1_000, whole.length]) {
    const shift = createSupShift(60_000);
    const out: Uint8Array[] = [];
    for (let from = 0; from < whole.length; from += size) out.push(shift(whole.subarray(from, from + size)));
    assert.ok(Buffer.concat(out).equals(at(0)), `in pieces of ${size}`);
  }
  const shift = createSupShift(60_000);
  assert.equal(
    Buffer.concat([shift(whole), shift(Buffer.from('not a segment at all')), shift(whole)]).length,
    whole.length,
  );
});
