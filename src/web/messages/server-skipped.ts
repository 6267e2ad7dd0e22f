/** Words for why a clean-up leaves a file alone. Empty in English, which the server says itself. */
import type { SkippedReason, SkippedReasonTexts } from '../../contract/subtitles/skipped-reasons.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let skippedWords: SkippedReasonTexts | undefined;
area<{ texts?: SkippedReasonTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-skipped.ts').then(({ skippedReasonsGerman }) => ({ texts: skippedReasonsGerman })),
  },
  ({ texts }) => (skippedWords = texts),
);

/** Returns why a file is left alone in the language that is spoken; an unknown reason as the server says it. */
export const skippedText = ({ reason, why }: { reason: string; why: SkippedReason }): string =>
  sayReason(skippedWords, why) ?? reason;
