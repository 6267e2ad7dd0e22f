/**
 * Search: every word asked for must fit a word of the title, or all of them occur among the people or in the plot.
 *
 * The very title comes first, then titles that begin so, titles that have the words, titles with typing mistakes,
 * people, and plots; within each of these what fits better and fuller.
 */
import type { TextMatches } from '../types.ts';
import { createLists, createPostings, type Postings } from './postings.ts';
import { byWeight, type Sorted } from './positions.ts';
import type { Rows } from './rows.ts';
import { enlarged } from './texts.ts';
import { createWords, foldWord, wordsOf } from './words.ts';

export interface Search {
  /** Takes a row's titles in, in place of what was there. */
  put(slot: number, context: string): void;
  drop(slot: number): void;
  /** Slots that match among those let through, with how well they do; the best first, and equal ones by title. */
  find(text: string, isLet: (slot: number) => boolean, texts?: TextMatches): Sorted;
}

const MOST_WORDS = 8;
const MOST_FOUND = 2_000;
/** Steps of scores: a score has the words that fit, and how well each does. */
const STEPS = 4_096;
/** The title counts in full; the show of an episode, and an original title, a little less. */
const SECOND = 0.6;
/** More than the words of one search can score. */
const TIER = 100;
const TIERS = { exact: 4 * TIER, begins: 3 * TIER, words: 2 * TIER, mistakes: TIER, people: 0, plot: -TIER } as const;
/** Films and shows come before episodes that fit as well. */
const WHOLE = 0.3;

interface Ranked {
  slots: number[];
  weights: number[];
}

