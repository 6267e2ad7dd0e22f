/**
 * Reading subtitles that may be large: what can be asked, and what comes back. Plain data, which crosses to another
 * process.
 */
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import type { Cue, Format, LanguageEvidence, ReadOptions } from '../../cues/index.ts';

export interface Converting {
  bytes: Uint8Array;
  to: 'vtt' | 'ass';
  /** The format, when it is known; the bytes are UTF-8 then. */
  from?: Format;
  options?: ReadOptions;
}

export interface Examining {
  bytes: Uint8Array;
  options: ReadOptions & { language: string };
  /** Moves the cues by this first. */
  alignment?: UnappliedAlignment;
}

/** Facts about a subtitle that was read, by which it is judged. */
export interface Examined {
  format: Format;
  /** In order of time. Of a large subtitle, only the times and whether there is speech are known. */
  cues: readonly Cue[];
  /** When the cues that hold text begin, in ms, in order. */
  starts: Float64Array;
  language: LanguageEvidence;
  isForImpaired: boolean;
  /** The whole as SRT in UTF-8. */
  srt: Uint8Array;
}

export interface Referring {
  bytes: Uint8Array;
  extension: string;
}
export type Naming = Referring;

/**
 * Reads small subtitles at once and large ones in another process. Each fails as `invalid` when the bytes are no
 * subtitle.
 */
export interface Reader {
  /** Returns a subtitle in another format, as UTF-8. */
  convert(given: Converting, signal: AbortSignal): Promise<Uint8Array>;
  examine(given: Examining, signal: AbortSignal): Promise<Examined>;
  /** Returns the cues in order of time, for comparing their times with others. */
  cues(given: Referring, signal: AbortSignal): Promise<readonly Cue[]>;
  /** Returns the format that the content shows; undefined when it is none. */
  format(given: Naming, signal: AbortSignal): Promise<Format | undefined>;
}

/** Times of cues and whether they contain speech, as numbers: everything that alignment needs. */
export interface CueNumbers {
  starts: Float64Array;
  ends: Float64Array;
  spoken: Uint8Array;
}
