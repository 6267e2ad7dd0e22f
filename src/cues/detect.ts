/**
 * Which format a text is in. The content decides; a name is only asked where the content does not
 * tell, because a wrong extension is common.
 */
import type { Format } from './cue.ts';
import { linesOf } from './formats/lines.ts';
import { timingOf } from './formats/srt.ts';
import { isSignature } from './webvtt/parse.ts';

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  srt: 'srt',
  vtt: 'vtt',
  webvtt: 'vtt',
  ass: 'ass',
  ssa: 'ssa',
  sub: 'microdvd',
  ttml: 'ttml',
  dfxp: 'ttml',
  xml: 'ttml',
  itt: 'ttml',
  smi: 'sami',
  sami: 'sami',
};
/** So much of the text is looked at. */
const LOOK = 65_536;

/** The format by its content; the file name's extension (with or without the dot) decides only where the content does not. */
export function detectFormat(text: string, extension?: string): Format | undefined {
  const head = text.slice(0, LOOK);
  const lines = linesOf(head);
  if (isSignature(lines[0] ?? '')) return 'vtt';
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  if (/^<\?xml\b|^<(?:[a-zA-Z]{1,16}:)?tt[\s>]/.test(first) && /<(?:[a-zA-Z]{1,16}:)?tt[\s>]/.test(head)) return 'ttml';
  if (/<sami[\s>]/i.test(head) || /<sync\s{1,8}start\s{0,8}=/i.test(head)) return 'sami';
  if (lines.some((line) => /^\s{0,8}\[(?:script info|v4\+? styles|events)\]/i.test(line)))
    return lines.some((line) => /^\s{0,8}\[v4 styles\]/i.test(line)) ? 'ssa' : 'ass';
  if (/^\{\d{1,9}\}\{\d{0,9}\}/.test(first)) return 'microdvd';
  if (lines.some((line) => line.includes('->') && timingOf(line) !== undefined)) return 'srt';
  const name = extension?.replace(/^\./, '').toLowerCase() ?? '';
  // A name alone does not make WebVTT, XML or a frame count of what is none of them.
  const named = Object.hasOwn(BY_EXTENSION, name) ? BY_EXTENSION[name] : undefined;
  return named === 'srt' || named === 'ass' || named === 'ssa' ? (isMostlyText(head) ? named : undefined) : undefined;
}

/** Text has few control characters. */
function isMostlyText(text: string): boolean {
  let strange = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if ((c < 32 && c !== 9 && c !== 10 && c !== 13 && c !== 12) || c === 0xfffd) strange++;
  }
  return strange <= text.length / 50;
}