export function createSearch(rows: Rows, byTitle: (a: number, b: number) => number): Search {
  const words = createWords();
  /** For each word the slots that have it: of their title, and of their second texts. */
  const [first, second] = [createPostings(), createPostings()];
  /** How many words a slot's title has. */
  let lengths = new Uint16Array(0);
  /** The places where a slot is listed: twice their number, and one more for the second texts. */
  const listed = createLists();
  /** By slot, for one search at a time: how many of the words it had, their scores, and that of the word at hand. */
  let had = new Uint8Array(0);
  let score = new Float32Array(0);
  let best = new Float32Array(0);

  const forget = (slot: number) => {
    for (const place of listed.get(slot)) (place % 2 === 0 ? first : second).remove(place >>> 1);
    listed.put(slot, []);
  };
  const makeRoom = () => {
    if (had.length >= lengths.length) return;
    const size = lengths.length;
    [had, score, best] = [new Uint8Array(size), new Float32Array(size), new Float32Array(size)];
  };

  /** Scores the word asked for as number `i`. Answers the slots that had every word so far. */
  const scoreWord = (word: string, i: number, isLast: boolean): number[] => {
    const reached: number[] = [];
    for (const { word: number, weight, isMistake } of words.fits(word, isLast)) {
      for (const [lists, share] of [
        [first, weight],
        [second, weight * SECOND],
      ] as const) {
        for (let place = lists.head(number); place !== 0; place = lists.next(place)) {
          const slot = lists.slot(place);
          const before = had[slot] ?? 0;
          if (before < i) continue;
          // A title of few words that fits is closer than one of many.
          const own = share * (1 + 1 / (lengths[slot] || 1)) + (isMistake ? 0 : TIER);
          if (before === i) {
            had[slot] = i + 1;
            best[slot] = own;
            reached.push(slot);
          } else if (own > (best[slot] ?? 0)) best[slot] = own;
        }
      }
    }
    for (const slot of reached) score[slot] = (score[slot] ?? 0) + (best[slot] ?? 0);
    return reached;
  };

  return {
    put: (slot, context) => {
      forget(slot);
      const title = wordsOf(rows.titles.get(slot), true);
      const own = new Set<number>();
      const places: number[] = [];
      const add = (lists: Postings, word: string) => {
        const number = words.number(word);
        if (own.has(number)) return;
        own.add(number);
        places.push(lists.add(number, slot) * 2 + (lists === first ? 0 : 1));
      };
      for (const word of title) add(first, word);
      for (const word of wordsOf(`${rows.originalTitle(slot) ?? ''} ${context}`, true)) add(second, word);
      if (slot >= lengths.length) lengths = enlarged(lengths, slot);
      lengths[slot] = Math.max(1, title.length);
      listed.put(slot, places);
    },
    drop: forget,
    find: (text, isLet, texts) => {
      const asked = wordsOf(text).slice(0, MOST_WORDS);
      if (asked.length === 0) return { slots: new Uint32Array(0) };
      makeRoom();
      const all: number[][] = [];
      for (const [i, word] of asked.entries()) {
        all.push(scoreWord(word, i, i === asked.length - 1));
        if (all.at(-1)?.length === 0) break;
      }
      const found = all.length === asked.length ? (all.at(-1) ?? []) : [];
      const ranked = rank(bestOf(found, isLet), { text: foldWord(text).trim(), words: asked.length });
      for (const slot of all[0] ?? []) had[slot] = score[slot] = 0;
      return texts ? withTexts(ranked, texts, isLet) : byWeight(ranked.slots, ranked.weights, byTitle);
    },
  };

  function wholeness(slot: number): number {
    return rows.kinds.get(slot) === 'episode' ? 0 : WHOLE;
  }

  /** Adds what matches by its people or plot alone. */
  function withTexts({ slots, weights }: Ranked, texts: TextMatches, isLet: (slot: number) => boolean): Sorted {
    const known = new Set(texts.people.length + texts.plot.length > 0 ? slots : []);
    for (const tier of ['people', 'plot'] as const) {
      for (const id of texts[tier]) {
        const slot = rows.ids.find(id);
        if (slot < 0 || known.has(slot) || !isLet(slot)) continue;
        known.add(slot);
        slots.push(slot);
        weights.push(TIERS[tier] + wholeness(slot));
      }
    }
    return byWeight(slots, weights, byTitle);
  }

  function rank(slots: number[], { text, words }: { text: string; words: number }): Ranked {
    const weights = slots.map((slot) => {
      const title = foldWord(rows.titles.get(slot));
      const whole = score[slot] ?? 0;
      const exactWords = Math.floor(whole / TIER);
      const tier =
        title === text
          ? TIERS.exact
          : title.startsWith(text)
            ? TIERS.begins
            : exactWords === words
              ? TIERS.words
              : TIERS.mistakes;
      return tier + whole - exactWords * TIER + wholeness(slot) + (title.includes(text) ? 0.5 : 0);
    });
    return { slots, weights };
  }

  /**
   * Returns those with the highest scores that are let through, of equal ones the first. A letter fits tens of thousands:
   * they are put in some thousand steps of their score, and only those of the highest steps are looked at.
   */
  function bestOf(found: readonly number[], isLet: (slot: number) => boolean): number[] {
    if (found.length <= MOST_FOUND) return found.filter(isLet);
    const { inOrder, ends } = inSteps(found);
    const best: number[] = [];
    for (let step = 0, from = 0; step < ends.length && best.length < MOST_FOUND; from = ends[step++] as number) {
      const level: number[] = [];
      for (let i = from; i < (ends[step] as number); i++)
        if (isLet(inOrder[i] as number)) level.push(inOrder[i] as number);
      const room = MOST_FOUND - best.length;
      best.push(
        ...(level.length <= room
          ? level
          : level.sort((a, b) => (score[b] as number) - (score[a] as number)).slice(0, room)),
      );
    }
    return best;
  }

  /** Sorts slots into steps of their score, the highest first; within a step they stay in their order. */
  function inSteps(found: readonly number[]): { inOrder: Uint32Array; ends: Uint32Array } {
    let [least, most] = [Infinity, -Infinity];
    for (let i = 0; i < found.length; i++) {
      const own = score[found[i] as number] as number;
      if (own < least) least = own;
      if (own > most) most = own;
    }
    const scale = most > least ? (STEPS - 1) / (most - least) : 0;
    const stepOf = (slot: number) => Math.floor((most - (score[slot] as number)) * scale);
    const ends = new Uint32Array(STEPS);
    for (let i = 0; i < found.length; i++) {
      const step = stepOf(found[i] as number);
      ends[step] = (ends[step] as number) + 1;
    }
    for (let step = 0, sum = 0; step < STEPS; step++) {
      const count = ends[step] as number;
      ends[step] = sum;
      sum += count;
    }
    const inOrder = new Uint32Array(found.length);
    for (let i = 0; i < found.length; i++) {
      const step = stepOf(found[i] as number);
      const place = ends[step] as number;
      inOrder[place] = found[i] as number;
      ends[step] = place + 1;
    }
    return { inOrder, ends };
  }
}
