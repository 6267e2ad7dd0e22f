/**
 * Corrects mistakes of scanning, typing and converting: confused letters, spaces, punctuation, quotes, broken tags,
 * references and encodings that were decoded once too little.
 *
 * Careful: a rule applies only if it is certain, and one that depends on the language only in that language. It never
 * removes a word. Cues without any text are removed.
 */
import type { CuePiece } from '../change/rows.ts';
import { plainText, type Cue } from '../cue.ts';
import type { Rule } from './types.ts';
import { letterEdits, wordsKnown } from './error-letters.ts';
import { editedCue, hasText, textLinesIn, replacing, type Edit } from './text.ts';

interface Context {
  /** Two letters, or '' if unknown. */
  language: string;
  /** Words of the file in lower case. */
  known: ReadonlySet<string>;
  /** Whether dialogue dashes have a space after them in most lines of the file. */
  hasSpacedDashes: boolean;
}

type Mend = (text: string, context: Context) => readonly Edit[];

/** In this order: parts that are no text, then letters, then punctuation and spaces. */
const MENDS: readonly Mend[] = [tags, references, misread, notes, letterEdits, quotes, points, spaces, dashes];

export const fixErrors: Rule = (pieces, language) => {
  const texts = pieces.map((piece) => plainText(piece.cue.spans));
  const known = wordsKnown(texts);
  const context: Context = { language: languageOf(language, known), known, hasSpacedDashes: hasSpacedDashes(texts) };
  const out: CuePiece[] = [];
  const touched: number[] = [];
  pieces.forEach((piece) => {
    const cue = mended(piece.cue, context);
    if (hasText(cue)) out.push(cue === piece.cue ? piece : { ...piece, cue });
    if (cue === piece.cue && hasText(cue)) return;
    for (const index of piece.from) touched.push(index);
  });
  return { pieces: out, touched };
};

function mended(cue: Cue, context: Context): Cue {
  let out = cue;
  for (const mend of MENDS) {
    const edits = mend(plainText(out.spans), context);
    if (edits.length > 0) out = editedCue(out, edits);
  }
  return out;
}

/** Returns the given language, or English if its commonest words all occur. */
function languageOf(tag: string | undefined, known: ReadonlySet<string>): string {
  if (tag !== undefined && tag !== '' && tag !== 'und') return tag.toLowerCase().split('-')[0] ?? '';
  return ['the', 'you', 'and', 'to', 'is', 'what', 'it'].every((word) => known.has(word)) ? 'en' : '';
}

function hasSpacedDashes(texts: readonly string[]): boolean {
  let spaced = 0;
  let tight = 0;
  for (const text of texts) {
    if (!text.includes('-')) continue;
    for (const line of textLinesIn(text)) {
      if (/^- \S/.test(line.text)) spaced++;
      else if (/^-\p{L}/u.test(line.text)) tight++;
    }
  }
  return spaced > tight;
}

