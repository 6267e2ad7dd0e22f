/** Columns: one value for each slot, in typed arrays. Values that repeat are kept once, and their numbers by slot. */
import { enlarged } from './texts.ts';

/** Values by number; 0 is none. */
export interface Values<V extends string | number | readonly string[]> {
  put(slot: number, value: V | null): void;
  get(slot: number): V | null;
  /** The number of a slot's value. */
  number(slot: number): number;
  /** The number of a value; undefined for one that no row had so far. */
  find(value: V): number | undefined;
  /** What the numbers mean; at 0 is null. */
  readonly values: readonly (V | null)[];
  /** How often each value occurs among these slots. */
  count(slots: Uint32Array): [V, number][];
  /** The column as it is: views, to be copied before anything changes. */
  image(): ValuesImage<V>;
  /** Takes an image in place of an empty column. */
  restore(image: ValuesImage<V>): void;
}

export interface ValuesImage<V> {
  of: Uint32Array<ArrayBuffer>;
  values: readonly (V | null)[];
}

export function createValues<V extends string | number | readonly string[]>(): Values<V> {
  const numbers = new Map<string | number, number>();
  const values: (V | null)[] = [null];
  let of = new Uint32Array(0);
  /** The same list is put for many rows, and is not read again for each. */
  const lists = new WeakMap<readonly string[], number>();
  const keyOf = (value: V): string | number => (typeof value === 'string' || typeof value === 'number' ? value : `${value.length}\0${value.join('\0')}`);
  const known = (value: V): number => {
    const key = keyOf(value);
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = values.push(value) - 1));
    return number;
  };
  const ofList = (list: V & readonly string[]): number => {
    let number = lists.get(list);
    if (number === undefined) lists.set(list, (number = known(list)));
    return number;
  };
  return {
    values,
    put: (slot, value) => {
      if (slot >= of.length) of = enlarged(of, slot);
      if (value === null) return void (of[slot] = 0);
      of[slot] = typeof value === 'object' ? ofList(value) : known(value);
    },
    get: (slot) => values[of[slot] ?? 0] ?? null,
    number: (slot) => of[slot] ?? 0,
    find: (value) => numbers.get(keyOf(value)),
    image: () => ({ of, values }),
    restore: (image) => {
      of = image.of;
      for (const value of image.values) if (value !== null) known(value);
    },
    count: (slots) => {
      const counts = new Uint32Array(values.length);
      for (let i = 0; i < slots.length; i++) {
        const number = of[slots[i] as number] as number;
        counts[number] = (counts[number] as number) + 1;
      }
      const found: [V, number][] = [];
      for (let number = 1; number < counts.length; number++) if (counts[number]) found.push([values[number] as V, counts[number] as number]);
      return found;
    },
  };
}

export interface Numbers {
  put(slot: number, value: number | null): void;
  get(slot: number): number | null;
  /** NaN for none. */
  raw(slot: number): number;
  image(): NumbersImage;
  restore(image: NumbersImage): void;
}

export interface NumbersImage {
  of: Float64Array<ArrayBuffer>;
}

export function createNumbers(): Numbers {
  let of = new Float64Array(0);
  return {
    put: (slot, value) => {
      if (slot >= of.length) of = enlarged(of, slot);
      of[slot] = value ?? NaN;
    },
    get: (slot) => {
      const value = of[slot] ?? NaN;
      return Number.isNaN(value) ? null : value;
    },
    raw: (slot) => of[slot] ?? NaN,
    image: () => ({ of }),
    restore: (image) => void (of = image.of),
  };
}

/** Slots that wait for something. Adding one twice is adding it once. */
export interface Waiting {
  add(slot: number): void;
  /** Takes one out; undefined when none waits. */
  take(): number | undefined;
  size(): number;
}

export function createWaiting(): Waiting {
  let flags = new Uint8Array(0);
  let size = 0;
  let next = 0;
  return {
    size: () => size,
    add: (slot) => {
      if (slot >= flags.length) flags = enlarged(flags, slot);
      if (flags[slot] === 1) return;
      flags[slot] = 1;
      size++;
    },
    take: () => {
      if (size === 0) return undefined;
      let at = flags.indexOf(1, next);
      if (at < 0) at = flags.indexOf(1);
      flags[at] = 0;
      size--;
      next = at + 1;
      return at;
    },
  };
}
