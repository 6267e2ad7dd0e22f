/**
 * Why a call failed, by the reason of the failure. A reason without words is shown by the server's English sentence.
 */
import type { FailureReason } from '../../contract/failures.ts';
import { area } from './catalogue.ts';

export let reasonWords: Readonly<Partial<Record<FailureReason, string>>> = {};
area<typeof reasonWords>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/reasons.ts').then(({ reasonsGerman }) => reasonsGerman),
  },
  (loaded) => (reasonWords = loaded),
);
