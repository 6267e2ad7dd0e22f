/** Results of an alignment: what moves by how much, and the evidence for it. */
import type { Cue } from '../cue.ts';
import type { Measures } from './measure.ts';

export interface Segment {
  /** Places in order of time (`inOrder`), inclusive. */
  from: number;
  to: number;
  /** ms, added after the ratio was applied. */
  offset: number;
}
export interface AlignmentEvidence {
  kind: string;
  detail: string;
  points: number;
}
export interface AlignmentRefusal {
  /** `weak`: something fits, but not surely. `mismatch`: nothing fits, as for another film. */
  reason: 'weak' | 'no-speech' | 'too-few-cues' | 'mismatch';
  /** Lower case, without a full stop. */
  sentence: string;
}
interface Measured {
  /** Of the times: new = old × ratio + offset. */
  ratio: number;
  /** Of a refusal: what fitted best and was not done. */
  segments: readonly Segment[];
  evidence: readonly AlignmentEvidence[];
  /** Left out where there was too little to measure. */
  measures?: Measures;
}
type Refused = { outcome: 'refused' } & AlignmentRefusal;
/** Moved cues stand in order of time. */
export type Alignment = Measured & ({ outcome: 'fits' } | { outcome: 'moved'; cues: readonly Cue[] } | Refused);
/** An alignment before any cue was moved. */
export type UnappliedAlignment = Measured & ({ outcome: 'fits' } | { outcome: 'moved' } | Refused);
