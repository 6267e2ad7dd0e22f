/**
 * Signing in through an identity provider with OpenID Connect: linking a Profile, signing in, proving again, and the
 * logout that the provider sends.
 */
import { z } from 'zod';
import { OWNERS, SIGNED_IN, VIEWERS_IN_PERSON } from '../kernel/access.ts';
import { READING_SECRET } from '../config/reasons.ts';
import { pageAt, PAGES, type Page } from '../dashboard/pages.ts';
import { lineOfText, Time } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { surface } from '../kernel/surface.ts';
import { Code, SignedInReply } from './accounts.ts';
import { PasskeyHost } from './passkeys.ts';
import { ISSUER_FAULTS } from './reasons.ts';

/** Address to which the identity provider sends the browser back. The setting of the redirect address ends in it. */
export const CALLBACK_PATH = '/oidc/callback';
/** Why a sign-in through the identity provider came to nothing: the sign-in page shows it by its query. */
export const OUTSIDE_ENDINGS = ['outside-unknown', 'outside-refused', 'outside-expired'] as const;
export type OutsideEnding = (typeof OUTSIDE_ENDINGS)[number];

const KIB = 1024;
const byFlow = z.strictObject({ flow: idOf('flow', 'Id of the link that was begun.') });

/** A page of the dashboard with its query, to return to. */
const ToPage = z
  .string()
  .max(512)
  .refine((to) => to.startsWith('/') && pageAt(to.split('?', 1)[0] ?? '') !== undefined, 'expected the path of a page')
  .meta(about('Path of the page to show afterwards, with its query.', '/item/4f1c0a9be27d6358'));

const Provider = z
  .strictObject({
    name: z.string().meta(about('Host of the identity provider.', 'id.example.org')),
    origin: z
      .string()
      .meta(
        about(
          'Origin to which the provider returns the browser. A sign-in has to begin there.',
          'https://media.example.org',
        ),
      ),
  })
  .meta({ id: 'IdentityProvider', description: 'Identity provider of this server.' });
export type IdentityProvider = z.output<typeof Provider>;

const OutsideIdentity = z
  .strictObject({
    issuer: z.string().meta(about('Issuer of the identity.', 'https://id.example.org')),
    subject: z.string().meta(about('Value by which the issuer names the person.', '248289761001')),
    name: z.string().optional().meta(about('Name or e-mail address, as the issuer has it.', 'Ada Lovelace')),
  })
  .meta({ id: 'OutsideIdentity', description: 'Identity of a person at an identity provider.' });
export type OutsideIdentity = z.output<typeof OutsideIdentity>;

const Departed = z
  .strictObject({
    url: z
      .string()
      .meta(about('Address at the identity provider to open in this browser.', 'https://id.example.org/authorize')),
  })
  .meta({ id: 'OutsideFlow', description: 'Step at the identity provider that was begun.' });

const LIMITED = ['outside-not-configured', 'too-many-attempts', ...ISSUER_FAULTS] as const;

