/** Words of the pages that show what there is: home, libraries, items, search. */
import { area } from './catalogue.ts';

export let catalogWords: typeof import('./en/catalog.ts').catalogEnglish;
area<typeof catalogWords>(
  {
    en: () => import('./en/catalog.ts').then(({ catalogEnglish }) => catalogEnglish),
    de: () => import('./de/catalog.ts').then(({ catalogGerman }) => catalogGerman),
  },
  (loaded) => (catalogWords = loaded),
);
