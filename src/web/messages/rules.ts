/** Words of smart playlists and their rules. */
import { area } from './catalogue.ts';

export let ruleWords: typeof import('./en/rules.ts').rulesEnglish;
area<typeof ruleWords>(
  {
    en: () => import('./en/rules.ts').then(({ rulesEnglish }) => rulesEnglish),
    de: () => import('./de/rules.ts').then(({ rulesGerman }) => rulesGerman),
  },
  (loaded) => (ruleWords = loaded),
);
