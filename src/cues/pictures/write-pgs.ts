/**
 * Writes pictures as PGS, so that one renderer draws every kind of picture subtitle. Each picture is a separate epoch
 * with one object and one palette, ended by an empty composition. Source: US 2009/0185789 A1.
 *
 * Bounded by the number of pixels, not only of pictures: a few bytes of run-length code can name millions of pixels.
 */
import { type Picture, PICTURE_LIMITS, type PictureDocument, type Pixels } from './picture.ts';
import { yCbCrOf } from './palette.ts';

/**
 * Maximum number of pixels of all pictures: a film of 3,000 pictures as large as a DVD's screen has 1.2 thousand
 * million.
 */
const MAX_PIXELS = 2_000_000_000;
/** Maximum number of pixels of one picture, those of a screen in high definition; one step handles at most so many. */
const MAX_PICTURE = 1920 * 1088;
/** Maximum bytes of a piece of an object: the length of a segment has 16 bits. */
const PIECE = 65_000;
const LONGEST_RUN = 16_383;

/** Returns the `.sup` file. A step is one picture. Pictures that no player could show are left out. */
export function* supSteps({ pictures }: Pick<PictureDocument, 'pictures'>): Generator<void, Uint8Array> {
  const out: Buffer[] = [];
  let [pixels, bytes] = [0, 0];
  for (const [n, picture] of pictures.entries()) {
    const area = picture.width * picture.height;
    if (area > MAX_PICTURE) continue;
    pixels += area;
    const parts = shown(picture, n * 2);
    // A picture that follows at once replaces this one.
    if ((pictures[n + 1]?.start ?? Infinity) > picture.end) parts.push(...hidden(picture, n * 2 + 1));
    bytes += parts.reduce((sum, { length }) => sum + length, 0);
    if (pixels > MAX_PIXELS || bytes > PICTURE_LIMITS.bytes) break;
    out.push(...parts);
    yield;
  }
  return Buffer.concat(out);
}

const u16 = (value: number): number[] => [value >> 8, value & 255];

/** `time` is in ms. The clock has 32 bits and wraps around after 13 hours, as players expect. */
function segment(kind: number, time: number, body: Uint8Array | number[]): Buffer {
  const head = Buffer.alloc(13);
  head.write('PG', 'latin1');
  head.writeUInt32BE((time * 90) % 2 ** 32, 2);
  head[10] = kind;
  head.writeUInt16BE(body.length, 11);
  return Buffer.concat([head, body instanceof Uint8Array ? body : Uint8Array.from(body)]);
}

const composition = ({ frame }: Picture, number: number, state: 0 | 0x80, object: number[]): number[] => [
  ...u16(frame.width),
  ...u16(frame.height),
  0x10,
  ...u16(number & 0xffff),
  state,
  0,
  0,
  object.length > 0 ? 1 : 0,
  ...object,
];
const window = ({ x, y, width, height }: Picture): number[] => [
  1,
  0,
  ...u16(x),
  ...u16(y),
  ...u16(width),
  ...u16(height),
];

function shown(picture: Picture, number: number): Buffer[] {
  const { start, x, y, forced } = picture;
  const pixels = picture.pixels();
  return [
    segment(0x16, start, composition(picture, number, 0x80, [0, 0, 0, forced ? 0x40 : 0, ...u16(x), ...u16(y)])),
    segment(0x17, start, window(picture)),
    segment(0x14, start, paletteOf(pixels, picture.frame.height)),
    ...objectOf(pixels).map((piece) => segment(0x15, start, piece)),
    segment(0x80, start, []),
  ];
}

const hidden = (picture: Picture, number: number): Buffer[] => [
  segment(0x16, picture.end, composition(picture, number, 0, [])),
  segment(0x17, picture.end, window(picture)),
  segment(0x80, picture.end, []),
];

/** Returns only the colours that occur; all others are transparent. */
function paletteOf({ indexes, palette }: Pixels, height: number): number[] {
  const isUsed = new Uint8Array(256);
  for (const index of indexes) isUsed[index] = 1;
  const out = [0, 0];
  for (let at = 0; at < 256; at++) {
    if (!isUsed[at]) continue;
    const { y, cr, cb, alpha } = yCbCrOf(palette, at, height);
    out.push(at, y, cr, cb, alpha);
  }
  return out;
}

function objectOf(pixels: Pixels): Buffer[] {
  const code = rleOf(pixels);
  const data = Buffer.concat([Uint8Array.from([...u16(pixels.width), ...u16(pixels.height)]), code]);
  const pieces: Buffer[] = [];
  for (let from = 0; from < data.length; from += PIECE) {
    const isFirst = from === 0;
    const flags = (isFirst ? 0x80 : 0) | (from + PIECE >= data.length ? 0x40 : 0);
    pieces.push(
      Buffer.concat([
        Uint8Array.from([0, 0, 0, flags, ...(isFirst ? [data.length >> 16, ...u16(data.length & 0xffff)] : [])]),
        data.subarray(from, from + PIECE),
      ]),
    );
  }
  return pieces;
}

function rleOf({ width, height, indexes }: Pixels): Uint8Array {
  // The longest code: single pixels of colour 0 of two bytes each, and two for the end of a row.
  const out = new Uint8Array((width * 2 + 2) * height);
  let to = 0;
  for (let y = 0, row = 0; y < height; y++, row += width) {
    for (let x = 0; x < width;) {
      const color = indexes[row + x] ?? 0;
      let run = 1;
      while (x + run < width && run < LONGEST_RUN && indexes[row + x + run] === color) run++;
      x += run;
      if (color !== 0 && run < 3) {
        for (let n = 0; n < run; n++) out[to++] = color;
        continue;
      }
      out[to++] = 0;
      const kind = color === 0 ? 0 : 0x80;
      if (run > 63) {
        out[to++] = kind | 0x40 | (run >> 8);
        out[to++] = run & 255;
      } else out[to++] = kind | run;
      if (color !== 0) out[to++] = color;
    }
    out[to++] = 0;
    out[to++] = 0;
  }
  return out.subarray(0, to);
}

/**
 * Moves the times of a `.sup` that arrives in pieces `ms` earlier; segments before the beginning move to it. Bytes that
 * are no segment end the stream: the rest is left out.
 */
export function createSupShift(ms: number): (piece: Uint8Array) => Uint8Array {
  const ticks = Math.round(ms * 90);
  let rest: Buffer = Buffer.alloc(0);
  let isOver = false;
  return (piece) => {
    if (isOver) return new Uint8Array(0);
    const bytes = Buffer.concat([rest, piece]);
    let at = 0;
    while (at + 13 <= bytes.length) {
      if (bytes[at] !== 0x50 || bytes[at + 1] !== 0x47) {
        isOver = true;
        break;
      }
      const end = at + 13 + bytes.readUInt16BE(at + 11);
      if (end > bytes.length) break;
      bytes.writeUInt32BE(Math.max(0, bytes.readUInt32BE(at + 2) - ticks), at + 2);
      bytes.writeUInt32BE(Math.max(0, bytes.readUInt32BE(at + 6) - ticks), at + 6);
      at = end;
    }
    rest = isOver ? Buffer.alloc(0) : bytes.subarray(at);
    return bytes.subarray(0, at);
  };
}
