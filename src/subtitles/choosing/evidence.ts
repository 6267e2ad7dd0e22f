/**
 * The shapes in which a choice is explained: why a candidate is believed, and why it is refused.
 * They are shown to people and stored beside an installed subtitle, so names in here are for good.
 */
import type { Candidate } from '../providers/provider.ts';

/** What speaks for or against a candidate. */
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
  /** What it adds; below zero it takes away. */
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
