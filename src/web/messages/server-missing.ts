/** Words for why a language has no subtitle that counts. Empty in English, which the server says itself. */
import type { MissingReason, MissingReasonTexts } from '../../contract/subtitles/missing-reasons.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let missingWords: MissingReasonTexts | undefined;
area<{ texts?: MissingReasonTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-missing.ts').then(({ missingReasonsGerman }) => ({ texts: missingReasonsGerman })),
  },
  ({ texts }) => (missingWords = texts),
);

/** Returns why a subtitle is missing in the language that is spoken; a search of an earlier version as it is stored. */
export function missingReasonText({
  reason,
  why,
}: {
  reason?: string | undefined;
  why?: MissingReason | undefined;
}): string | undefined {
  return sayReason(missingWords, why) ?? reason;
}
