/**
 * Prepares a picture for recognition: black letters on white paper, of a suitable size, without outline. A picture in
 * which it is not clear which colours are letters is prepared in two ways. Pure; work grows with the pixels,
 * and a prepared picture has at most eight million of them.
 */
import { inksOf, VISIBLE } from './ink.ts';
import type { Pixels } from './picture.ts';

/** 0 is ink, 255 is paper. */
export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/**
 * Target height of most letters in pixels; capitals are about a third higher. Measured: in higher ones strokes are
 * taken for bars.
 */
export const LETTER = 22;
export const BORDER = 12;
const MAX_INK = 0.75;
const SMALL = 20_000;
const SCREEN = 1920 * 1080;
const MAX_PIXELS = 8_000_000;
const MAX_SIDE = 8_000;

/** Minimum number of letters from which the height of letters is measured. */
const ENOUGH = 8;
/** Maximum ratio between the letters of one picture and the usual ones; beyond it they are other letters. */
const ALIKE = 1.6;

/**
 * Returns the prepared picture; two of them if it is not clear which colours are letters, and none if nothing is
 * visible. `usual` is the height of the track's letters, if known.
 */
export function prepare(pixels: Pixels, usual?: number): Grey[] {
  return lettersIn(pixels).map(({ ink, height, pieces }) => {
    const isAlike = usual !== undefined && (pieces < ENOUGH || (height < usual * ALIKE && usual < height * ALIKE));
    const letter = isAlike ? usual : height;
    const close = withoutGaps(ink, letter * 2);
    const room = Math.min(
      MAX_SIDE / close.width,
      MAX_SIDE / close.height,
      Math.sqrt(MAX_PIXELS / (close.width * close.height)),
    );
    const scale = Math.min(room, Math.max(0.25, Math.min(4, LETTER / letter)));
    return framed(scale > 0.9 && scale < 1.15 ? close : resized(close, scale));
  });
}

/** Returns the usual height of the letters in some pictures of a track; undefined if there are too few letters. */
export function usualLetter(some: readonly Pixels[]): number | undefined {
  const heights = some
    .flatMap((pixels) => {
      const { height, pieces } = lettersIn(pixels)[0] ?? { height: 0, pieces: 0 };
      return pieces >= ENOUGH ? [height] : [];
    })
    .sort((a, b) => a - b);
  return heights[heights.length >> 1];
}

interface Letters {
  ink: Grey;
  height: number;
  pieces: number;
}

/**
 * Returns the letters of a picture, in the possible ways. Of two ways, the first takes all that is visible for ink; the
 * second is left out if its pieces are too low for these letters, and so only their edges.
 */
function lettersIn(pixels: Pixels): Letters[] {
  const seen = thinned(pixels);
  const ways = inksOf(seen).flatMap((colors) => {
    const ink = cropped({
      width: seen.width,
      height: seen.height,
      pixels: seen.indexes.map((color) => colors[color] ?? 0),
    });
    return ink && !isPlate(ink) ? [{ ink, ...lettersOf(ink) }] : [];
  });
  const first = ways[0]?.height ?? 0;
  return ways.filter(({ height }) => height * ALIKE > first);
}

/** Text leaves more area free than it covers, except for a single I or a dash; a plate or a drawing does not. */
const isPlate = ({ pixels }: Grey): boolean =>
  pixels.length > SMALL &&
  pixels.reduce((count, value) => count + (value >= VISIBLE ? 1 : 0), 0) > pixels.length * MAX_INK;

/**
 * Takes every second pixel of every second row until the picture is no larger than a screen in high definition. Real
 * formats are never larger.
 */
function thinned({ width, height, indexes, palette }: Pixels): Pixels {
  if (width * height <= SCREEN) return { width, height, indexes, palette };
  const [wide, high] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const out = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++) for (let x = 0; x < wide; x++) out[y * wide + x] = indexes[y * 2 * width + x * 2] ?? 0;
  return thinned({ width: wide, height: high, indexes: out, palette });
}

function cropped({ width, height, pixels }: Grey): Grey | undefined {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width, (y + 1) * width);
    const first = row.findIndex((ink) => ink >= VISIBLE);
    if (first < 0) continue;
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, first);
    right = Math.max(
      right,
      row.findLastIndex((ink) => ink >= VISIBLE),
    );
  }
  if (right < 0) return undefined;
  const out = new Uint8Array((right - left + 1) * (bottom - top + 1));
  for (let y = top; y <= bottom; y++)
    out.set(pixels.subarray(y * width + left, y * width + right + 1), (y - top) * (right - left + 1));
  return { width: right - left + 1, height: bottom - top + 1, pixels: out };
}

