/**
 * Passkeys: keys of a person's devices that sign in instead of a password. A browser makes and uses them only for the
 * host that they were made for, so a page that pretends to be this one gets nothing.
 */
import { z } from 'zod';
import { SIGNED_IN, SIGNED_IN_PROVEN, VIEWERS_IN_PERSON } from '../kernel/access.ts';
import { lineOfText, Time } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { deviceNameField, SignedInReply, transportField } from './accounts.ts';
import { Ceremony, credentialHead, EXAMPLE_CREDENTIAL, PasskeyAssertion, passkeyBytes } from './passkey-proof.ts';
import { rememberField } from './sessions.ts';

/** Most passkeys of a Profile. */
export const MAX_PASSKEYS = 20;

const byPasskey = z.strictObject({ id: idOf('passkey', 'Id of the passkey.') });
const name = lineOfText(64).meta(about('Name by which its person tells it from others.', 'Phone'));
const challenge = z
  .string()
  .meta(about('Random bytes that the passkey signs.', 'q3Yw5Rk1cXn0vT8uJm2LzP6hDs9eGf4AbVo7CiQxKtE'));
const timeout = z.int().meta(about('Milliseconds that the browser waits for the person.', 300_000));
const { type } = credentialHead;
const transports = z
  .array(z.string().regex(/^[a-z-]{1,32}$/, 'expected the name of a transport'))
  .max(16)
  .optional()
  .meta(about('How the device is reached.', ['internal', 'hybrid']));
const Descriptor = z.strictObject({
  type,
  id: z.string().meta(about('Id of the credential.', EXAMPLE_CREDENTIAL)),
  transports,
});

const CreationOptions = z
  .strictObject({
    challenge,
    rp: z
      .strictObject({
        id: z.string().meta(about('Host that the passkey is for.', 'media.example.org')),
        name: z.string().meta(about('Name of this server.', 'Matinee')),
      })
      .meta(about('This server, as the device shows it.')),
    user: z
      .strictObject({
        id: z.string().meta(about('Handle of the Profile.', 'Txwpvif9Y1g')),
        name: z.string().meta(about('Name of the Profile.', 'Ada')),
        displayName: z.string().meta(about('Name of the Profile.', 'Ada')),
      })
      .meta(about('The Profile, as the device shows it.')),
    pubKeyCredParams: z
      .array(z.strictObject({ type, alg: z.int().meta(about('Algorithm of the key, by its number in COSE.', -7)) }))
      .meta(about('Algorithms that are accepted, best first.')),
    timeout,
    attestation: z.literal('none').meta(about('The maker of the device is not asked for.', 'none')),
    excludeCredentials: z.array(Descriptor).meta(about('Passkeys of this Profile. A device that has one makes none.')),
    authenticatorSelection: z
      .strictObject({
        residentKey: z.literal('required').meta(about('The device keeps the passkey.', 'required')),
        requireResidentKey: z.literal(true).meta(about('The same, for older browsers.', true)),
        userVerification: z
          .literal('required')
          .meta(about('The device asks for a finger, a face or its PIN.', 'required')),
      })
      .meta(about('What the device has to do.')),
  })
  .meta({ id: 'PasskeyCreationOptions', description: 'Options for `navigator.credentials.create`.' });
export type CreationOptions = z.output<typeof CreationOptions>;

const RequestOptions = z
  .strictObject({
    challenge,
    rpId: z.string().meta(about('Host that the passkey is for.', 'media.example.org')),
    timeout,
    userVerification: z.literal('required').meta(about('The device asks for a finger, a face or its PIN.', 'required')),
    allowCredentials: z
      .array(Descriptor)
      .meta(about('Passkeys that are accepted. Empty: each passkey of the device for this host.')),
  })
  .meta({ id: 'PasskeyRequestOptions', description: 'Options for `navigator.credentials.get`.' });
export type RequestOptions = z.output<typeof RequestOptions>;
const BegunRequest = z
  .strictObject({ ceremony: Ceremony, publicKey: RequestOptions })
  .meta({ id: 'PasskeyRequest', description: 'Proof by a passkey that was begun.' });

