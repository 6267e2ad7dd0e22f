/**
 * Reads one DVD sub-picture unit: its drawing, position, four colours, and times.
 *
 * A unit consists of its size, two fields of run-length code, and a chain of dated command sequences. If colour and
 * contrast change while it is shown (a fade), the strongest ones are used; changes within a line are ignored.
 */
import { decodeDvdRle } from './rle.ts';
import type { PictureFrame, Pixels } from './picture.ts';

export interface SubPicture extends PictureFrame {
  /** ms after the time of the unit. */
  start: number;
  /** ms; undefined if the unit states no end. */
  end: number | undefined;
  x: number;
  y: number;
  forced: boolean;
  pixels(colors: Colors): Pixels;
}
export interface Colors {
  /** Sixteen colours of three bytes. */
  palette: Uint8Array | undefined;
  /** Four colours of four bytes that replace the unit's own. */
  custom?: Uint8Array | undefined;
}

interface State {
  commands: number;
  start: number | undefined;
  end: number | undefined;
  forced: boolean;
  colors: readonly number[];
  alphas: readonly number[];
  area: { x: number; y: number; width: number; height: number } | undefined;
  fields: readonly [number, number] | undefined;
}
const LENGTHS: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 0, 3: 2, 4: 2, 5: 6, 6: 4 };
const MAX_SEQUENCES = 64;
/**
 * Maximum number of commands of all sequences of a unit, which may overlap. A sequence of a real unit has at most
 * seven.
 */
const MAX_COMMANDS = 4096;
/**
 * Usual meanings of the four pixel values, for files that have lost their colours: nothing, letter, outline, in
 * between.
 */
const GUESSED = [0, 0xff, 0, 0x80];

/** Returns undefined for a unit that shows nothing or cannot be read. */
export function readSubPicture(unit: Uint8Array): SubPicture | undefined {
  const view = new DataView(unit.buffer, unit.byteOffset, unit.byteLength);
  const state: State = {
    commands: 0,
    start: undefined,
    end: undefined,
    forced: false,
    colors: [0, 1, 2, 3],
    alphas: [0, 15, 15, 15],
    area: undefined,
    fields: undefined,
  };
  if (unit.length < 4) return undefined;
  let at = view.getUint16(2);
  for (let count = 0; count < MAX_SEQUENCES && at + 4 <= unit.length; count++) {
    const date = (view.getUint16(at) * 1024) / 90;
    const next = view.getUint16(at + 2);
    if (!runSequence(unit, view, at + 4, state, date)) break;
    if (next <= at) break;
    at = next;
  }
  const { area, fields, start } = state;
  if (!area || !fields || start === undefined) return undefined;
  const { colors, alphas } = state;
  return {
    start,
    end: state.end,
    forced: state.forced,
    ...area,
    pixels: ({ palette, custom }) => ({
      width: area.width,
      height: area.height,
      indexes: decoded(unit, fields, area),
      palette: paletteOf(colors, alphas, palette, custom),
    }),
  };
}

/** Returns false if the chain is malformed from here on. */
function runSequence(unit: Uint8Array, view: DataView, from: number, state: State, date: number): boolean {
  for (let at = from; at < unit.length;) {
    const command = unit[at++] ?? 0xff;
    if (command === 0xff) return true;
    if (++state.commands > MAX_COMMANDS) return false;
    if (command === 7) {
      if (at + 2 > unit.length) return false;
      at += Math.max(2, view.getUint16(at));
      continue;
    }
    const length = LENGTHS[command];
    if (length === undefined || at + length > unit.length) return false;
    if (command === 0) state.forced = true;
    if (command <= 1) state.start ??= date;
    if (command === 2) state.end ??= date;
    if (command === 3) state.colors = nibbles(unit, at);
    if (command === 4) state.alphas = stronger(state, nibbles(unit, at));
    if (command === 5) state.area = areaOf(unit, at) ?? state.area;
    if (command === 6) state.fields = [view.getUint16(at), view.getUint16(at + 2)];
    at += length;
  }
  return true;
}

/** Before the unit is shown the last contrast counts; after that only a stronger one. */
function stronger({ start, alphas }: State, next: readonly number[]): readonly number[] {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  return start === undefined || sum(next) > sum(alphas) ? next : alphas;
}

/** Reads four numbers of four bits for the pixel values 0 to 3, which are stored in reverse order. */
const nibbles = (unit: Uint8Array, at: number): number[] => [
  (unit[at + 1] ?? 0) & 15,
  (unit[at + 1] ?? 0) >> 4,
  (unit[at] ?? 0) & 15,
  (unit[at] ?? 0) >> 4,
];

/** Reads two numbers of twelve bits for the columns and two for the rows, both ends included. */
function areaOf(unit: Uint8Array, at: number): State['area'] {
  const pair = (from: number): [number, number] => {
    const [a = 0, b = 0, c = 0] = unit.subarray(from, from + 3);
    return [(a << 4) | (b >> 4), ((b & 15) << 8) | c];
  };
  const [[left, right], [top, bottom]] = [pair(at), pair(at + 3)];
  return right >= left && bottom >= top
    ? { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
    : undefined;
}

function decoded(
  unit: Uint8Array,
  [even, odd]: readonly [number, number],
  { width, height }: PictureFrame,
): Uint8Array {
  const into = new Uint8Array(width * height);
  decodeDvdRle(unit, even, { into, stride: width * 2, offset: 0, width, height: (height + 1) >> 1 });
  decodeDvdRle(unit, odd, { into, stride: width * 2, offset: width, width, height: height >> 1 });
  return into;
}

function paletteOf(
  colors: readonly number[],
  alphas: readonly number[],
  palette: Uint8Array | undefined,
  custom: Uint8Array | undefined,
): Uint8Array {
  const out = new Uint8Array(1024);
  if (custom) {
    out.set(custom);
    return out;
  }
  for (let value = 0; value < 4; value++) {
    const at = (colors[value] ?? 0) * 3;
    const grey = GUESSED[value] ?? 0;
    out.set(palette ? palette.subarray(at, at + 3) : [grey, grey, grey], value * 4);
    out[value * 4 + 3] = (alphas[value] ?? 0) * 17;
  }
  return out;
}
