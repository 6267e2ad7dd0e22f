/**
 * Words for the reasons of a playback plan, by their codes. Empty in English, which the server says, in more detail.
 */
import type { PlayReasonCode } from '../../contract/playback/reasons.ts';
import { area } from './catalogue.ts';

/** `best-version`: this version was chosen among several. */
export type PlanTexts = Readonly<Record<PlayReasonCode | 'best-version', string>>;
let planTexts: Partial<PlanTexts> = {};
area<typeof planTexts>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-plan.ts').then(({ planTextsGerman }) => planTextsGerman),
  },
  (loaded) => (planTexts = loaded),
);

/** Returns why a file is not played as it is, in the language that is spoken. */
export const reasonText = ({ code, detail }: { code: PlayReasonCode; detail: string }): string =>
  planTexts[code] ?? (detail || code);
/** Returns why a version was chosen among several, of which the server says `detail`. */
export const bestVersionText = (detail: string): string => planTexts['best-version'] ?? detail;
