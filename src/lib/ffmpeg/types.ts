/** Requests to ffmpeg and ffprobe and their results; `index.ts` documents the guarantees. */
import type { Readable } from 'node:stream';
import type { FileLocation } from '../files.ts';
import type { Priority } from '../process.ts';

/**
 * A media file: a place in a library, every folder of which is opened without following a link, or an absolute path
 * among the server's own files. It is opened when the program starts, and the program is given the open file.
 */
export type Media = FileLocation;

/** The reply of ffprobe as it is, with the fields that we read. Numbers come as text. */
export interface ProbeStream {
  index: number;
  codec_type?: string;
  codec_name?: string;
  codec_tag_string?: string;
  profile?: string;
  level?: number;
  width?: number;
  height?: number;
  coded_width?: number;
  coded_height?: number;
  sample_aspect_ratio?: string;
  display_aspect_ratio?: string;
  pix_fmt?: string;
  field_order?: string;
  refs?: number;
  r_frame_rate?: string;
  avg_frame_rate?: string;
  time_base?: string;
  start_time?: string;
  duration?: string;
  bit_rate?: string;
  bits_per_raw_sample?: string;
  bits_per_sample?: number;
  nb_frames?: string;
  color_range?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  sample_fmt?: string;
  sample_rate?: string;
  channels?: number;
  channel_layout?: string;
  disposition?: Readonly<Record<string, number>>;
  tags?: Readonly<Record<string, string>>;
  side_data_list?: readonly Readonly<Record<string, unknown>>[];
}

export interface ProbeOutput {
  format: {
    format_name: string;
    format_long_name?: string;
    duration?: string;
    start_time?: string;
    size?: string;
    bit_rate?: string;
    tags?: Readonly<Record<string, string>>;
  };
  streams: readonly ProbeStream[];
  chapters: readonly { id: number; start_time: string; end_time: string; tags?: Readonly<Record<string, string>> }[];
}

