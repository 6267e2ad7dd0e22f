/** Words of choosing among the subtitles that providers offer. */
import { area } from './catalogue.ts';

export let candidatesWords: typeof import('./en/candidates.ts').candidatesEnglish;
area<typeof candidatesWords>(
  {
    en: () => import('./en/candidates.ts').then(({ candidatesEnglish }) => candidatesEnglish),
    de: () => import('./de/candidates.ts').then(({ candidatesGerman }) => candidatesGerman),
  },
  (loaded) => (candidatesWords = loaded),
);
