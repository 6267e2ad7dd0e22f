/** PGS: the meaning of its segments, in files written segment by segment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  composition,
  type Drawing,
  objectSegments,
  palette,
  segment,
  sup,
} from '../../../test/subtitles/picture-writers.ts';
import { pgsSteps, readPgs } from './pgs.ts';
import { type Picture, rgbaOf, withoutFades } from './picture.ts';

const SIZE = { width: 320, height: 240 };
const END = (at: number): Buffer => segment(0x80, at, []);
const COLORS = palette([255, 255, 255], [0, 0, 0], false);
/** A block of one colour: `shade` 0 is outline, 15 is letter. */
const block = (width: number, height: number, shade = 15): Drawing => ({
  width,
  height,
  cover: new Uint8Array(width * height).fill(15),
  fill: new Uint8Array(width * height).fill(shade),
});
const show = (
  at: number,
  number: number,
  state: 0 | 0x40 | 0x80,
  objects: Parameters<typeof composition>[1]['objects'],
  more: Partial<Parameters<typeof composition>[1]> = {},
): Buffer => segment(0x16, at, composition(SIZE, { number, state, objects, ...more }));
const set = (at: number, id = 0): Buffer => segment(0x14, at, [id, ...COLORS.slice(1)]);
const timesOf = (pictures: readonly Picture[]): number[][] => pictures.map(({ start, end }) => [start, end]);
/** Red of a place in the frame, or -1 where nothing is. */
function at(picture: Picture | undefined, x: number, y: number): number {
  assert.ok(picture);
  const rgba = rgbaOf(picture.pixels());
  const place = ((y - picture.y) * picture.width + (x - picture.x)) * 4;
  return (rgba[place + 3] ?? 0) === 0 ? -1 : (rgba[place] ?? 0);
}

test('two objects are one picture, with nothing between them', () => {
  const bytes = Buffer.concat([
    show(1_000, 0, 0x80, [
      { id: 0, x: 10, y: 20 },
      { id: 1, x: 100, y: 200, forced: true },
    ]),
    set(1_000),
    ...objectSegments(0, 1_000, block(8, 4)),
    ...objectSegments(1, 1_000, block(6, 3, 0)),
    END(1_000),
    show(2_000, 1, 0, []),
    END(2_000),
  ]);
  const { pictures, notes } = readPgs(bytes);
  assert.deepEqual(notes, []);
  const [picture] = pictures;
  assert.deepEqual(
    [picture?.start, picture?.end, picture?.x, picture?.y, picture?.width, picture?.height, picture?.forced],
    [1_000, 2_000, 10, 20, 96, 183, true],
  );
  assert.deepEqual(
    [
      at(picture, 10, 20),
      at(picture, 17, 23),
      at(picture, 18, 20),
      at(picture, 100, 200),
      at(picture, 105, 202),
      at(picture, 50, 100),
    ],
    [255, 255, -1, 0, 0, -1],
  );
});

test('an object is used again in its epoch, moved and cropped, and forgotten with it', () => {
  const drawing: Drawing = { ...block(8, 4), fill: Uint8Array.from({ length: 32 }, (_, n) => (n % 8 < 4 ? 15 : 0)) };
  const bytes = Buffer.concat([
    show(1_000, 0, 0x80, [{ id: 7, x: 0, y: 0 }]),
    set(1_000),
    ...objectSegments(7, 1_000, drawing),
    END(1_000),
    show(2_000, 1, 0, [{ id: 7, x: 40, y: 50 }]),
    END(2_000),
    show(3_000, 2, 0, [{ id: 7, x: 60, y: 70, crop: { x: 4, y: 1, width: 3, height: 2 } }]),
    END(3_000),
    show(4_000, 3, 0x80, [{ id: 7, x: 0, y: 0 }]),
    END(4_000),
    show(5_000, 4, 0, []),
    END(5_000),
  ]);
  const { pictures, notes } = readPgs(bytes);
  assert.deepEqual(timesOf(pictures), [
    [1_000, 2_000],
    [2_000, 3_000],
    [3_000, 4_000],
  ]);
  assert.deepEqual(
    [pictures[1]?.x, pictures[1]?.y, at(pictures[1], 40, 50), at(pictures[1], 44, 50)],
    [40, 50, 255, 0],
  );
  assert.deepEqual(
    [pictures[2]?.width, pictures[2]?.height, at(pictures[2], 60, 70), at(pictures[2], 62, 71)],
    [3, 2, 0, 0],
  );
  assert.deepEqual(notes, [{ defect: 'object-undefined', count: 1 }]);
});

test('a picture that is repeated for late viewers continues', () => {
  const whole = (time: number, number: number, state: 0x40 | 0x80): Buffer[] => [
    show(time, number, state, [{ id: 0, x: 5, y: 5 }]),
    set(time),
    ...objectSegments(0, time, block(8, 4)),
    END(time),
  ];
  const bytes = Buffer.concat([
    ...whole(1_000, 0, 0x80),
    ...whole(2_000, 1, 0x40),
    ...whole(3_000, 2, 0x40),
    show(4_000, 3, 0, []),
    END(4_000),
  ]);
  assert.deepEqual(timesOf(readPgs(bytes).pictures), [[1_000, 4_000]]);
});