/** Removes tags that no reader understands: `< i >`, `</ b>`, `{i}`, `{\an8}` in formats without such tags, `<i/>`. */
function tags(text: string): Edit[] {
  if (!/[<{\\]/.test(text)) return [];
  return replacing(
    text,
    /<\s{0,3}\/?\s{0,3}(?:[biusBIUS]|font|FONT)\s{0,3}\/?\s{0,3}>|\{\\?\/?[biusBIUS][01]?\}|\{\\an?\d{1,2}\}|\{\\(?:pos|fad|move|fs|fn|c|1c|bord|shad|blur|be|k|kf|q)[^{}\n]{0,60}\}|\\N/g,
    ([tag]) => (tag === '\\N' ? '\n' : ''),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  '#39': "'",
  '#039': "'",
  '#34': '"',
  nbsp: ' ',
  lt: '<',
  gt: '>',
};

/** Decodes references that were escaped once too often. */
function references(text: string): Edit[] {
  if (!text.includes('&')) return [];
  return replacing(text, /&(?:amp;){0,8}(quot|apos|#0?39|#34|nbsp|lt|gt);|&(?:amp;){1,8}/g, ([, name]) =>
    name === undefined ? '&' : NAMED[name],
  );
}

/** Windows-1252 characters for the bytes 0x80 to 0x9f. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Corrects UTF-8 that was read as Windows 1252: `â€™`, `Ã©`, `â™ª`. Only whole sequences that decode count. */
function misread(text: string): Edit[] {
  if (!/[\u00c2-\u00f4]/.test(text)) return [];
  return replacing(text, /(?:â|(?<!\p{Lu})[ÂÃÅ])[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{1,2}/gu, ([found]) => {
    // A letter of two bytes takes one of the following characters.
    const length = found.startsWith('â') ? 3 : 2;
    if (found.length < length) return undefined;
    const bytes = Array.from(found.slice(0, length), (char) =>
      char.charCodeAt(0) < 256 ? char.charCodeAt(0) : 0x80 + WINDOWS.indexOf(char),
    );
    try {
      return utf8.decode(Uint8Array.from(bytes)) + found.slice(length);
    } catch {
      return undefined;
    }
  });
}

/**
 * `# song #` and `
 *
 * ` of teletext are notes; so is a single number sign on a line.
 */
function notes(text: string): Edit[] {
  if (!/[#¶]/.test(text)) return [];
  const lines = textLinesIn(text);
  const out: Edit[] = [];
  const trimmed = text.trim();
  // In a whole cue the two signs may be on different lines.
  const isSong = trimmed.length > 4 && /^#\s?\p{L}/u.test(trimmed) && /\s#$/.test(trimmed);
  for (const { text: line, from } of lines) {
    for (const sign of line.matchAll(/^\s?([#¶])(?=\s)|(?<=\s)([#¶])\s?$|^\s?([#¶])\s?$/g)) {
      const at = from + sign.index + sign[0].search(/[#¶]/);
      const isBoth = /^\s?#\s.{1,200}\s#\s?$/.test(line);
      const isLone = line.trim() === '#' || line.trim() === '¶';
      if (text.charAt(at) === '¶' || isBoth || isLone || isSong) out.push({ from: at, to: at + 1, text: '♪' });
    }
  }
  return out;
}

/** Two apostrophes or two accents are a quotation mark. */
function quotes(text: string): Edit[] {
  if (!/['’´`]/.test(text)) return [];
  return replacing(text, /(?:''|´´|``)/g, () => '"');
}

/** Corrects the dots of an ellipsis, spaces before punctuation, and missing spaces after it. */
function points(text: string, { language }: Context): Edit[] {
  if (!/[.,!?…]/.test(text)) return [];
  const out: Edit[] = [];
  out.push(...replacing(text, /\.(?: \.){2,8}|\.{4,40}/g, () => '...'));
  if (out.length > 0) return out;
  // French has a narrow space before these. No language has one before a comma or a full stop.
  const before =
    language === '' || language === 'fr'
      ? /(?<=[\p{L}\p{N}]) {1,3}([,.])(?=[ \n]|$)/gu
      : /(?<=[\p{L}\p{N}]) {1,3}([,.!?])(?=[ \n]|$)/gu;
  out.push(...replacing(text, before, ([, point]) => point));
  if (out.length > 0) return out;
  // A comma between letters is in no number; a full stop there may be an address or initials.
  return replacing(
    text,
    /(?<=\p{Ll}{2})([,!?])(?=\p{L}{2})|(?<=\p{Ll}{3})\.(?=\p{Lu}\p{Ll}{2,12}[ ,!?\n])/gu,
    ([point]) => `${point} `,
  ).filter((edit) => !isInAddress(text, edit.from));
}

/** Returns whether the word around an offset has characters of an address. */
function isInAddress(text: string, at: number): boolean {
  let from = at;
  while (from > 0 && at - from < 60 && !/\s/.test(text.charAt(from - 1))) from--;
  let to = at;
  while (to < text.length && to - at < 60 && !/\s/.test(text.charAt(to))) to++;
  return /[/@=&_]|www|:\/|\.(?:com|org|net|de|fr|uk|js)\b|\..*\.\S/i.test(text.slice(from, to));
}

/** Removes double spaces, spaces at the ends of lines and invisible ones. */
function spaces(text: string): Edit[] {
  if (!/ {2}|\t|^ | $|[\u200b\ufeff]/m.test(text)) return [];
  return textLinesIn(text).flatMap(({ text: line, from }) =>
    replacing(line, /[ \t\u200b\ufeff]+/g, (found) => spaceFor(found[0], found.index, line.length)).map((edit) => ({
      ...edit,
      from: edit.from + from,
      to: edit.to + from,
    })),
  );
}

function spaceFor(found: string, at: number, length: number): string {
  const isEnd = at === 0 || at + found.length === length;
  return isEnd || !/[ \t]/.test(found) ? '' : ' ';
}

/** Writes the dashes of several speakers in the same way. */
function dashes(text: string, { hasSpacedDashes: isSpaced }: Context): Edit[] {
  const lines = textLinesIn(text).filter((line) => line.text.startsWith('-'));
  const tight = lines.filter((line) => /^-\p{L}/u.test(line.text));
  const isMixed = lines.some((line) => /^- \S/.test(line.text));
  return isSpaced || isMixed ? tight.map((line) => ({ from: line.from + 1, to: line.from + 1, text: ' ' })) : [];
}