/**
 * Counts connected pieces of ink, and returns the median height of the larger ones: the height of most letters of a
 * face.
 */
function lettersOf({ width, height, pixels }: Grey): { height: number; pieces: number } {
  const isDone = new Uint8Array(pixels.length);
  const stack = new Int32Array(pixels.length);
  const heights: number[] = [];
  for (let from = 0; from < pixels.length; from++) {
    if (isDone[from] || (pixels[from] ?? 0) < 128) continue;
    let [used, top, bottom] = [0, height, 0];
    stack[used++] = from;
    isDone[from] = 1;
    while (used > 0) {
      const at = stack[--used] ?? 0;
      const y = Math.floor(at / width);
      const x = at - y * width;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (isDone[next] || (pixels[next] ?? 0) < 128) continue;
          isDone[next] = 1;
          stack[used++] = next;
        }
      }
    }
    heights.push(bottom - top + 1);
  }
  const most = heights.reduce((a, b) => Math.max(a, b), 1);
  const large = heights.filter((one) => one >= most * 0.4).sort((a, b) => a - b);
  return { height: Math.max(4, large[large.length >> 1] ?? most), pieces: large.length };
}

/**
 * Shortens runs of rows without ink to `most`, so that text at the top and the bottom of the screen comes close
 * together.
 */
function withoutGaps({ width, height, pixels }: Grey, most: number): Grey {
  const rows: number[] = [];
  for (let y = 0, blank = 0; y < height; y++) {
    blank = pixels.subarray(y * width, (y + 1) * width).some((ink) => ink >= VISIBLE) ? 0 : blank + 1;
    if (blank <= most) rows.push(y);
  }
  if (rows.length === height) return { width, height, pixels };
  const out = new Uint8Array(rows.length * width);
  for (const [n, y] of rows.entries()) out.set(pixels.subarray(y * width, (y + 1) * width), n * width);
  return { width, height: rows.length, pixels: out };
}

/** Resamples with a triangle as wide as a pixel of the coarser side, first along rows, then along columns. */
function resized(from: Grey, scale: number): Grey {
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  const columns = weights(from.width, width);
  const rows = weights(from.height, height);
  const half = new Float32Array(width * from.height);
  for (let y = 0; y < from.height; y++) {
    for (let x = 0; x < width; x++) {
      const { first, shares } = columns[x] ?? { first: 0, shares: [] };
      let sum = 0;
      for (let n = 0; n < shares.length; n++) sum += (from.pixels[y * from.width + first + n] ?? 0) * (shares[n] ?? 0);
      half[y * width + x] = sum;
    }
  }
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const { first, shares } = rows[y] ?? { first: 0, shares: [] };
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let n = 0; n < shares.length; n++) sum += (half[(first + n) * width + x] ?? 0) * (shares[n] ?? 0);
      pixels[y * width + x] = sum + 0.5;
    }
  }
  return { width, height, pixels };
}

function weights(from: number, to: number): { first: number; shares: number[] }[] {
  const ratio = from / to;
  const reach = Math.max(1, ratio);
  return Array.from({ length: to }, (_, at) => {
    const middle = (at + 0.5) * ratio - 0.5;
    const first = Math.max(0, Math.ceil(middle - reach));
    const last = Math.min(from - 1, Math.floor(middle + reach));
    const shares = Array.from({ length: Math.max(1, last - first + 1) }, (__, n) =>
      Math.max(1e-6, 1 - Math.abs(first + n - middle) / reach),
    );
    const sum = shares.reduce((a, b) => a + b, 0);
    return { first: Math.min(first, from - 1), shares: shares.map((share) => share / sum) };
  });
}

/** Turns ink into black and puts paper around it. */
function framed({ width, height, pixels }: Grey): Grey {
  const wide = width + 2 * BORDER;
  const out = new Uint8Array(wide * (height + 2 * BORDER)).fill(255);
  for (let y = 0; y < height; y++) {
    const row = (y + BORDER) * wide + BORDER;
    for (let x = 0; x < width; x++) out[row + x] = 255 - (pixels[y * width + x] ?? 0);
  }
  return { width: wide, height: height + 2 * BORDER, pixels: out };
}
