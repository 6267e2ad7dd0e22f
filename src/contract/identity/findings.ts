/** Findings about Profiles and signing in. */
import { z } from 'zod';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

export const identityFindings = {
  'no-owner-yet': { summary: 'No Owner has been created yet; the first caller at home can do it.' },
  'no-profiles': { summary: 'There are no Profiles, and the server is already set up.' },
  'owners-without-second-factor': {
    summary: 'Owners with a password have no second factor.',
    values: { count: z.int() },
  },
  'outside-identity-email': {
    summary: 'People are recognised by their e-mail address at the identity provider, and addresses change hands.',
  },
  'saml-metadata-unusable': {
    summary: 'There is no metadata of the SAML identity provider that can be used.',
  },
  'saml-metadata-stale': {
    summary: 'The metadata of the SAML identity provider could not be read for three days.',
  },
  'directory-token-expiring': {
    summary: 'The directory token expires soon.',
    values: { days: z.int().min(1) },
  },
  'directory-token-expired': {
    summary: 'The directory token has expired, so the directory no longer manages Profiles.',
  },
  'sign-in-guessed': { summary: 'Passwords or codes are being guessed, so attempts are held back.' },
} as const satisfies FindingTable;
export type IdentityFinding = FindingOf<typeof identityFindings>;
