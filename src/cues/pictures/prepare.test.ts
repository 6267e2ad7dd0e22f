/** Preparation: letters of every colour come out black on white, without anything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../test/chance.ts';
import { draw, type Drawing } from '../../../test/subtitles/picture-writers.ts';
import { type Pixels, withinPixelLimit } from './picture.ts';
import { findLines } from './lines.ts';
import { type Grey, prepare } from './prepare.ts';
import { tiffOf } from './tiff.ts';

type Color = readonly [number, number, number, number];
const CLEAR: Color = [0, 0, 0, 0];

/** A picture in three colours: letters, what is around them, and the rest. */
function painted(
  { width, height, cover, fill }: Drawing,
  letter: Color,
  around: Color,
  rest: Color,
  margin = 0,
): Pixels {
  const wide = width + 2 * margin;
  const indexes = new Uint8Array(wide * (height + 2 * margin)).fill(2);
  for (let at = 0; at < cover.length; at++) {
    if ((cover[at] ?? 0) > 7)
      indexes[(Math.floor(at / width) + margin) * wide + (at % width) + margin] = (fill[at] ?? 0) > 7 ? 0 : 1;
  }
  const palette = new Uint8Array(1024);
  palette.set([...letter, ...around, ...rest]);
  return { width: wide, height: height + 2 * margin, indexes, palette };
}

/** Returns the share of letters that is black, and of the rest that is white, in pictures that were not scaled. */
function likeness(grey: Grey | undefined, { width, cover, fill }: Drawing): number {
  assert.ok(grey);
  const ink = [...cover.keys()].filter((at) => (cover[at] ?? 0) > 7 && (fill[at] ?? 0) > 7);
  const left = Math.min(...ink.map((at) => at % width));
  const top = Math.min(...ink.map((at) => Math.floor(at / width)));
  const black = new Set(ink.map((at) => (Math.floor(at / width) - top + 12) * grey.width + (at % width) - left + 12));
  let right = 0;
  for (let at = 0; at < grey.pixels.length; at++) if ((grey.pixels[at] ?? 0) < 128 === black.has(at)) right++;
  return right / grey.pixels.length;
}

const WHITE: Color = [255, 255, 255, 255];
const BLACK: Color = [0, 0, 0, 255];
const drawn = await draw('Reading is\nfun, they say', { size: 38, outline: 3 });

const KINDS: Record<string, readonly [Color, Color, Color, number?]> = {
  'white with a black outline': [WHITE, BLACK, CLEAR],
  'yellow with a black outline': [[250, 230, 30, 255], BLACK, CLEAR],
  'blue with a black outline': [[20, 20, 230, 255], BLACK, CLEAR],
  'black with a white outline': [BLACK, WHITE, CLEAR],
  'grey with a half transparent outline': [[190, 190, 190, 255], [10, 10, 10, 140], CLEAR],
  'white with an outline that is hardly there': [WHITE, [255, 255, 255, 20], CLEAR],
  'white without an outline': [WHITE, CLEAR, CLEAR],
  'black without an outline': [BLACK, CLEAR, CLEAR],
  'white in a black box': [WHITE, BLACK, BLACK, 14],
  'black in a white box': [BLACK, WHITE, WHITE, 14],
  'yellow with a black outline in a grey box': [[250, 230, 30, 255], BLACK, [128, 128, 128, 255], 14],
  'yellow with an outline in a box of another colour': [[250, 230, 30, 255], [0, 0, 60, 255], [0, 0, 60, 255], 14],
};
for (const [name, [letter, around, rest, margin]] of Object.entries(KINDS)) {
  test(name, () => {
    const [page, ...others] = prepare(painted(drawn, letter, around, rest, margin));
    const found = likeness(page, drawn);
    assert.ok(found > 0.99, `${found}`);
    assert.equal(others.length, 0, 'it is clear which colours are letters');
  });
}

/** Letters without an outline. A part of the pixels at their edges has another color, as some programs draw them. */
function speckled({ width, height, cover, fill }: Drawing, letter: Color, speck: Color, part: number): Pixels {
  const next = chance(7);
  const indexes = Uint8Array.from(cover, (_, at) => {
    const share = (cover[at] ?? 0) / 15;
    return share < 0.3 ? 2 : share < 0.6 && next() < part ? 1 : (fill[at] ?? 0) > 7 ? 0 : 2;
  });
  const palette = new Uint8Array(1024);
  palette.set([...letter, ...speck, ...CLEAR]);
  return { width, height, indexes, palette };
}

/** Returns the share of pixels that are ink in both pictures or paper in both; 0 for pictures of different sizes. */
function sameness(one: Grey, other: Grey): number {
  if (one.width !== other.width || one.height !== other.height) return 0;
  return one.pixels.filter((value, at) => value < 128 === (other.pixels[at] ?? 0) < 128).length / one.pixels.length;
}

const plain = await draw('Reading is\nfun, they say', { size: 24, outline: 0 });
for (const [name, letter, speck] of [
  ['white letters with dark specks', WHITE, [16, 16, 16, 255]],
  ['yellow letters with dark specks', [250, 230, 30, 255], [16, 16, 16, 255]],
  ['black letters with white specks', BLACK, WHITE],
] as const) {
  for (const part of [0.1, 0.3, 0.5, 1]) {
    test(`${name} at ${part * 100} % of their edges are prepared so that they can be read`, () => {
      const pages = prepare(speckled(plain, letter, speck, part));
      assert.ok(pages.length <= 2);
      const whole = prepare(speckled(plain, letter, letter, part))[0];
      assert.ok(whole);
      const alike = pages.map((page) => sameness(page, whole));
      assert.ok(Math.max(...alike) > 0.97, alike.join());
    });
  }
}

