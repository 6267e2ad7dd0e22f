/**
 * Signing in through an identity provider: linking a Profile, signing in, and proving again, in each protocol by the
 * same operations.
 */
import { z } from 'zod';
import { OWNERS, SIGNED_IN, VIEWERS_IN_PERSON } from '../kernel/access.ts';
import { READING_SECRET } from '../config/reasons.ts';
import { pageAt } from '../dashboard/pages.ts';
import { lineOfText, Time } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Code, SignedInReply } from './accounts.ts';
import { PasskeyHost } from './passkeys.ts';
import { ISSUER_FAULTS } from './reasons.ts';

/** Protocols of sign-in through others. A Profile may have one link in each. */
export const OUTSIDE_PROTOCOLS = ['oidc', 'saml'] as const;
export type OutsideProtocolName = (typeof OUTSIDE_PROTOCOLS)[number];
/** Names of the protocols, for people. */
const NAMES: Readonly<Record<OutsideProtocolName, string>> = { oidc: 'OpenID Connect', saml: 'SAML' };

/** Why a sign-in through an identity provider came to nothing: the sign-in page shows it by its query. */
export const OUTSIDE_ENDINGS = ['outside-unknown', 'outside-refused', 'outside-expired'] as const;
export type OutsideEnding = (typeof OUTSIDE_ENDINGS)[number];

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

const LinkBegun = Departed.extend({ flow: idOf('flow', 'Id of the flow, to read and confirm the identity.') }).meta({
  id: 'OutsideLinkFlow',
  description: 'Link that was begun.',
});

const OwnOutsideIdentity = z
  .strictObject({
    provider: Provider.optional(),
    linked: z
      .strictObject({
        identity: OutsideIdentity,
        since: Time.meta(about('When it was linked.', '2026-11-21T18:30:00.000Z')),
        usable: z
          .boolean()
          .meta(about('Whether it opens this Profile: its issuer and claim are those of the settings.', true)),
        directory: z
          .literal(true)
          .optional()
          .meta(rarely('Set where the directory has linked it, which only the directory can undo.')),
      })
      .optional()
      .meta(about('Identity that is linked.')),
  })
  .meta({ id: 'OwnOutsideIdentity', description: 'Link of a Profile to an identity provider.' });

const OwedCode = z.strictObject({
  code: Code,
});

const LIMITED = ['outside-not-configured', 'too-many-attempts', ...ISSUER_FAULTS] as const;

/** Declares signing in and proving again by one protocol. */
function signingInBy(protocol: OutsideProtocolName) {
  const name = NAMES[protocol];
  return {
    begin: endpoint({
      method: 'GET',
      path: `/api/v1/session/${protocol}`,
      variant: protocol,
      summary: `Sign in through the identity provider with ${name}`,
      description:
        'Redirects the browser to the identity provider, with a cookie that binds the sign-in to this browser for ' +
        'ten minutes. The provider sends it back to this server. From there it is redirected to `to`, signed in, or ' +
        'to the sign-in page with the reason.' +
        (protocol === 'saml' ? ' It needs TLS: browsers take that cookie over TLS only.' : ''),
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
      path: `/api/v1/session/${protocol}`,
      variant: protocol,
      summary: `Finish a sign-in with ${name} with a code`,
      description:
        'An Owner whose provider has not asked for a second factor owes the code of this server, if it requires one. ' +
        `The browser is then at the sign-in page with \`owes=code\` and \`through=${protocol}\`. Opens a session by ` +
        'cookie.',
      access: 'public',
      body: OwedCode,
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
      path: `/api/v1/session/${protocol}/step-up`,
      variant: protocol,
      summary: `Begin to prove again that it is you, with ${name}`,
      description:
        'Returns the address to open. The provider asks the person again, whatever session they have there. ' +
        'Afterwards the browser is at `to`, and the proof counts for ten minutes.',
      access: SIGNED_IN,
      body: z.strictObject({ to: ToPage.optional() }),
      result: Departed,
      fails: ['outside-not-linked', ...LIMITED],
    }),
    finishProof: endpoint({
      method: 'PUT',
      path: `/api/v1/session/${protocol}/step-up`,
      variant: protocol,
      summary: `Finish a proof with ${name} with a code`,
      description:
        'For an Owner who owes the code of this server. The browser is then at `to` with `owes=code` and ' +
        `\`through=${protocol}\`.`,
      access: SIGNED_IN,
      body: OwedCode,
      result: z.strictObject({ until: Time.meta(about('Until when the proof counts.', '2026-11-21T18:40:00.000Z')) }),
      fails: ['no-such-flow', 'code-wrong', 'mfa-required', 'too-many-attempts', ...READING_SECRET],
    }),
  };
}

