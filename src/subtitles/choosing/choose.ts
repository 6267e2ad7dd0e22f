/**
 * Which candidates are tried, and in which order. Pure: the same offers give the same choice.
 *
 * Each provider brings at most three, the best three of all are tried in turn. Ties go to the better match, then to
 * what is of one episode alone, then to the file that more people took, then by provider and id, so that nothing
 * depends on who answered first.
 */
import { type Ask, type Candidate, MOST_OFFERS } from '../providers/provider.ts';
import type { Scored } from './evidence.ts';
import { MINIMUM, score } from './score.ts';

export interface Choice {
  /** At most three, best first; all without conflict and at least 60. */
  best: Scored[];
  /** How many were looked at, and how many were out and why: for the reason that people are given. */
  offered: number;
  conflicting: number;
  tooLow: number;
}

const MOST_TRIED = 3;
const RANK = { exact: 2, strong: 1, weak: 0 } as const;

export function choose(
  candidates: readonly Candidate[],
  ask: Ask,
  isRejected: (candidate: Candidate) => boolean = () => false,
): Choice {
  const all = candidates.filter((candidate) => !isRejected(candidate)).map((candidate) => score(candidate, ask));
  const fitting = all.filter(({ conflicts }) => conflicts.length === 0);
  const good = fitting.filter((one) => one.score >= MINIMUM).sort(inOrder);
  const perProvider = new Map<string, number>();
  const best = good.filter(({ candidate: { provider } }) => {
    const before = perProvider.get(provider) ?? 0;
    perProvider.set(provider, before + 1);
    return before < MOST_OFFERS;
  });
  return {
    best: best.slice(0, MOST_TRIED),
    offered: candidates.length,
    conflicting: all.length - fitting.length,
    tooLow: fitting.length - good.length,
  };
}

function inOrder(a: Scored, b: Scored): number {
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
export const isAcceptableUnverified = ({ match, conflicts, score: points }: Scored): boolean =>
  match !== 'weak' && conflicts.length === 0 && points >= MINIMUM;

/** Nothing better can come: other searches may stop. */
export const isExact = ({ match, conflicts }: Scored): boolean => match === 'exact' && conflicts.length === 0;
