/** Words of books, series and the reader. */
import { area } from './catalogue.ts';

export let readingWords: typeof import('./en/reading.ts').readingEnglish;
area<typeof readingWords>(
  {
    en: () => import('./en/reading.ts').then(({ readingEnglish }) => readingEnglish),
    de: () => import('./de/reading.ts').then(({ readingGerman }) => readingGerman),
  },
  (loaded) => (readingWords = loaded),
);
