/**
 * Fonts attached to a Matroska file (RFC 9559, 5.1.6): where each lies in the file. Their bytes are not read, except
 * for the first four, which say what they are.
 */
import { elementIn } from '../../../lib/media/ebml.ts';
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { readMatroskaHeader } from './header.ts';

export interface FontPlace {
  /** Position and length in the file. */
  at: number;
  size: number;
  type: FontType;
}
export type FontType = 'font/ttf' | 'font/otf' | 'font/collection' | 'font/woff' | 'font/woff2';

/** Limits of one file: a season of drawn signs has some dozens of faces, and a face for Chinese has 20 MB. */
export const MAX_FONTS = 64;
export const MAX_FONT_BYTES = 32 * 1024 * 1024;
const MAX_ALL_BYTES = 128 * 1024 * 1024;
/** Attachments and their fields that are looked at. */
const MAX_ATTACHMENTS = 256;
const MAX_FIELDS = 16;
const ATTACHED_FILE = 0x61a7;
const FILE_DATA = 0x465c;

const TYPES: Readonly<Record<string, FontType>> = {
  '\0\u0001\0\0': 'font/ttf',
  true: 'font/ttf',
  OTTO: 'font/otf',
  ttcf: 'font/collection',
  wOFF: 'font/woff',
  wOF2: 'font/woff2',
};

/** Returns the fonts in the order of the file. Whatever is no font, or is over a limit, is left out. */
export function fontsOf(source: ByteSource): FontPlace[] {
  const { attachments, end } = readMatroskaHeader(source);
  const fonts: FontPlace[] = [];
  if (attachments === undefined) return fonts;
  const stop = Math.min(end, attachments.at + attachments.size);
  let bytes = 0;
  for (let at = attachments.at, count = 0; at < stop && fonts.length < MAX_FONTS; count += 1) {
    if (count >= MAX_ATTACHMENTS) break;
    const file = elementIn(source, at);
    if (file.size < 0 || file.at + file.size > stop) uncertain('Matroska attachment');
    at = file.at + file.size;
    const font = file.id === ATTACHED_FILE ? fontIn(source, file.at, at) : undefined;
    if (font === undefined || bytes + font.size > MAX_ALL_BYTES) continue;
    bytes += font.size;
    fonts.push(font);
  }
  return fonts;
}

function fontIn(source: ByteSource, from: number, end: number): FontPlace | undefined {
  for (let at = from, count = 0; at < end && count < MAX_FIELDS; count += 1) {
    const field = elementIn(source, at);
    if (field.size < 0 || field.at + field.size > end) uncertain('Matroska attachment');
    if (field.id === FILE_DATA) {
      const type =
        field.size > 4 && field.size <= MAX_FONT_BYTES ? TYPES[source.at(field.at, 4).toString('latin1')] : undefined;
      return type && { at: field.at, size: field.size, type };
    }
    at = field.at + field.size;
  }
  return undefined;
}
