/** How good a subtitle is to read: speed, overlaps, line lengths, gaps. */
import { Failure } from '../../lib/failure.ts';
import type { Cue } from './cue.ts';

export type CueWarning = 'too-fast' | 'too-short' | 'too-long' | 'overlap' | 'long-line' | 'many-lines' | 'no-gap' | 'negative' | 'empty' | 'after-end';

export interface Quality {
  cues: number;
  /** ms of the first cue's start and the last one's end; left out without cues. */
  first?: number;
  last?: number;
  /** Characters a second: middle value and the fastest twentieth. */
  speed: { median: number; p95: number };
  overlaps: number;
  longestLine: number;
  longestGap: number;
  /** Part of the video's duration between first and last cue, 0 to 1; only when the duration is known. */
  coverage?: number;
  /** By index of the cue. */
  warnings: ReadonlyMap<number, readonly CueWarning[]>;
}

/** `duration` of the video in ms, where known. */
export function measure(_cues: readonly Cue[], _duration?: number): Quality {
  throw new Failure('unavailable', 'not ready');
}
