/** Words for the warnings of the workbench, by their reasons. Empty in English, which the server says itself. */
import type { SubtitleWarning, SubtitleWarningTexts } from '../../contract/subtitles/warnings.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let warningWords: SubtitleWarningTexts | undefined;
area<{ texts?: SubtitleWarningTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-warnings.ts').then(({ warningTextsGerman }) => ({ texts: warningTextsGerman })),
  },
  ({ texts }) => (warningWords = texts),
);

/** Returns the warnings in the language that is spoken; one with a reason of another version as the server says it. */
export const warningTexts = ({
  warnings,
  warningReasons,
}: {
  warnings: readonly string[];
  warningReasons: readonly SubtitleWarning[];
}): string[] => warnings.map((sentence, n) => sayReason(warningWords, warningReasons[n]) ?? sentence);
