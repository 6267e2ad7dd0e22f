/**
 * Types of a probe's result: the contents of a media file according to its header.
 *
 * Promise: every value means the same whichever reader produced it, because the header reader and the mapping of
 * ffprobe's reply share these types and the functions of `shape.ts`.
 */

import type { ParsedTexts, NeighbourText } from './texts.ts';
import type { BookMetadata } from '../../lib/books/types.ts';

export type StreamType = 'video' | 'audio' | 'subtitle' | 'attachment' | 'data';

/** The class of high dynamic range; absent means standard range. */
export type Hdr = 'hdr10' | 'hlg' | 'dolby-vision';

export interface DolbyVision {
  profile: number;
  /** 0: unusable; 1 and 6: HDR10; 2: standard range; 4: HLG. */
  compatibility: number;
}

export interface Stream {
  /** Position in the file, from 0, counted as ffmpeg counts (covers and attachments come last in Matroska). */
  index: number;
  type: StreamType;
  /** Name of the codec in ffmpeg: h264, hevc, aac, subrip ... and `unknown` if ffmpeg has none. */
  codec: string;
  profile?: string;
  /** In the codec's own unit: 41 for H.264 level 4.1, 153 for HEVC level 5.1. */
  level?: number;
  width?: number;
  height?: number;
  /** Width of one pixel divided by its height, 3 decimals; absent when pixels are square. */
  sampleAspect?: number;
  /** Clockwise rotation in degrees that a player applies: 90, 180, 270; absent if upright. */
  rotation?: number;
  interlaced?: true;
  /** Frames per second on average, 3 decimals. */
  frameRate?: number;
  bitDepth?: number;
  pixelFormat?: string;
  hdr?: Hdr;
  /**
   * Only with `dolby-vision`: profile and bl_signal_compatibility_id from the configuration record. They determine how
   * players without Dolby Vision show the video.
   */
  dolbyVision?: DolbyVision;
  channels?: number;
  /** Name of the channel layout in ffmpeg: mono, stereo, 5.1, 5.1(side), 7.1 ... */
  layout?: string;
  /** Hertz. */
  sampleRate?: number;
  /** Bits per second. */
  bitrate?: number;
  /** ISO 639-2 as in the file (jpn, ger); absent if undetermined. */
  language?: string;
  /** BCP 47 tag of Matroska's LanguageBCP47 (pt-BR). Only the header reader reads it. */
  languageTag?: string;
  /** Name of the track. Of MP4 tracks ffprobe reports only the handler's name. */
  title?: string;
  default: boolean;
  forced: boolean;
  hearingImpaired: boolean;
  commentary: boolean;
  original: boolean;
  /** Whether it is an attached picture. */
  cover: boolean;
  /** Name of an attachment. */
  fileName?: string;
  mimeType?: string;
}

export interface MediaChapter {
  /** Seconds from the start of the file, 3 decimals. */
  start: number;
  end: number;
  title?: string;
}

/** The point at which a picture or clip was taken, in degrees. It is stored apart from all other facts of the file. */
export interface GeoPoint {
  latitude: number;
  longitude: number;
}

/** How a camera took a picture or a clip. */
export interface Capture {
  /** Local time of the camera: `2024-07-01T12:30:45`. */
  takenAt?: string;
  /** When a clip was recorded by the clock of its file, which has no time zone, in milliseconds since 1970. */
  recorded?: number;
  /** Offset of the local time from UTC, if the file states it or its GPS time shows it: `+02:00`. */
  offset?: string;
  /** Orientation as EXIF numbers it, 1 to 8; absent if it is upright or the decoder applies it. */
  orientation?: number;
  camera?: string;
  lens?: string;
  /** Seconds. */
  exposure?: number;
  /** The f-number. */
  aperture?: number;
  iso?: number;
  /** Millimetres. */
  focalLength?: number;
  /** The video of a motion photo: an MP4 file within the picture's file. */
  motion?: { at: number; size: number };
  /** Identifier that the two files of a live photo share. */
  pair?: string;
  isRaw?: true;
  /** The largest JPEG picture within a raw file. */
  preview?: { at: number; size: number };
  place?: GeoPoint;
}

