/**
 * Inputs and results of the playback plan: facts about the file, the client, the server and the machine, and the recipe
 * that the plan returns.
 *
 * All of them are plain data. The transcoder takes `VideoRecipe` and `AudioRecipe` unchanged; the media index provides
 * `IndexFacts`; the hardware detection provides `Machine`.
 */
import type { AcceleratorName, HdrSource, Preset, VideoCodec } from '../../lib/media/encoding.ts';

export type { AcceleratorName, HdrSource, Preset, VideoCodec };

/** Methods to play a file, least conversion first. `remux-audio` copies the video and converts the audio. */
export const WAYS = ['direct', 'remux', 'remux-audio', 'transcode'] as const;
export type PlaybackMethod = (typeof WAYS)[number];

export type ConvertedAudio = 'aac' | 'eac3';

/**
 * Recipe of a converted video. Equal recipes of one file give interchangeable segments, whichever encoder makes them.
 */
export interface VideoRecipe {
  kind: 'video';
  /** Index of the stream in the file. */
  stream: number;
  codec: VideoCodec;
  /** Size of the output, after rotation; even numbers. Pixels of the output are square. */
  width: number;
  height: number;
  /** Most bits per second (maxrate). */
  bitrate: number;
  /** How the source's high range is read; absent when it has none. The output is always BT.709 of 8 bits. */
  toneMap?: HdrSource;
  /**
   * The picture subtitle that is drawn into the video: a stream of the file, or a sidecar by its path below the
   * library.
   */
  burn?: { stream: number } | { sidecar: string };
  deinterlace: boolean;
  /** Clockwise turn in degrees that is applied to the picture. */
  rotate: 0 | 90 | 180 | 270;
}

/** Encoder of a recipe. It is not part of the stream's identity: a running stream may change it at any segment. */
export interface EncoderChoice {
  /** Hardware, where it passed its test; software when absent. */
  accelerator?: { name: AcceleratorName; device?: string };
  /** Preset of the software encoder, also after the hardware fails. */
  preset: Preset;
}

/** Recipe of a converted audio track, at 48 kHz. */
export interface AudioRecipe {
  kind: 'audio';
  stream: number;
  codec: ConvertedAudio;
  channels: 1 | 2 | 6;
  /** Bits per second. */
  bitrate: number;
  /**
   * Whether channels are mixed: centre at -3 dB, surrounds at -6 dB, without the low-frequency channel, through a
   * limiter.
   */
  downmix: boolean;
}

/**
 * Reasons why a file or a track cannot be cut and copied. `open-gop` does not stop clients that say `h264-opengop`.
 * `no-index`: it is not made yet, or there is none for the container. `codec`: fMP4 has no place for it. `encoded`: the
 * container compressed or encrypted the frames. `protected`: nothing can decode them. `empty`: there are none.
 */
export type CopyObstacle =
  | 'open-gop'
  | 'sparse-keyframes'
  | 'edit-list'
  | 'no-index'
  | 'codec'
  | 'encoded'
  | 'protected'
  | 'empty';

/** Facts of a file's index that the plan needs. */
export interface IndexFacts {
  /** Seconds of what can be cut; the header of a file may say something else. */
  duration?: number | undefined;
  /** Obstacles of the whole file; empty if it can be cut. */
  obstacles: readonly CopyObstacle[];
  /** By the position of the stream in `MediaInfo.streams`. */
  tracks: ReadonlyMap<number, TrackFacts>;
}
export interface TrackFacts {
  obstacles: readonly CopyObstacle[];
  /** Sound that begins late, pauses or ends early: copied, it stops the picture. */
  hasGaps?: boolean | undefined;
  /** Bits per second. */
  bandwidth?: { peak: number; average: number } | undefined;
}

/** Facts of this machine: what it can convert. */
export interface Machine {
  /** Accelerators that passed their test, the preferred one first. */
  accelerators: readonly {
    name: AcceleratorName;
    device?: string;
    /** Codecs that it encodes. */
    codecs: readonly VideoCodec[];
    /** Luma samples a second that it converts in real time: 1920 x 1080 x 30 at 2 x real time are 124 million. */
    rate: number;
    /** The same with a high dynamic range mapped to an ordinary one; left out where that does not work. */
    toneMapRate?: number;
  }[];
  software: {
    /** Codecs that this ffmpeg encodes in software. */
    codecs: readonly VideoCodec[];
    /** For H.264: luma samples a second that each preset encodes, on all cores and without decoding. */
    rates: Readonly<Record<Preset, number>>;
    /** Luma samples of the source a second that are decoded. */
    decodeRate: number;
    /** Luma samples of the output a second that are mapped from high dynamic range. */
    toneMapRate: number;
  };
  /** Kinds of high dynamic range that can be mapped. */
  toneMaps: readonly HdrSource[];
  /** Whether E-AC-3 can be encoded. */
  eac3: boolean;
  /** Whether all places for software conversions of video are taken, and none of them is this session's. */
  isBusy: boolean;
}

/** Failures of a file in earlier conversions. */
export interface Trouble {
  /** Accelerators that failed on this file. */
  hardwareFailed: readonly AcceleratorName[];
  /** Whether the file could not be decoded, in software either. */
  cannotDecode: boolean;
}

/** Settings of the server that decide about a plan, read when each plan is made. */
export interface PlanSettings {
  mode: 'automatic' | 'direct' | 'compatible';
  quality: 'automatic' | 'speed' | 'quality';
  accelerator: 'none' | 'auto' | AcceleratorName;
  codec: 'auto' | VideoCodec;
  toneMap: boolean;
  /** Bits per second for listeners that are remote. */
  remoteBitrate?: number;
}

/** Permissions of the Profile, and where it connects from. */
export interface PlanPolicy {
  transcode: boolean;
  isRemote: boolean;
}

/** Capabilities that a client names. A set that is left out means all; an empty one means none. */
export interface Client {
  /** Codec names, and `codec-profile` for a profile or feature beyond those that every player of the codec has. */
  videoCodecs?: ReadonlySet<string> | undefined;
  audioCodecs?: ReadonlySet<string> | undefined;
  containers?: ReadonlySet<string> | undefined;
  hdrFormats?: ReadonlySet<string> | undefined;
  /** Formats that it draws: vtt, ass, pgs, vobsub; WebVTT when left out. */
  subtitleFormats?: ReadonlySet<string> | undefined;
  maxAudioChannels?: number | undefined;
  /** Bits per second. */
  maxBitrate?: number | undefined;
  maxHeight?: number | undefined;
}

/** Everything that is done with one file. Plain JSON: a session stores it, and it means the same after a restart. */
export interface FileRecipe {
  way: PlaybackMethod;
  video?:
    | { action: 'copy'; stream: number }
    | { action: 'convert'; stream: number; recipe: VideoRecipe; encoder: EncoderChoice };
  /** Every audio track that can be heard, in the order of the file. */
  audio: readonly AudioPlan[];
  /** Index of the audio stream that is heard first. */
  heard?: number;
  /** Keys of the subtitles that are delivered as text next to the video. */
  subtitles: readonly string[];
  /** Key of the subtitle that is drawn into the video. */
  burn?: string;
}
export type AudioPlan = { action: 'copy'; stream: number } | { action: 'convert'; stream: number; recipe: AudioRecipe };

/** A quality that can be chosen: `original`, or a rung of the ladder. */
export interface QualityOption {
  /** `original`, `1080p-8`. */
  id: string;
  label: string;
  height: number;
  /** Bits per second. */
  bitrate: number;
}
