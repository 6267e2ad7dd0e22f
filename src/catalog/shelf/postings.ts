/** Which slots have a word: for each word a list of numbers, in typed arrays that grow by half. */
import { enlarged } from './texts.ts';

export interface Postings {
  add(word: number, slot: number): void;
  remove(word: number, slot: number): void;
  /** The slots of a word; a view that the next change may move. */
  of(word: number): Uint32Array;
}

const NONE = new Uint32Array(0);

export function createPostings(): Postings {
  const lists: (Uint32Array | undefined)[] = [];
  const counts: number[] = [];
  return {
    add: (word, slot) => {
      const list = lists[word] ?? NONE;
      const count = counts[word] ?? 0;
      if (count === list.length) {
        const larger = new Uint32Array(count < 2 ? count + 1 : Math.ceil(count * 1.5));
        larger.set(list);
        larger[count] = slot;
        lists[word] = larger;
      } else list[count] = slot;
      counts[word] = count + 1;
    },
    remove: (word, slot) => {
      const list = lists[word];
      const count = counts[word] ?? 0;
      const at = list?.subarray(0, count).indexOf(slot) ?? -1;
      if (!list || at < 0) return;
      list.copyWithin(at, at + 1, count);
      counts[word] = count - 1;
    },
    of: (word) => lists[word]?.subarray(0, counts[word] ?? 0) ?? NONE,
  };
}

export interface Lists {
  put(slot: number, numbers: readonly number[]): void;
  get(slot: number): Uint32Array;
}

/** For each slot a list of numbers that is put whole, one after the other in one block. */
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
