/** Bytes or text of any format to a document: the one way in. */
import { Failure } from '../lib/failure.ts';
import type { Format, SubtitleDocument } from './cue.ts';
import { decode, type Decoded } from './decode.ts';
import { detectFormat } from './detect.ts';
import { readAss } from './formats/ass.ts';
import { readMicroDvd } from './formats/microdvd.ts';
import { readSami } from './formats/sami.ts';
import { readSrt } from './formats/srt.ts';
import { readTtml } from './ttml/ttml.ts';
import { parseXml } from './ttml/xml.ts';
import { checkSize, checkText } from './limits.ts';
import { readVtt } from './webvtt/parse.ts';

export interface ReadOptions {
  /** Extension of the file name; helps where the content does not tell. */
  extension?: string;
  /** A WHATWG label, or `auto` (default). */
  encoding?: string;
  /** Frames a second of the video, for MicroDVD files that do not say theirs. */
  frameRate?: number;
  /** Which language it is in, a BCP 47 tag: taken where a file holds several (SAMI), and where its character set is a guess. */
  language?: string;
}

export interface ReadSubtitle extends Omit<Decoded, 'text'> {
  document: SubtitleDocument;
}

/** Reads a whole file. Fails as invalid: unknown format, over a limit, not text. A malformed cue is a warning. */
export async function readSubtitle(bytes: Uint8Array, options: ReadOptions = {}): Promise<ReadSubtitle> {
  checkSize(bytes.length);
  const { text, ...decoded } = await decode(bytes, options.encoding, options.language);
  checkText(text);
  const format = detectFormat(text, options.extension);
  if (!format) throw new Failure('invalid', 'the file is not a subtitle of a known format');
  return { ...decoded, document: readText(text, format, options) };
}

/** Reads text whose format is known. Fails as invalid over a limit. */
export function readText(text: string, format: Format, options: ReadOptions = {}): SubtitleDocument {
  checkText(text);
  switch (format) {
    case 'srt':
      return readSrt(text);
    case 'vtt':
      return readVtt(text);
    case 'ass':
    case 'ssa':
      return readAss(text, format);
    case 'microdvd':
      return readMicroDvd(text, options.frameRate);
    case 'ttml':
      return readTtml(parseXml(text));
    case 'sami':
      return readSami(text, options.language);
  }
}
