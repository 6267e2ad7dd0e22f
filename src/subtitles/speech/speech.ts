/** Where people speak in a video, and bringing cues to it. */
import type { z } from 'zod';
import type { PlayableFile } from '../../catalog/index.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import type { Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import type { Alignment } from '../engine/align/align.ts';
import type { Cue } from '../engine/index.ts';

export interface SpeechNeeds {
  processes: Processes;
  ffmpeg: Pick<Ffmpeg, 'extractAudio'>;
  /** The server's cache folder: curves are kept below `speech/` in it. */
  cache: string;
  clock: Clock;
  log: Log;
}

/** Which audio: the file, and the language whose track is taken when there are several. */
export interface Spoken {
  file: PlayableFile;
  root: Root;
  language?: string | undefined;
}
export interface Listening {
  /** 0 to 1. */
  progress?(part: number): void;
  signal: AbortSignal;
}

/** 100 values a second. */
export interface SpeechCurve {
  /** Seconds. */
  duration: number;
  /** How likely somebody speaks, 0 to 255. */
  speech: Uint8Array;
  /** Loudest sample, 0 to 255. */
  level: Uint8Array;
}

export interface Speech {
  /** From the cache, or by listening to the whole track. Fails as `conflict` when the file has no audio that can be read. */
  curve(spoken: Spoken, listening: Listening): Promise<SpeechCurve>;
  /** Compares cues with the speech, outside this process. Fails like `curve`. */
  align(spoken: Spoken, cues: readonly Cue[], listening: Listening): Promise<Alignment>;
  /** The curve thinned to at most 1,024 places of a part, in seconds. */
  audio(spoken: Spoken, part: { from?: number | undefined; to?: number | undefined }, listening: Listening): Promise<z.input<typeof endpoints.audio.result>>;
  close(): Promise<void>;
}

export function createSpeech(_needs: SpeechNeeds): Speech {
  const later = (): never => {
    throw new Failure('unavailable', 'not built yet');
  };
  return { curve: async () => later(), align: async () => later(), audio: async () => later(), close: async () => {} };
}
