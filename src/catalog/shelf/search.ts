/** Search over titles: every word asked for must fit a word of the title; what fits better and fuller comes first. */
import type { ShelfRow } from '../types.ts';
import { createWords, foldWord, wordsOf } from './words.ts';

export interface Search {
  /** Takes a row's titles in, in place of what was there. */
  put(slot: number, row: ShelfRow, context: string): void;
  drop(slot: number): void;
  /** Slots that match among those let through, the best first. */
  find(text: string, isLet: (slot: number) => boolean, row: (slot: number) => ShelfRow | undefined): number[];
}

const MOST_WORDS = 8;
const MOST_FOUND = 2_000;
/** The title counts in full; the show of an episode, and an original title, a little less. */
const SECOND = 0.6;

export function createSearch(): Search {
  const words = createWords();
  /** For each word the slots that have it: of their title, and of their second texts. */
  const first: number[][] = [];
  const second: number[][] = [];
  /** How many words a slot's title has; 0 for a slot that is gone, whose old entries are then passed over. */
  const lengths: number[] = [];
  /** Grows when a slot is put anew, so that entries of its former titles are told apart. */
  const stale = new Map<number, Set<number>>();

  const add = (lists: number[][], word: number, slot: number) => {
    const list = (lists[word] ??= []);
    if (list.at(-1) !== slot) list.push(slot);
  };
  const forget = (slot: number) => {
    const own = stale.get(slot);
    if (!own) return;
    for (const word of own) {
      for (const lists of [first, second]) {
        const at = lists[word]?.indexOf(slot) ?? -1;
        if (at >= 0) lists[word]?.splice(at, 1);
      }
    }
    stale.delete(slot);
  };

  return {
    put: (slot, row, context) => {
      forget(slot);
      const own = new Set<number>();
      const title = wordsOf(row.title);
      for (const word of title) {
        const number = words.number(word);
        own.add(number);
        add(first, number, slot);
      }
      for (const word of wordsOf(`${row.originalTitle ?? ''} ${context}`)) {
        const number = words.number(word);
        if (own.has(number)) continue;
        own.add(number);
        add(second, number, slot);
      }
      lengths[slot] = Math.max(1, title.length);
      stale.set(slot, own);
    },
    drop: (slot) => {
      forget(slot);
      lengths[slot] = 0;
    },
    find: (text, isLet, row) => {
      const asked = wordsOf(text).slice(0, MOST_WORDS);
      if (asked.length === 0) return [];
      let scores: Map<number, number> | undefined;
      for (const [i, word] of asked.entries()) {
        const own = scoreWord(word, i === asked.length - 1, scores);
        scores = own;
        if (own.size === 0) return [];
      }
      return rank([...(scores ?? [])].filter(([slot]) => isLet(slot)), foldWord(text).trim(), row);
    },
  };

  /** Scores of one word, added to those of the words before; only slots that had all of them stay. */
  function scoreWord(word: string, isLast: boolean, before: Map<number, number> | undefined): Map<number, number> {
    const own = new Map<number, number>();
    for (const { word: number, weight } of words.fits(word, isLast)) {
      for (const [lists, share] of [[first, 1], [second, SECOND]] as const) {
        for (const slot of lists[number] ?? []) {
          const had = before ? before.get(slot) : 0;
          if (had === undefined) continue;
          // A title of few words that fits is closer than one of many.
          const score = had + weight * share * (1 + 1 / (lengths[slot] || 1));
          if (score > (own.get(slot) ?? 0)) own.set(slot, score);
        }
      }
    }
    return own;
  }

  function rank(found: [number, number][], text: string, row: (slot: number) => ShelfRow | undefined): number[] {
    found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const top = found.slice(0, MOST_FOUND).map(([slot, score]): [number, number] => {
      const title = foldWord(row(slot)?.title ?? '');
      const kind = row(slot)?.kind === 'episode' ? 0 : 0.3;
      return [slot, score + kind + (title === text ? 4 : title.startsWith(text) ? 1.5 : title.includes(text) ? 0.5 : 0)];
    });
    return top.sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([slot]) => slot);
  }
}
