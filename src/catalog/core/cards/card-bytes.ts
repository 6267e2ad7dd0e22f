/**
 * Cache of card texts in one block of bytes outside the engine's heap, by the slot that a row has in the index.
 *
 * As strings, 14,000 cards made every collection of the heap longer, and each page of new cards moved 50 KB into the
 * old part of the heap: with 100,800 items, the list bench ran 26 full collections, and 14 without these strings and
 * with a heap that may grow by 40 %.
 * The block is written round and round, so the oldest cards are overwritten first.
 */

import { enlarged } from '../library-index/text-block.ts';

export interface KeptCard {
  json: string;
  library: string;
  /** Number of the group's kind; 0 for a card that is not of a group. */
  group: number;
}

export interface CardBytes {
  has(slot: number): boolean;
  get(slot: number): KeptCard | undefined;
  /** Keeps a card in place of the oldest ones. A card larger than an eighth of the block is not kept. */
  put(slot: number, card: KeptCard): void;
  clear(): void;
}

/**
 * Before each card: the length of its JSON (4 bytes), the number of its library (2), and that of its kind of group (1).
 */
const HEAD_BYTES = 8;
/** Cards begin at multiples of this, so that 32 bits count 32 GiB of cards. */
const STEP = 8;
const MAX_STEPS = 2 ** 32 - 2;
const MAX_LIBRARIES = 65_535;

export function createCardBytes(maxBytes: number): CardBytes {
  const steps = Math.floor(maxBytes / STEP);
  /**
   * Position of each slot's card in steps, plus one; 0 for a slot without a card. Positions never wrap around, so they
   * show the age of a card.
   */
  let positions = new Uint32Array(0);
  let libraries: string[] = [];
  let block: Buffer<ArrayBuffer> | undefined;
  /** The position of the next card. */
  let end = 0;

  /** Returns where in the block the card of a slot begins; -1 when it has none, or it was overwritten. */
  const find = (slot: number): number => {
    const position = (positions[slot] ?? 0) - 1;
    return position >= 0 && end - position <= steps ? (position % steps) * STEP : -1;
  };
  const clear = () => {
    positions.fill(0);
    libraries = [];
    end = 0;
  };
  const numberOf = (library: string): number => {
    const at = libraries.indexOf(library);
    return at >= 0 ? at : libraries.push(library) - 1;
  };

  return {
    has: (slot) => find(slot) >= 0,
    get: (slot) => {
      const at = find(slot);
      if (!block || at < 0) return undefined;
      const from = at + HEAD_BYTES;
      return {
        json: block.toString('utf8', from, from + block.readUInt32LE(at)),
        library: libraries[block.readUInt16LE(at + 4)] ?? '',
        group: block[at + 6] ?? 0,
      };
    },
    put: (slot, { json, library, group }) => {
      const length = Buffer.byteLength(json);
      const size = Math.ceil((HEAD_BYTES + length) / STEP);
      if (size * 8 > steps || libraries.length > MAX_LIBRARIES) return;
      if (end + steps + size > MAX_STEPS) clear();
      block ??= Buffer.from(new ArrayBuffer(steps * STEP));
      if (slot >= positions.length) positions = enlarged(positions, slot);
      // A card is in one piece: what does not fit before the end of the block begins at its start.
      const room = steps - (end % steps);
      if (room < size) end += room;
      const at = (end % steps) * STEP;
      positions[slot] = end + 1;
      end += size;
      block.writeUInt32LE(length, at);
      block.writeUInt16LE(numberOf(library), at + 4);
      block[at + 6] = group;
      block.write(json, at + HEAD_BYTES);
    },
    clear,
  };
}
