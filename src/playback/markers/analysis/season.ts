/**
 * Finds the common passages of a season from the passages that pairs of episodes share. Pure.
 *
 * A passage counts as common when three episodes and half of them have it, or both of two, and when its ends
 * lie within a second and a half of each other whichever episode it is compared with. What fewer episodes share is
 * suggested.
 */
import type { Passage } from './match.ts';

export interface SharedPassage {
  start: number;
  end: number;
  /** Part of the season that has it, 0 to 1. */
  confidence: number;
  isAgreed: boolean;
}
/** Passages of each episode, by the number of the other one. */
export type Pairs = readonly ReadonlyMap<number, readonly Passage[]>[];

/** How far the ends of a passage may move from pair to pair, in seconds. */
export const MAX_MOVE_S = 1.5;
const MIN_EPISODES = 3;
const MIN_PART = 0.5;

/** Returns of each episode the passages that it shares, the best one first. They do not overlap. */
export function sharedPassages(pairs: Pairs): SharedPassage[][] {
  return pairs.map((others) => {
    const left = [...others].flatMap(([other, passages]) => passages.map((one) => ({ ...one, other })));
    const found: SharedPassage[] = [];
    for (
      let best = bestOf(left);
      best;
      best = bestOf(left.filter((one) => !found.some((other) => overlaps(one, other))))
    ) {
      const episodes = best.others.size + 1;
      const isAgreed =
        pairs.length === 2 ? episodes === 2 : episodes >= MIN_EPISODES && episodes >= pairs.length * MIN_PART;
      found.push({ start: best.start, end: best.end, confidence: episodes / pairs.length, isAgreed });
    }
    return found;
  });
}

type Found = Passage & { other: number };
const overlaps = (a: { start: number; end: number }, b: { start: number; end: number }): boolean =>
  a.start < b.end && b.start < a.end;
const isSame = (a: Passage, b: Passage): boolean =>
  Math.abs(a.start - b.start) <= MAX_MOVE_S && Math.abs(a.end - b.end) <= MAX_MOVE_S;

/** The passage that most other episodes have; of equals the longest. */
function bestOf(passages: readonly Found[]): { start: number; end: number; others: Set<number> } | undefined {
  let best: { start: number; end: number; others: Set<number> } | undefined;
  for (const one of passages) {
    const same = passages.filter((other) => isSame(one, other));
    const others = new Set(same.map(({ other }) => other));
    const group = { start: median(same.map(({ start }) => start)), end: median(same.map(({ end }) => end)), others };
    const isBetter =
      best === undefined ||
      others.size > best.others.size ||
      (others.size === best.others.size && group.end - group.start > best.end - best.start);
    if (isBetter) best = group;
  }
  return best;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}
