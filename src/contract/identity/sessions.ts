/** Endpoints of the sessions and devices that an Owner may revoke. */
import { about, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNERS_IN_PERSON, OWNER_READERS_IN_PERSON, SIGNED_IN } from '../kernel/access.ts';
import { list, paging, Time } from '../kernel/common.ts';
import { endpoint, NOTHING, ROLES } from '../kernel/endpoint.ts';

const bySession = z.strictObject({ id: idOf('session', 'Id of the session.') });
const byDevice = z.strictObject({ id: idOf('device', 'Id of the device.') });

/** Ways in which a session is opened. */
export const SESSION_WAYS = ['password', 'quick-connect', 'oidc', 'saml', 'household', 'passkey'] as const;

/** Asks that a browser keeps its session. */
export const rememberField = z
  .boolean()
  .default(false)
  .meta(about('Whether this browser stays signed in for 90 days of use, where an Owner allows it.', false));

export const Session = z
  .strictObject({
    id: idOf('session', 'Id of the session, to end it.'),
    profile: z
      .strictObject({
        id: idOf('profile', 'Id of the Profile.'),
        name: z.string().meta(about('Name of the Profile.', 'Ada')),
        role: z.enum(ROLES).meta(about('Role of the Profile.', 'owner')),
      })
      .meta(about('Profile that is signed in.')),
    device: z.string().optional().meta(about('Name of the device, if the client sent one.', 'Living room')),
    kind: z
      .enum(['token', 'cookie'])
      .meta(about('How the session travels: token for programs, cookie for browsers.', 'token')),
    way: z
      .enum(SESSION_WAYS)
      .meta(
        about(
          'How it was opened: with a password, with a code by Quick Connect, through the identity provider by OpenID ' +
            'Connect or SAML, by a household device, or with a passkey.',
          'password',
        ),
      ),
    remembered: z.boolean().meta(about('Whether the browser stays signed in, as its person chose.', false)),
    network: z.enum(['local', 'public']).meta(about('Network from which the session was opened.', 'local')),
    createdAt: Time.meta(about('When the session was opened.', '2026-11-21T18:30:00.000Z')),
    lastUsedAt: Time.meta(about('When the session was used last.', '2026-11-21T19:02:44.000Z')),
    expiresAt: Time.meta(about('When the session ends, if it is used until then.', '2026-12-21T18:30:00.000Z')),
    current: z.boolean().meta(about('Whether the request was made with this session.', true)),
    recentUntil: Time.optional().meta(
      about('Until when the last proof counts for changes that need a recent one.', '2026-11-21T18:40:00.000Z'),
    ),
  })
  .meta({ id: 'Session', description: 'Open session of a Profile.' });
export type Session = z.output<typeof Session>;

export const Device = z
  .strictObject({
    id: idOf('device', 'Id of the device, to forget it.'),
    name: z.string().meta(about('Name of the device, as it signed in.', 'Living room')),
    profile: z.string().meta(about('Name of the Profile that signed in with it.', 'Ada')),
    firstSeenAt: Time.meta(about('When it signed in first.', '2026-10-03T17:20:11.000Z')),
    lastSeenAt: Time.meta(about('When it was used last.', '2026-11-21T19:02:44.000Z')),
    sessions: z.int().min(0).meta(about('Number of its open sessions.', 1)),
  })
  .meta({ id: 'Device', description: 'Device by which a Profile has signed in.' });

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'Every open session',
    description: 'Lists the sessions of all Profiles, with device and network.',
    access: OWNER_READERS_IN_PERSON,
    query: z.strictObject({ ...paging }),
    result: list(Session),
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions',
    summary: 'End every session but this one',
    description: 'Signs everybody out, except the caller.',
    access: OWNERS_IN_PERSON,
    result: NOTHING,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/{id}',
    summary: 'End one session, its open streams included',
    description: 'Signs one device out at once.',
    access: OWNERS_IN_PERSON,
    params: bySession,
    result: NOTHING,
    fails: ['no-such-session'],
  }),
  devices: endpoint({
    method: 'GET',
    path: '/api/v1/devices',
    summary: 'Devices that have signed in',
    description: 'Lists the devices by which Profiles have signed in, with the number of their sessions.',
    access: OWNER_READERS_IN_PERSON,
    query: z.strictObject({ ...paging }),
    result: list(Device),
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/v1/devices/{id}',
    summary: 'Forget a device and end its sessions',
    description: 'Ends the sessions of a device. It counts as unknown when it signs in again.',
    access: OWNERS_IN_PERSON,
    params: byDevice,
    result: NOTHING,
    fails: ['no-such-device'],
  }),
};

export const ownSessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/me/sessions',
    summary: 'Browsers and apps in which you are signed in',
    description: 'Lists the open sessions of the Profile that asks.',
    access: SIGNED_IN,
    reach: 'everywhere',
    query: z.strictObject({ ...paging }),
    result: list(Session),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/me/sessions/{id}',
    summary: 'Sign yourself out in one browser or app',
    description: 'Ends a session of the Profile that asks, with its open streams. Sessions of others are not found.',
    access: SIGNED_IN,
    reach: 'everywhere',
    params: bySession,
    result: NOTHING,
    fails: ['no-such-session'],
  }),
};
