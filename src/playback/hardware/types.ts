/** Types shared by the parts of hardware detection; `index.ts` documents the guarantees. */
import type { HardwareFault, TrialReason } from '../../contract/playback/trial-reasons.ts';
import type { AcceleratorName, Machine, VideoCodec } from '../plan/types.ts';

/** Result of a test. `reason` and `why` are left out when it passed. */
export interface TrialResult {
  passed: boolean;
  /** A sentence fragment for a person. */
  reason?: string;
  /** The same as a code with values. Left out in results that an earlier version kept. */
  why?: TrialReason;
  /** Times real time for 1080p with 24 frames a second. */
  speed?: number;
}

/** An accelerator that may be there. */
export interface AcceleratorCandidate {
  name: AcceleratorName;
  /** Found on this machine. */
  device?: string;
}

export interface AcceleratorStatus extends AcceleratorCandidate {
  /** Whether its device is on this machine, usable or not. */
  found: boolean;
  encode: TrialResult;
  decode: TrialResult;
  toneMap: TrialResult;
  /** Codecs that it encodes; empty unless `encode` passed. */
  codecs: readonly VideoCodec[];
  /** Codecs that it decodes; empty unless `decode` passed. */
  decodes: readonly VideoCodec[];
  /** Luma samples a second that it converts. */
  rate?: number;
}

/** A failure of an accelerator on a film. */
export interface FilmFailure {
  /** Milliseconds since the epoch. */
  at: number;
  fault: HardwareFault;
}

/** Which accelerator is tested now, as one of how many. */
export interface TestProgress {
  name: AcceleratorName;
  number: number;
  of: number;
}

/** All that was found out. Plain JSON: it is kept between two starts. */
export interface HardwareFacts {
  rows: readonly AcceleratorStatus[];
  /** Software rates, measured once in the background. */
  measured?: Pick<Machine, 'software' | 'toneMaps'>;
  eac3: boolean;
  filters: readonly string[];
  /** Milliseconds since the epoch. */
  testedAt: number;
}

/** Sizes of what is generated; tests make them smaller. */
export interface ClipSizes {
  trial: { width: number; height: number };
  /** Size of the clip that rates are measured with, and the number of pictures for an accelerator. */
  speed: { width: number; height: number; frames: number };
}
export const CLIP_SIZES: ClipSizes = {
  trial: { width: 320, height: 180 },
  speed: { width: 1920, height: 1080, frames: 96 },
};
