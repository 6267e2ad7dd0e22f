/** Results of an alignment: the segments that move, their offsets, and the evidence. */
import type { EvidenceReason, TimingRefusal } from '../../contract/subtitles/evidence-reasons.ts';
import type { Cue } from '../cue.ts';
import type { Measures } from './measure.ts';

export interface Segment {
  /** Index of a cue in order of time (`inOrder`); `to` is inclusive. */
  from: number;
  to: number;
  /** Offset in ms, added after the ratio was applied. */
  offset: number;
}
export interface AlignmentEvidence {
  kind: string;
  /** Sentence fragment in English. */
  detail: string;
  points: number;
  /** Reason that `detail` is made of. Missing in evidence that earlier versions stored. */
  why?: EvidenceReason | undefined;
}
export interface AlignmentRefusal {
  /** `weak`: the best alignment is not certain. `mismatch`: nothing fits, as with the subtitle of another film. */
  reason: 'weak' | 'no-speech' | 'too-few-cues' | 'mismatch';
  /** Why, as a code. */
  refusal: TimingRefusal;
}
interface Measured {
  /** Ratio of the times: new = old × ratio + offset. */
  ratio: number;
  /** Segments of the alignment. Those of a refusal fitted best and were not applied. */
  segments: readonly Segment[];
  evidence: readonly AlignmentEvidence[];
  /** Left out if there was too little to measure. */
  measures?: Measures;
}
type Refused = { outcome: 'refused' } & AlignmentRefusal;
/** Alignment with its moved cues in order of time. */
export type Alignment = Measured & ({ outcome: 'fits' } | { outcome: 'moved'; cues: readonly Cue[] } | Refused);
/** Alignment before any cue was moved. */
export type UnappliedAlignment = Measured & ({ outcome: 'fits' } | { outcome: 'moved' } | Refused);
