/**
 * Hostile pictures: valid files that were changed, cut, doubled and mixed, and plain noise. Every reader returns
 * pictures that keep the promises of picture.ts, or none; nothing throws, and memory and work are bounded.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import {
  composition,
  draw,
  objectSegments,
  palette,
  segment,
  subPicture,
  sup,
  vobSub,
} from '../../../test/subtitles/picture-writers.ts';
import { readMatroskaTrack } from './matroska.ts';
import { readPgs } from './pgs.ts';
import { PICTURE_LIMITS, type PictureDocument, withoutFades } from './picture.ts';
import { findLines } from './lines.ts';
import { prepare, usualLetter } from './prepare.ts';
import { unitsOf } from './program-stream.ts';
import { readSubPicture } from './sub-picture.ts';
import { tiffOf } from './tiff.ts';
import { readVobSubIndex } from './vobsub-index.ts';
import { readVobSub, readVobSubBlocks } from './vobsub.ts';

const SIZE = { width: 320, height: 240 };
const drawing = await draw('Fuzz\nme', { size: 20, outline: 2 });
const shown = [0, 1, 2].map((n) => ({ start: 1_000 * n, end: 1_000 * n + 700, drawing, x: 20, y: 100 }));
const PGS = Buffer.concat([
  sup(shown, SIZE, { piece: 300 }),
  segment(
    0x16,
    9_000,
    composition(SIZE, {
      number: 9,
      state: 0x80,
      objects: [
        { id: 0, x: 1, y: 2, crop: { x: 3, y: 4, width: 9, height: 9 } },
        { id: 1, x: 90, y: 90 },
      ],
    }),
  ),
  segment(0x14, 9_000, palette([255, 255, 0], [0, 0, 0], false)),
  ...objectSegments(0, 9_000, drawing),
  ...objectSegments(1, 9_000, drawing),
  segment(0x80, 9_000, []),
]);
const PAIR = vobSub(
  [
    { language: 'en', shown },
    { language: 'de', shown, delay: '00:00:01:000' },
  ],
  SIZE,
);
const UNIT = Uint8Array.from(subPicture(shown[0] ?? assert.fail()));

/** An element of Matroska with a size of four bytes. */
const element = (id: number[], body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([
      ...id,
      0x10 | (body.length >> 24),
      (body.length >> 16) & 255,
      (body.length >> 8) & 255,
      body.length & 255,
    ]),
    body,
  ]);
const MATROSKA = Buffer.concat([
  Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  element(
    [0x16, 0x54, 0xae, 0x6b],
    element(
      [0xae],
      Buffer.concat([element([0x86], Buffer.from('S_VOBSUB')), element([0x63, 0xa2], Buffer.from('size: 320x240\n'))]),
    ),
  ),
  element(
    [0x1f, 0x43, 0xb6, 0x75],
    Buffer.concat([
      element([0xe7], Buffer.from([0])),
      element(
        [0xa0],
        Buffer.concat([element([0xa1], Buffer.from([0x81, 0, 5, 0, ...UNIT])), element([0x9b], Buffer.from([9]))]),
      ),
    ]),
  ),
]);

/** Changes bytes (mostly to telling values), cuts pieces out, puts pieces of it elsewhere, and cuts it short. */
const mutated = (valid: Uint8Array): fc.Arbitrary<Uint8Array> => {
  const place = fc.nat(valid.length - 1);
  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(
        fc.constant('set' as const),
        place,
        fc.oneof(fc.constantFrom(0, 1, 2, 7, 0x14, 0x15, 0x16, 0x40, 0x7f, 0x80, 0xba, 0xbd, 0xc0, 0xff), fc.nat(255)),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant('cut' as const), place, fc.nat(300)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('double' as const), place, place) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('end' as const), place, fc.constant(0)) },
  );
  return fc.array(change, { minLength: 1, maxLength: 12, size: 'max' }).map((changes) =>
    changes.reduce<Uint8Array>((bytes, [kind, at, value]) => {
      if (kind === 'set') return bytes.length > 0 ? bytes.with(at % bytes.length, value) : bytes;
      if (kind === 'cut') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + value)]);
      if (kind === 'double')
        return Buffer.concat([bytes.subarray(0, value), bytes.subarray(at, at + 400), bytes.subarray(value)]);
      return bytes.subarray(0, at);
    }, valid),
  );
};
const hostile = (valid: Uint8Array): fc.Arbitrary<Uint8Array> =>
  fc.oneof({ weight: 12, arbitrary: mutated(valid) }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 600 }) });
const RUNS = { numRuns: 400 };

