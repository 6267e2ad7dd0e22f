/** Words for the reasons that speak for a subtitle, by the English ones, which are what is stored. */
import { area } from './catalogue.ts';

let evidenceTexts: ReadonlyMap<string, string> = new Map();
area<typeof evidenceTexts>(
  {
    en: () => Promise.resolve(new Map()),
    de: () => import('./de/server-evidence.ts').then(({ evidenceTextsGerman }) => evidenceTextsGerman),
  },
  (loaded) => (evidenceTexts = loaded),
);

/** Returns a reason in the language that is spoken; one with measured values or of another version as it is stored. */
export const evidenceText = (english: string): string => evidenceTexts.get(english) ?? english;
