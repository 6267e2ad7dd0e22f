/** Words of the directory that manages Profiles. */
import { area } from './catalogue.ts';

export let directoryWords: typeof import('./en/directory.ts').directoryEnglish;
area<typeof directoryWords>(
  {
    en: () => import('./en/directory.ts').then(({ directoryEnglish }) => directoryEnglish),
    de: () => import('./de/directory.ts').then(({ directoryGerman }) => directoryGerman),
  },
  (loaded) => (directoryWords = loaded),
);
