/** Words for the fragments about how a scan identified a file, by the English ones, which are what is stored. */
import { area } from './catalogue.ts';

let clueTexts: ReadonlyMap<string, string> = new Map();
area<typeof clueTexts>(
  {
    en: () => Promise.resolve(new Map()),
    de: () => import('./de/server-clues.ts').then(({ clueTextsGerman }) => clueTextsGerman),
  },
  (loaded) => (clueTexts = loaded),
);

/** Returns a fragment in the language that is spoken; one of an earlier version as it was stored. */
export const clueText = (english: string): string => clueTexts.get(english) ?? english;
