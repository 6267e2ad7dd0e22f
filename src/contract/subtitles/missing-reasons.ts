/**
 * Reasons why a language has no subtitle that counts. Each has values, so that a client can use its own words, and an
 * English fragment made of them.
 */
import type { TimingRefusal } from './evidence-reasons.ts';
import { type ReasonText, reasonTextSchema, textOfReason } from '../kernel/reason-texts.ts';

/** Reasons for not installing a candidate automatically. A person may overrule the first four. */
export const CANDIDATE_REFUSALS = [
  'score',
  'unverified',
  'rejected',
  'download',
  'unreadable',
  'too-few',
  'timing',
  'language',
  'season',
  'episode',
  'year',
  'id',
  'kind',
  'forced',
  'hearing-impaired',
  'machine-translated',
] as const;
export type CandidateRefusal = (typeof CANDIDATE_REFUSALS)[number];

/** Kinds of faults of subtitle providers. */
export type ProviderFaultKind =
  | 'bad-credentials'
  | 'quota'
  | 'rate-limited'
  | 'not-found'
  | 'gone'
  | 'payment-required'
  | 'unavailable'
  | 'hostile';

/** English fragments by reason. The parameters are the values that such a reason carries. */
export const MISSING_REASONS = {
  'none-offered': () => 'no provider has a subtitle for this video in this language',
  'none-offered-by-some': () => 'no provider that could be asked has a subtitle for this video in this language',
  'nothing-better': () => 'the providers offer nothing clearly better',
  'no-good-match': () => 'what the providers offer does not match this video well enough',
  'no-answer': () => 'no provider answered',
  // The providers and the checks of a download know no contract, so their English is a value.
  'provider-failed': ({ message }: { fault: ProviderFaultKind; message: string }) => message,
  refused: ({ message }: { code: CandidateRefusal; message: string; refusal?: TimingRefusal }) => message,
  'file-unreadable': () => 'the file cannot be read',
  'not-scanned': () => 'the file has not been scanned yet',
  hidden: () => 'hidden',
  empty: () => 'the file is empty',
  'no-cues': () => 'the file has no line that can be shown',
  'not-a-subtitle': () => 'the file is not a subtitle',
  damaged: () => 'the file is damaged and cannot be read',
  'too-large': () => 'the file is larger than a subtitle can be',
  pictures: () => 'made of pictures, so it does not count as text',
  commentary: () => 'a commentary',
  'foreign-lines': () => 'only the lines of foreign speech',
  'part-without': ({ part }: { part: number }) => `part ${part} has none`,
} as const;

/** Makes the fragments of every reason, in a language. */
export type MissingReasonTexts = typeof MISSING_REASONS;
export type MissingReason = ReasonText<MissingReasonTexts>;
export const MissingReason = reasonTextSchema(MISSING_REASONS, {
  id: 'SubtitleMissingReason',
  description: 'Why a language has no subtitle that counts, for a client that has its own words.',
  example: { reason: 'none-offered', values: {} },
});
/** Returns the English fragment of a reason. */
export const missingText = (missing: MissingReason): string => textOfReason(MISSING_REASONS, missing);
