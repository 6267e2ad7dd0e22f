/**
 * Index of a media file: the facts needed to copy its streams into segments, without the pictures themselves.
 *
 * Each container has its own index maker. A maker returns `IndexData`, which is plain (numbers, text, typed
 * arrays), so that it can come from a helper process or be stored. `createMediaIndex` derives the rest of a
 * `MediaIndex` from it.
 */

import type { ReadAt } from '../../lib/media/source.ts';
import type { SliceFormat } from './codec/slices.ts';
import type { Jumps } from './ts/clock.ts';

/**
 * Why a file or a track cannot be copied. `no-index`: the container is not supported, or the file is damaged. `codec`:
 * there is no way to write the codec as fMP4. `encoded`: the frames are compressed or encrypted by the container.
 * `protected`: they are encrypted with a key that the file does not have, so that they cannot be decoded either.
 * `empty`: the track has no samples. The others are reasons of the playback plan.
 */
export type IndexObstacle =
  | 'no-index'
  | 'open-gop'
  | 'sparse-keyframes'
  | 'edit-list'
  | 'codec'
  | 'encoded'
  | 'protected'
  | 'empty';

/** Facts of one video or audio track. */
export interface TrackData {
  /** Position of the stream in `MediaInfo.streams`. */
  stream: number;
  kind: 'video' | 'audio';
  /** Short lower-case name as ffmpeg has it: `h264`, `eac3`. */
  codec: string;
  /** RFC 6381 name computed from the configuration bytes; absent where there is none. */
  codecs?: string;
  /** SUPPLEMENTAL-CODECS value of Dolby Vision. */
  supplemental?: string;
  /** Units in a second of the track's times. */
  timescale: number;
  /** Complete sample entry box for an fMP4 track; absent with an obstacle. */
  entry?: Uint8Array;
  /** Size at which the pictures are shown. */
  width?: number;
  height?: number;
  /** Average frames per second. */
  frameRate?: number;
  range?: 'SDR' | 'PQ' | 'HLG';
  channels?: number;
  /**
   * Media time shown at 0 because of priming, in the timescale. Of video it is computed from the reordering instead.
   */
  priming: number;
  /** Time between two frames of audio, in the timescale; 0 when it varies or is unknown. */
  frameSize: number;
  /** Bytes that the container took from the front of every frame (header stripping). */
  stripped?: Uint8Array;
  obstacles: readonly IndexObstacle[];
  /** Sound of a film that begins late, pauses or ends early: copied, it would stop the picture. */
  hasGaps?: boolean;
  /** Bits per second. Exact with a table; otherwise an estimate that is not too low. */
  bandwidth?: { peak: number; average: number };
}

/** Keyframes of the main video track, or the seek points of a file without video, in the order of their times. */
export interface Keyframes {
  /** Seconds. */
  times: Float64Array;
  /** Sample number in the track's table, or position in the file, as the layout needs it. */
  places: Float64Array;
  /** 1 when decoding may begin here without any earlier frame. 0 for a recovery point of an open GOP. */
  isIdr: Uint8Array;
}

/** Every sample of one track, in decoding order. */
export interface SampleTable {
  count: number;
  /** Presentation times in the timescale, one a sample; or of evenly spaced samples the first time and the step. */
  times: Float64Array | { first: number; step: number };
  sizes: Uint32Array | number;
  /** Runs of samples that lie one after the other in the file: number of the first sample, and its position. */
  runs: { samples: Uint32Array; positions: Float64Array };
  /** Numbers of the keyframes; absent when all samples are. */
  keys?: Uint32Array;
  /** Presentation time at which the last sample ends, in the timescale. */
  end: number;
}

/** How the samples of a segment are found. */
export type Layout =
  /** `tables[i]` belongs to `tracks[i]`. */
  | { kind: 'tables'; tables: readonly SampleTable[] }
  /** Matroska: a helper process walks the clusters of a segment when it is asked for. */
  | ClusterLayout
  /**
   * Other containers without a table of samples: a helper process puts their parts together when a segment is asked
   * for.
   */
  | PacketLayout;

