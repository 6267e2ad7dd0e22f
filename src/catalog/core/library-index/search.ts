/**
 * Search: every word must match a word of the title, or all words must occur among the people or in the plot.
 *
 * The order is: the exact title, titles that start with the text, titles with all words, titles with typing mistakes,
 * people, plots. Within each of these, closer matches come first.
 */
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import { byWeight, type SortedSlots } from './positions.ts';
import type { IndexRows } from './rows.ts';
import type { TextMatches } from './types.ts';
import { createWordIndex, EXACT_WORD, type ScoredRows } from './word-index.ts';
import { foldWord, searchWordsOf } from './words.ts';

export interface TitleSearch {
  /** Indexes the titles of a row in place of its previous ones; `context` is the title of its group. */
  put(slot: number, context: string): void;
  drop(slot: number): void;
  /** Returns the slots that match and pass the test, with their weights: the best first, equal ones by title. */
  find(text: string, isWanted: (slot: number) => boolean, texts?: TextMatches): SortedSlots;
}

const MAX_WORDS = 8;
const MAX_FOUND = 2_000;
/** Number of steps into which scores are sorted when there are more matches than are returned. */
const STEPS = 4_096;
/** Weights of the tiers, further apart than the scores of one tier can be. */
const TIERS = { exact: 400, begins: 300, words: 200, mistakes: 100, people: 0, plot: -100 } as const;

interface Ranked {
  slots: number[];
  weights: number[];
}

export function createSearch(
  rows: IndexRows,
  sortByTitle: (slots: Uint32Array) => void,
  weightOf: (kind: ItemKind) => number,
): TitleSearch {
  const index = createWordIndex(rows);
  const kindWeight = (slot: number): number => {
    const kind = rows.kinds.get(slot);
    return kind === null ? 0 : weightOf(kind);
  };
  const rank = (slots: number[], score: Float32Array, { text, words }: { text: string; words: number }): Ranked => ({
    slots,
    weights: slots.map((slot) => {
      const title = foldWord(rows.titles.get(slot));
      const whole = score[slot] ?? 0;
      const exactWords = Math.floor(whole / EXACT_WORD);
      const tier =
        title === text
          ? TIERS.exact
          : title.startsWith(text)
            ? TIERS.begins
            : exactWords === words
              ? TIERS.words
              : TIERS.mistakes;
      return tier + whole - exactWords * EXACT_WORD + kindWeight(slot) + (title.includes(text) ? 0.5 : 0);
    }),
  });
  /** Adds the rows that match by their people or plot only. */
  const withTexts = (
    { slots, weights }: Ranked,
    texts: TextMatches,
    isWanted: (slot: number) => boolean,
  ): SortedSlots => {
    const known = new Set(texts.people.length + texts.plot.length > 0 ? slots : []);
    for (const tier of ['people', 'plot'] as const) {
      for (const id of texts[tier]) {
        const slot = rows.ids.find(id);
        if (slot < 0 || known.has(slot) || !isWanted(slot)) continue;
        known.add(slot);
        slots.push(slot);
        weights.push(TIERS[tier] + kindWeight(slot));
      }
    }
    return byWeight(slots, weights, sortByTitle);
  };

  return {
    put: index.put,
    drop: index.drop,
    find: (text, isWanted, texts) => {
      const words = searchWordsOf(text).slice(0, MAX_WORDS);
      if (words.length === 0) return { slots: new Uint32Array(0) };
      const ranked = index.match(words, (scored) =>
        rank(bestOf(scored, isWanted), scored.score, { text: foldWord(text).trim(), words: words.length }),
      );
      return texts ? withTexts(ranked, texts, isWanted) : byWeight(ranked.slots, ranked.weights, sortByTitle);
    },
  };
}

/**
 * Returns the slots with the highest scores that pass the test; among equal scores the first ones. A single letter
 * matches tens of thousands of rows: they are sorted into steps of their score, and only the highest steps are tested.
 */
function bestOf({ slots, score }: ScoredRows, isWanted: (slot: number) => boolean): number[] {
  if (slots.length <= MAX_FOUND) return Array.from(slots.filter(isWanted));
  const { inOrder, ends } = inSteps(slots, score);
  const best: number[] = [];
  for (let step = 0, from = 0; step < ends.length && best.length < MAX_FOUND; from = ends[step++] as number) {
    const level: number[] = [];
    for (let i = from; i < (ends[step] as number); i++)
      if (isWanted(inOrder[i] as number)) level.push(inOrder[i] as number);
    const room = MAX_FOUND - best.length;
    best.push(
      ...(level.length <= room
        ? level
        : level.sort((a, b) => (score[b] as number) - (score[a] as number)).slice(0, room)),
    );
  }
  return best;
}

/** Sorts slots into steps of their score, the highest first. Within a step they keep their order. */
function inSteps(slots: Uint32Array, score: Float32Array): { inOrder: Uint32Array; ends: Uint32Array } {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < slots.length; i++) {
    const own = score[slots[i] as number] as number;
    if (own < least) least = own;
    if (own > most) most = own;
  }
  const scale = most > least ? (STEPS - 1) / (most - least) : 0;
  const stepOf = (slot: number) => Math.floor((most - (score[slot] as number)) * scale);
  const ends = new Uint32Array(STEPS);
  for (let i = 0; i < slots.length; i++) {
    const step = stepOf(slots[i] as number);
    ends[step] = (ends[step] as number) + 1;
  }
  for (let step = 0, sum = 0; step < STEPS; step++) {
    const count = ends[step] as number;
    ends[step] = sum;
    sum += count;
  }
  const inOrder = new Uint32Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const step = stepOf(slots[i] as number);
    const place = ends[step] as number;
    inOrder[place] = slots[i] as number;
    ends[step] = place + 1;
  }
  return { inOrder, ends };
}
