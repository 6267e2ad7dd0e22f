/** Words of ratings by age. */
import { area } from './catalogue.ts';

export let agesWords: typeof import('./en/ages.ts').agesEnglish;
area<typeof agesWords>(
  {
    en: () => import('./en/ages.ts').then(({ agesEnglish }) => agesEnglish),
    de: () => import('./de/ages.ts').then(({ agesGerman }) => agesGerman),
  },
  (loaded) => (agesWords = loaded),
);