export interface ClusterTrack {
  number: number;
  kind: 'video' | 'audio';
  timescale: number;
  /** Time of the first frame in ticks: audio lies on a grid that begins there. */
  firstTicks: number;
  /** Duration of an audio frame in the timescale, 0 when it varies. */
  frameSize: number;
  /** Default duration of a frame in nanoseconds, 0 when unknown. */
  frameDuration: number;
  /** Bytes of each frame that are not in the file, because of header stripping. */
  stripped: number;
}

/**
 * A Matroska file: positions of the first cluster and of their end, nanoseconds of a tick, and what the walk needs of
 * each track.
 */
export interface ClusterLayout {
  kind: 'clusters';
  first: number;
  end: number;
  scale: number;
  tracks: readonly ClusterTrack[];
}

export interface PacketTrack {
  pid: number;
  kind: 'video' | 'audio';
  codec: 'h264' | 'hevc' | 'aac' | 'ac3' | 'eac3' | 'mp3' | 'none';
  timescale: number;
  /** Duration of an audio frame in the timescale; 0 of video. */
  frameSize: number;
  /** Time of the first audio frame in the timescale: the others lie on a grid that begins there. */
  first: number;
  /** Common fields of the heads of all audio frames. */
  signature: number;
  /** Ticks that a frame lasts on average. */
  frameDuration: number;
  /** Each part that the container has is one frame of audio, without a head. */
  isWhole?: true;
  /** Bytes of the length in front of each unit of a picture; absent where start codes divide them. */
  lengthSize?: number;
  /** How the heads of slices are read. */
  slices?: SliceFormat;
  /**
   * The container has no presentation times, only those of decoding: the picture that is shown as number n is shown at
   * the time of the one that is decoded as number n + `delay`.
   */
  delay?: number;
  pace?: StreamPace;
  /** For each keyframe of the file, the position at which to begin to read. */
  places: Float64Array;
  /** Count of the stream at each of them. */
  counts?: Float64Array;
  /** Places at which the clock of a transport stream jumps. */
  jumps?: Jumps;
}

/** How the time of an AVI stream passes, which has no clock: by parts or by bytes. */
export interface StreamPace {
  /** Ticks that a unit lasts. */
  ticks: number;
  /** Ticks before the first unit. */
  start: number;
  /** Bytes of a unit; 0 where parts are counted. */
  bytes: number;
  /** Bytes up to which a part is one unit; 0 where each part is. */
  most: number;
}

export type PacketContainer = 'ts' | 'avi' | 'asf';

/** `zero` is the time in ticks of 90 kHz at which the timeline begins. */
export interface PacketLayout {
  kind: 'packets';
  container: PacketContainer;
  /** Bytes from one packet to the next, and position of the first; 0 in AVI. */
  stride: number;
  origin: number;
  /** Position at which the last packet ends. */
  end: number;
  zero: number;
  tracks: readonly PacketTrack[];
}

/** An index maker that reads a file from its start to its end, in steps. */
export interface Walker {
  /** Reads about so many bytes further. Throws `Uncertain` when the file is not understood. */
  step(readAt: ReadAt, bytes: number): void;
  /** From 0 to 1. */
  progress(): number;
  isDone(): boolean;
  /** Called once, when it is done. */
  result(): IndexData;
}

/** Result of an index maker. */
export interface IndexData {
  /** Seconds. */
  duration: number;
  tracks: readonly TrackData[];
  /** Position in `tracks` of the track whose keyframes these are. */
  main: number;
  keyframes: Keyframes;
  layout: Layout;
  /** Obstacles of the whole file. */
  obstacles: readonly IndexObstacle[];
}

/** Sources of bytes, in the order in which they are sent. */
export interface Pieces {
  /** Position in the file; a negative number -1 - n means byte n of `literals`. */
  positions: Float64Array;
  lengths: Uint32Array;
  literals?: Uint8Array;
}

/** Samples of one track that belong to one segment, in decoding order. */
export interface SegmentSamples {
  /** Presentation times in the timescale, before priming is subtracted. */
  times: Float64Array;
  sizes: Uint32Array;
  /** 1 for keyframes; all of audio are. */
  isKey: Uint8Array;
  /** Together they are the samples' bytes, one sample after the other. */
  pieces: Pieces;
  /** Time at which the last sample ends: the first time of the next segment, or the end of the track. */
  end: number;
}
