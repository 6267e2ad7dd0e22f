/** Words for the reasons that speak for a subtitle or against it. Empty in English, which the server says itself. */
import type { EvidenceReason, EvidenceTexts, TimingRefusal } from '../../contract/subtitles/evidence-reasons.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

interface EvidenceWords {
  texts?: EvidenceTexts;
  refusals?: Readonly<Record<TimingRefusal, string>>;
}

let words: EvidenceWords = {};
area<EvidenceWords>(
  {
    en: () => Promise.resolve({}),
    de: () =>
      import('./de/server-evidence.ts').then(({ evidenceGerman, timingRefusalsGerman }) => ({
        texts: evidenceGerman,
        refusals: timingRefusalsGerman,
      })),
  },
  (loaded) => (words = loaded),
);

/** Returns a reason in the language that is spoken; one of another version as the server says it. */
export const evidenceText = ({ detail, why }: { detail: string; why?: EvidenceReason | undefined }): string =>
  sayReason(words.texts, why) ?? detail;

/** Returns why cues were not aligned in the language that is spoken. */
export const refusalText = ({ reason, why }: { reason: string; why?: TimingRefusal | undefined }): string =>
  (why && words.refusals?.[why]) ?? reason;
