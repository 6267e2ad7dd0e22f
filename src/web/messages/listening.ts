/** Words of the audio player. Loaded with it. */
import { area } from './catalogue.ts';

export let listenWords: typeof import('./en/listening.ts').listeningEnglish;
area<typeof listenWords>(
  {
    en: () => import('./en/listening.ts').then(({ listeningEnglish }) => listeningEnglish),
    de: () => import('./de/listening.ts').then(({ listeningGerman }) => listeningGerman),
  },
  (loaded) => (listenWords = loaded),
);
