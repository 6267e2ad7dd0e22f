/** Words of the settings. */
import { area } from './catalogue.ts';

export let settingsWords: typeof import('./en/settings.ts').settingsEnglish;
area<typeof settingsWords>(
  {
    en: () => import('./en/settings.ts').then(({ settingsEnglish }) => settingsEnglish),
    de: () => import('./de/settings.ts').then(({ settingsGerman }) => settingsGerman),
  },
  (loaded) => (settingsWords = loaded),
);
