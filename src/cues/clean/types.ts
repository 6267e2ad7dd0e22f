/** The shape that every clean-up rule has. */
import type { Piece } from '../change/rows.ts';

/** What one rule made, and which current cues it touched. */
export interface Ruled {
  pieces: Piece[];
  touched: readonly number[];
}

/** One rule, once over all pieces. `language` is a BCP 47 tag, where known. */
export type Rule = (pieces: readonly Piece[], language: string | undefined) => Ruled;
