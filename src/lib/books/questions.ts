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
    | { do: 'page'; page: number }
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
  kind: 'epub' | 'comic';
  direction?: ReadingDirection;
  contents: ContentsLine[];
  /** Parts of an EPUB, pages of a comic. */
  parts: number;
}
/** Bytes with their content type. */
export interface BookBytes {
  type: string;
  bytes: Uint8Array;
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

/** Why a question has no answer. `broken`: the file is damaged; `missing`: the book has no such part, page or file. */
export type BookRefusal = { refused: 'broken' | 'missing' | 'unreadable' };
export type BookAnswer<T> = { found: T } | BookRefusal;
