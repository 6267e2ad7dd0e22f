/** Playback sessions: Profile, item and streams, as plain data that survives a restart. */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { PlayReasonCode } from '../../contract/playback/reasons.ts';
import type { AudioRecipe, EncoderChoice, VideoRecipe, PlaybackMethod } from '../plan/types.ts';

/** One file of what is played. */
export interface RecipePart {
  /** Id of the version that the file belongs to, and which of its files it is. */
  version: string;
  part: number;
  /** `Source.identity` of the bytes that were planned. */
  identity: string;
  /** Seconds on the timeline of the whole. */
  start: number;
  duration: number;
}

/** A stream as one part has it: copied, or made by a recipe. */
export type StreamRecipe<R extends VideoRecipe | AudioRecipe> =
  | { stream: number; copy: { isOpenGopAllowed: boolean } }
  | { stream: number; convert: R };

interface Stream<R extends VideoRecipe | AudioRecipe> {
  /** Its number in file names: `v0`, `a3`. It means the same stream for as long as the session lasts. */
  number: number;
  /** One for each part. */
  parts: readonly StreamRecipe<R>[];
  /** Whether the master playlist lists it. Streams of an earlier plan can still be had. */
  isListed: boolean;
}
export interface VideoStream extends Stream<VideoRecipe> {
  encoder?: EncoderChoice;
}
export interface AudioStream extends Stream<AudioRecipe> {
  name: string;
  language?: string;
  isDefault: boolean;
  isCommentary: boolean;
}
export interface SubtitleStream {
  key: string;
  /** The track's key in each part; absent where a part has no such track. */
  parts: readonly (string | null)[];
  name: string;
  language?: string;
  role: 'normal' | 'forced' | 'sdh';
  isDefault: boolean;
}

/** Everything that the renditions of a session are made from. */
export interface SessionRecipe {
  way: PlaybackMethod;
  reasons: readonly { code: PlayReasonCode; stream?: number | undefined; detail: string }[];
  parts: readonly RecipePart[];
  videos: readonly VideoStream[];
  audios: readonly AudioStream[];
  subtitles: readonly SubtitleStream[];
}

/** A session as it is stored. Times are milliseconds since the epoch. */
export interface PlaybackSessionRow {
  id: string;
  profile: string;
  /** The id of the sign-in or key that it was planned with. */
  credential: string;
  /** Name of the device. */
  device: string;
  item: string;
  recipe: SessionRecipe;
  startedAt: number;
  usedAt: number;
  /** Whether anything of it was requested: a plan alone is not playback. */
  isStarted: boolean;
  /** Seconds on the timeline of the whole. */
  position: number;
  /** Why it ended, as a sentence fragment; null while it may be used. */
  ended: string | null;
}

/** A session in memory. */
export interface PlaybackSession extends PlaybackSessionRow {
  /** Principal of the last request; undefined until the first request after a start. */
  by: Principal | undefined;
  /** Whether a later session of the same sign-in took its place; its own next request takes it back. */
  isReplaced: boolean;
  /** When its player reported a pause, while that lasts. */
  pausedAt?: number | undefined;
}
