/** Facts about a book, as its own file states them. */

/** Formats of books, by what the file contains. */
export type BookFormat = 'epub' | 'pdf' | 'cbz' | 'cbr' | 'cb7';

export type ReadingDirection = 'ltr' | 'rtl';

/** A volume or chapter: its text as written, and its number if it has one. `1-8` is 1. */
export interface Numbering {
  text: string;
  number?: number;
}

export interface BookMetadata {
  format: BookFormat;
  title?: string;
  sortTitle?: string;
  authors: string[];
  /** Pencillers, letterers, translators and the like, who did not write it. */
  contributors: string[];
  publisher?: string;
  /** `2019`, `2019-05` or `2019-05-01`. */
  published?: string;
  language?: string;
  description?: string;
  isbn?: string;
  subjects: string[];
  series?: string;
  volume?: Numbering;
  chapter?: Numbering;
  /** Age from which it is fit to be read. */
  age?: number;
  direction?: ReadingDirection;
  /** Pages of a comic or PDF; parts of an EPUB. */
  pages?: number;
  /** Name of the archive entry that is the cover; `page 1` of a PDF. */
  cover?: string;
}

const MAX_TEXT_LENGTH = 300;
const NUMBER = /^\s*(\d{1,6}(?:\.\d{1,3})?)/;

/** Returns the numbering that a text states; undefined for an empty one. */
export function numberingOf(text: string | undefined): Numbering | undefined {
  const clean = text?.trim().slice(0, 40);
  if (clean === undefined || clean === '') return undefined;
  const digits = NUMBER.exec(clean)?.[1];
  return { text: withoutZeros(clean), ...(digits !== undefined && { number: Number(digits) }) };
}
const withoutZeros = (text: string): string => text.replaceAll(/(?<![\d.])0+(?=\d)/g, '');

/** Returns a text with its white space collapsed and cut; undefined if it is empty. */
export function cleanText(text: string | undefined, maxLength = MAX_TEXT_LENGTH): string | undefined {
  const clean = text?.replaceAll(/[\s\0]+/g, ' ').trim();
  return clean === undefined || clean === '' ? undefined : clean.slice(0, maxLength);
}
