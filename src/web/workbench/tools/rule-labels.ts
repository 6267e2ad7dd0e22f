/** The clean-up rules in words. */
import type { CleanupRule } from '../model/settings.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

export const ruleLabels = (): Readonly<Record<CleanupRule, { label: string; hint: string }>> => ({
  removeCredits: { label: m.removeCredits, hint: m.creditsOfSubtitleAuthorsAnd },
  mergeRepeated: { label: m.mergeRepeatedLines, hint: m.repeatedLinesInARow },
  removeHearingImpaired: {
    label: m.removeSoundDescriptions,
    hint: m.descriptionsForTheDeafAnd,
  },
  fixCommonErrors: { label: m.fixCommonErrors, hint: m.misreadLettersSpacesDotsAnd },
  fixOverlaps: { label: m.fixOverlaps, hint: m.eachLineEndsBeforeThe },
});
