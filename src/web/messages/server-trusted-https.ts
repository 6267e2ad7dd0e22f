/** Words for the checks of trusted HTTPS at home. Empty in English, which the server says itself. */
import type { TrustedHttpsText, TrustedHttpsTexts } from '../../contract/remote/trusted-https-texts.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let checkWords: TrustedHttpsTexts | undefined;
area<{ texts?: TrustedHttpsTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () =>
      import('./de/server-trusted-https.ts').then(({ trustedChecksGerman }) => ({ texts: trustedChecksGerman })),
  },
  ({ texts }) => (checkWords = texts),
);

/** Returns what a check found in the language that is spoken; an unknown reason as the server says it. */
export const trustedCheckText = ({ sentence, text }: { sentence: string; text: TrustedHttpsText }): string =>
  sayReason(checkWords, text) ?? sentence;
