/**
 * Types that explain why a candidate is accepted or refused. They are shown to users and stored with installed
 * subtitles, so the names of kinds never change.
 */
import type { EvidenceReason } from '../../contract/subtitles/evidence-reasons.ts';
import type { Candidate } from '../providers/provider.ts';

/** Evidence for or against a candidate. */
export type ScoreEvidenceKind =
  | 'ids'
  | 'hash'
  | 'release'
  | 'group'
  | 'source'
  | 'resolution'
  | 'codec'
  | 'edition'
  | 'title'
  | 'year'
  | 'episode'
  | 'pack'
  | 'trusted'
  | 'hearing-impaired'
  | 'frame-rate'
  | 'language'
  | 'timing'
  | 'unverified';

export interface ScoreEvidence {
  kind: ScoreEvidenceKind;
  /** Points added to the score; may be negative. */
  points: number;
  /** Sentence fragment for users: `the same title`. */
  detail: string;
  /** Reason that `detail` is made of. Missing in evidence that earlier versions stored. */
  why?: EvidenceReason | undefined;
}

/** Reasons that reject a candidate, however many points it has. */
export type Conflict =
  | 'language'
  | 'season'
  | 'episode'
  | 'year'
  | 'id'
  | 'kind'
  | 'forced'
  | 'hearing-impaired'
  | 'machine-translated';

/** Returns a refusal by a conflict: its reason, and a sentence fragment for users. */
export const refusalByConflict = (conflict: Conflict): { reason: Conflict; error: string } => ({
  reason: conflict,
  error: CONFLICT_SENTENCES[conflict],
});
const CONFLICT_SENTENCES: Readonly<Record<Conflict, string>> = {
  language: 'it is in another language',
  season: 'it is for another season',
  episode: 'it is for another episode',
  year: 'it is for a title of another year',
  id: 'its id is that of another title',
  kind: 'it is for an episode of a show, and this is a film',
  forced: 'it is a forced one, or a full one where a forced one is wanted',
  'hearing-impaired': 'it is not for the hard of hearing',
  'machine-translated': 'it was translated by a machine',
};

export interface ScoredCandidate {
  candidate: Candidate;
  /** Integer from 0 to 100. */
  score: number;
  evidence: readonly ScoreEvidence[];
  /** If not empty, the candidate is rejected. */
  conflicts: readonly Conflict[];
  /**
   * `exact`: no better candidate is possible, and the search may stop. `strong`: may be installed although the audio
   * has not confirmed its timing. `weak`: only if the audio confirms it.
   */
  match: 'exact' | 'strong' | 'weak';
}
