/** Words of the table of settings. */
import { area } from './catalogue.ts';

export let configurationWords: typeof import('./en/configuration.ts').configurationEnglish;
area<typeof configurationWords>(
  {
    en: () => import('./en/configuration.ts').then(({ configurationEnglish }) => configurationEnglish),
    de: () => import('./de/configuration.ts').then(({ configurationGerman }) => configurationGerman),
  },
  (loaded) => (configurationWords = loaded),
);
