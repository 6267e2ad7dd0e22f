/** The declaration of a subtitle format: one value with everything that the server needs to know about it. */
import type { ReadOptions, SubtitleDocument } from '../cue.ts';

/** The beginning of a text, prepared once for the detection of every format. */
export interface TextHead {
  text: string;
  lines: readonly string[];
  /** The first line that is not blank, trimmed; empty when there is none. */
  first: string;
}

/** Properties that a cue keeps, in addition to its text, when it is written and read again. */
export interface FormatCapacity {
  /** Italic, bold, underline and colour: of any part of a line, or of whole lines. */
  styles: 'spans' | 'lines';
  positions: 'all' | 'top' | 'none';
  /** Largest error of a time. */
  precisionMs: number;
  speaker: boolean;
}

/** Parts of a file of the format. Tests and benchmarks build ordinary and hostile files from them. */
export interface FormatSample {
  head: string;
  tail: string;
  lineBreak: string;
  /** Returns one cue; times are in ms and `text` is put in as it is. */
  cue(start: number, end: number, text: string): string;
}

export interface SubtitleFormat<Id extends string = string> {
  /** Stable name: stored, and part of the API. */
  id: Id;
  /** Name that is shown to users. */
  title: string;
  /**
   * Extensions of its files, without the dot. The first one is used for files that the server writes, and names
   * sidecars.
   */
  extensions: readonly [string, ...string[]];
  /** More extensions that an import accepts for it. They do not make a file next to a video a subtitle. */
  importExtensions?: readonly string[];
  /** Whether a text with one of `extensions` has this format although its content does not show it. */
  isKnownByName?: true;
  /** Media type without its character set. */
  mediaType: string;
  /** ffmpeg's names of the format in a container. */
  codecs: readonly string[];
  /** Whether the text has this format. The table asks its formats from top to bottom. */
  detect(head: TextHead): boolean;
  /** Reads the whole text. A malformed cue is a warning. Throws `Failure('invalid')` over a limit. */
  read(text: string, options: ReadOptions): SubtitleDocument;
  /** Writes any document. What the format cannot hold is left out. */
  write(document: SubtitleDocument): string;
  keeps: FormatCapacity;
  sample: FormatSample;
}

/** Returns `ms` as `HH:MM:SS.mmm`, for samples. */
export const sampleTime = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
