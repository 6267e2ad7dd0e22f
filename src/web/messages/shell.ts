/** Words of the frame around every page, of its parts, and of values. Loaded at the start. */
import { area } from './catalogue.ts';

export let shellWords: typeof import('./en/shell.ts').shellEnglish;
area<typeof shellWords>(
  {
    en: () => import('./en/shell.ts').then(({ shellEnglish }) => shellEnglish),
    de: () => import('./de/shell.ts').then(({ shellGerman }) => shellGerman),
  },
  (loaded) => (shellWords = loaded),
);
