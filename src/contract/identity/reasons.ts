/** Reasons of failures of set-up, sign-in, Profiles, sessions and API keys. */
import { z } from 'zod';
import type { ReasonTable } from '../kernel/failure.ts';

export const identityReasons = {
  invalid: {
    'password-length': 'The password is too short or too long.',
    'password-common': 'The password is one of those that attackers try first.',
    'password-missing': 'The password is needed for this.',
    'window-start': 'A viewing window must start before 24:00.',
    'time-zone-unknown': 'The time zone of a viewing window is not in the IANA database.',
  },
  unauthenticated: {
    'credentials-invalid': 'The token, key or link is not valid, or the name or password is wrong.',
    'password-wrong': 'The current password is wrong.',
    'mfa-required': 'A code of the second factor is needed.',
    'code-wrong': 'The code is wrong or was used before.',
    'key-revoked': 'The API key was revoked.',
  },
  forbidden: {
    'setup-at-home-only': 'The first Owner can be created from the home network only.',
    'setup-on-own-name-only': 'The first Owner can be created at an address or name of this machine only.',
    'password-at-home-only': 'A password is accepted from the home network only.',
    'key-viewer-policy-only': 'An API key may change only the policy of a Viewer.',
  },
  missing: {
    'no-such-profile': 'There is no such Profile.',
    'no-such-session': 'There is no such session.',
    'no-such-key': 'There is no such API key.',
    'no-such-device': 'There is no such device.',
  },
  conflict: {
    'already-set-up': 'The first Owner exists already; set-up is closed.',
    'name-taken': 'Another Profile has this name.',
    'last-owner': 'At least one Owner must remain.',
    'last-owner-always': 'At least one Owner must be able to sign in at any time.',
    'too-many-profiles': 'There are as many Profiles as there can be.',
    'too-many-items': 'There are as many allowed or hidden items as there can be; remove one first.',
    'too-many-keys': 'There are as many API keys as there can be; revoke one first.',
    'mfa-enrolled': 'A second factor is enrolled already; remove it first.',
    'mfa-not-begun': 'Begin the enrolment of a second factor first.',
    'mfa-not-enrolled': 'No second factor is enrolled.',
  },
  throttled: {
    'too-many-attempts': 'Too many attempts; Retry-After says when the next one may be made.',
    'sign-in-busy': 'Too many people are signing in at this moment.',
  },
} as const satisfies ReasonTable;

/** Members of an error of these operations. */
export const identityMembers = {
  mfaRequired: z
    .literal(true)
    .optional()
    .meta({ description: 'The code of the second factor is missing.', examples: [] }),
};
