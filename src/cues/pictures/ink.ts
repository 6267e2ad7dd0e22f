/**
 * Distinguishes letters from what is around them, by position: the outline (or shadow, or box) is the colour that
 * mostly touches transparent pixels, letters are the other colours. Without an outline all visible pixels are letters.
 * Pure; work grows with the pixels.
 *
 * White letters with some dark pixels at their edges look like letters with an outline that is open in places, or like
 * dark specks with a white outline. The colours do not show which it is, so such a picture is read in two ways.
 */
import type { Pixels } from './picture.ts';

/** Least alpha, and least ink, that is seen. */
export const VISIBLE = 96;
/** Ink of a colour that counts as letter. */
const LETTER = 128;
/** Largest difference of two colours, in one of red, green and blue, that count as one. */
const ALIKE = 48;
/** Share of the edge that letters may have where an outline is closed; it is open at corners. */
const MAX_OPEN = 0.1;
/** Share of the visible pixels below which a colour is a speck. */
const SPECK = 0.04;

/** Returns how much ink each of the 256 colours is, 0 to 255: once if that is clear, else in two ways. */
export function inksOf(pixels: Pixels): Uint8Array[] {
  const { palette } = pixels;
  const isSeen = Uint8Array.from({ length: 256 }, (_, color) => ((palette[color * 4 + 3] ?? 0) >= VISIBLE ? 1 : 0));
  const all = count(pixels, isSeen);
  const whole = opaque(palette, all.areas);
  const outlined = inkAround(palette, all);
  if (!outlined) return [whole];
  const ink = outlined.ink.map((value, color) => Math.round((value * (whole[color] ?? 0)) / 255));
  const rest = ink.map((value, color) => (whole[color] ?? 0) - value);
  if (isOpen(ink, all)) return [whole, ampler(ink, rest, all)];
  return [boxed(pixels, { ...outlined, ink }) ?? ink];
}

/** Returns the ink of letters with an outline in a box of a third colour; undefined if there is no such box. */
function boxed(pixels: Pixels, { ink, paper, letter }: Outlined): Uint8Array | undefined {
  const { palette } = pixels;
  const inside = Uint8Array.from(ink, (value) => (value >= VISIBLE ? 1 : 0));
  const counts = count(pixels, inside);
  const other = farthest(palette, counts.areas, letter);
  const reach = difference(letter, other);
  // The soft edge of letters lies between the colours of letter and box. An outline does not.
  if (reach < 1.15 * Math.max(difference(letter, paper), difference(other, paper))) return undefined;
  const ways = [letter, other].map((outline) =>
    Uint8Array.from(inside, (seen, color) =>
      seen === 0 ? 0 : Math.round(255 * Math.min(1, difference(colorAt(palette, color), outline) / (reach * 0.85))),
    ),
  );
  return ways.find((own) => !isOpen(own, counts));
}

/** Returns the ink that has more pixels inside: strokes are thicker than what is left of an outline. */
function ampler(one: Uint8Array, other: Uint8Array, { areas, edges }: Counts): Uint8Array {
  const inside = (ink: Uint8Array): number =>
    ink.reduce((sum, value, color) => sum + (value >= LETTER ? (areas[color] ?? 0) - (edges[color] ?? 0) : 0), 0);
  return inside(other) > inside(one) ? other : one;
}

/** Whether letters touch what is outside, so that nothing closed is around them. */
function isOpen(ink: Uint8Array, { areas, edges }: Counts): boolean {
  let [area, edge] = [0, 0];
  for (let color = 0; color < 256; color++) {
    if ((ink[color] ?? 0) < LETTER) continue;
    area += areas[color] ?? 0;
    edge += edges[color] ?? 0;
  }
  return edge > MAX_OPEN * total(edges) || edge > MAX_OPEN * area;
}

/** Returns the opacity of each colour, where the most opaque one that is more than a speck counts as full. */
function opaque(palette: Uint8Array, areas: Float64Array): Uint8Array {
  const alphas = Uint8Array.from({ length: 256 }, (_, color) => palette[color * 4 + 3] ?? 0);
  const sorted = [...alphas.keys()].sort((a, b) => (alphas[b] ?? 0) - (alphas[a] ?? 0));
  let full = 255;
  for (let n = 0, seen = 0; n < 256 && seen <= total(areas) * SPECK; n++) {
    seen += areas[sorted[n] ?? 0] ?? 0;
    full = Math.max(VISIBLE, alphas[sorted[n] ?? 0] ?? 0);
  }
  return alphas.map((alpha) => Math.min(255, Math.round((alpha * 255) / full)));
}

type Color = readonly number[];
const difference = (a: Color, b: Color): number =>
  Math.max(...[0, 1, 2].map((channel) => Math.abs((a[channel] ?? 0) - (b[channel] ?? 0))));
const colorAt = (palette: Uint8Array, at: number): Color => [...palette.subarray(at * 4, at * 4 + 3)];
const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

interface Counts {
  /** Visible pixels of each colour. */
  areas: Float64Array;
  /** Those that touch one that is not visible. */
  edges: Float64Array;
}
interface Outlined {
  ink: Uint8Array;
  paper: Color;
  letter: Color;
}

/** Returns the ink of each colour by its distance from the outline; undefined if all visible pixels are alike. */
function inkAround(palette: Uint8Array, { areas, edges }: Counts): Outlined | undefined {
  const paper = outlineColor(palette, areas, edges);
  const letter = farthest(palette, areas, paper);
  const reach = difference(letter, paper);
  if (reach < ALIKE) return undefined;
  const inkAt = (_: unknown, color: number): number =>
    Math.round(255 * Math.min(1, difference(colorAt(palette, color), paper) / (reach * 0.85)));
  return { ink: Uint8Array.from({ length: 256 }, inkAt), paper, letter };
}

/** Returns the colour farthest from another, where colours that together cover no more than a speck do not count. */
function farthest(palette: Uint8Array, areas: Float64Array, from: Color): Color {
  const colors = [...areas.keys()]
    .filter((color) => (areas[color] ?? 0) > 0)
    .map((color) => ({ color, by: difference(colorAt(palette, color), from) }))
    .sort((a, b) => b.by - a.by);
  let seen = 0;
  const found = colors.find(({ color }) => (seen += areas[color] ?? 0) > total(areas) * SPECK);
  return colorAt(palette, found?.color ?? 0);
}

function count({ width, height, indexes }: Pixels, isSeen: Uint8Array): Counts {
  const areas = new Float64Array(256);
  const edges = new Float64Array(256);
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
function outlineColor(palette: Uint8Array, areas: Float64Array, edges: Float64Array): Color {
  const bins = Array.from({ length: 64 }, () => ({ area: 0, edge: 0, sum: [0, 0, 0] }));
  for (let color = 0; color < 256; color++) {
    const [area = 0, edge = 0] = [areas[color], edges[color]];
    if (area === 0) continue;
    const rgb = colorAt(palette, color);
    const bin = bins[rgb.reduce((number, value) => number * 4 + (value >> 6), 0)];
    if (!bin) continue;
    bin.area += area;
    bin.edge += edge;
    bin.sum = bin.sum.map((sum, channel) => sum + (rgb[channel] ?? 0) * area);
  }
  const fair = bins.filter(({ edge }) => edge > 0 && edge >= total(edges) * 0.15);
  const best = fair.toSorted((a, b) => b.edge / b.area - a.edge / a.area)[0];
  return best ? best.sum.map((sum) => sum / best.area) : [0, 0, 0];
}
