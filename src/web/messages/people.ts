/** Words of people, and of matching. */
import { area } from './catalogue.ts';

export let peopleWords: typeof import('./en/people.ts').peopleEnglish;
area<typeof peopleWords>(
  {
    en: () => import('./en/people.ts').then(({ peopleEnglish }) => peopleEnglish),
    de: () => import('./de/people.ts').then(({ peopleGerman }) => peopleGerman),
  },
  (loaded) => (peopleWords = loaded),
);
