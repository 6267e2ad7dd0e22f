/** The clean-up rules in words. */
import type { CleanupRule } from '../model/settings.ts';

export const RULE_WORDS: Readonly<Record<CleanupRule, { label: string; hint: string }>> = {
  removeCredits: { label: 'Remove credits', hint: 'Credits of subtitle authors and websites.' },
  mergeRepeated: { label: 'Merge repeated lines', hint: 'Repeated lines in a row become one line.' },
  removeHearingImpaired: {
    label: 'Remove sound descriptions',
    hint: 'Descriptions for the deaf and hard of hearing. Dialogue stays.',
  },
  fixCommonErrors: { label: 'Fix common errors', hint: 'Misread letters, spaces, dots and dashes.' },
  fixOverlaps: { label: 'Fix overlaps', hint: 'Each line ends before the next one starts.' },
};
