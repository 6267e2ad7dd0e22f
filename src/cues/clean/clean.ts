/**
 * The clean-up rules, each with its switch, over cues in order of time.
 *
 * Promises: idempotent, because rules run until none of them finds anything more; a cue that no rule changes stays the
 * same object; every change is visible as a removed, joined or different cue. Linear in the text of the cues, except
 * for one search among starts.
 */
import { ordered, type CuePiece } from '../change/rows.ts';
import { removeCredits } from './credits.ts';
import { fixErrors } from './errors.ts';
import { removeHearingImpaired } from './impaired.ts';
import { fixOverlaps } from './overlaps.ts';
import { mergeRepeated } from './repeated.ts';
import type { Rule } from './types.ts';

export interface CleanRules {
  removeCredits?: boolean | undefined;
  mergeRepeated?: boolean | undefined;
  removeHearingImpaired?: boolean | undefined;
  fixCommonErrors?: boolean | undefined;
  fixOverlaps?: boolean | undefined;
}

/** Number of cues that a rule changed, with the sentence that says so. */
export interface AppliedNote {
  rule: keyof CleanRules | 'moved' | 'startedAtZero';
  count: number;
  message: string;
}

interface Cleaned {
  pieces: CuePiece[];
  /** One note for each rule that changed something. */
  applied: AppliedNote[];
}

/** Errors first: later rules see a note that was written as `#`. */
const RULES: readonly { name: keyof CleanRules; rule: Rule; note: (count: string) => string }[] = [
  { name: 'fixCommonErrors', rule: fixErrors, note: (count) => `Common errors were mended in ${count}.` },
  {
    name: 'removeCredits',
    rule: removeCredits,
    note: (count) => `Credits and advertisements were removed from ${count}.`,
  },
  {
    name: 'removeHearingImpaired',
    rule: removeHearingImpaired,
    note: (count) => `Text for the hard of hearing was removed from ${count}.`,
  },
  { name: 'mergeRepeated', rule: mergeRepeated, note: (count) => `Repeated text was merged in ${count}.` },
  { name: 'fixOverlaps', rule: fixOverlaps, note: (count) => `Overlaps were taken out of ${count}.` },
];
/** Maximum number of passes. One is nearly always enough; a second one confirms it. */
const MAX_PASSES = 16;

/** Applies every rule that is on. */
export function clean(given: readonly CuePiece[], rules: CleanRules, language?: string): Cleaned {
  const on = RULES.filter(({ name }) => rules[name] === true);
  const touched = new Map<string, Set<number>>();
  let pieces = [...given];
  for (let pass = 0; pass < MAX_PASSES && on.length > 0; pass++) {
    let isDone = true;
    for (const { name, rule } of on) {
      const ruled = rule(pieces, language);
      if (ruled.touched.length === 0) continue;
      isDone = false;
      // A rule may move an end; the next one receives the cues in order again.
      pieces = ordered(ruled.pieces);
      const all = touched.get(name) ?? new Set();
      for (const each of ruled.touched) all.add(each);
      touched.set(name, all);
    }
    if (isDone) break;
  }
  const applied = on.flatMap(({ name, note }) => {
    const count = touched.get(name)?.size ?? 0;
    return count === 0 ? [] : [{ rule: name, count, message: note(count === 1 ? '1 cue' : `${count} cues`) }];
  });
  return { pieces, applied };
}
