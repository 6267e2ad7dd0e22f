/** Reads bytes or text of any format into a document. */
import { Failure } from '../lib/failure.ts';
import type { Format, ReadOptions, SubtitleDocument, Warning } from './cue.ts';
import { decodeText, type DecodedText } from './decode.ts';
import { detectFormat } from './detect.ts';
import { subtitleFormat } from './formats.ts';
import { linesOf } from './formats/lines.ts';
import { checkSize, checkText } from './limits.ts';

export interface ReadSubtitle extends Omit<DecodedText, 'text'> {
  document: SubtitleDocument;
}

/**
 * Reads a whole file. Throws `Failure('invalid')` if the format is unknown, a limit is exceeded or the bytes are not
 * text. A malformed cue is a warning.
 */
export async function readSubtitle(bytes: Uint8Array, options: ReadOptions = {}): Promise<ReadSubtitle> {
  checkSize(bytes.length);
  const { text, ...decoded } = await decodeText(bytes, options.encoding, options.language);
  checkText(text);
  const format = detectFormat(text, options.extension);
  if (!format)
    throw new Failure('invalid', 'the file is not a subtitle of a known format', { reason: 'format-unknown' });
  return { ...decoded, document: readText(text, format, options) };
}

/** Reads text whose format is known. Throws `Failure('invalid')` over a limit. */
export function readText(text: string, format: Format, options: ReadOptions = {}): SubtitleDocument {
  checkText(text);
  const nul = text.indexOf('\0');
  if (nul < 0) return subtitleFormat(format).read(text, options);
  // WebVTT reads a NUL as U+FFFD. Elsewhere it means nothing.
  const document = subtitleFormat(format).read(format === 'vtt' ? text : text.replaceAll('\0', ''), options);
  const line = linesOf(text.slice(0, nul + 1)).length;
  const warning: Warning = { code: 'bad-character', line, message: 'a NUL character was left out' };
  return { ...document, warnings: [warning, ...document.warnings] };
}
