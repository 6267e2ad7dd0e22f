/**
 * Writes a document in any format. Italic, bold, underline, colour, position and speaker are kept where the target
 * can hold them.
 */
import type { Format, SubtitleDocument } from './cue.ts';
import { subtitleFormat } from './formats.ts';

/**
 * Returns the text of a file; encode it as UTF-8. A document that was read from WebVTT, ASS or SSA is written back
 * into what it was read from, style sheets included; browsers get `toVtt` instead. What the target cannot hold is
 * left out: positions other than the top and styles inside a line (MicroDVD), positions and overlaps (SAMI), voices
 * inside a cue.
 */
export const convert = (document: SubtitleDocument, target: Format): string => subtitleFormat(target).write(document);

/** Returns the media type of text that this server wrote in a format. */
export const mediaType = (format: Format): string => `${subtitleFormat(format).mediaType}; charset=utf-8`;
