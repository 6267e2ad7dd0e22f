/** Words of the pages about subtitles. */
import { area } from './catalogue.ts';

export let subtitlesWords: typeof import('./en/subtitles.ts').subtitlesEnglish;
area<typeof subtitlesWords>(
  {
    en: () => import('./en/subtitles.ts').then(({ subtitlesEnglish }) => subtitlesEnglish),
    de: () => import('./de/subtitles.ts').then(({ subtitlesGerman }) => subtitlesGerman),
  },
  (loaded) => (subtitlesWords = loaded),
);
