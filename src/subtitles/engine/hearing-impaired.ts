/** Whether a subtitle is for the hard of hearing (SDH), told by its content. */
import { Failure } from '../../lib/failure.ts';
import type { Cue } from './cue.ts';

export interface HearingImpaired {
  is: boolean;
  /** Cues with any mark, of all cues, 0 to 1. */
  ratio: number;
  evidence: { brackets: number; labels: number; music: number; cues: number; examples: readonly number[] };
}

export function detectHearingImpaired(_cues: readonly Cue[]): HearingImpaired {
  throw new Failure('unavailable', 'not ready');
}
