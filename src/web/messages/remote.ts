/** Words of remote access. */
import { area } from './catalogue.ts';

export let remoteWords: typeof import('./en/remote.ts').remoteEnglish;
area<typeof remoteWords>(
  {
    en: () => import('./en/remote.ts').then(({ remoteEnglish }) => remoteEnglish),
    de: () => import('./de/remote.ts').then(({ remoteGerman }) => remoteGerman),
  },
  (loaded) => (remoteWords = loaded),
);
