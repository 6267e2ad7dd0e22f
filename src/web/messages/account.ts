/** Words of sign-in, set-up and account. */
import { area } from './catalogue.ts';

export let accountWords: typeof import('./en/account.ts').accountEnglish;
area<typeof accountWords>(
  {
    en: () => import('./en/account.ts').then(({ accountEnglish }) => accountEnglish),
    de: () => import('./de/account.ts').then(({ accountGerman }) => accountGerman),
  },
  (loaded) => (accountWords = loaded),
);
