/**
 * Requests to encoders; `index.ts` documents the guarantees. Times are seconds on the clock of the file unless noted.
 */
import type { AcceleratorName, HdrSource, Preset, VideoCodec } from '../../media/encoding.ts';
import type { OpenInput } from '../../process.ts';

export { ACCELERATORS } from '../../media/encoding.ts';
export type { AcceleratorName, HdrSource, Preset, VideoCodec };

/**
 * An accelerator and its device (`/dev/dri/renderD128`), which is found on this machine and never taken from a request.
 */
export interface Accelerator {
  name: AcceleratorName;
  device?: string;
}

/**
 * Properties of encoded pictures. Runs with equal properties produce segments that can follow each other, whichever
 * encoder makes them.
 */
export interface EncodedPictures {
  codec: VideoCodec;
  /** Even numbers; pixels are square. */
  width: number;
  height: number;
  frameRate: number;
  /** Most bits per second. */
  maxrate: number;
}

/** A picture subtitle that is drawn into the video. */
export interface BurnedSubtitle {
  /** Index of the stream in its file. */
  stream: number;
  /** Separate file, whose clock begins at `zero` of the video's. If left out, the stream is in the video's file. */
  sidecar?: { open: () => Promise<OpenInput>; zero: number };
  /** Size of the video's pictures in the file, to detect a taller subtitle canvas. */
  videoWidth: number;
  videoHeight: number;
  /** An audio stream of the same file, whose packets tell how far the subtitle was read. */
  pacer?: number;
}

export interface VideoRequest extends EncodedPictures {
  /** Opens the media file when the turn of the program has come. */
  open(): Promise<OpenInput>;
  /** Index of the stream in the file. */
  stream: number;
  /** The container's name (`mpegts`): some are not exact about where they begin. */
  container: string;
  /** Time at which the container begins, which seeking counts from. */
  containerStart: number;
  /** The first picture wanted; pictures before it may come too. Left out, the file is read from its beginning. */
  from?: number;
  /** Times of keyframes, in order: each becomes the first picture at or after it. */
  keyframes: readonly number[];
  /** No picture at or after this time. */
  until: number;
  preset: Preset;
  accelerator?: Accelerator;
  toneMap?: HdrSource;
  deinterlace?: boolean;
  /** Clockwise turn in degrees. */
  rotate?: 0 | 90 | 180 | 270;
  burn?: BurnedSubtitle;
}

export type EncodedAudioCodec = 'aac' | 'eac3';

export interface AudioRequest {
  open(): Promise<OpenInput>;
  stream: number;
  container: string;
  containerStart: number;
  codec: EncodedAudioCodec;
  channels: 1 | 2 | 6;
  /** Bits per second. */
  bitrate: number;
  /** Properties of the stream in the file. */
  source: { codec: string; channels: number; sampleRate: number; start: number };
  /** The first sample that is encoded, counted at 48,000 a second on the clock of the file. */
  firstSample: number;
  /** No sample from this one on. */
  endSample: number;
}

/** Encoded media on its way: fragmented MP4 of one track. Reading slowly slows the encoder down. */
export interface EncodedStream {
  pid: number;
  bytes: AsyncIterable<Uint8Array>;
  /** Resolves when everything was encoded; rejects with a ProcessFailure. */
  done: Promise<void>;
  /** Whether the file could not be read on: what was written last may be what ffmpeg puts in the place of the rest. */
  hasLostInput(): boolean;
  stop(): void;
}

/** Encoders of video and audio. Failures are ProcessFailures, or what `open` fails with. */
export interface MediaEncoder {
  /** Pictures, with `TIME_SHIFT` seconds added to their times. Starting aborts with `signal`, and so does encoding. */
  video(request: VideoRequest, signal?: AbortSignal): Promise<EncodedStream>;
  /** Sound, with `TIME_SHIFT` seconds added to its times. */
  audio(request: AudioRequest, signal?: AbortSignal): Promise<EncodedStream>;
  /** One black picture, encoded as `video` would: for the initialization segment. */
  blank(pictures: EncodedPictures & { preset: Preset }, signal?: AbortSignal): Promise<Uint8Array>;
}
