/**
 * Types that explain a choice: why a candidate is accepted or refused. They are shown to people and stored with an
 * installed subtitle, so the names of kinds never change.
 */
import type { Candidate } from '../providers/provider.ts';

/** Evidence for or against a candidate. */
export type EvidenceKind =
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

export interface Evidence {
  kind: EvidenceKind;
  /** Points that it adds to the score; may be negative. */
  points: number;
  /** A plain sentence fragment for people: `same IMDb id`. */
  detail: string;
}

/** Why a candidate is out, however many points it has. */
export type Conflict = 'language' | 'season' | 'episode' | 'year' | 'id' | 'kind' | 'forced' | 'machine-translated';

export interface Scored {
  candidate: Candidate;
  /** 0..100, whole. */
  score: number;
  evidence: readonly Evidence[];
  /** Empty, or the candidate is rejected. */
  conflicts: readonly Conflict[];
  /**
   * `exact`: nothing better can come, the search may stop. `strong`: may be installed without the audio having
   * confirmed its timing. `weak`: only if the audio confirms it.
   */
  match: 'exact' | 'strong' | 'weak';
}
