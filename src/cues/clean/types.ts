/** The shape that every clean-up rule has. */
import type { CuePiece } from '../change/rows.ts';

/** Result of one rule, and the current cues that it changed. */
export interface RuleResult {
  pieces: CuePiece[];
  touched: readonly number[];
}

/** A clean-up rule, applied once to all pieces. `language` is a BCP 47 tag, if known. */
export type Rule = (pieces: readonly CuePiece[], language: string | undefined) => RuleResult;