function checkPictures({ pictures, notes }: PictureDocument): void {
  assert.ok(notes.length < 30 && notes.every(({ count }) => count > 0));
  let last = 0;
  for (const picture of [...pictures, ...withoutFades(pictures)]) {
    const { start, end, x, y, width, height, frame } = picture;
    assert.ok(
      Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= PICTURE_LIMITS.time,
      `${start} to ${end}`,
    );
    assert.ok(
      x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= frame.width && y + height <= frame.height,
      JSON.stringify(picture),
    );
    assert.ok(frame.width <= PICTURE_LIMITS.side && frame.height <= PICTURE_LIMITS.side);
  }
  for (const { start } of pictures) {
    assert.ok(start >= last);
    last = start;
  }
  // A file of noise may declare a large picture, but takes memory only when its pixels are requested.
  for (const picture of pictures.filter(({ width, height }) => width * height < 100_000).slice(0, 4)) {
    const pixels = picture.pixels();
    assert.equal(pixels.indexes.length, picture.width * picture.height);
    assert.equal(pixels.palette.length, 1024);
    const pages = prepare(pixels);
    assert.ok(pages.length <= 2);
    for (const page of pages) {
      assert.ok(
        page.width > 0 &&
          page.width <= 8_100 &&
          page.pixels.length === page.width * page.height &&
          page.pixels.length <= 9_000_000,
      );
      const lines = findLines(page);
      assert.ok(
        lines.length <= page.height &&
          lines.every((line) => line.height <= page.height + 24 && line.pixels.length === line.width * line.height),
      );
      if (lines.length > 0) assert.equal(tiffOf(lines).length % 2, 0);
    }
    usualLetter([pixels]);
  }
}

test('the files are valid before they are changed', () => {
  assert.equal(readPgs(PGS).pictures.length, 4);
  const index = readVobSubIndex(PAIR.idx);
  assert.deepEqual(
    index.tracks.map((track) => readVobSub(index, track, PAIR.sub).pictures.length),
    [3, 3],
  );
  const { header, blocks } = readMatroskaTrack(MATROSKA);
  assert.equal(readVobSubBlocks(new TextDecoder().decode(header), blocks).pictures.length, 1);
});

test('PGS', () =>
  fc.assert(
    fc.property(hostile(PGS), (bytes) => checkPictures(readPgs(bytes))),
    RUNS,
  ));

test('VobSub: a changed .sub', () => {
  const index = readVobSubIndex(PAIR.idx);
  fc.assert(
    fc.property(hostile(PAIR.sub), (bytes) => {
      for (const track of index.tracks) checkPictures(readVobSub(index, track, bytes));
    }),
    RUNS,
  );
});

test('VobSub: a changed .idx', () => {
  fc.assert(
    fc.property(hostile(Buffer.from(PAIR.idx)), (bytes) => {
      const index = readVobSubIndex(new TextDecoder().decode(bytes));
      assert.ok(index.tracks.length <= 32);
      for (const track of index.tracks) checkPictures(readVobSub(index, track, PAIR.sub));
    }),
    RUNS,
  );
});

test('a changed unit, and one in a changed container', () => {
  fc.assert(
    fc.property(hostile(UNIT), (unit) => {
      const drawn = readSubPicture(unit);
      if (drawn) assert.ok(drawn.width <= 4096 && drawn.height <= 4096 && drawn.start >= 0);
      checkPictures(readVobSubBlocks('size: 320x240\n', [{ start: 0, duration: 5, data: unit }]));
    }),
    RUNS,
  );
  fc.assert(
    fc.property(hostile(MATROSKA), (bytes) => {
      const { header, blocks } = readMatroskaTrack(bytes);
      checkPictures(readVobSubBlocks(new TextDecoder().decode(header), blocks));
    }),
    RUNS,
  );
});

/** Bytes that count how often they are looked at. */
function counting(bytes: Uint8Array): { bytes: Uint8Array; looks(): number } {
  let looks = 0;
  const handler: ProxyHandler<Uint8Array> = {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) {
        looks++;
        return target[Number(key)];
      }
      if (key === 'indexOf') {
        return (value: number, from: number) => {
          const found = target.indexOf(value, from);
          looks += (found < 0 ? target.length : found) - from + 1;
          return found;
        };
      }
      if (key === 'subarray') return (from: number, to?: number) => proxied(target.subarray(from, to));
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  };
  const proxied = (part: Uint8Array): Uint8Array => new Proxy(part, handler);
  return { bytes: proxied(bytes), looks: () => looks };
}

test('work grows with the bytes and no faster', () => {
  const inputs: Record<string, (size: number) => Uint8Array> = {
    'almost headers': (size) => new Uint8Array(size).fill(0x50),
    'headers of nothing': (size) =>
      Uint8Array.from({ length: size }, (_, n) => [0x50, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0][n % 13] ?? 0),
    zeros: (size) => new Uint8Array(size),
    'almost starts': (size) => Uint8Array.from({ length: size }, (_, n) => [0, 0, 1, 0][n % 4] ?? 0),
    packs: (size) =>
      Uint8Array.from({ length: size }, (_, n) => [0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xf8][n % 14] ?? 0),
    packets: (size) =>
      Uint8Array.from({ length: size }, (_, n) => [0, 0, 1, 0xbd, 0, 6, 0x81, 0, 0, 0x20, 0xff, 0xff][n % 12] ?? 0),
  };
  for (const [name, make] of Object.entries(inputs)) {
    const looksAt = (size: number): number => {
      const { bytes, looks } = counting(make(size));
      readPgs(bytes);
      unitsOf(bytes, 0x20, new Set([0]));
      readMatroskaTrack(bytes);
      return looks();
    };
    const [small, large] = [looksAt(5_000), looksAt(50_000)];
    assert.ok(large <= small * 12 + 1_000, `${name}: ${small} for 5,000 bytes, ${large} for 50,000`);
  }
});
