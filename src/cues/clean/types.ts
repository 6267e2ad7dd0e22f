/** The shape that every clean-up rule has. */
import type { CuePiece } from '../change/rows.ts';

/** What one rule made, and which current cues it touched. */
export interface RuleResult {
  pieces: CuePiece[];
  touched: readonly number[];
}

/** One rule, once over all pieces. `language` is a BCP 47 tag, where known. */
export type Rule = (pieces: readonly CuePiece[], language: string | undefined) => RuleResult;
