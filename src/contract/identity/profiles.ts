/** Profiles with their policy, API keys, and the sessions and devices that an Owner may revoke. */
import { about, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNERS, OWNERS_IN_PERSON, OWNER_READERS, OWNER_READERS_IN_PERSON } from '../kernel/access.ts';
import { Id, lineOfText, Time } from '../kernel/common.ts';
import { endpoint, NOTHING, ROLES, SCOPES } from '../kernel/endpoint.ts';

const byProfile = z.strictObject({ id: idOf('profile', 'Id of the Profile.') });
const byKey = z.strictObject({ id: idOf('key', 'Id of the API key.') });
const bySession = z.strictObject({ id: idOf('session', 'Id of the session.') });
const byDevice = z.strictObject({ id: idOf('device', 'Id of the device.') });

export const RATINGS = ['family', 'teen', 'all'] as const;
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'expected hh:mm');

export const Window = z
  .strictObject({
    days: z
      .array(z.enum(DAYS))
      .min(1)
      .max(7)
      .meta(about('Days of the week on which it begins.', ['saturday', 'sunday'])),
    start: clock.meta(about('Start as hh:mm in 24 hours.', '09:00')),
    end: clock.meta(about('End as hh:mm in 24 hours; 24:00 is midnight.', '19:30')),
    timeZone: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'An IANA time zone.', examples: ['Europe/Zurich'] }),
  })
  .meta({
    id: 'Window',
    description: 'A time in which a Profile may watch. An end before the start reaches into the next day.',
  });

/** Limits of a Profile: libraries, rating, times and actions. Evaluated on every request. */
export const Policy = z
  .strictObject({
    libraries: z
      .union([z.literal('all'), z.array(Id).max(100)])
      .meta({ description: 'All libraries, or the ids of some.', examples: ['all'] }),
    rating: z
      .enum(RATINGS)
      .meta({ description: 'The ceiling. Unrated items are hidden below all.', examples: ['all'] }),
    windows: z
      .array(Window)
      .max(32)
      .meta({ description: 'When the Profile may watch; none means always.', examples: [[]] }),
    remote: z.boolean().meta(about('Whether the Profile may be used away from the home network.', true)),
    transcode: z.boolean().meta(about('Whether films may be converted for the Profile.', true)),
    download: z.boolean().meta(about('Whether the Profile may keep files.', true)),
  })
  .meta({ id: 'Policy', description: 'Limits of a Profile. They are checked on every request.' });
export type Policy = z.output<typeof Policy>;

/** Policy of a new Viewer: no library, and nothing allowed. */
export const NEW_VIEWER: Policy = {
  libraries: [],
  rating: 'family',
  windows: [],
  remote: false,
  transcode: false,
  download: false,
};
/** Policy of every Owner. It cannot be changed. */
export const OWNER_POLICY: Policy = {
  libraries: 'all',
  rating: 'all',
  windows: [],
  remote: true,
  transcode: true,
  download: true,
};

export const Profile = z
  .strictObject({
    id: idOf('profile', 'Id of the Profile.'),
    name: z.string().meta(about('Name of the Profile, as it signs in.', 'Ada')),
    role: z.enum(ROLES).meta(about('owner: administers the server. viewer: watches.', 'owner')),
    policy: Policy,
    mfa: z.boolean().meta(about('Whether a second factor is enrolled.', true)),
    passwordless: z.boolean().meta(about('Whether the Profile has no password and signs in in another way.', false)),
    createdAt: Time.meta(about('When the Profile was created.', '2026-10-03T17:20:11.000Z')),
  })
  .meta({ id: 'Profile', description: 'Account of a person, with its limits.' });
export type Profile = z.output<typeof Profile>;

export const ProfileName = lineOfText(64).meta(about('Name of the Profile, unique on this server.', 'Ada'));
export const Password = z
  .string()
  .min(12)
  .max(1024)
  .meta({ description: '12 to 1024 characters, and not a common one.', examples: ['nine tall green garden doors'] });

