/** Messages between the server and the speech helper processes. */
import type { UnappliedAlignment } from '../cues/align/types.ts';
import type { SpokenTimes } from '../cues/align/blocks.ts';
import type { Reference } from '../cues/align/verdict.ts';

/** One audio track after another: begin, its samples in order, end. */
export type ListenRequest =
  /** `isAwaited`: a person waits for the result, so it may use more than one processor. */
  | { do: 'begin'; isAwaited: boolean }
  /** Signed 16-bit little-endian samples, 16,000 a second, in pieces of any length. */
  | { do: 'samples'; bytes: Uint8Array }
  | { do: 'end' };

/** `neural`: Silero. `light`: WebRTC's, where the neural one cannot be loaded. */
export const DETECTORS = ['neural', 'light'] as const;
export type DetectorName = (typeof DETECTORS)[number];

export type ListenReply =
  /** `detail` says why a better detector was not used. */
  | { is: 'ready'; detector: DetectorName; detail: string }
  /** No detector can be loaded on this machine; `detail` is for the log. */
  | { is: 'missing'; detail: string }
  /** Seconds that were analysed so far. */
  | { is: 'heard'; seconds: number }
  | { is: 'done'; speech: Uint8Array; level: Uint8Array };

export interface AlignRequest {
  times: SpokenTimes;
  curve: Uint8Array;
  reference: Reference;
}
export type AlignReply = UnappliedAlignment;
