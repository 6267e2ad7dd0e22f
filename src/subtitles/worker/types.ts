/** Requests and results of reading subtitles. Plain data, which is sent to another process for large ones. */
import type { UnreadableReason } from '../../contract/subtitles/states.ts';
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import type { Cue, Format, LanguageEvidence, ReadOptions, SubtitleDocument } from '../../cues/index.ts';

export interface ConvertRequest {
  bytes: Uint8Array;
  to: 'vtt' | 'ass';
  /** The format, if it is known. The bytes are then UTF-8. */
  from?: Format;
  options?: ReadOptions;
}

export interface ExamineRequest {
  bytes: Uint8Array;
  options: ReadOptions & { language: string };
  /** Keeps the cues between these times, in milliseconds, and counts them from the first one. */
  cut?: { from: number; to: number };
  /** Moves the cues by this alignment before examining. */
  alignment?: UnappliedAlignment;
}

/** Facts about a subtitle, by which it is accepted or refused. */
export interface Examination {
  format: Format;
  /** In order of time. For a large subtitle only the times and whether a cue has speech are known. */
  cues: readonly Cue[];
  /** Start times of the cues with text, in milliseconds, sorted. */
  starts: Float64Array;
  language: LanguageEvidence;
  isForImpaired: boolean;
  /** The whole subtitle as SRT in UTF-8. */
  srt: Uint8Array;
}

export interface DocumentRequest {
  bytes: Uint8Array;
  options: ReadOptions;
}

export interface SubtitleInput {
  bytes: Uint8Array;
  extension: string;
}
export type Naming = SubtitleInput;

/** Why a file cannot be read, or, of one with at least one line, whether it is for the hard of hearing. */
export type FileCheck = { unreadable: UnreadableReason } | { unreadable?: never; isForImpaired: boolean };

/**
 * Reads small subtitles in this process and large ones in another. Each method throws `Failure('invalid')` if the bytes
 * are not a subtitle.
 */
export interface SubtitleReader {
  /** Returns a subtitle in another format, as UTF-8. */
  convert(given: ConvertRequest, signal: AbortSignal): Promise<Uint8Array>;
  examine(given: ExamineRequest, signal: AbortSignal): Promise<Examination>;
  /** Returns the whole subtitle. */
  document(given: DocumentRequest, signal: AbortSignal): Promise<SubtitleDocument>;
  /** Returns the cues in order of time, for comparing their times with others. */
  cues(given: SubtitleInput, signal: AbortSignal): Promise<readonly Cue[]>;
  /** Returns whether a file has lines, and of what kind. Does not throw for a file that is no subtitle. */
  check(given: SubtitleInput, signal: AbortSignal): Promise<FileCheck>;
  /** Returns the format detected from the content; undefined if it is none. */
  format(given: Naming, signal: AbortSignal): Promise<Format | undefined>;
}

/** Times of cues and whether they contain speech, as numbers: everything that alignment needs. */
export interface CueNumbers {
  starts: Float64Array;
  ends: Float64Array;
  spoken: Uint8Array;
}
