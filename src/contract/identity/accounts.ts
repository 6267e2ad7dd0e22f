/** Set-up, sign-in, this session, this Profile, and its second factor. */
import { about } from '../kernel/describe.ts';
import { z } from 'zod';
import { ENROLLING_READERS, OWN_DATA_WRITERS, SIGNED_IN, SIGNED_IN_PROVEN } from '../kernel/access.ts';
import { READING_SECRET, SAVING_SECRET } from '../config/reasons.ts';
import { Language, LanguageCode, lineOfText, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { HOME_ROW, MAX_HOME_ROWS } from './home.ts';
import { EXAMPLE_OWNER } from './example-owner.ts';
import { Ceremony, PasskeyAssertion } from './passkey-proof.ts';
import { OwnProfile, Password, ProfileName } from './profiles.ts';
import { rememberField, Session } from './sessions.ts';
import { WELCOME_STEPS } from './welcome.ts';

export const Code = z
  .string()
  .regex(/^(\d{6}|[a-z0-9]{5}-[a-z0-9]{5})$/, 'expected six digits or a recovery code')
  .meta(about('Six digits of the authenticator app, or a recovery code.', '492039'));
export const deviceNameField = lineOfText(64)
  .optional()
  .meta({ description: 'Name of this device in the list of sessions.', examples: ['Living room'] });
export const transportField = z
  .enum(['token', 'cookie'])
  .default('token')
  .meta(about('How the session travels: in the reply as a token, or in a cookie that the browser keeps.', 'token'));

const EXAMPLE_TOKEN = 'mat_ses_Vd0n3Yp4cQm1xR7tJk2LwZ8bHs5eGf9uAiNo6CqTyE0';

const mfaEnrollmentRequired = z
  .boolean()
  .meta(about('Whether a second factor must be enrolled before anything else is allowed.', false));

export const SignedInReply = z
  .strictObject({
    token: z
      .string()
      .optional()
      .meta({
        description: 'Left out when the session travels by cookie.',
        examples: [EXAMPLE_TOKEN],
      }),
    expiresAt: Time.meta(about('When the session ends, if it is used until then.', '2026-12-21T18:30:00.000Z')),
    profile: OwnProfile,
    mfaEnrollmentRequired,
  })
  .meta({ id: 'SignedIn', description: 'Session that was opened.' });

export const setup = {
  state: endpoint({
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'Whether the first Owner is still to be made',
    description:
      'Lets a client choose its first page. It is true until the first Owner exists, and false for ' +
      'good afterwards.',
    access: 'public',
    result: z.strictObject({
      required: z.boolean().meta(about('Whether the server waits for its first Owner.', true)),
      staySignedIn: z.boolean().meta(about('Whether a browser may stay signed in, with `remember`.', true)),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/setup',
    summary: 'Create the first Owner, which is possible only once',
    description: 'Creates the first Profile, an Owner, and signs it in. It works once, from the home network only.',
    access: 'public',
    body: z.strictObject({
      name: ProfileName,
      password: Password,
      device: deviceNameField,
      transport: transportField,
      welcome: z
        .boolean()
        .default(false)
        .meta(about('Whether the first run continues in the dashboard: it then resumes where it was left.', false)),
    }),
    result: SignedInReply.meta({
      examples: [
        {
          token: EXAMPLE_TOKEN,
          expiresAt: '2026-12-21T18:30:00.000Z',
          profile: EXAMPLE_OWNER,
          mfaEnrollmentRequired: true,
        },
      ],
    }),
    status: 201,
    fails: [
      'password-length',
      'password-common',
      'already-set-up',
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
    description:
      'Returns a session token to send as `Authorization: Bearer <token>`, or sets a cookie. A Profile ' +
      'with a second factor also sends `code`; without it the reply is 401 with `mfaRequired`. Repeated ' +
      'failures are slowed down: 429.',
    access: 'public',
    reach: 'everywhere',
    body: z.strictObject({
      name: z.string().min(1).max(64).meta(about('Name of the Profile.', 'Ada')),
      password: z.string().min(1).max(1024).meta(about('Password of the Profile.', 'nine tall green garden doors')),
      code: Code.optional().meta(
        about(
          'Six digits of the authenticator app, or a recovery code. Only for a Profile with a second factor.',
          '492039',
        ),
      ),
      device: deviceNameField,
      transport: transportField,
      remember: rememberField,
    }),
    result: SignedInReply,
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
    description: 'Describes the session that the request was made with: its Profile, its device and when it ends.',
    access: SIGNED_IN,
    reach: 'everywhere',
    result: Session.extend({
      mfaEnrollmentRequired,
    }).meta({ id: 'ThisSession', description: 'Session that the request was made with.' }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/session',
    summary: 'Sign out',
    description: 'Ends the session that the request was made with. Its open streams end, too.',
    access: SIGNED_IN,
    reach: 'everywhere',
    result: NOTHING,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/v1/session/step-up',
    summary: 'Prove again that it is you, for ten minutes',
    description:
      'Changes to sign-in methods, secrets and libraries need a proof that is at most ten minutes old. Send the ' +
      'password, and the code of a Profile with a second factor; or the proof by a passkey, with its `ceremony`.',
    access: SIGNED_IN,
    reach: 'everywhere',
    body: z.strictObject({
      password: z
        .string()
        .min(1)
        .max(1024)
        .optional()
        .meta(about('Password of the Profile.', 'nine tall green garden doors')),
      code: Code.optional(),
      ceremony: Ceremony.optional(),
      credential: PasskeyAssertion.optional(),
    }),
    result: z.strictObject({ until: Time.meta(about('Until when the proof counts.', '2026-11-21T18:40:00.000Z')) }),
    fails: [
      'passkey-refused',
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

const HomeRows = z
  .array(
    z.strictObject({
      row: z
        .string()
        .regex(HOME_ROW, 'expected a row of home')
        .meta(
          about(
            'Row: continue, next-up, listening, reading, collections, libraries, or recent, playlist, smart or ' +
              'collection with an id behind a colon.',
            'next-up',
          ),
        ),
      hidden: z.boolean().optional().meta(about('Whether the row is hidden.', false)),
    }),
  )
  .max(MAX_HOME_ROWS)
  .meta(about('Rows of the home page in their order. Empty for the usual ones.', [{ row: 'next-up' }]));

const rewatch = z
  .boolean()
  .meta(about('Whether "Next up" in the dashboard offers shows that are watched completely, too.', false));

export const Preferences = z
  .strictObject({
    language: LanguageCode.optional().meta(about('Language of the dashboard. Left out: that of the browser.', 'en')),
    audio: z.array(LanguageCode).meta(about('Preferred languages of sound, best first.', ['en'])),
    subtitles: z.array(LanguageCode).meta(about('Preferred languages of subtitles, best first.', ['en', 'de'])),
    subtitleMode: z
      .enum(['automatic', 'always', 'forced', 'off'])
      .meta(
        about(
          'When subtitles are shown: automatic if the sound is in another language, always, forced ones only, or off.',
          'automatic',
        ),
      ),
    theme: z
      .enum(['system', 'dark', 'light'])
      .meta(about('Appearance of the dashboard; system follows the device.', 'dark')),
    home: HomeRows.optional(),
    rewatch: rewatch.optional(),
    welcome: z
      .enum(WELCOME_STEPS)
      .optional()
      .meta(about('Step of the first run at which the dashboard resumes. Missing once the run is over.', 'libraries')),
  })
  .meta({ id: 'Preferences', description: 'Preferences of a Profile.' });
export type Preferences = z.output<typeof Preferences>;

export const me = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/me',
    summary: 'This Profile and its preferences',
    description: 'Returns the Profile of the caller with its limits and preferences.',
    access: ENROLLING_READERS,
    reach: 'everywhere',
    result: z
      .strictObject({
        profile: OwnProfile,
        preferences: Preferences,
        recoveryCodesLeft: z.int().min(0).meta(about('Number of recovery codes that were not used yet.', 9)),
        mfaEnrollmentRequired,
        household: z.boolean().meta(about('Whether a household device opened it, so that it can only watch.', false)),
      })
      .meta({ id: 'Me', description: 'Profile of the caller.' }),
  }),
  preferences: endpoint({
    method: 'PUT',
    path: '/api/v1/me/preferences',
    summary: 'Change preferences; what is left out stays',
    description: 'Saves the preferences that are sent, and returns all of them.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    body: z.strictObject({
      language: Language.nullable()
        .optional()
        .meta({ description: 'The language of the dashboard; null for that of the browser.', examples: ['en'] }),
      audio: z
        .array(Language)
        .max(8)
        .optional()
        .meta(about('Preferred languages of sound, best first.', ['en'])),
      subtitles: z
        .array(Language)
        .max(8)
        .optional()
        .meta(about('Preferred languages of subtitles, best first.', ['en', 'de'])),
      subtitleMode: z
        .enum(['automatic', 'always', 'forced', 'off'])
        .optional()
        .meta(
          about(
            'When subtitles are shown: automatic if the sound is in another language, always, forced ones ' +
              'only, or off.',
            'automatic',
          ),
        ),
      theme: z
        .enum(['system', 'dark', 'light'])
        .optional()
        .meta(about('Appearance of the dashboard; system follows the device.', 'dark')),
      home: HomeRows.optional(),
      rewatch: rewatch.optional(),
      welcome: z
        .enum(WELCOME_STEPS)
        .nullable()
        .optional()
        .meta(about('Step of the first run at which the dashboard resumes; null ends the run.', 'libraries')),
    }),
    result: Preferences,
    fails: ['household-watch-only'],
  }),
  password: endpoint({
    method: 'PUT',
    path: '/api/v1/me/password',
    summary: 'Change your own password; your other sessions end',
    description: 'Replaces the password of the caller. The session of the request stays.',
    access: SIGNED_IN,
    body: z.strictObject({
      password: z.string().min(1).max(1024).meta(about('Present password.', 'nine tall green garden doors')),
      newPassword: Password.meta(
        about('New password: 12 to 1024 characters, and not a common one.', 'nine quiet green garden gates'),
      ),
    }),
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
    summary: 'Begin to enrol a second factor',
    description:
      'Returns a new secret for an authenticator app and recovery codes. It counts once a first code ' +
      'has finished the enrolment. Until then, or until it expires, the session that began it is shown the same ' +
      'again; no other session is.',
    access: SIGNED_IN_PROVEN,
    body: z.strictObject({
      fresh: z
        .boolean()
        .default(false)
        .meta(about('Whether what this session began before is forgotten, and a new secret is made.', false)),
    }),
    result: z
      .strictObject({
        secret: z
          .string()
          .meta(
            about(
              'Secret in Base32, to type into an app that cannot read the address.',
              'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            ),
          ),
        uri: z
          .string()
          .meta(
            about(
              'Address with the secret, as a QR code carries it.',
              'otpauth://totp/Matinee:Ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Matinee',
            ),
          ),
        recoveryCodes: z
          .array(z.string())
          .meta(about('Ten codes that each replace the app once.', ['k7m2p-9x4tq', 'h3v8c-2n6wr'])),
        expiresAt: Time.meta(about('When the enrolment is forgotten.', '2026-11-21T18:45:00.000Z')),
      })
      .meta({ id: 'MfaEnrolment', description: 'Second factor that was begun.' }),
    fails: ['mfa-enrolled', ...SAVING_SECRET],
  }),
  finishMfa: endpoint({
    method: 'PUT',
    path: '/api/v1/me/mfa',
    summary: 'Finish enrolment with a first code',
    description: 'Enrols the second factor that was begun. From then on each sign-in needs a code.',
    access: SIGNED_IN,
    body: z.strictObject({ code: Code.meta(about('Six digits that the authenticator app shows now.', '492039')) }),
    result: NOTHING,
    fails: ['code-wrong', 'mfa-enrolled', 'mfa-not-begun', 'too-many-attempts'],
  }),
  removeMfa: endpoint({
    method: 'DELETE',
    path: '/api/v1/me/mfa',
    summary: 'Remove the second factor, with a code of it',
    description: 'Removes the second factor and its recovery codes.',
    access: SIGNED_IN_PROVEN,
    body: z.strictObject({ code: Code }),
    result: NOTHING,
    fails: ['code-wrong', 'mfa-not-enrolled', 'too-many-attempts', ...READING_SECRET],
  }),
};
