/**
 * Detects the format of a text. The content decides; a file name is asked only where the content does not show the
 * format, because a wrong extension is common.
 */
import type { Format } from './cue.ts';
import { SUBTITLE_FORMAT_TABLE } from './formats.ts';
import { linesOf } from './formats/lines.ts';

/** Characters of the text that are looked at. */
const HEAD_LENGTH = 65_536;

/**
 * Returns the format by the content, or by the extension (with or without the dot) of formats that are known by name.
 */
export function detectFormat(text: string, extension?: string): Format | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  const lines = linesOf(head);
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  const detected = SUBTITLE_FORMAT_TABLE.find((format) => format.detect({ text: head, lines, first }));
  if (detected) return detected.id;
  const name = extension?.replace(/^\./, '').toLowerCase() ?? '';
  const named = SUBTITLE_FORMAT_TABLE.find((format) => format.isKnownByName && format.extensions.includes(name));
  return named && isMostlyText(head) ? named.id : undefined;
}

/** Whether the text has few control characters. */
function isMostlyText(text: string): boolean {
  let strange = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if ((c < 32 && c !== 9 && c !== 10 && c !== 13 && c !== 12) || c === 0xfffd) strange++;
  }
  return strange <= text.length / 50;
}
