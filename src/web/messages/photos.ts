/** Words of the pages of photos. */
import { area } from './catalogue.ts';

export let photoWords: typeof import('./en/photos.ts').photosEnglish;
area<typeof photoWords>(
  {
    en: () => import('./en/photos.ts').then(({ photosEnglish }) => photosEnglish),
    de: () => import('./de/photos.ts').then(({ photosGerman }) => photosGerman),
  },
  (loaded) => (photoWords = loaded),
);
