/** Words of editing metadata and pictures. */
import { area } from './catalogue.ts';

export let editingWords: typeof import('./en/editing.ts').editingEnglish;
area<typeof editingWords>(
  {
    en: () => import('./en/editing.ts').then(({ editingEnglish }) => editingEnglish),
    de: () => import('./de/editing.ts').then(({ editingGerman }) => editingGerman),
  },
  (loaded) => (editingWords = loaded),
);
