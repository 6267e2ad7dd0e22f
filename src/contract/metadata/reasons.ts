/** Reasons of failures of online metadata. */
import type { ReasonTable } from '../kernel/failure.ts';

export const metadataReasons = {
  invalid: { 'match-incomplete': 'A match needs either `provider` and `id`, or `none`.' },
  missing: { 'no-such-work': 'The metadata provider has no such film or show.' },
  unavailable: {
    'metadata-not-configured': 'No metadata provider is configured.',
    'metadata-unavailable': 'The metadata provider cannot be used now.',
  },
} as const satisfies ReasonTable;
