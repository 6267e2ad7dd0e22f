/** Words of playlists. */
import { area } from './catalogue.ts';

export let listWords: typeof import('./en/lists.ts').listsEnglish;
area<typeof listWords>(
  {
    en: () => import('./en/lists.ts').then(({ listsEnglish }) => listsEnglish),
    de: () => import('./de/lists.ts').then(({ listsGerman }) => listsGerman),
  },
  (loaded) => (listWords = loaded),
);
