/** Words of the player. */
import { area } from './catalogue.ts';

export let playerWords: typeof import('./en/player.ts').playerEnglish;
area<typeof playerWords>(
  {
    en: () => import('./en/player.ts').then(({ playerEnglish }) => playerEnglish),
    de: () => import('./de/player.ts').then(({ playerGerman }) => playerGerman),
  },
  (loaded) => (playerWords = loaded),
);
