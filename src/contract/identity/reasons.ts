/** Reasons of failures of set-up, sign-in, Profiles, sessions and API keys. */
import { z } from 'zod';
import type { ReasonTable } from '../kernel/failure.ts';

const ISSUER = {
  'issuer-unreachable': 'The identity provider cannot be reached.',
  'issuer-address': 'The address of the identity provider is neither public, nor private over https.',
  'issuer-certificate': 'The certificate of the identity provider is not valid.',
  'issuer-broken': 'The identity provider has no valid discovery document at this address.',
  'issuer-renamed': 'The identity provider calls itself by another address than the one in the settings.',
  'issuer-unsupported':
    'The identity provider lacks something that is needed: the code flow with PKCE, keys, or a signature algorithm ' +
    'that is accepted.',
  'issuer-client-refused': 'The identity provider refuses the client ID or the client secret.',
  'saml-metadata-invalid': 'This is not valid metadata of exactly one SAML identity provider.',
  'saml-metadata-expired': 'The metadata of the identity provider is no longer valid.',
  'saml-provider-unsupported':
    'The metadata of the identity provider lacks a sign-in by redirect, or a signing key that is strong enough: RSA ' +
    'of 2048 bits or an elliptic curve.',
} as const;
/** Why the identity provider cannot be used now. */
export const ISSUER_FAULTS = Object.keys(ISSUER) as readonly (keyof typeof ISSUER)[];
export type IssuerFault = keyof typeof ISSUER;

export const identityReasons = {
  invalid: {
    'password-length': 'The password is too short or too long.',
    'password-common': 'The password is one of those that attackers try first.',
    'password-missing': 'The password is needed for this.',
    'window-start': 'A viewing window must start before 24:00.',
    'passkey-unfit': 'The passkey was made for another server, or is of a kind that this server does not accept.',
    'logout-token-invalid': 'The logout token is not one that the identity provider made for this server, or was used.',
    'time-zone-unknown': 'The time zone of a viewing window is not in the IANA database.',
  },
  unauthenticated: {
    'credentials-invalid': 'The token, key or link is not valid, or the name or password is wrong.',
    'password-wrong': 'The current password is wrong.',
    'mfa-required': 'A code of the second factor is needed.',
    'code-wrong': 'The code is wrong or was used before.',
    'passkey-refused': 'The passkey was not accepted: it is unknown here, was used before, or proves too little.',
    'key-revoked': 'The API key was revoked.',
    'service-token-expired': 'The token of the service has expired; an Owner can create a new one.',
    'pin-wrong': 'The PIN is wrong.',
    'household-unknown': 'This Profile cannot be opened on this device.',
  },
  forbidden: {
    'setup-on-own-name-only': 'The first Owner can be created at an address or name of this machine only.',
    'remote-cut': 'An Owner has cut off remote access.',
    'key-at-home-only': 'An API key is accepted from the home network only.',
    'password-at-home-only': 'A password is accepted from the home network only.',
    'household-watch-only': 'A Profile that was opened on a household device can only watch.',
    'key-viewer-policy-only': 'An API key may change only the policy of a Viewer.',
    'quick-connect-own-profile': 'A device is signed in as the Profile that approves it, or by an Owner as a Viewer.',
    'quick-connect-by-owner': 'A device outside the home network is approved by an Owner.',
    'passkey-from-outside':
      'Away from home, a passkey is added only by a session that a passkey opened, or that an Owner approved for it.',
    'quick-connect-passkey-by-owner': 'Only an Owner lets a device add a passkey.',
    'quick-connect-not-away': 'This Profile may not be used away from home, and the device is not at home.',
  },
  missing: {
    'no-such-profile': 'There is no such Profile.',
    'no-such-session': 'There is no such session.',
    'no-such-key': 'There is no such API key.',
    'no-such-user': 'The directory has no such user here.',
    'no-such-device': 'There is no such device.',
    'no-such-code': 'No device waits with this code, or the code has expired.',
    'no-such-passkey': 'There is no such passkey.',
    'no-such-ceremony': 'Another session started this, or it has expired; start again.',
    'outside-not-configured': 'Sign-in through an identity provider is not set up, or not offered on this network.',
    'no-such-flow': 'Another browser or session started this sign-in, or it has expired; start again.',
  },
  conflict: {
    'already-set-up': 'The first Owner exists already; the server is set up.',
    'daily-viewers-only': 'Only Viewers can have a daily time limit.',
    'name-taken': 'Another Profile has this name.',
    'directory-managed': 'The directory decides this about the Profile; change it there.',
    'directory-name-taken': 'Another user or Profile has this user name.',
    'directory-id-taken': 'Another user or Profile has this external id.',
    'last-owner': 'At least one Owner must remain.',
    'last-owner-always': 'At least one Owner must be able to sign in at any time.',
    'too-many-profiles': 'The limit of Profiles is reached.',
    'too-many-items': 'The limit of allowed and hidden items is reached; remove one first.',
    'too-many-keys': 'The limit of API keys is reached; revoke one first.',
    'outside-taken': 'This identity is linked to another Profile.',
    'outside-linked': 'This Profile is linked to an identity already; remove that link first.',
    'outside-not-linked': 'This Profile is not linked to an identity.',
    'owner-needs-way-in': 'An Owner needs its own password or passkey; set one first.',
    'grant-viewers-only': 'Only Viewers can be given more than their policy allows.',
    'too-many-grants': 'The Profile has as many temporary permissions as it can have; wait until one of them ends.',
    'no-daily-time': 'The Profile has no daily time limit.',
    'exempt-viewers-only': 'Only Viewers can be exempt from the second factor.',
    'password-in-use': 'The password opens the Profile on a household device; change that first.',
    'password-set': 'The Profile already has a password; change it with the current one.',
    'no-password': 'The Profile has no password.',
    'last-way-in': 'Without it the Profile could no longer sign in; add another sign-in method first.',
    'passkey-without-name': 'Passkeys need a name: an Owner sets the public address of this server first.',
    'passkey-known': 'The passkey is already registered here.',
    'too-many-passkeys': 'The Profile has as many passkeys as it can have; remove one first.',
    'no-passkey': 'The Profile has no passkey for this address.',
    'household-viewers-only': 'Only Viewers can be opened on a household device.',
    'household-opening-missing': 'The Profile has no PIN or password that could open it.',
    'pin-in-use': 'The PIN opens the Profile on a household device; change that first.',
    'too-many-household-devices': 'The limit of household devices is reached; remove one first.',
    'mfa-enrolled': 'A second factor is enrolled already; remove it first.',
    'mfa-not-begun': 'Begin the enrolment of a second factor first.',
    'code-approved': 'The code was approved already.',
    'mfa-not-enrolled': 'No second factor is enrolled.',
  },
  unavailable: ISSUER,
  throttled: {
    'too-many-attempts': 'Too many attempts; Retry-After says when the next one may be made.',
    'too-many-codes': 'Too many devices wait to be signed in.',
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
