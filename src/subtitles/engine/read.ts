/** Bytes or text of any format to a document. */
import { Failure } from '../../lib/failure.ts';
import type { Format, SubtitleDocument } from './cue.ts';
import type { Decoded } from './decode.ts';

export interface ReadOptions {
  /** Extension of the file name; helps where the content does not tell. */
  extension?: string;
  /** A WHATWG label, or `auto` (default). */
  encoding?: string;
  /** Frames a second of the video, for MicroDVD files that do not say theirs. */
  frameRate?: number;
  /** Which language to take where a file holds several (SAMI, TTML), a BCP 47 tag. */
  language?: string;
}

export interface ReadSubtitle extends Omit<Decoded, 'text'> {
  document: SubtitleDocument;
}

/** Reads a whole file. Fails as invalid: unknown format, over a limit, not text. A malformed cue is a warning. */
export function readSubtitle(_bytes: Uint8Array, _options: ReadOptions = {}): Promise<ReadSubtitle> {
  return Promise.reject(new Failure('unavailable', 'not ready'));
}

/** Reads text whose format is known. Fails as invalid over a limit. */
export function readText(_text: string, _format: Format, _options: ReadOptions = {}): SubtitleDocument {
  throw new Failure('unavailable', 'not ready');
}
