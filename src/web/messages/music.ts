/** Words of the pages of albums and artists. */
import { area } from './catalogue.ts';

export let musicWords: typeof import('./en/music.ts').musicEnglish;
area<typeof musicWords>(
  {
    en: () => import('./en/music.ts').then(({ musicEnglish }) => musicEnglish),
    de: () => import('./de/music.ts').then(({ musicGerman }) => musicGerman),
  },
  (loaded) => (musicWords = loaded),
);
