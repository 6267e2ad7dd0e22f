/** The ids of the slots, and the slot of an id: an open-addressed table over one block of bytes. */
import { createTextBlock, type TextBlock, type TextBlockImage } from './text-block.ts';

export interface SlotIds {
  /** Returns the slot of an id; -1 if it has none. */
  find(id: string): number;
  /** Returns the slot of an id that is a part of a text. No string is made of it. */
  findIn(text: string, from: number, to: number): number;
  /** Assigns a slot to an id: a freed one, or the next. */
  give(id: string): number;
  /** Frees a slot. */
  free(slot: number): void;
  get(slot: number): string;
  compare(a: number, b: number): number;
  /** Compares with an id that may have no slot. */
  compareWith(slot: number, id: string): number;
  /** Returns a number of 32 bits that depends only on the id and the seed. */
  mixed(slot: number, seed: number): number;
  /** Returns the number of ids, and the number of slots that were ever assigned. */
  size(): number;
  end(): number;
  /** Returns the ids as views, to be copied before anything changes. */
  image(): IdsImage;
  /** Fills an empty table with an image. */
  restore(image: IdsImage): void;
}

export interface IdsImage {
  texts: TextBlockImage;
  unused: readonly number[];
  end: number;
  size: number;
  table: Uint32Array<ArrayBuffer>;
}

const PRIME = 16_777_619;
const BASIS = 2_166_136_261;

/** FNV-1a, with its bits mixed. */
const mixedBits = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
function hashOf(text: string, from: number, to: number): number {
  let hash = BASIS;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return mixedBits(hash);
}
function hashAt(texts: TextBlock, slot: number, seed: number): number {
  let hash = BASIS ^ seed;
  const length = texts.length(slot);
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ texts.unit(slot, i), PRIME);
  return mixedBits(hash);
}

export function createIds(): SlotIds {
  const texts = createTextBlock();
  const unused: number[] = [];
  let end = 0;
  let size = 0;
  /** For each place the slot plus one; 0 is free. Never more than half full. */
  let table = new Uint32Array(64);

  /** Returns the place of an id in the table, or the free place where it would be put. */
  const placeIn = (text: string, from: number, to: number): number => {
    const mask = table.length - 1;
    let place = hashOf(text, from, to) & mask;
    while (table[place] !== 0 && !texts.isIn((table[place] as number) - 1, text, from, to)) place = (place + 1) & mask;
    return place;
  };
  const placeOf = (id: string): number => placeIn(id, 0, id.length);
  const grow = () => {
    const older = table;
    table = new Uint32Array(older.length * 2);
    const mask = table.length - 1;
    for (const one of older) {
      if (one === 0) continue;
      let place = hashAt(texts, one - 1, 0) & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = one;
    }
  };
  const findIn = (text: string, from: number, to: number): number => (table[placeIn(text, from, to)] as number) - 1;
  return {
    image: () => ({ texts: texts.image(), unused: [...unused], end, size, table }),
    restore: (image) => {
      texts.restore(image.texts);
      unused.push(...image.unused);
      ({ end, size, table } = image);
    },
    find: (id) => findIn(id, 0, id.length),
    findIn,
    get: texts.get,
    compare: texts.compare,
    compareWith: texts.compareWith,
    mixed: (slot, seed) => hashAt(texts, slot, seed),
    size: () => size,
    end: () => end,
    give: (id) => {
      let place = placeOf(id);
      if (table[place] !== 0) return (table[place] as number) - 1;
      if ((size + 1) * 2 > table.length) {
        grow();
        place = placeOf(id);
      }
      const slot = unused.pop() ?? end++;
      texts.put(slot, id);
      table[place] = slot + 1;
      size++;
      return slot;
    },
    free: (slot) => {
      const mask = table.length - 1;
      let hole = placeOf(texts.get(slot));
      // Entries behind the hole that belong before it move up, so that a search never stops too early.
      for (let next = (hole + 1) & mask; table[next] !== 0; next = (next + 1) & mask) {
        const wanted = hashAt(texts, (table[next] as number) - 1, 0) & mask;
        if (((next - wanted) & mask) < ((next - hole) & mask)) continue;
        table[hole] = table[next] as number;
        hole = next;
      }
      table[hole] = 0;
      texts.put(slot, '');
      unused.push(slot);
      size--;
    },
  };
}
