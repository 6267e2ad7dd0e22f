/**
 * Candidates that providers offered lately, by item, language and kind, in memory. A person who chooses one needs no
 * second search, and what was downloaded is not downloaded again.
 *
 * A list is served for ten minutes, and its ids are valid for an hour. An id is a keyed hash of the item, the language,
 * the kind and the candidate. So it fits no other item and no other server, and stays the same in the next list. The
 * number of lists, of their candidates and of the kept bytes is limited; the oldest are dropped first.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { PlayableFile } from '../../catalog/index.ts';
import { MAX_CANDIDATES } from '../../contract/subtitles/candidates.ts';
import type { CandidateRefusal } from '../../contract/subtitles/missing-reasons.ts';
import type { Clock } from '../../lib/clock.ts';
import { byScore } from '../choosing/choose.ts';
import type { RefusedCandidate } from '../choosing/download.ts';
import { type ScoredCandidate, refusalByConflict } from '../choosing/evidence.ts';
import type { ProviderSearch } from '../choosing/find.ts';
import { MIN_SCORE } from '../choosing/score.ts';
import type { SearchTarget } from '../providers/provider-set.ts';
import type { DownloadedFile, ProviderQuery } from '../providers/provider.ts';

export interface ListedCandidate {
  id: string;
  scored: ScoredCandidate;
  /** Why it was refused when it was tried. */
  tried?: CandidateVerdict | undefined;
  downloaded?: DownloadedFile | undefined;
  /** The format and the first lines of what was downloaded. */
  read?: { format: string; lines: { start: number; text: string }[] } | undefined;
}

export interface CandidateVerdict {
  reason: CandidateRefusal;
  error: string;
}

export interface CandidateList {
  about: SearchTarget;
  ask: ProviderQuery;
  /** The video that the list was made for. */
  video: string;
  /** Time of the search in milliseconds since the epoch. */
  at: number;
  answers: ProviderSearch['answers'];
  /** The best first; those with a conflict last. */
  candidates: ListedCandidate[];
  /** Number of candidates before the list was cut. */
  total: number;
}

export interface FoundCandidates {
  about: SearchTarget;
  file: PlayableFile;
  ask: ProviderQuery;
  answers: ProviderSearch['answers'];
  scored: readonly ScoredCandidate[];
  refused?: readonly RefusedCandidate[];
}

export interface CandidateLists {
  /** Keeps the result of a search, in place of an earlier one of the same item and language. */
  keep(result: FoundCandidates): CandidateList;
  /** Returns the last list for these bytes of the video, if its ids are still valid. */
  last(about: SearchTarget, file: PlayableFile): CandidateList | undefined;
  isFresh(list: CandidateList): boolean;
  /** Keeps what was downloaded, within the limit of all lists. */
  keepDownload(of: ListedCandidate, downloaded: DownloadedFile): void;
}

const FRESH_MS = 10 * 60_000;
const VALID_MS = 60 * 60_000;
const MAX_LISTS = 32;
/** Limit of the downloads of all lists, in bytes. An ordinary subtitle has 60 kB. */
const MAX_KEPT_BYTES = 8 * 1024 ** 2;
const ID_LENGTH = 16;

export function createCandidateLists({ clock }: { clock: Pick<Clock, 'now'> }): CandidateLists {
  const key = randomBytes(32);
  /** In order of age, the oldest first. */
  const lists = new Map<string, CandidateList>();
  const idOf = ({ item, language, role }: SearchTarget, { provider, id }: ScoredCandidate['candidate']): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([item, language, role, provider, id]))
      .digest('hex')
      .slice(0, ID_LENGTH);
  const isValid = ({ at }: CandidateList): boolean => Math.abs(clock.now() - at) <= VALID_MS;

  const keepDownload = (of: ListedCandidate, downloaded: DownloadedFile): void => {
    of.downloaded = downloaded;
    const all = [...lists.values()].flatMap(({ candidates }) => candidates);
    let kept = all.reduce((sum, one) => sum + (one.downloaded?.bytes.byteLength ?? 0), 0);
    for (const one of all) {
      if (kept <= MAX_KEPT_BYTES) return;
      if (one === of || !one.downloaded) continue;
      kept -= one.downloaded.bytes.byteLength;
      one.downloaded = undefined;
    }
  };

  return {
    keep: ({ about, file, ask, answers, scored, refused = [] }) => {
      const name = nameOf(about);
      const before = lists.get(name);
      const known = new Map(
        before && isValid(before) && before.video === videoOf(file)
          ? before.candidates.map((one) => [one.id, one] as const)
          : [],
      );
      const sorted = scored.toSorted(
        (a, b) => Number(a.conflicts.length > 0) - Number(b.conflicts.length > 0) || byScore(a, b),
      );
      const list: CandidateList = {
        about,
        ask,
        video: videoOf(file),
        at: clock.now(),
        answers,
        candidates: sorted.slice(0, MAX_CANDIDATES).map((one) => {
          const id = idOf(about, one.candidate);
          return { ...known.get(id), id, scored: one };
        }),
        total: scored.length,
      };
      lists.delete(name);
      lists.set(name, list);
      for (const [old, { at }] of lists)
        if (lists.size > MAX_LISTS || Math.abs(clock.now() - at) > VALID_MS) lists.delete(old);
      for (const { scored: one, code, reason, downloaded } of refused) {
        const listed = list.candidates.find(({ scored: each }) => each.candidate === one.candidate);
        if (!listed) continue;
        listed.tried = { reason: code, error: reason };
        if (downloaded) keepDownload(listed, downloaded);
      }
      return list;
    },
    last: (about, file) => {
      const list = lists.get(nameOf(about));
      return list && isValid(list) && list.video === videoOf(file) ? list : undefined;
    },
    isFresh: ({ at }) => Math.abs(clock.now() - at) <= FRESH_MS,
    keepDownload,
  };
}

const nameOf = ({ item, language, role }: SearchTarget): string => `${item} ${language} ${role}`;
const videoOf = ({ id, size, modifiedMs }: PlayableFile): string => `${id} ${size} ${modifiedMs}`;

/**
 * Returns the reason for not installing a candidate automatically: a conflict, the result of trying it, an earlier
 * refusal, or too low a score. `rejections` are the remembered refusals of this item and language.
 */
export function verdictOf(
  { scored: { candidate, conflicts, score }, tried }: ListedCandidate,
  rejections: readonly { provider: string; candidate: string; reason: string }[],
): CandidateVerdict | undefined {
  const [conflict] = conflicts;
  if (conflict !== undefined) return refusalByConflict(conflict);
  if (tried) return tried;
  const rejection = rejections.find((one) => one.provider === candidate.provider && one.candidate === candidate.id);
  if (rejection) return { reason: 'rejected', error: rejection.reason };
  return score < MIN_SCORE
    ? { reason: 'score', error: `too little speaks for it: ${Math.round(score)} points, and ${MIN_SCORE} are needed` }
    : undefined;
}

/** Refusals that a person may overrule: nothing is known to be wrong with the file. */
const OVERRULED = new Set<CandidateRefusal>(['score', 'unverified', 'rejected', 'download']);
export const mayBeChosen = (verdict: CandidateVerdict | undefined): boolean =>
  verdict === undefined || OVERRULED.has(verdict.reason);