export const profiles = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/profiles',
    summary: 'All Profiles',
    description: 'Lists everybody who can sign in, with role and limits.',
    access: OWNER_READERS,
    result: z.strictObject({
      items: z.array(Profile).meta(about('The Profiles, by name.')),
      total: z.int().meta(about('Number of Profiles.', 1)),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/profiles',
    summary: 'Make a Profile; a new Viewer starts with no library and nothing allowed',
    description:
      'Creates an account for another person. Libraries and permissions are given in `policy`; without ' +
      'it a Viewer sees nothing yet.',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({
      name: ProfileName,
      password: Password,
      role: z.enum(ROLES).default('viewer').meta(about('owner: administers the server. viewer: watches.', 'owner')),
      policy: Policy.optional(),
    }),
    result: Profile,
    status: 201,
    fails: [
      'password-length',
      'password-common',
      'window-start',
      'time-zone-unknown',
      'name-taken',
      'too-many-profiles',
      'sign-in-busy',
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/profiles/{id}',
    summary: 'One Profile',
    description: 'Returns a Profile with its role and limits.',
    access: OWNER_READERS,
    params: byProfile,
    result: Profile,
    fails: ['no-such-profile'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}',
    summary:
      'Change the name, role or policy of a Profile; at least one Owner remains. An API key may change the ' +
      'policy of a Viewer only',
    description:
      'Changes what is sent and keeps the rest. Limits count from the next request on, and streams that ' +
      'they forbid end.',
    access: OWNERS,
    params: byProfile,
    body: z.strictObject({
      name: ProfileName.optional(),
      role: z.enum(ROLES).optional().meta(about('owner: administers the server. viewer: watches.', 'owner')),
      policy: Policy.optional(),
    }),
    result: Profile,
    fails: [
      'window-start',
      'time-zone-unknown',
      'key-revoked',
      'key-viewer-policy-only',
      'no-such-profile',
      'name-taken',
      'last-owner',
      'last-owner-always',
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/profiles/{id}',
    summary: 'Remove a Profile with its sessions, keys and history; at least one Owner remains',
    description: 'Deletes the account and everything that it kept. Items, files and the history of others stay.',
    access: OWNERS_IN_PERSON,
    params: byProfile,
    result: NOTHING,
    fails: ['no-such-profile', 'last-owner', 'last-owner-always'],
  }),
  password: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/password',
    summary: 'Set a password; every other session of that Profile ends',
    description: 'Sets a new password for another person, for instance after they forgot theirs.',
    access: OWNERS_IN_PERSON,
    params: byProfile,
    body: z.strictObject({ password: Password }),
    result: NOTHING,
    fails: ['password-length', 'password-common', 'no-such-profile', 'sign-in-busy'],
  }),
};

export const ApiKey = z
  .strictObject({
    id: idOf('key', 'Id of the key, to revoke it.'),
    name: z.string().meta(about('Name of the key, as its maker chose it.', 'Home automation')),
    scopes: z.array(z.enum(SCOPES)).meta(about('What the key may do.', ['library', 'stream'])),
    createdAt: Time.meta(about('When the key was made.', '2026-11-21T18:31:00.000Z')),
    expiresAt: Time.meta(about('When the key stops working.', '2026-12-21T18:31:00.000Z')),
    lastUsedAt: Time.optional().meta(rarely('When the key was used last. Left out: never.')),
    profile: z.string().meta({ description: 'The name of the Owner who made it.', examples: ['Ada'] }),
  })
  .meta({ id: 'ApiKey', description: 'API key without its secret.' });

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'API keys, without their secrets',
    description: 'Lists the keys of all Owners. A secret is not kept, so it cannot be shown again.',
    access: OWNER_READERS_IN_PERSON,
    result: z.strictObject({
      items: z.array(ApiKey).meta(about('The keys, newest first.')),
      total: z.int().meta(about('Number of keys.', 1)),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Make an API key for 30 days; its secret is shown this once',
    description: 'Makes a key for a program. It acts as the Owner who made it, within its scopes.',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({
      name: lineOfText(64).meta(about('Name that tells the key from others.', 'Home automation')),
      scopes: z
        .array(z.enum(SCOPES))
        .min(1)
        .max(SCOPES.length)
        .meta(
          about(
            'What the key may do: library reads, write changes what its Owner watches, stream plays, download ' +
              'keeps files, admin administers.',
            ['library', 'stream'],
          ),
        ),
    }),
    result: ApiKey.extend({
      secret: z
        .string()
        .meta(
          about(
            'The key itself, to send as `Authorization: Bearer <secret>`.',
            'mat_key_b7Yc2Qp9Xw4Ln1Rt6Zk8Hv3Js5Df0GmAoEiUuTqNs',
          ),
        ),
    }).meta({ id: 'NewApiKey', description: 'API key with its secret, which is shown this once.' }),
    status: 201,
    fails: ['too-many-keys'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/api-keys/{id}',
    summary: 'Revoke an API key',
    description: 'Ends a key at once, with the streams that it opened.',
    access: OWNERS_IN_PERSON,
    params: byKey,
    result: NOTHING,
    fails: ['no-such-key'],
  }),
};

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
    result: z.strictObject({
      items: z.array(Session).meta(about('The sessions, the last used first.')),
      total: z.int().meta(about('Number of sessions.', 1)),
    }),
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
    result: z.strictObject({
      items: z.array(Device).meta(about('The devices, the last used first.')),
      total: z.int().meta(about('Number of devices.', 1)),
    }),
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
