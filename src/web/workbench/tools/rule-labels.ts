/** The clean-up rules in words. */
import type { Rule } from '../model/settings.ts';

export const RULE_WORDS: Readonly<Record<Rule, { label: string; hint: string }>> = {
  removeCredits: { label: 'Remove credits', hint: 'Lines by which makers of subtitles and sites name themselves.' },
  mergeRepeated: { label: 'Join repeated lines', hint: 'The same words one right after the other become one line.' },
  removeHearingImpaired: {
    label: 'Remove sounds and labels',
    hint: 'What is written for the hard of hearing. Spoken words stay.',
  },
  fixCommonErrors: { label: 'Mend common errors', hint: 'Letters that were read wrong, spaces, dots and dashes.' },
  fixOverlaps: { label: 'Mend overlaps', hint: 'A line ends before the next one begins.' },
};
