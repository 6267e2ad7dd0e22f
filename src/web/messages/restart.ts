/** Words of restarting the server. */
import { area } from './catalogue.ts';

export let restartWords: typeof import('./en/restart.ts').restartEnglish;
area<typeof restartWords>(
  {
    en: () => import('./en/restart.ts').then(({ restartEnglish }) => restartEnglish),
    de: () => import('./de/restart.ts').then(({ restartGerman }) => restartGerman),
  },
  (loaded) => (restartWords = loaded),
);
