/** Types of the reader. */
import type { Reply } from '../../data/query.ts';

export type OpenBook = Reply<'reader', 'open'>;

/** A place in a book to go to. Each is a new object, so that the same place can be gone to twice. */
export interface ReaderTarget {
  part: number;
  offset: number;
  fragment?: string;
  /** A match of a search: its text, and its number in the part. */
  match?: { text: string; number: number };
}
