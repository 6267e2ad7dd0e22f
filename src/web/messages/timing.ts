/** Words of the timing audit: verdicts, and reviewing fixes. */
import { area } from './catalogue.ts';

export let timingWords: typeof import('./en/timing.ts').timingEnglish;
area<typeof timingWords>(
  {
    en: () => import('./en/timing.ts').then(({ timingEnglish }) => timingEnglish),
    de: () => import('./de/timing.ts').then(({ timingGerman }) => timingGerman),
  },
  (loaded) => (timingWords = loaded),
);
