/** Words of the options of a library. */
import { area } from './catalogue.ts';

export let libraryOptionsWords: typeof import('./en/library-options.ts').libraryOptionsEnglish;
area<typeof libraryOptionsWords>(
  {
    en: () => import('./en/library-options.ts').then(({ libraryOptionsEnglish }) => libraryOptionsEnglish),
    de: () => import('./de/library-options.ts').then(({ libraryOptionsGerman }) => libraryOptionsGerman),
  },
  (loaded) => (libraryOptionsWords = loaded),
);
