/** Words of a household: faces, sign-in methods, time, and requests. */
import { area } from './catalogue.ts';

export let householdWords: typeof import('./en/household.ts').householdEnglish;
area<typeof householdWords>(
  {
    en: () => import('./en/household.ts').then(({ householdEnglish }) => householdEnglish),
    de: () => import('./de/household.ts').then(({ householdGerman }) => householdGerman),
  },
  (loaded) => (householdWords = loaded),
);
