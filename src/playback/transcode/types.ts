/** Types shared by the parts of the transcoder; `index.ts` documents the guarantees. */
import type { EncodedStream } from '../../lib/ffmpeg/encode/index.ts';

/** A finished segment: styp, moof and mdat. */
export interface Cut {
  index: number;
  bytes: Buffer;
}

/** Cuts what an encoder writes into the segments of a grid. */
export interface Cutter {
  /**
   * Takes the next bytes and returns the segments that they complete, in order. Throws when they do not fit the grid.
   */
  push(bytes: Uint8Array): Cut[];
  /** Called when the encoder ended well: returns what is left. */
  end(): Cut[];
}

/** A run of an encoder that is to begin at a segment. */
export interface EncoderRun {
  /** The first segment that comes of it. */
  first: number;
  /** Starts the encoder; aborting ends it. */
  start(signal: AbortSignal): Promise<EncodedStream>;
  cutter: Cutter;
  /** Name of the accelerator, or nothing in software. */
  accelerator?: string;
}

/** One stream of segments: a file and a recipe. */
export interface StreamPlan {
  /** Hash of file and recipe: the name of its folder. */
  id: string;
  kind: 'video' | 'audio';
  count: number;
  /** Seconds of an ordinary segment. */
  segmentSeconds: number;
  /** Opens the file and closes it again. Fails as `conflict` when it is another one now. */
  check(): Promise<void>;
  /** Prepares a run that begins at segment `index`. */
  runAt(index: number, how: { isSoftware: boolean }): EncoderRun;
}

/** Times and counts that decide how runs live; tests make them shorter. */
export interface TranscodeLimits {
  /** A run that reaches a segment within so many is waited for. */
  nearSegments: number;
  /** A run is held so many segments beyond the furthest one asked for. */
  aheadSegments: number;
  /** Time after which a run that is held ends. */
  heldMs: number;
  /** A run that another session used within this time continues without the session that left it. */
  sharedMs: number;
  /** How long a request waits. */
  waitMs: number;
  /** Three failures within this time, and the stream is refused for as long. */
  failureMs: number;
  /** Segments of one run of video, whose list of keyframes has an end. */
  runSegments: number;
  /** How often the file of a stream is looked at while its segments are taken. */
  checkMs: number;
}

export const TRANSCODE_LIMITS: TranscodeLimits = {
  nearSegments: 8,
  aheadSegments: 30,
  heldMs: 60_000,
  sharedMs: 60_000,
  waitMs: 20_000,
  failureMs: 60_000,
  runSegments: 300,
  checkMs: 2_000,
};
export const MAX_FAILURES = 3;
