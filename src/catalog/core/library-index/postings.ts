/** Maps words to slots: chains of places in typed arrays, so that a place is removed without a search. */
import { enlarged } from './text-block.ts';

export interface Postings {
  /** Adds a slot to a word. Returns its place in the chain of the word. */
  add(word: number, slot: number): number;
  remove(place: number): void;
  /** Return the newest place of a word, and the place after another one; 0 is none. */
  head(word: number): number;
  next(place: number): number;
  slot(place: number): number;
}

/** Marks the head of a chain: its link holds the number of its word. */
const HEAD = 2 ** 31;

export function createPostings(): Postings {
  let heads = new Uint32Array(64);
  let slots = new Uint32Array(64);
  let nexts = new Uint32Array(64);
  let befores = new Uint32Array(64);
  let end = 1;
  /** Chain of the places that were removed. */
  let unused = 0;
  const taken = (): number => {
    const place = unused;
    if (place === 0) return end++;
    unused = nexts[place] as number;
    return place;
  };
  return {
    add: (word, slot) => {
      const place = taken();
      if (word >= heads.length) heads = enlarged(heads, word);
      if (place >= slots.length)
        [slots, nexts, befores] = [enlarged(slots, place), enlarged(nexts, place), enlarged(befores, place)];
      const next = heads[word] as number;
      slots[place] = slot;
      nexts[place] = next;
      befores[place] = HEAD + word;
      if (next !== 0) befores[next] = place;
      heads[word] = place;
      return place;
    },
    remove: (place) => {
      const [next, before] = [nexts[place] as number, befores[place] as number];
      if (before >= HEAD) heads[before - HEAD] = next;
      else nexts[before] = next;
      if (next !== 0) befores[next] = before;
      nexts[place] = unused;
      unused = place;
    },
    head: (word) => heads[word] ?? 0,
    next: (place) => nexts[place] as number,
    slot: (place) => slots[place] as number,
  };
}

export interface Lists {
  put(slot: number, numbers: readonly number[]): void;
  get(slot: number): Uint32Array;
}

/** A list of numbers for each slot, which is replaced as a whole; all lists are in one block. */
export function createLists(): Lists {
  let block = new Uint32Array(0);
  let used = 0;
  let wasted = 0;
  let starts = new Uint32Array(0);
  let lengths = new Uint16Array(0);
  const get = (slot: number): Uint32Array => {
    const [start, length] = [starts[slot] ?? 0, lengths[slot] ?? 0];
    return block.subarray(start, start + length);
  };
  const makeRoom = (slot: number, more: number) => {
    if (slot >= starts.length) starts = enlarged(starts, slot);
    if (slot >= lengths.length) lengths = enlarged(lengths, slot);
    if (used + more <= block.length) return;
    if (wasted * 3 < used) {
      block = enlarged(block, used + more);
      return;
    }
    const older = block;
    block = new Uint32Array(Math.max(64, Math.ceil((used - wasted + more) * 1.25)));
    used = wasted = 0;
    for (let i = 0; i < starts.length; i++) {
      const [start, length] = [starts[i] as number, lengths[i] as number];
      block.set(older.subarray(start, start + length), used);
      starts[i] = used;
      used += length;
    }
  };
  return {
    get,
    put: (slot, numbers) => {
      wasted += lengths[slot] ?? 0;
      if ((lengths[slot] ?? 0) > 0) lengths[slot] = 0;
      makeRoom(slot, numbers.length);
      block.set(numbers, used);
      starts[slot] = used;
      lengths[slot] = numbers.length;
      used += numbers.length;
    },
  };
}