/** Text formats that a subtitle track can be written in; `copy` formats keep what is in the file. */
export const TEXT_FORMATS = ['webvtt', 'srt', 'ass'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export interface TextTrack {
  /** Number of the stream in the file, as ffprobe has it. */
  stream: number;
  format: TextFormat;
  /**
   * Its codec as ffprobe names it: when it is that of `format` (`subrip` for `srt`), the text is passed on untouched.
   */
  codec?: string;
}

/** Tracks on their way: one stream of UTF-8 text for each that was asked for, in that order. */
export interface TextExtraction {
  tracks: readonly Readable[];
  /** Resolves when the whole file has been read; rejects with a ProcessFailure. */
  done: Promise<void>;
  stop(): void;
}

/** Codecs of subtitles that are pictures, as ffprobe names them. */
export const PICTURE_CODECS = ['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'] as const;
export type PictureCodec = (typeof PICTURE_CODECS)[number];

/** A track of picture subtitles on its way. */
export interface PictureExtraction {
  /** A `.sup` for PGS; for all others Matroska with one track of DVD pictures, of unknown length. */
  bytes: Readable;
  /** Resolves when the whole file has been read; rejects with a ProcessFailure. */
  done: Promise<void>;
  stop(): void;
}

export interface Audio {
  /** Signed 16-bit little-endian samples, one channel, `rate` a second. */
  samples: Readable;
  rate: number;
  done: Promise<void>;
  stop(): void;
}

/**
 * Keyframes of a part of a file, `from` on for `length` seconds after its beginning; or of a fragmented MP4, all its
 * pictures.
 */
export type KeyPicturesRequest = (
  | { media: Media; from: number; length: number }
  | { fragments: AsyncIterable<Uint8Array> }
) &
  KeyPictureShape;
export interface KeyPictureShape {
  /** Size of the pictures, whatever that of the video: even numbers of pixels. */
  width: number;
  height: number;
  /** Maps a high dynamic range to an ordinary screen. */
  hdr?: 'hdr10' | 'hlg' | 'dolby-vision';
}
export interface KeyPicture {
  /** Seconds after the file's beginning. */
  time: number;
  /** Average brightness, 16 of black to 235 of white. */
  luma: number;
  /** Packed RGB, three bytes a pixel. It is reused for nothing else. */
  pixels: Buffer;
}

/** A part of the sound of a file, in seconds. Without an end it lasts as long as the file. */
export interface AudioCut {
  stream: number;
  /** Codec of the stream, as ffprobe names it. */
  codec: string;
  /** Samples per second. */
  rate: number;
  start: number;
  end?: number;
}

export interface LoudnessRequest {
  media: Media;
  stream: number;
  start?: number;
  end?: number;
}
/** Loudness of a whole stream (EBU R 128), and its highest sample, 1 being full scale. */
export interface MeasuredLoudness {
  lufs: number;
  peak?: number;
}

export interface FfmpegCapabilities {
  /** `5.1.9-0+deb12u1`, or null when it is not installed. */
  ffmpeg: string | null;
  ffprobe: string | null;
  encoders: readonly string[];
  decoders: readonly string[];
  /** Hardware ways it was built with; not a promise that the device is there. */
  accelerators: readonly string[];
}

export interface Ffmpeg {
  /** Reads the headers of a media file. */
  probe(media: Media, signal?: AbortSignal): Promise<ProbeOutput>;
  /**
   * Writes text tracks in one pass over the file; the first cues come before the rest is read. Times are those
   * of the file, or count from the file's own beginning when `isFromZero` (transport streams begin anywhere).
   * Every track must be read, or destroyed, for the others to go on.
   */
  extractText(
    request: { media: Media; tracks: readonly TextTrack[]; priority?: Priority; isFromZero?: boolean },
    signal?: AbortSignal,
  ): Promise<TextExtraction>;
  /**
   * Takes out one track of subtitles that are pictures, which reads the whole file. `onTime` is called with the time of
   * the last picture in seconds, about once a second. Times are those of the file.
   */
  extractPictures(
    request: {
      media: Media;
      stream: number;
      codec: PictureCodec;
      priority?: Priority;
      onTime?: (seconds: number) => void;
    },
    signal?: AbortSignal,
  ): Promise<PictureExtraction>;
  /** One picture at `at` seconds, at most `width` pixels wide, never enlarged. */
  extractFrame(
    request: { media: Media; at: number; width: number; format?: 'jpeg' | 'png'; stream?: number },
    signal?: AbortSignal,
  ): Promise<Buffer>;
  /**
   * The sound of one stream (the best one when left out), 16,000 samples a second, each at its time: what is missing is
   * silence. The first sample is `from` seconds after the beginning, or, without it, at `zero` on the file's own clock.
   */
  extractAudio(
    request: { media: Media; stream?: number; from?: number; length?: number; zero?: number },
    signal?: AbortSignal,
  ): Promise<Audio>;
  /**
   * Returns a part of the sound of a file as a FLAC file of at most `mostBytes`, exact to the sample. Lossless sound
   * stays as it is; all other sound is decoded to 16 bits.
   */
  cutAudio(request: { media: Media; mostBytes: number } & AudioCut, signal?: AbortSignal): Promise<Buffer>;
  /**
   * Measures how loud a stream of sound is, or a part of it in seconds. Returns undefined for silence. Runs with the
   * priority of background work.
   */
  measureLoudness(request: LoudnessRequest, signal?: AbortSignal): Promise<MeasuredLoudness | undefined>;
  /**
   * The same sound, whole, as a WAV file `to` of at most `mostBytes` in a folder of the server's own. `progress` hears
   * of the seconds written.
   */
  writeAudio(
    request: {
      media: Media;
      to: string;
      mostBytes: number;
      stream?: number;
      zero?: number;
      progress?(seconds: number): void;
    },
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * Decodes the keyframes of a part of a video, in the order of their times. Fails when it is read. Leaving the loop
   * ends the program.
   */
  keyPictures(request: KeyPicturesRequest, signal?: AbortSignal): AsyncIterable<KeyPicture>;
  capabilities(signal?: AbortSignal): Promise<FfmpegCapabilities>;
}
