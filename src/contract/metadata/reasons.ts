/** Reasons of failures of online metadata. */
import type { ReasonTable } from '../kernel/failure.ts';

const FAULTS = {
  'metadata-token-refused': 'The metadata provider does not accept the access token.',
  'metadata-limited': 'The metadata provider allows no more requests for now.',
  'metadata-request-refused': 'The metadata provider does not understand the request; the address may be wrong.',
  'metadata-down': 'The metadata provider answers with an error.',
  'metadata-reply-invalid': 'The reply of the metadata provider is not valid; the address may be wrong.',
  'metadata-address-refused': 'The address of the metadata provider is not allowed.',
  'metadata-unresolved': 'The host name of the metadata provider is not known.',
  'metadata-certificate': 'The certificate of the metadata provider is not valid.',
  'metadata-late': 'The metadata provider did not answer in time.',
  'metadata-unreachable': 'The metadata provider cannot be reached.',
} as const;
/** Why the configured provider cannot be used now. */
export const METADATA_FAULTS = Object.keys(FAULTS) as readonly (keyof typeof FAULTS)[];
export type MetadataFault = keyof typeof FAULTS;

export const metadataReasons = {
  invalid: { 'match-incomplete': 'A match needs either `provider` and `id`, or `none`.' },
  missing: {
    'no-such-work': 'The metadata provider has no such film or show.',
    'no-such-order': 'The metadata provider has no such order of episodes.',
  },
  unavailable: { 'metadata-not-configured': 'No metadata provider is configured.', ...FAULTS },
} as const satisfies ReasonTable;
