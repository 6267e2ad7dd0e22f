/**
 * Texts by slot, in one block of bytes: a separate string for each of some hundred thousand titles would take several
 * times as much memory. Texts with characters beyond Latin-1, and very long ones, are kept as strings.
 */
export interface TextBlock {
  put(slot: number, text: string): void;
  get(slot: number): string;
  /** Returns the code unit at a place of the text, 0 past its end. */
  unit(slot: number, at: number): number;
  length(slot: number): number;
  /** Compares the first `COMPARED` code units of two texts. */
  compare(a: number, b: number): number;
  /** Compares with a text that has no slot. */
  compareWith(slot: number, text: string): number;
  is(slot: number, text: string): boolean;
  /** Compares with a part of a text. */
  isIn(slot: number, text: string, from: number, to: number): boolean;
  /** Returns the texts as views, to be copied before anything changes. */
  image(): TextBlockImage;
  /** Fills an empty block with an image. */
  restore(image: TextBlockImage): void;
}

export interface TextBlockImage {
  bytes: Uint8Array<ArrayBuffer>;
  wasted: number;
  starts: Uint32Array<ArrayBuffer>;
  lengths: Uint16Array<ArrayBuffer>;
  others: readonly (readonly [slot: number, text: string])[];
}

/** Number of code units that are compared: as many as a cursor of a page can carry. */
export const COMPARED = 200;
/** Length that marks a text kept as a string. */
const ELSEWHERE = 65_535;
type Column =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/**
 * Returns the same numbers with room for one at `at`, and more after it. The old array is released and must not be used
 * again.
 */
export function enlarged<A extends Column>(array: A, at: number): A {
  const Kind = array.constructor as new (buffer: ArrayBuffer) => A;
  return new Kind(array.buffer.transfer(Math.max(at + 1, Math.ceil(array.length * 1.3), 64) * array.BYTES_PER_ELEMENT));
}

export function createTextBlock(): TextBlock {
  let bytes = Buffer.from(new ArrayBuffer(0));
  let used = 0;
  /** Bytes below `used` that no slot has any more. */
  let wasted = 0;
  let starts = new Uint32Array(0);
  let lengths = new Uint16Array(0);
  const others = new Map<number, string>();

  const makeRoom = (slot: number, more: number) => {
    if (slot >= starts.length) starts = enlarged(starts, slot);
    if (slot >= lengths.length) lengths = enlarged(lengths, slot);
    if (used + more <= bytes.length) return;
    if (wasted * 3 < used) {
      bytes = Buffer.from(enlarged(new Uint8Array(bytes.buffer), used + more).buffer);
      return;
    }
    const older = bytes;
    // Much of the block is unused: the texts in use move together.
    bytes = Buffer.from(new ArrayBuffer(Math.ceil((used - wasted + more) * 1.25)));
    used = wasted = 0;
    for (let i = 0; i < starts.length; i++) {
      const [start, length] = [starts[i] as number, lengths[i] as number];
      if (length === 0 || length === ELSEWHERE) continue;
      starts[i] = used;
      used += older.copy(bytes, used, start, start + length);
    }
  };
  /**
   * Writes after the used part. Returns false for a text with characters beyond Latin-1, and then nothing is kept of
   * it.
   */
  const write = (text: string): boolean => {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 255) return false;
      bytes[used + i] = unit;
    }
    return true;
  };
  const get = (slot: number): string => {
    const length = lengths[slot] ?? 0;
    if (length === ELSEWHERE) return others.get(slot) ?? '';
    const start = starts[slot] ?? 0;
    return length === 0 ? '' : bytes.toString('latin1', start, start + length);
  };
  const isIn = (slot: number, text: string, from: number, to: number): boolean => {
    const length = lengths[slot] ?? 0;
    if (length === ELSEWHERE) return others.get(slot) === text.slice(from, to);
    if (length !== to - from) return false;
    const start = starts[slot] as number;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== text.charCodeAt(from + i)) return false;
    return true;
  };
  const unit = (slot: number, at: number): number => {
    const length = lengths[slot] ?? 0;
    if (length === ELSEWHERE) return others.get(slot)?.charCodeAt(at) || 0;
    return at < length ? (bytes[(starts[slot] as number) + at] as number) : 0;
  };
  const lengthOf = (slot: number): number => {
    const length = lengths[slot] ?? 0;
    return length === ELSEWHERE ? (others.get(slot)?.length ?? 0) : length;
  };
  return {
    image: () => ({ bytes: new Uint8Array(bytes.buffer, 0, used), wasted, starts, lengths, others: [...others] }),
    restore: (image) => {
      bytes = Buffer.from(image.bytes.buffer);
      used = bytes.length;
      ({ wasted, starts, lengths } = image);
      for (const [slot, text] of image.others) others.set(slot, text);
    },
    get,
    unit,
    length: lengthOf,
    put: (slot, text) => {
      const had = lengths[slot] ?? 0;
      if (had === ELSEWHERE) others.delete(slot);
      else wasted += had;
      if (had > 0) lengths[slot] = 0;
      makeRoom(slot, text.length < ELSEWHERE ? text.length : 0);
      if (text.length >= ELSEWHERE || !write(text)) {
        lengths[slot] = ELSEWHERE;
        return void others.set(slot, text);
      }
      lengths[slot] = text.length;
      starts[slot] = used;
      used += text.length;
    },
    compare: (a, b) => {
      const [left, right] = [lengths[a] ?? 0, lengths[b] ?? 0];
      if (left === ELSEWHERE || right === ELSEWHERE) {
        const [x, y] = [get(a).slice(0, COMPARED), get(b).slice(0, COMPARED)];
        return x < y ? -1 : x > y ? 1 : 0;
      }
      const [from, to] = [starts[a] as number, starts[b] as number];
      const both = Math.min(left, right, COMPARED);
      for (let i = 0; i < both; i++) {
        const differs = (bytes[from + i] as number) - (bytes[to + i] as number);
        if (differs !== 0) return differs;
      }
      return Math.min(left, COMPARED) - Math.min(right, COMPARED);
    },
    compareWith: (slot, text) => compareUnits({ length: lengthOf(slot), unit: (at) => unit(slot, at) }, text),
    is: (slot, text) => isIn(slot, text, 0, text.length),
    isIn,
  };
}

/** Compares the beginnings of two texts by code unit. */
function compareUnits(own: { length: number; unit(at: number): number }, text: string): number {
  const [left, right] = [Math.min(own.length, COMPARED), Math.min(text.length, COMPARED)];
  for (let i = 0; i < left && i < right; i++) {
    const differs = own.unit(i) - text.charCodeAt(i);
    if (differs !== 0) return differs;
  }
  return left - right;
}