export interface MediaInfo {
  /** matroska, webm, mp4, mov, avi, mpegts, jpeg, png, webp, gif, tiff, heic, avif, raw, or ffprobe's format name. */
  container: string;
  /** Seconds, 3 decimals; absent if unknown (a recording that is still being written). */
  duration?: number;
  /** Bytes. */
  size: number;
  /** Bits per second of the whole file. */
  bitrate?: number;
  streams: Stream[];
  chapters: MediaChapter[];
  /** Lower-case names of `KEPT_TAGS` in `shape.ts`. */
  tags: Record<string, string>;
  /** Pictures, and clips of cameras that say how they were taken. */
  capture?: Capture;
  /** Facts of a book or comic, which has no streams. */
  book?: BookMetadata;
  /** Tags of a file that has sound and no video. */
  audio?: AudioTags;
}

/** Lyrics inside a file: a text, or lines with their time in milliseconds. */
export interface EmbeddedLyrics {
  text?: string;
  lines: { at: number; text: string }[];
  language?: string;
}

/** A position among others, such as that of a track on its disc. */
export interface PartNumber {
  number?: number;
  total?: number;
}
/** Loudness in dB to add, and the highest sample, 1 being full scale. */
export interface AudioGain {
  track?: number;
  trackPeak?: number;
  album?: number;
  albumPeak?: number;
}
/** Tags of music and audiobooks. Lists have a value for each name that the file states. */
/** Part of a work of music. */
export interface Movement {
  name?: string;
  number?: number;
  total?: number;
}
export interface AudioTags {
  title?: string;
  artists: string[];
  albumArtists: string[];
  album?: string;
  track: PartNumber;
  disc: PartNumber;
  discTitle?: string;
  /** `2001`, `2001-05` or `2001-05-06`. */
  date?: string;
  genres: string[];
  /** Whether the file says that its album has various artists. */
  isCompilation: boolean;
  composers: string[];
  /** Left out if there are none, as most tracks have none. */
  conductors?: string[];
  /** Work of which the track is a part, such as a symphony, and the part. */
  work?: string;
  movement?: Movement;
  narrators: string[];
  series?: { name: string; position?: string };
  description?: string;
  publisher?: string;
  language?: string;
  /** MusicBrainz ids, by `recording`, `release`, `releaseGroup`. */
  ids: Record<string, string>;
  gain?: AudioGain;
  /** Samples to skip at the start and the end, which the encoder added. */
  trim?: { start: number; end: number };
  hasLyrics: boolean;
  /** Text of a cue sheet inside the file, which says what tracks the file holds. */
  cueSheet?: string;
  /** Stream of the embedded cover, as ffmpeg counts. */
  cover?: number;
}

/** A file to probe. `size` and `mtimeMs` are those of the directory listing. */
export interface ProbeRequest {
  path: string;
  size: number;
  mtimeMs: number;
}

/**
 * Why a file has no info. `empty`: no bytes. `not-media`: nothing playable in it. `broken`: it looks like media but
 * cannot be read. `unreadable`: the system refused to open or read it. `hung`: reading it timed out. `crashed`: it
 * crashed the helper process.
 */
export type ProbeFailure = 'empty' | 'broken' | 'encrypted' | 'unreadable' | 'not-media' | 'hung' | 'crashed';

export type ProbeResult =
  | { ok: true; info: MediaInfo; by: 'reader' | 'ffprobe' }
  | { ok: false; reason: ProbeFailure; sentence: string };

export interface Probe {
  /**
   * Probes every file of the batch. Results are in the order of the requests; one file never rejects the whole. An
   * aborted signal rejects with its reason. If a file hangs and `isAnswering` says that its whole library does, rejects
   * with LibraryOffline instead of waiting for each file.
   */
  probe(
    batch: readonly ProbeRequest[],
    signal: AbortSignal,
    isAnswering?: () => Promise<boolean>,
  ): Promise<ProbeResult[]>;
  /** Returns the lyrics inside a file; null if it has none or cannot be read. Rejects if the helper fails. */
  lyrics(path: string, signal: AbortSignal): Promise<EmbeddedLyrics | null>;
  /**
   * Parses a text that lies next to media: in the helper if it is large. Returns undefined if the helper fails on it.
   */
  parseText<F extends NeighbourText>(format: F, bytes: Uint8Array): Promise<ParsedTexts[F] | undefined>;
  /** Closes the helper. Requests in progress are rejected. */
  close(): Promise<void>;
}

/** Grows when a reader changes its results; an info stored with a lower number is read again. */
export const PROBE_VERSION = 9;