/** Declares the link of a Profile by one protocol. */
function linkingBy(protocol: OutsideProtocolName) {
  const name = NAMES[protocol];
  return {
    linked: endpoint({
      method: 'GET',
      path: `/api/v1/me/${protocol}`,
      variant: protocol,
      summary: `Identity that this Profile signs in with by ${name}`,
      description: 'Says whether an identity provider is set up, and to which identity this Profile is linked.',
      access: SIGNED_IN,
      result: OwnOutsideIdentity,
    }),
    link: endpoint({
      method: 'GET',
      path: `/api/v1/me/${protocol}/link`,
      variant: protocol,
      summary: `Begin to link this Profile to an identity by ${name}`,
      description:
        `Returns the address to open. Afterwards the browser is at the account page with \`link\`, the flow, and ` +
        `\`through=${protocol}\`. Nothing is linked before the session that began it has confirmed the identity that ` +
        'it is shown.',
      access: VIEWERS_IN_PERSON,
      sameOrigin: true,
      result: LinkBegun,
      fails: ['outside-linked', ...LIMITED],
    }),
    shown: endpoint({
      method: 'GET',
      path: `/api/v1/me/${protocol}/link/{flow}`,
      variant: protocol,
      summary: `Identity that is about to be linked by ${name}`,
      description:
        'Shows the identity that the provider has confirmed. Only the session that began the flow may see it.',
      access: VIEWERS_IN_PERSON,
      sameOrigin: true,
      params: byFlow,
      result: OutsideIdentity,
      fails: ['no-such-flow'],
    }),
    confirm: endpoint({
      method: 'PUT',
      path: `/api/v1/me/${protocol}/link/{flow}`,
      variant: protocol,
      summary: `Link the identity that was shown by ${name}`,
      description: 'Ends the flow. From now on the identity opens this Profile.',
      access: VIEWERS_IN_PERSON,
      params: byFlow,
      result: NOTHING,
      fails: ['no-such-flow', 'outside-taken', 'outside-linked'],
    }),
    unlink: endpoint({
      method: 'DELETE',
      path: `/api/v1/me/${protocol}`,
      variant: protocol,
      summary: `Remove the link by ${name}`,
      description: 'Ends the sessions that the identity has opened, except the one of the request.',
      access: VIEWERS_IN_PERSON,
      result: NOTHING,
      fails: ['outside-not-linked', 'last-way-in'],
    }),
  };
}

const operationsOf = (protocol: OutsideProtocolName) => ({ ...signingInBy(protocol), ...linkingBy(protocol) });

export const oidc = operationsOf('oidc');
export const saml = operationsOf('saml');

/** Operations that are not of one protocol. */
export const outside = {
  ways: endpoint({
    method: 'GET',
    path: '/api/v1/session/ways',
    summary: 'Ways to sign in from the network of the request',
    description:
      'Lets a client offer what works where it is. From outside the home there are passkeys and Quick Connect, and ' +
      'nothing is administered: the addresses for that do not exist there.',
    access: 'public',
    reach: 'everywhere',
    result: z
      .strictObject({
        network: z
          .enum(['local', 'public'])
          .meta(about('Network of the request: `local` at home, `public` outside.', 'local')),
        password: z.boolean().meta(about('Whether a name and a password are accepted.', true)),
        oidc: Provider.optional().meta(rarely('Identity provider to sign in through with OpenID Connect.')),
        saml: Provider.optional().meta(rarely('Identity provider to sign in through with SAML.')),
        passkey: PasskeyHost.optional().meta(rarely('Where passkeys work, if there is one.')),
      })
      .meta({ id: 'SignInWays', description: 'Ways to sign in.' }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/identity-provider/test',
    summary: 'Check the identity provider',
    description:
      'With OpenID Connect, reads its documents and keys, and sends it a code that it must refuse: its refusal shows ' +
      'whether it accepts the client ID and the client secret. With SAML, reads its metadata again; whether it knows ' +
      'this server shows only when someone signs in. No session is opened.',
    access: OWNERS,
    query: z.strictObject({
      protocol: z.enum(OUTSIDE_PROTOCOLS).default('oidc').meta(about('Protocol of the identity provider.', 'oidc')),
    }),
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
