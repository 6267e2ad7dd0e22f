/** Words for the checks of remote access. Empty in English, which the server says itself. */
import type { RemoteCheckText, RemoteCheckTexts } from '../../contract/remote/check-texts.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let checkWords: RemoteCheckTexts | undefined;
area<{ texts?: RemoteCheckTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-remote-checks.ts').then(({ remoteChecksGerman }) => ({ texts: remoteChecksGerman })),
  },
  ({ texts }) => (checkWords = texts),
);

/** Returns what a check found in the language that is spoken; an unknown reason as the server says it. */
export const remoteCheckText = ({ sentence, text }: { sentence: string; text: RemoteCheckText }): string =>
  sayReason(checkWords, text) ?? sentence;