export const outside = {
  ways: endpoint({
    method: 'GET',
    path: '/api/v1/session/ways',
    summary: 'Ways to sign in that are set up, in addition to a password',
    description: 'Lets a sign-in page offer what works from the network of the request.',
    access: 'public',
    result: z
      .strictObject({ oidc: Provider.optional(), passkey: PasskeyHost.optional() })
      .meta({ id: 'SignInWays', description: 'Ways to sign in.', examples: [{}] }),
  }),
  begin: endpoint({
    method: 'GET',
    path: '/api/v1/session/oidc',
    summary: 'Sign in through the identity provider',
    description:
      'Redirects the browser to the identity provider, with a cookie that binds the sign-in to this browser for ten ' +
      'minutes. The provider sends it back to the redirect address of the settings. From there it is redirected to ' +
      '`to`, signed in, or to the sign-in page with the reason.',
    access: 'public',
    query: z.strictObject({
      to: ToPage.optional(),
      device: lineOfText(64)
        .optional()
        .meta({ description: 'Name of this device in the list of sessions.', examples: ['Living room'] }),
    }),
    result: { departure: 'Address at the identity provider.' },
    fails: LIMITED,
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/v1/session/oidc',
    summary: 'Finish a sign-in through the identity provider with a code',
    description:
      'An Owner whose provider has not asked for a second factor owes the code of this server, if it requires one. ' +
      'The browser is then at the sign-in page with `owes=code`. Opens a session by cookie.',
    access: 'public',
    body: z.strictObject({
      code: Code.meta(about('Six digits of the authenticator app, or a recovery code.', '492039')),
    }),
    result: SignedInReply,
    status: 201,
    fails: [
      'outside-not-configured',
      'no-such-flow',
      'code-wrong',
      'mfa-required',
      'too-many-attempts',
      ...READING_SECRET,
    ],
  }),
  prove: endpoint({
    method: 'POST',
    path: '/api/v1/session/oidc/step-up',
    summary: 'Begin to prove again that it is you, at the identity provider',
    description:
      'Returns the address to open. The provider asks the person again, whatever session they have there. Afterwards ' +
      'the browser is at `to`, and the proof counts for ten minutes.',
    access: SIGNED_IN,
    body: z.strictObject({ to: ToPage.optional() }),
    result: Departed,
    fails: ['outside-not-linked', ...LIMITED],
  }),
  finishProof: endpoint({
    method: 'PUT',
    path: '/api/v1/session/oidc/step-up',
    summary: 'Finish a proof at the identity provider with a code',
    description: 'For an Owner who owes the code of this server. The browser is then at `to` with `owes=code`.',
    access: SIGNED_IN,
    body: z.strictObject({
      code: Code.meta(about('Six digits of the authenticator app, or a recovery code.', '492039')),
    }),
    result: z.strictObject({ until: Time.meta(about('Until when the proof counts.', '2026-11-21T18:40:00.000Z')) }),
    fails: ['no-such-flow', 'code-wrong', 'mfa-required', 'too-many-attempts', ...READING_SECRET],
  }),
  linked: endpoint({
    method: 'GET',
    path: '/api/v1/me/oidc',
    summary: 'Identity that this Profile signs in with',
    description: 'Says whether an identity provider is set up, and to which identity this Profile is linked.',
    access: SIGNED_IN,
    result: z
      .strictObject({
        provider: Provider.optional(),
        linked: z
          .strictObject({
            identity: OutsideIdentity,
            since: Time.meta(about('When it was linked.', '2026-11-21T18:30:00.000Z')),
            usable: z
              .boolean()
              .meta(about('Whether it opens this Profile: its issuer and claim are those of the settings.', true)),
          })
          .optional()
          .meta(about('Identity that is linked.')),
      })
      .meta({ id: 'OwnOutsideIdentity', description: 'Link of a Profile to an identity provider.' }),
  }),
  link: endpoint({
    method: 'GET',
    path: '/api/v1/me/oidc/link',
    summary: 'Begin to link this Profile to an identity',
    description:
      'Returns the address to open. Afterwards the browser is at the account page with `link`, the flow. Nothing is ' +
      'linked before the session that began it has confirmed the identity that it is shown.',
    access: VIEWERS_IN_PERSON,
    sameOrigin: true,
    result: Departed.extend({ flow: idOf('flow', 'Id of the flow, to read and confirm the identity.') }).meta({
      id: 'OutsideLinkFlow',
      description: 'Link that was begun.',
    }),
    fails: ['outside-linked', ...LIMITED],
  }),
  shown: endpoint({
    method: 'GET',
    path: '/api/v1/me/oidc/link/{flow}',
    summary: 'Identity that is about to be linked',
    description: 'Shows the identity that the provider has confirmed. Only the session that began the flow may see it.',
    access: VIEWERS_IN_PERSON,
    sameOrigin: true,
    params: byFlow,
    result: OutsideIdentity,
    fails: ['no-such-flow'],
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/api/v1/me/oidc/link/{flow}',
    summary: 'Link the identity that was shown',
    description: 'Ends the flow. From now on the identity opens this Profile.',
    access: VIEWERS_IN_PERSON,
    params: byFlow,
    result: NOTHING,
    fails: ['no-such-flow', 'outside-taken', 'outside-linked'],
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/v1/me/oidc',
    summary: 'Remove the link to the identity provider',
    description: 'Ends the sessions that the identity has opened, except the one of the request.',
    access: VIEWERS_IN_PERSON,
    result: NOTHING,
    fails: ['outside-not-linked', 'last-way-in'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/identity-provider/test',
    summary: 'Check the identity provider',
    description:
      'Reads its documents and keys, and sends it a code that it must refuse: its refusal shows whether it accepts ' +
      'the client ID and the client secret. No session is opened.',
    access: OWNERS,
    result: z
      .strictObject({
        configured: z.boolean().meta(about('Whether the settings of the identity provider are complete.', true)),
        connected: z.boolean().meta(about('Whether it can be used.', true)),
        error: z.string().optional().meta(rarely('Why it cannot be used, as a sentence.')),
        reason: z.enum(ISSUER_FAULTS).optional().meta(rarely('Code of `error`.')),
      })
      .meta({ id: 'IdentityProviderTest', description: 'State of the identity provider.' }),
  }),
};

/** Addresses that the identity provider calls, or sends the browser to. Errors have the words of OAuth. */
export const OIDC = surface({
  name: 'oidc',
  prefixes: ['/oidc'],
  fields: { unknown: 'ignored', repeated: 'refused' },
  failure: {
    type: 'application/json; charset=utf-8',
    shape: z.strictObject({ error: z.string(), error_description: z.string() }),
    body: ({ kind, message }) =>
      JSON.stringify({
        error: kind === 'internal' || kind === 'unavailable' ? 'temporarily_unavailable' : 'invalid_request',
        error_description: message,
      }),
  },
});

const oneOf = <T>(all: T[]): readonly [T, ...T[]] => all as [T, ...T[]];
const parameter = (most: number) => z.string().max(most).optional();

export const oidc = {
  callback: endpoint({
    method: 'GET',
    path: CALLBACK_PATH,
    surface: OIDC,
    summary: 'Return from the identity provider',
    access: 'public',
    query: z.object({
      code: parameter(4 * KIB),
      state: parameter(512),
      iss: parameter(2 * KIB),
      error: parameter(256),
    }),
    result: { redirect: oneOf(Object.keys(PAGES) as Page[]) },
    fails: ['outside-not-configured'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/oidc/backchannel-logout',
    surface: OIDC,
    summary: 'End the sessions of an identity that has signed out at its provider',
    access: 'public',
    takes: { form: 'urlencoded', maxBytes: 32 * KIB },
    body: z.object({
      logout_token: z
        .string()
        .min(1)
        .max(16 * KIB),
    }),
    result: z.strictObject({}),
    fails: ['outside-not-configured', 'logout-token-invalid'],
  }),
};
