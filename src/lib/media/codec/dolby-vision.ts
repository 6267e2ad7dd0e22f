/** The records dvcC and dvvC (Dolby Vision streams within ISOBMFF, 3.1). */
import { uncertain } from '../source.ts';

export interface DolbyVisionConfig {
  profile: number;
  level: number;
  /** bl_signal_compatibility_id: 1 is HDR10, 2 SDR, 4 HLG, 0 none. */
  compatibility: number;
}

/** `record` is the body of the box. */
export function readDolbyVision(record: Buffer): DolbyVisionConfig {
  if (record.length < 5) uncertain('dvcC cut short');
  const [, , third = 0, fourth = 0, fifth = 0] = record;
  return { profile: third >> 1, level: ((third & 1) << 5) | (fourth >> 3), compatibility: fifth >> 4 };
}