test('a fade is several pictures, and the one shown longest for recognition', () => {
  const faint = [0, 0, ...COLORS.slice(2).map((value, n) => (n % 5 === 4 ? value >> 2 : value))];
  const bytes = Buffer.concat([
    show(1_000, 0, 0x80, [{ id: 0, x: 5, y: 5 }]),
    segment(0x14, 1_000, faint),
    ...objectSegments(0, 1_000, block(8, 4)),
    END(1_000),
    show(1_100, 1, 0, [{ id: 0, x: 5, y: 5 }], { isPaletteOnly: true }),
    set(1_100),
    END(1_100),
    show(2_900, 2, 0, [{ id: 0, x: 5, y: 5 }], { isPaletteOnly: true }),
    segment(0x14, 2_900, faint),
    END(2_900),
    show(3_000, 3, 0, []),
    END(3_000),
  ]);
  const { pictures } = readPgs(bytes);
  assert.deepEqual(timesOf(pictures), [
    [1_000, 1_100],
    [1_100, 2_900],
    [2_900, 3_000],
  ]);
  assert.deepEqual(
    pictures.map(({ isRecoloured }) => isRecoloured),
    [false, true, true],
  );
  const [one, ...rest] = withoutFades(pictures);
  assert.deepEqual([one?.start, one?.end, rest.length], [1_000, 3_000, 0]);
  assert.equal(one && rgbaOf(one.pixels())[3], 255, 'the colours of the longest step');
});

test('another palette of the epoch is another colour', () => {
  const bytes = Buffer.concat([
    show(1_000, 0, 0x80, [{ id: 0, x: 0, y: 0 }], { palette: 3 }),
    set(1_000),
    segment(0x14, 1_000, [3, 0, 255, 16, 128, 128, 255]),
    ...objectSegments(0, 1_000, block(4, 4)),
    END(1_000),
    show(2_000, 1, 0, []),
    END(2_000),
  ]);
  assert.equal(at(readPgs(bytes).pictures[0], 0, 0), 0);
});

test('defects are corrected: ends of sets, the end of a picture, order, the clock', () => {
  const shown = (time: number): Buffer[] => [
    show(time, 0, 0x80, [{ id: 0, x: 0, y: 0 }]),
    set(time),
    ...objectSegments(0, time, block(4, 4)),
  ];
  assert.deepEqual(
    timesOf(readPgs(Buffer.concat([...shown(1_000), show(2_000, 1, 0, [])])).pictures),
    [[1_000, 2_000]],
    'sets without an end',
  );
  const last = readPgs(Buffer.concat([...shown(1_000), END(1_000)]));
  assert.deepEqual([timesOf(last.pictures), last.notes], [[[1_000, 6_000]], [{ defect: 'picture-endless', count: 1 }]]);
  const back = readPgs(
    Buffer.concat([...shown(9_000), END(9_000), ...shown(1_000), END(1_000), show(2_000, 1, 0, []), END(2_000)]),
  );
  assert.deepEqual(timesOf(back.pictures), [
    [1_000, 2_000],
    [9_000, 14_000],
  ]);
  // 2^32 ticks of 90 kHz are 13 hours, 15 minutes and 21.859 s.
  const late = Math.floor(2 ** 32 / 90) - 500;
  const wrapped = readPgs(Buffer.concat([...shown(late), END(late), show(500, 1, 0, []), END(500)]));
  assert.deepEqual(timesOf(wrapped.pictures), [[late, Math.round(2 ** 32 / 90 + 500)]]);
  const noisy = readPgs(
    Buffer.concat([
      Buffer.from('PGnoise, PG and P'),
      ...shown(1_000),
      END(1_000),
      Buffer.from([0, 1, 2]),
      show(2_000, 1, 0, []),
      END(2_000),
      Buffer.from('PG12'),
    ]),
  );
  assert.deepEqual(
    [timesOf(noisy.pictures), noisy.notes],
    [[[1_000, 2_000]], [{ defect: 'bytes-left-out', count: 2 }]],
  );
});

test('an object that leaves the frame is cut to it; one outside is left out', () => {
  const bytes = Buffer.concat([
    show(1_000, 0, 0x80, [
      { id: 0, x: 316, y: 238 },
      { id: 0, x: 400, y: 10 },
    ]),
    set(1_000),
    ...objectSegments(0, 1_000, block(8, 4)),
    END(1_000),
    show(2_000, 1, 0, []),
    END(2_000),
  ]);
  const { pictures, notes } = readPgs(bytes);
  assert.deepEqual([pictures[0]?.width, pictures[0]?.height, pictures[0]?.pixels().indexes.length], [4, 2, 8]);
  assert.deepEqual(notes, [{ defect: 'object-outside', count: 1 }]);
});

test('pixels are decoded at each call and the file is not changed', () => {
  const bytes = sup([{ start: 0, end: 10, drawing: block(8, 4), x: 0, y: 0 }], SIZE);
  const before = Buffer.from(bytes);
  const [picture] = readPgs(bytes).pictures;
  assert.ok(picture);
  const first = picture.pixels();
  first.indexes.fill(3);
  first.palette.fill(9);
  assert.equal(at(picture, 0, 0), 255);
  assert.ok(bytes.equals(before));
});

test('a large file is read in many short steps', () => {
  const palettes = Buffer.concat(Array.from({ length: 100_000 }, (_, n) => segment(0x14, 1_000, [n & 255, 0])));
  let steps = 0;
  for (const _ of pgsSteps(palettes)) steps++;
  assert.ok(steps >= 90, `${steps} steps`);
});
