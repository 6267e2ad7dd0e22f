/** Words of the workbench. */
import { area } from './catalogue.ts';

export let workbenchWords: typeof import('./en/workbench.ts').workbenchEnglish;
area<typeof workbenchWords>(
  {
    en: () => import('./en/workbench.ts').then(({ workbenchEnglish }) => workbenchEnglish),
    de: () => import('./de/workbench.ts').then(({ workbenchGerman }) => workbenchGerman),
  },
  (loaded) => (workbenchWords = loaded),
);
