/** The words of titles: which rows have them, and how well a row matches the words of a search. */
import { createLists, createPostings, type Postings } from './postings.ts';
import type { IndexRows } from './rows.ts';
import { enlarged } from './text-block.ts';
import { createWords, searchWordsOf } from './words.ts';

/**
 * Added to the score of a row for each word that matches without a typing mistake. More than all other parts of a score
 * together.
 */
export const EXACT_WORD = 100;
/** Weight of words of the group's title or of the original title. Words of the title itself have 1. */
const SECONDARY_WEIGHT = 0.6;

/** Both are valid until the next search. */
export interface ScoredRows {
  /** Slots of the rows that match every word. */
  slots: Uint32Array;
  /** By slot. */
  score: Float32Array;
}

export interface WordIndex {
  /** Indexes the titles of a row in place of its previous ones; `context` is the title of its group. */
  put(slot: number, context: string): void;
  drop(slot: number): void;
  /** Scores the rows that match every word, calls `use` with them, and forgets the scores. */
  match<R>(words: readonly string[], use: (scored: ScoredRows) => R): R;
}

export function createWordIndex(rows: IndexRows): WordIndex {
  const words = createWords();
  /** For each word the slots that have it: in their title, and in their secondary texts. */
  const [primary, secondary] = [createPostings(), createPostings()];
  /** Number of words in the title of each slot. */
  let lengths = new Uint16Array(0);
  /** The postings of each slot: twice their number, plus one for those of secondary texts. */
  const postings = createLists();
  /**
   * By slot, for one search at a time: number of words matched, their scores, and the best score of the current word.
   */
  let matched = new Uint8Array(0);
  let score = new Float32Array(0);
  let best = new Float32Array(0);
  /**
   * Slots that match the first word, and those that match all so far. A letter matches tens of thousands of rows, and
   * new lists for each search would be megabytes of garbage.
   */
  let first = new Uint32Array(0);
  let reached = new Uint32Array(0);

  const drop = (slot: number) => {
    for (const place of postings.get(slot)) (place % 2 === 0 ? primary : secondary).remove(place >>> 1);
    postings.put(slot, []);
  };
  const makeRoom = () => {
    if (matched.length >= lengths.length) return;
    const size = lengths.length;
    [matched, score, best] = [new Uint8Array(size), new Float32Array(size), new Float32Array(size)];
    [first, reached] = [new Uint32Array(size), new Uint32Array(size)];
  };
  /** Scores word number `i`. Writes the slots that matched every word so far to `into`, and returns their number. */
  const scoreWord = (word: string, i: number, isLast: boolean, into: Uint32Array): number => {
    let count = 0;
    for (const { word: number, weight, isMistake } of words.fits(word, isLast)) {
      for (const [lists, share] of [
        [primary, weight],
        [secondary, weight * SECONDARY_WEIGHT],
      ] as const) {
        for (let place = lists.head(number); place !== 0; place = lists.next(place)) {
          const slot = lists.slot(place);
          const before = matched[slot] ?? 0;
          if (before < i) continue;
          // A match in a short title is closer than one in a long title.
          const own = share * (1 + 1 / (lengths[slot] || 1)) + (isMistake ? 0 : EXACT_WORD);
          if (before === i) {
            matched[slot] = i + 1;
            best[slot] = own;
            into[count++] = slot;
          } else if (own > (best[slot] ?? 0)) best[slot] = own;
        }
      }
    }
    for (let at = 0; at < count; at++) {
      const slot = into[at] as number;
      score[slot] = (score[slot] as number) + (best[slot] as number);
    }
    return count;
  };

  return {
    put: (slot, context) => {
      drop(slot);
      const title = searchWordsOf(rows.titles.get(slot), true);
      const own = new Set<number>();
      const places: number[] = [];
      const add = (lists: Postings, word: string) => {
        const number = words.number(word);
        if (own.has(number)) return;
        own.add(number);
        places.push(lists.add(number, slot) * 2 + (lists === primary ? 0 : 1));
      };
      for (const word of title) add(primary, word);
      for (const word of searchWordsOf(`${rows.originalTitle(slot) ?? ''} ${context}`, true)) add(secondary, word);
      if (slot >= lengths.length) lengths = enlarged(lengths, slot);
      lengths[slot] = Math.max(1, title.length);
      postings.put(slot, places);
    },
    drop,
    match: (asked, use) => {
      makeRoom();
      let count = 0;
      let all = 0;
      for (const [i, word] of asked.entries()) {
        count = scoreWord(word, i, i === asked.length - 1, i === 0 ? first : reached);
        if (i === 0) all = count;
        if (count === 0) break;
      }
      const result = use({ slots: (asked.length > 1 ? reached : first).subarray(0, count), score });
      for (let at = 0; at < all; at++) matched[first[at] as number] = score[first[at] as number] = 0;
      return result;
    },
  };
}
