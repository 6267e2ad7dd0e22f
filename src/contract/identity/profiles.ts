/** Profiles with their policy, API keys, and the sessions and devices that an Owner may revoke. */
import { z } from 'zod';
import { OWNERS, OWNERS_IN_PERSON, OWNER_READERS, OWNER_READERS_IN_PERSON } from '../kernel/access.ts';
import { byId, Id, lineOfText, Time } from '../kernel/common.ts';
import { endpoint, NOTHING, ROLES, SCOPES } from '../kernel/endpoint.ts';

export const RATINGS = ['family', 'teen', 'all'] as const;
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'expected hh:mm');

export const Window = z
  .strictObject({
    days: z.array(z.enum(DAYS)).min(1).max(7),
    start: clock,
    end: clock,
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
      .meta({ description: 'All libraries, or the ids of some.' }),
    rating: z.enum(RATINGS).meta({ description: 'The ceiling. Unrated items are hidden below all.' }),
    windows: z.array(Window).max(32).meta({ description: 'When the Profile may watch; none means always.' }),
    remote: z.boolean(),
    transcode: z.boolean(),
    download: z.boolean(),
  })
  .meta({ id: 'Policy' });
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
    id: Id,
    name: z.string(),
    role: z.enum(ROLES),
    policy: Policy,
    mfa: z.boolean(),
    passwordless: z.boolean(),
    createdAt: Time,
  })
  .meta({ id: 'Profile' });
export type Profile = z.output<typeof Profile>;

export const ProfileName = lineOfText(64).meta({ examples: ['Ada'] });
export const Password = z
  .string()
  .min(12)
  .max(1024)
  .meta({ description: '12 to 1024 characters, and not a common one.', examples: ['four warm brown bread rolls'] });

export const profiles = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/profiles',
    summary: 'All Profiles',
    access: OWNER_READERS,
    result: z.strictObject({ items: z.array(Profile), total: z.int() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/profiles',
    summary: 'Make a Profile; a new Viewer starts with no library and nothing allowed',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({
      name: ProfileName,
      password: Password,
      role: z.enum(ROLES).default('viewer'),
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
    access: OWNER_READERS,
    params: byId,
    result: Profile,
    fails: ['no-such-profile'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}',
    summary:
      'Change the name, role or policy of a Profile; at least one Owner remains. An API key may change the ' +
      'policy of a Viewer only',
    access: OWNERS,
    params: byId,
    body: z.strictObject({ name: ProfileName.optional(), role: z.enum(ROLES).optional(), policy: Policy.optional() }),
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
    access: OWNERS_IN_PERSON,
    params: byId,
    result: NOTHING,
    fails: ['no-such-profile', 'last-owner', 'last-owner-always'],
  }),
  password: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/password',
    summary: 'Set a password; every other session of that Profile ends',
    access: OWNERS_IN_PERSON,
    params: byId,
    body: z.strictObject({ password: Password }),
    result: NOTHING,
    fails: ['password-length', 'password-common', 'no-such-profile', 'sign-in-busy'],
  }),
};

export const ApiKey = z
  .strictObject({
    id: Id,
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: Time,
    expiresAt: Time,
    lastUsedAt: Time.optional(),
    profile: z.string().meta({ description: 'The name of the Owner who made it.' }),
  })
  .meta({ id: 'ApiKey' });

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'API keys, without their secrets',
    access: OWNER_READERS_IN_PERSON,
    result: z.strictObject({ items: z.array(ApiKey), total: z.int() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Make an API key for 30 days; its secret is shown this once',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({ name: lineOfText(64), scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length) }),
    result: ApiKey.extend({ secret: z.string() }).meta({ id: 'NewApiKey' }),
    status: 201,
    fails: ['too-many-keys'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/api-keys/{id}',
    summary: 'Revoke an API key',
    access: OWNERS_IN_PERSON,
    params: byId,
    result: NOTHING,
    fails: ['no-such-key'],
  }),
};

export const Session = z
  .strictObject({
    id: Id,
    profile: z.strictObject({ id: Id, name: z.string(), role: z.enum(ROLES) }),
    device: z.string().optional(),
    kind: z.enum(['token', 'cookie']),
    network: z.enum(['local', 'public']),
    createdAt: Time,
    lastUsedAt: Time,
    expiresAt: Time,
    current: z.boolean(),
    recentUntil: Time.optional(),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

export const Device = z
  .strictObject({
    id: Id,
    name: z.string(),
    profile: z.string(),
    firstSeenAt: Time,
    lastSeenAt: Time,
    sessions: z.int().min(0),
  })
  .meta({ id: 'Device' });

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'Every open session',
    access: OWNER_READERS_IN_PERSON,
    result: z.strictObject({ items: z.array(Session), total: z.int() }),
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions',
    summary: 'End every session but this one',
    access: OWNERS_IN_PERSON,
    result: NOTHING,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/{id}',
    summary: 'End one session, its open streams included',
    access: OWNERS_IN_PERSON,
    params: byId,
    result: NOTHING,
    fails: ['no-such-session'],
  }),
  devices: endpoint({
    method: 'GET',
    path: '/api/v1/devices',
    summary: 'Devices that have signed in',
    access: OWNER_READERS_IN_PERSON,
    result: z.strictObject({ items: z.array(Device), total: z.int() }),
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/v1/devices/{id}',
    summary: 'Forget a device and end its sessions',
    access: OWNERS_IN_PERSON,
    params: byId,
    result: NOTHING,
    fails: ['no-such-device'],
  }),
};