test('letters that are half transparent are as black as full ones', () => {
  const [page] = prepare(painted(drawn, [255, 255, 255, 115], CLEAR, CLEAR));
  assert.ok(page?.pixels.includes(0));
  assert.ok(likeness(page, drawn) > 0.99);
});

test('planted: an outline that is taken for letters is noticed', () => {
  assert.ok(likeness(prepare(painted(drawn, WHITE, WHITE, CLEAR))[0], drawn) < 0.97);
});

test('letters of every size become one size, and the size is bounded', async () => {
  const heights = await Promise.all(
    [18, 30, 60, 110].map(
      async (size) => prepare(painted(await draw('noon', { size, outline: 2 }), WHITE, BLACK, CLEAR))[0]?.height ?? 0,
    ),
  );
  assert.ok(
    heights.every((height) => height >= 40 && height <= 56),
    heights.join(),
  );
  const stripes = new Uint8Array(4_000 * 2_000).map((_, at) => (Math.floor(at / 4_000) % 6 === 0 ? 0 : 2));
  const [large] = prepare({
    width: 4_000,
    height: 2_000,
    indexes: stripes,
    palette: painted(drawn, WHITE, BLACK, CLEAR).palette,
  });
  assert.ok(large && large.pixels.length <= 9_000_000 && large.width <= 8_100);
});

test('lines that are far apart come together; a picture without ink is nothing', async () => {
  const line = await draw('Far', { size: 38, outline: 2 });
  const one = painted(line, WHITE, BLACK, CLEAR);
  const indexes = new Uint8Array(one.width * 900).fill(2);
  indexes.set(one.indexes);
  indexes.set(one.indexes, one.width * (900 - one.height));
  const [close] = prepare({ ...one, height: 900, indexes });
  assert.ok(close && close.height < 5 * one.height, `${close?.height}`);
  assert.deepEqual(prepare({ ...one, indexes: new Uint8Array(one.indexes.length).fill(2) }), []);
  assert.deepEqual(prepare({ width: 0, height: 0, indexes: new Uint8Array(), palette: one.palette }), []);
});

test('pages of a TIFF are where it says', () => {
  const pages = [
    { width: 3, height: 1, pixels: Uint8Array.of(1, 2, 3) },
    { width: 2, height: 2, pixels: Uint8Array.of(4, 5, 6, 7) },
  ];
  const file = Buffer.from(tiffOf(pages));
  let at = file.readUInt32LE(4);
  for (const { width, height, pixels } of pages) {
    const tags = new Map(
      Array.from({ length: file.readUInt16LE(at) }, (_, n) => [
        file.readUInt16LE(at + 2 + n * 12),
        file.readUInt32LE(at + 10 + n * 12),
      ]),
    );
    assert.deepEqual([tags.get(256), tags.get(257), tags.get(279)], [width, height, pixels.length]);
    assert.deepEqual([...file.subarray(tags.get(273), (tags.get(273) ?? 0) + pixels.length)], [...pixels]);
    at = file.readUInt32LE(at + 2 + tags.size * 12);
  }
  assert.equal(at, 0);
});

test('lines are split with their dots and accents; lines that touch stay a block', async () => {
  const heights = async (text: string): Promise<[number, boolean][]> => {
    const [page] = prepare(painted(await draw(text, { size: 40, outline: 2 }), WHITE, BLACK, CLEAR), 22);
    return page ? findLines(page).map(({ height, isBlock }) => [height, isBlock]) : [];
  };
  assert.equal((await heights('one')).length, 1);
  const two = await heights('Äpfel, ja:\n¿Qué? Ô...');
  assert.equal(two.length, 2);
  assert.ok(
    two.every(([height, isBlock]) => height > 40 && height < 80 && !isBlock),
    JSON.stringify(two),
  );
  assert.equal((await heights('ÅÅÅ\nÜÜÜ\nÖÖÖ')).length, 3);
  assert.equal((await heights('...\n- no')).length, 2, 'dots far from any line are a line');
  const bar = { width: 60, height: 150, pixels: new Uint8Array(60 * 150).fill(0) };
  assert.deepEqual(
    findLines(bar).map(({ isBlock }) => isBlock),
    [true],
  );
  assert.deepEqual(findLines({ width: 4, height: 4, pixels: new Uint8Array(16).fill(255) }), []);
});

test('pictures are read up to a number of pixels of all together', () => {
  const frame = { width: 4_000, height: 2_000 };
  const picture = { ...frame, frame, start: 0, end: 1, x: 0, y: 0, forced: false, isRecoloured: false };
  const pictures = Array.from({ length: 3_000 }, () => ({ ...picture, pixels: () => assert.fail('not decoded') }));
  assert.equal(withinPixelLimit(pictures).length, 1_000);
  assert.equal(withinPixelLimit(pictures.slice(0, 1_000)).length, 1_000);
});

test('a plate is no text, a dash is', () => {
  const { palette } = painted(drawn, WHITE, BLACK, CLEAR);
  const filled = (width: number, height: number): Pixels => ({
    width,
    height,
    indexes: new Uint8Array(width * height),
    palette,
  });
  assert.deepEqual(prepare(filled(900, 300)), []);
  assert.equal(prepare(filled(40, 6), 30).length, 1);
});
