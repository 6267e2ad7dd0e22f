/** What aligning says. Pure. */
import type { Cue } from '../cue.ts';

export interface Segment {
  /** Cue indexes, inclusive. */
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
export type Alignment = {
  /** Of the times: new = old × ratio + offset. */
  ratio: number;
  segments: readonly Segment[];
  evidence: readonly AlignmentEvidence[];
} & ({ outcome: 'fits' } | { outcome: 'moved'; cues: readonly Cue[] } | { outcome: 'refused'; reason: 'weak' | 'no-speech' | 'too-few-cues' | 'mismatch'; sentence: string });
