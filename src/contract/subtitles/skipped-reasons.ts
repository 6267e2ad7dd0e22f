/**
 * Reasons why a clean-up leaves a file alone. Each has values, so that a client can use its own words, and an English
 * fragment made of them.
 */
import type { FailureReason } from '../failures.ts';
import { type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';

/** English fragments by reason. The parameters are the values that such a reason carries. */
export const SKIPPED_REASONS = {
  'foreign-lines': () => 'it has only the lines of foreign speech, which are kept',
  'name-too-long': () => 'its name is too long for the suffix',
  link: () => 'a link',
  'not-a-file': () => 'not an ordinary file',
  'name-taken': () => 'a hidden file with that name exists already',
  // The English of a failure is a value, because the reason of the failure has words already.
  failed: ({ message }: { failure: FailureReason; message: string }) => message,
} as const;

/** Makes the fragments of every reason, in a language. */
export type SkippedReasonTexts = typeof SKIPPED_REASONS;
export type SkippedReason = ReasonText<SkippedReasonTexts>;
export const SkippedReason = reasonTextSchema(SKIPPED_REASONS, {
  id: 'CleanupSkippedReason',
  description: 'Why a clean-up leaves a file alone, for a client that has its own words.',
  example: { reason: 'foreign-lines', values: {} },
});
