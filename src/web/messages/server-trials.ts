/** Words for why an accelerator failed its test or a film. Empty in English, which the server says itself. */
import type { TrialReason, TrialReasonTexts } from '../../contract/playback/trial-reasons.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let trialWords: TrialReasonTexts | undefined;
area<{ texts?: TrialReasonTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-trials.ts').then(({ trialReasonsGerman }) => ({ texts: trialReasonsGerman })),
  },
  ({ texts }) => (trialWords = texts),
);

/** Returns why an accelerator failed in the language that is spoken; a result of an earlier version as it is stored. */
export const trialWordsOf = ({
  reason,
  why,
}: {
  reason?: string | undefined;
  why?: TrialReason | undefined;
}): string | undefined => sayReason(trialWords, why) ?? reason;
