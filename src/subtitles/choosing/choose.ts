/**
 * Chooses which candidates are downloaded, and in which order. Pure.
 *
 * At most three candidates of each provider are considered, and the best three of all are tried in turn. Ties are
 * decided by the better match, then a single episode before a pack, then more downloads, then provider and id, so that
 * the order of replies does not matter.
 */
import { type ProviderQuery, type Candidate, MAX_OFFERS_PER_PROVIDER } from '../providers/provider.ts';
import type { ScoredCandidate } from './evidence.ts';
import { MIN_SCORE, score } from './score.ts';

export interface CandidateChoice {
  /** At most three candidates, the best first. None has a conflict or a score below 60. */
  best: ScoredCandidate[];
  /** Every candidate, those that were excluded among them. */
  scored: ScoredCandidate[];
  /** Number of candidates, and of those excluded by conflicts and by their score, for the message to the user. */
  offered: number;
  conflicting: number;
  tooLow: number;
}

const MAX_TRIED = 3;
const RANK = { exact: 2, strong: 1, weak: 0 } as const;

export function chooseCandidates(
  candidates: readonly Candidate[],
  ask: ProviderQuery,
  isRejected: (candidate: Candidate) => boolean = () => false,
): CandidateChoice {
  const scored = candidates.map((candidate) => score(candidate, ask));
  const all = scored.filter(({ candidate }) => !isRejected(candidate));
  const fitting = all.filter(({ conflicts }) => conflicts.length === 0);
  const good = fitting.filter((one) => one.score >= MIN_SCORE).sort(byScore);
  const perProvider = new Map<string, number>();
  const best = good.filter(({ candidate: { provider } }) => {
    const before = perProvider.get(provider) ?? 0;
    perProvider.set(provider, before + 1);
    return before < MAX_OFFERS_PER_PROVIDER;
  });
  return {
    best: best.slice(0, MAX_TRIED),
    scored,
    offered: candidates.length,
    conflicting: all.length - fitting.length,
    tooLow: fitting.length - good.length,
  };
}

/** Compares two candidates, the better one first. */
export function byScore(a: ScoredCandidate, b: ScoredCandidate): number {
  return (
    b.score - a.score ||
    RANK[b.match] - RANK[a.match] ||
    Number(a.candidate.pack) - Number(b.candidate.pack) ||
    (b.candidate.downloads ?? 0) - (a.candidate.downloads ?? 0) ||
    (a.candidate.provider < b.candidate.provider ? -1 : a.candidate.provider > b.candidate.provider ? 1 : 0) ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}

/** Whether a candidate may be installed although no audio has confirmed its timing. */
export const isAcceptableUnverified = ({ match, conflicts, score: points }: ScoredCandidate): boolean =>
  match !== 'weak' && conflicts.length === 0 && points >= MIN_SCORE;

/** Whether no better candidate is possible, so that other searches may stop. */
export const isExact = ({ match, conflicts }: ScoredCandidate): boolean => match === 'exact' && conflicts.length === 0;
