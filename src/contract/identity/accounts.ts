/** Set-up, sign-in, this session, this Profile, and its second factor. */
import { z } from 'zod';
import { ENROLLING_READERS, OWN_DATA_WRITERS, SIGNED_IN, SIGNED_IN_PROVEN } from '../kernel/access.ts';
import { READING_SECRET, SAVING_SECRET } from '../config/reasons.ts';
import { Language, LanguageCode, lineOfText, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Password, Profile, ProfileName, Session } from './profiles.ts';

const Code = z
  .string()
  .regex(/^(\d{6}|[a-z0-9]{5}-[a-z0-9]{5})$/, 'expected six digits or a recovery code')
  .meta({ examples: ['123456'] });
const device = lineOfText(64)
  .optional()
  .meta({ description: 'Name of this device in the list of sessions.', examples: ['Living room'] });

const SignedIn = z
  .strictObject({
    token: z.string().optional().meta({ description: 'Left out when the session travels by cookie.' }),
    expiresAt: Time,
    profile: Profile,
    mfaEnrollmentRequired: z.boolean(),
  })
  .meta({ id: 'SignedIn' });

export const setup = {
  state: endpoint({
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'Whether the first Owner is still to be made',
    access: 'public',
    result: z.strictObject({ required: z.boolean() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/setup',
    summary: 'Make the first Owner. Once, and closed for good',
    access: 'public',
    body: z.strictObject({
      name: ProfileName,
      password: Password,
      device,
      transport: z.enum(['token', 'cookie']).default('token'),
    }),
    result: SignedIn,
    status: 201,
    fails: [
      'password-length',
      'password-common',
      'already-set-up',
      'setup-at-home-only',
      'setup-on-own-name-only',
      'too-many-attempts',
      'sign-in-busy',
    ],
  }),
};

export const session = {
  create: endpoint({
    method: 'POST',
    path: '/api/v1/session',
    summary: 'Sign in with a password and, where enrolled, a second factor',
    access: 'public',
    body: z.strictObject({
      name: z.string().min(1).max(64),
      password: z.string().min(1).max(1024),
      code: Code.optional(),
      device,
      transport: z.enum(['token', 'cookie']).default('token'),
    }),
    result: SignedIn,
    status: 201,
    fails: [
      'credentials-invalid',
      'mfa-required',
      'code-wrong',
      'password-at-home-only',
      'away-from-home',
      'too-many-attempts',
      'sign-in-busy',
      ...READING_SECRET,
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/session',
    summary: 'This session',
    access: SIGNED_IN,
    result: Session.extend({ mfaEnrollmentRequired: z.boolean() }).meta({ id: 'ThisSession' }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/session',
    summary: 'Sign out',
    access: SIGNED_IN,
    result: NOTHING,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/v1/session/step-up',
    summary: 'Prove again that it is you, for ten minutes',
    access: SIGNED_IN,
    body: z.strictObject({ password: z.string().min(1).max(1024).optional(), code: Code.optional() }),
    result: z.strictObject({ until: Time }),
    fails: [
      'password-missing',
      'password-wrong',
      'mfa-required',
      'code-wrong',
      'password-at-home-only',
      'too-many-attempts',
      'sign-in-busy',
      ...READING_SECRET,
    ],
  }),
};

export const Preferences = z
  .strictObject({
    language: LanguageCode.optional(),
    audio: z.array(LanguageCode),
    subtitles: z.array(LanguageCode),
    subtitleMode: z.enum(['automatic', 'always', 'forced', 'off']),
    theme: z.enum(['system', 'dark', 'light']),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.output<typeof Preferences>;

export const me = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/me',
    summary: 'This Profile and its preferences',
    access: ENROLLING_READERS,
    result: z
      .strictObject({
        profile: Profile,
        preferences: Preferences,
        recoveryCodesLeft: z.int().min(0),
        mfaEnrollmentRequired: z.boolean(),
      })
      .meta({ id: 'Me' }),
  }),
  preferences: endpoint({
    method: 'PUT',
    path: '/api/v1/me/preferences',
    summary: 'Change preferences; what is left out stays',
    access: OWN_DATA_WRITERS,
    body: z.strictObject({
      language: Language.nullable()
        .optional()
        .meta({ description: 'The language of the dashboard; null for that of the browser.' }),
      audio: z.array(Language).max(8).optional(),
      subtitles: z.array(Language).max(8).optional(),
      subtitleMode: z.enum(['automatic', 'always', 'forced', 'off']).optional(),
      theme: z.enum(['system', 'dark', 'light']).optional(),
    }),
    result: Preferences,
  }),
  password: endpoint({
    method: 'PUT',
    path: '/api/v1/me/password',
    summary: 'Change your own password; your other sessions end',
    access: SIGNED_IN,
    body: z.strictObject({ password: z.string().min(1).max(1024), newPassword: Password }),
    result: NOTHING,
    fails: [
      'password-length',
      'password-common',
      'password-wrong',
      'password-at-home-only',
      'too-many-attempts',
      'sign-in-busy',
    ],
  }),
  beginMfa: endpoint({
    method: 'POST',
    path: '/api/v1/me/mfa',
    summary: 'Begin to enrol a second factor; secret and recovery codes are shown this once',
    access: SIGNED_IN_PROVEN,
    result: z
      .strictObject({ secret: z.string(), uri: z.string(), recoveryCodes: z.array(z.string()) })
      .meta({ id: 'MfaEnrolment' }),
    fails: ['mfa-enrolled', ...SAVING_SECRET],
  }),
  finishMfa: endpoint({
    method: 'PUT',
    path: '/api/v1/me/mfa',
    summary: 'Finish enrolment with a first code',
    access: SIGNED_IN,
    body: z.strictObject({ code: Code }),
    result: NOTHING,
    fails: ['code-wrong', 'mfa-enrolled', 'mfa-not-begun', 'too-many-attempts'],
  }),
  removeMfa: endpoint({
    method: 'DELETE',
    path: '/api/v1/me/mfa',
    summary: 'Remove the second factor, with a code of it',
    access: SIGNED_IN_PROVEN,
    body: z.strictObject({ code: Code }),
    result: NOTHING,
    fails: ['code-wrong', 'mfa-not-enrolled', 'too-many-attempts', ...READING_SECRET],
  }),
};