const Registration = z
  .object({
    ...credentialHead,
    response: z
      .object({
        clientDataJSON: passkeyBytes(8_192).meta(
          about('What the browser signed, in Base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'),
        ),
        attestationObject: passkeyBytes(16_384).meta(
          about('The new key, as the device states it.', 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5Y'),
        ),
        transports,
      })
      .meta(about('Reply of the device.')),
  })
  .meta({
    id: 'PasskeyRegistration',
    description: 'New passkey, in the form of the browser’s `toJSON()`. Further members are ignored.',
  });
export type PasskeyRegistration = z.output<typeof Registration>;

export const Passkey = z
  .strictObject({
    id: idOf('passkey', 'Id of the passkey.'),
    name,
    host: z.string().meta(about('Host that it was made for.', 'media.example.org')),
    usable: z.boolean().meta(about('Whether it opens this Profile: its host is that of the server now.', true)),
    synced: z.boolean().meta(about('Whether the person’s other devices have it, too.', true)),
    suspect: z
      .boolean()
      .meta(about('Whether a copy of it may exist: a device counted fewer uses than were seen before.', false)),
    createdAt: Time.meta(about('When it was added.', '2026-11-21T18:30:00.000Z')),
    lastUsedAt: Time.optional().meta(rarely('When it was used last.')),
  })
  .meta({ id: 'Passkey', description: 'Passkey of a Profile.' });
export type Passkey = z.output<typeof Passkey>;

/** Address at which passkeys of this server work. */
export const PasskeyHost = z
  .strictObject({
    host: z.string().meta(about('Host that passkeys are made for.', 'media.example.org')),
    origin: z.string().meta(about('Origin of the pages that can make and use them.', 'https://media.example.org')),
  })
  .meta({ id: 'PasskeyHost', description: 'Address at which passkeys work.' });
export type PasskeyHost = z.output<typeof PasskeyHost>;

const LIMITED = ['too-many-attempts'] as const;

export const passkeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/passkeys',
    summary: 'Your passkeys',
    description:
      'Lists the passkeys of the Profile that asks, and says where passkeys work: at the public address of the ' +
      'settings, else at the name of trusted HTTPS at home, else at localhost. `at` is left out where there is no ' +
      'name: a passkey is never for an address of numbers.',
    access: SIGNED_IN,
    reach: 'everywhere',
    result: z.strictObject({
      items: z.array(Passkey).max(MAX_PASSKEYS).meta(about('The passkeys, the latest first.')),
      total: z.int().min(0).meta(about('Number of passkeys.', 1)),
      at: PasskeyHost.optional(),
    }),
  }),
  beginRegistration: endpoint({
    method: 'POST',
    path: '/api/v1/passkeys/register/begin',
    summary: 'Begin to add a passkey',
    description:
      'Returns options for the browser. They hold for five minutes and for this session. From outside, only a ' +
      'session that a passkey opened, or one whose Quick Connect was approved for it, may add one.',
    access: SIGNED_IN_PROVEN,
    reach: 'everywhere',
    body: z.strictObject({}),
    result: z
      .strictObject({ ceremony: Ceremony, publicKey: CreationOptions })
      .meta({ id: 'PasskeyRegistrationBegun', description: 'Passkey that was begun.' }),
    fails: ['passkey-without-name', 'too-many-passkeys', 'passkey-from-outside', ...LIMITED],
  }),
  finishRegistration: endpoint({
    method: 'POST',
    path: '/api/v1/passkeys/register/finish',
    summary: 'Add the passkey that the device made',
    description:
      'From then on it signs this Profile in, and counts as a second factor. The first factor of a Profile comes ' +
      'with recovery codes, and ends its other sessions.',
    access: SIGNED_IN_PROVEN,
    reach: 'everywhere',
    body: z.strictObject({ ceremony: Ceremony, credential: Registration, name: name.optional() }),
    result: z
      .strictObject({
        passkey: Passkey,
        recoveryCodes: z
          .array(z.string())
          .optional()
          .meta(about('Ten codes that each replace the passkey once, if there were none.', ['k7m2p-9x4tq'])),
      })
      .meta({ id: 'PasskeyAdded', description: 'Passkey that was added.' }),
    status: 201,
    fails: ['no-such-ceremony', 'passkey-unfit', 'passkey-known', 'too-many-passkeys', 'passkey-from-outside'],
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/v1/passkeys/{id}',
    summary: 'Rename a passkey',
    description: 'The name is only for its person.',
    access: VIEWERS_IN_PERSON,
    params: byPasskey,
    body: z.strictObject({ name }),
    result: Passkey,
    fails: ['no-such-passkey'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/passkeys/{id}',
    summary: 'Remove a passkey',
    description:
      'It opens nothing any more, and the sessions that passkeys have opened end, except the one of the request. ' +
      'Recovery codes go with the last second factor.',
    access: VIEWERS_IN_PERSON,
    params: byPasskey,
    result: NOTHING,
    fails: ['no-such-passkey', 'last-way-in'],
  }),
  beginSignIn: endpoint({
    method: 'POST',
    path: '/api/v1/passkeys/login/begin',
    summary: 'Begin to sign in with a passkey',
    description: 'Returns options for the browser. They hold for five minutes, and do not reveal who has a passkey.',
    access: 'public',
    reach: 'everywhere',
    body: z.strictObject({}),
    result: BegunRequest,
    fails: ['passkey-without-name', ...LIMITED],
  }),
  finishSignIn: endpoint({
    method: 'POST',
    path: '/api/v1/passkeys/login/finish',
    summary: 'Sign in with the passkey that was used',
    description:
      'Opens a session whose proof is of this moment. Whatever is wrong, the reply is the same. From outside, a ' +
      'Viewer needs leave to be used away from home.',
    access: 'public',
    reach: 'everywhere',
    body: z.strictObject({
      ceremony: Ceremony,
      credential: PasskeyAssertion,
      device: deviceNameField,
      transport: transportField,
      remember: rememberField,
    }),
    result: SignedInReply,
    status: 201,
    fails: ['passkey-refused', 'remote-cut', ...LIMITED],
  }),
  beginStepUp: endpoint({
    method: 'POST',
    path: '/api/v1/passkeys/step-up/begin',
    summary: 'Begin to prove again that it is you, with a passkey',
    description: 'Returns options for the browser, for the passkeys of this Profile. `POST /session/step-up` ends it.',
    access: SIGNED_IN,
    reach: 'everywhere',
    body: z.strictObject({}),
    result: BegunRequest,
    fails: ['passkey-without-name', 'no-passkey', ...LIMITED],
  }),
};
