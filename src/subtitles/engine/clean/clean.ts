/**
 * The clean-up rules, each with its switch. Filled in by the files beside this one.
 */
import type { Piece } from '../change/rows.ts';

export interface CleanRules {
  removeCredits?: boolean | undefined;
  mergeRepeated?: boolean | undefined;
  removeHearingImpaired?: boolean | undefined;
  fixCommonErrors?: boolean | undefined;
  fixOverlaps?: boolean | undefined;
}

export interface Cleaned {
  pieces: Piece[];
  /** What was done, a sentence for each rule that did something. */
  notes: string[];
}

/** Pieces in order of time through every rule that is on. */
export function clean(pieces: readonly Piece[], _rules: CleanRules, _language?: string): Cleaned {
  return { pieces: [...pieces], notes: [] };
}
