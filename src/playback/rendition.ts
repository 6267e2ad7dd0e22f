/**
 * Types shared by the parts of playback: a source file, and its renditions.
 *
 * A rendition is one video or audio stream as HLS lists it: whole playlists at once, segments when they are asked
 * for. Copied and converted streams look the same from outside. All times are seconds on the timeline of the file,
 * which begins at 0; a film in several parts adds the part's start where the playlist is written.
 */
import type { MediaInfo } from '../catalog/index.ts';
import type { OpenFile, FileLocation } from '../lib/files.ts';

/** A media file that is being played. */
export interface MediaSource {
  /** The same while the bytes are: made of size, modification time and inode. */
  identity: string;
  info: MediaInfo;
  /** For programs, which are given the open file. */
  media: FileLocation;
  /**
   * Opens it below its library, following no link. Fails as `unavailable` or `missing`, and as `conflict` once it is no
   * longer `identity`.
   */
  open(): Promise<OpenFile>;
}

/**
 * Minimum seconds of the last segment. What remains after the last boundary and is shorter belongs to the segment
 * before: hls.js looks for the next segment a quarter of a second ahead of its buffer, passes over a shorter one, and
 * then waits for the end of the film forever.
 */
export const MIN_LAST_SEGMENT = 0.5;

export interface SegmentSpan {
  start: number;
  /** Seconds; more than 0. */
  duration: number;
}

export interface RenditionBytes {
  /** Length, where it is known before the bytes are. */
  size?: number;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

export interface Rendition {
  kind: 'video' | 'audio';
  /** `avc1.640028`, computed from the configuration bytes of a copied stream, or from the encoder's options. */
  codecs: string;
  /** SUPPLEMENTAL-CODECS, of Dolby Vision. */
  supplemental?: string;
  /** Bits per second. */
  bandwidth: { peak: number; average: number };
  width?: number;
  height?: number;
  frameRate?: number;
  range?: 'SDR' | 'PQ' | 'HLG';
  channels?: number;
  segments: readonly SegmentSpan[];
  /** Keyframes that can be shown alone, of copied video: what an I-frame playlist lists. */
  keyframes?: readonly SegmentSpan[];
  /** The initialisation segment (ftyp and moov). */
  init(signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Segment `n` of `segments`: styp, moof and mdat whose tfdt is its start. `who` names the session that asks. Fails as
   * `missing` beyond the end, `conflict` when the file is no longer the one that was planned, `unavailable` while it
   * is not available.
   */
  segment(n: number, who: string, signal: AbortSignal): Promise<RenditionBytes>;
  /** The one picture of `keyframes[n]`, as a segment. */
  keyframe?(n: number, signal: AbortSignal): Promise<RenditionBytes>;
}
