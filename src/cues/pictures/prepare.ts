/**
 * Prepares a picture for recognition: black letters on white paper, of a suitable size, without outline.
 *
 * Letters and outline are distinguished by position: the outline (or shadow, or box) is the colour that mostly touches
 * transparent pixels, letters are the other colours. Without an outline all visible pixels are letters. Pure; work
 * grows with the pixels, and a prepared picture has at most eight million of them.
 */
import type { Pixels } from './picture.ts';

/** 0 is ink, 255 is paper. */
export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const OPAQUE = 96;
/**
 * Target height of most letters in pixels; capitals are about a third higher. Measured: in higher ones strokes are
 * taken for bars.
 */
export const LETTER = 22;
export const BORDER = 12;
const MOST_INK = 0.75;
const SMALL = 20_000;
const SCREEN = 1920 * 1080;
const MOST_PIXELS = 8_000_000;
const MOST_SIDE = 8_000;

/** Minimum number of letters from which the height of letters is measured. */
const ENOUGH = 8;
/** Maximum ratio between the letters of one picture and the usual ones; beyond it they are other letters. */
const ALIKE = 1.6;

/**
 * Returns the prepared picture, or undefined if nothing is visible. `usual` is the height of the track's letters, if
 * known.
 */
export function prepare(pixels: Pixels, usual?: number): Grey | undefined {
  const ink = inkIn(pixels);
  if (!ink) return undefined;
  const { height, pieces } = lettersOf(ink);
  const isAlike = usual !== undefined && (pieces < ENOUGH || (height < usual * ALIKE && usual < height * ALIKE));
  const letter = isAlike ? usual : height;
  const close = withoutGaps(ink, letter * 2);
  const room = Math.min(
    MOST_SIDE / close.width,
    MOST_SIDE / close.height,
    Math.sqrt(MOST_PIXELS / (close.width * close.height)),
  );
  const scale = Math.min(room, Math.max(0.25, Math.min(4, LETTER / letter)));
  return framed(scale > 0.9 && scale < 1.15 ? close : resized(close, scale));
}

/** Returns the usual height of the letters in some pictures of a track; undefined if there are too few letters. */
export function usualLetter(some: readonly Pixels[]): number | undefined {
  const heights = some
    .flatMap((pixels) => {
      const ink = inkIn(pixels);
      const { height, pieces } = ink ? lettersOf(ink) : { height: 0, pieces: 0 };
      return pieces >= ENOUGH ? [height] : [];
    })
    .sort((a, b) => a - b);
  return heights[heights.length >> 1];
}

function inkIn(pixels: Pixels): Grey | undefined {
  const seen = thinned(pixels);
  const ink = cropped({ width: seen.width, height: seen.height, pixels: painted(seen.indexes, inkOf(seen)) });
  // Text leaves more area free than it covers, except for a single I or a dash; other pictures are a plate or a
  // drawing.
  return ink &&
    ink.pixels.length > SMALL &&
    ink.pixels.reduce((count, value) => count + (value >= OPAQUE ? 1 : 0), 0) > ink.pixels.length * MOST_INK
    ? undefined
    : ink;
}

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

function painted(indexes: Uint8Array, ink: Uint8Array): Uint8Array {
  const out = new Uint8Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) out[at] = ink[indexes[at] ?? 0] ?? 0;
  return out;
}

/** Returns how much ink each of the 256 colours is, 0 to 255. */
function inkOf(pixels: Pixels): Uint8Array {
  const { palette } = pixels;
  const { areas, edges } = counted(pixels);
  const paper = outlineColor(palette, areas, edges);
  const total = areas.reduce((sum, area) => sum + area, 0);
  const distances = Array.from({ length: 256 }, (_, color) =>
    Math.max(...[0, 1, 2].map((channel) => Math.abs((palette[color * 4 + channel] ?? 0) - (paper[channel] ?? 0)))),
  );
  // The colour of the letters is the one farthest from the outline that covers more than a speck.
  let reach = 0;
  const far = [...distances.keys()].sort((a, b) => (distances[b] ?? 0) - (distances[a] ?? 0));
  for (let n = 0, seen = 0; n < 256 && seen <= total * 0.04; n++) {
    seen += areas[far[n] ?? 0] ?? 0;
    reach = distances[far[n] ?? 0] ?? 0;
  }
  const ink = new Uint8Array(256);
  for (let color = 0; color < 256; color++) {
    const alpha = palette[color * 4 + 3] ?? 0;
    ink[color] = reach < 48 ? alpha : Math.round(alpha * Math.min(1, (distances[color] ?? 0) / (reach * 0.85)));
  }
  return ink;
}

/** Counts for each colour the visible pixels, and those that touch a transparent one. */
function counted({ width, height, indexes, palette }: Pixels): { areas: Float64Array; edges: Float64Array } {
  const areas = new Float64Array(256);
  const edges = new Float64Array(256);
  const isSeen = Uint8Array.from({ length: 256 }, (_, color) => ((palette[color * 4 + 3] ?? 0) >= OPAQUE ? 1 : 0));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const color = indexes[at] ?? 0;
      if (!isSeen[color]) continue;
      areas[color] = (areas[color] ?? 0) + 1;
      const isInside =
        x > 0 &&
        x < width - 1 &&
        y > 0 &&
        y < height - 1 &&
        isSeen[indexes[at - 1] ?? 0] &&
        isSeen[indexes[at + 1] ?? 0] &&
        isSeen[indexes[at - width] ?? 0] &&
        isSeen[indexes[at + width] ?? 0];
      if (!isInside) edges[color] = (edges[color] ?? 0) + 1;
    }
  }
  return { areas, edges };
}

/**
 * Returns the colour of the outline: among colours with a fair share of the edge, the one with the largest share of its
 * own pixels on the edge.
 */
function outlineColor(palette: Uint8Array, areas: Float64Array, edges: Float64Array): readonly number[] {
  const bins = Array.from({ length: 64 }, () => ({ area: 0, edge: 0, sum: [0, 0, 0] }));
  let total = 0;
  for (let color = 0; color < 256; color++) {
    const [area = 0, edge = 0] = [areas[color], edges[color]];
    if (area === 0) continue;
    const rgb = [0, 1, 2].map((channel) => palette[color * 4 + channel] ?? 0);
    const bin = bins[rgb.reduce((number, value) => number * 4 + (value >> 6), 0)];
    if (!bin) continue;
    bin.area += area;
    bin.edge += edge;
    bin.sum = bin.sum.map((sum, channel) => sum + (rgb[channel] ?? 0) * area);
    total += edge;
  }
  const fair = bins.filter(({ edge }) => edge > 0 && edge >= total * 0.15);
  const best = fair.toSorted((a, b) => b.edge / b.area - a.edge / a.area)[0];
  return best ? best.sum.map((sum) => sum / best.area) : [0, 0, 0];
}

function cropped({ width, height, pixels }: Grey): Grey | undefined {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width, (y + 1) * width);
    const first = row.findIndex((ink) => ink >= OPAQUE);
    if (first < 0) continue;
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, first);
    right = Math.max(
      right,
      row.findLastIndex((ink) => ink >= OPAQUE),
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
    blank = pixels.subarray(y * width, (y + 1) * width).some((ink) => ink >= OPAQUE) ? 0 : blank + 1;
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
