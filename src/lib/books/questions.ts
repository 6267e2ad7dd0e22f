/** Messages between the server and the helper process that reads books. */
import type { ReadingDirection } from './types.ts';

/** The book that a question is about: its absolute path, and the library below which no link is followed. */
interface BookPlace {
  path: string;
  root?: string | undefined;
}
/** How the addresses of a rewritten part begin and end: `${base}/asset/3${query}`. */
export interface AddressForm {
  base: string;
  query: string;
}

export type BookQuestion = BookPlace &
  (
    | { do: 'open' }
    | ({ do: 'part'; part: number } & AddressForm)
    | ({ do: 'asset'; asset: number } & AddressForm)
    | { do: 'page'; page: number; width?: number | undefined }
    | { do: 'text'; page: number }
    | { do: 'entry'; entry: string }
    | { do: 'search'; text: string; limit: number }
  );

export interface ContentsLine {
  title: string;
  part: number;
  fragment?: string;
  depth: number;
}
export interface OpenedBook {
  kind: 'epub' | 'pdf' | 'comic';
  direction?: ReadingDirection;
  contents: ContentsLine[];
  /** Parts of an EPUB, pages of a comic or PDF. */
  parts: number;
}
/** Bytes with their content type. */
export interface BookBytes {
  type: string;
  bytes: Uint8Array;
}
/** A drawn page of a PDF: red, green and blue of each pixel, row by row. */
export interface DrawnPage {
  width: number;
  height: number;
  pixels: Uint8Array;
}
/** The text of a page of a PDF. Places and sizes are shares of the page, from 0 to 1. */
export interface PageText {
  /** Width of the page, divided by its height. */
  ratio: number;
  lines: { text: string; x: number; y: number; width: number; height: number }[];
}
export interface BookMatch {
  part: number;
  /** Number of the match among those of its part, from 0. */
  number: number;
  /** Place in the part, from 0 to 1. */
  offset: number;
  before: string;
  match: string;
  after: string;
}

/**
 * Why a question has no answer. `broken`: the file is damaged; `encrypted`: it needs a password; `missing`: the book
 * has no such part, page or file.
 */
export type BookRefusal = { refused: 'broken' | 'encrypted' | 'missing' | 'unreadable' };
export type BookAnswer<T> = { found: T } | BookRefusal;
