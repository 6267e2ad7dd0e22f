/** Profiles with their policy. */
import { about, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNERS, OWNERS_IN_PERSON, OWNER_READERS } from '../kernel/access.ts';
import { Id, Language, LanguageCode, lineOfText, list, paging, Time } from '../kernel/common.ts';
import { AVATARS, FACE_COLOURS } from './faces.ts';
import { endpoint, NOTHING, ROLES } from '../kernel/endpoint.ts';

const byProfile = z.strictObject({ id: idOf('profile', 'Id of the Profile.') });

/** Highest age that a Profile can be limited to. No certification has a higher one. */
export const MAX_RATING_AGE = 21;
/** Words that were limits before ages were. They are accepted, and mean these ages. */
export const FORMER_RATINGS = { family: 7, teen: 13 } as const;
/** Maximum number of items that are allowed, and of those that are hidden, by hand. */
export const MAX_RULED_ITEMS = 1_000;
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

/** Maximum minutes of a day. */
export const MAX_DAILY_MINUTES = 1_440;
const DailyTime = z
  .strictObject({
    minutes: z.int().min(1).max(MAX_DAILY_MINUTES).meta(about('Minutes that the Profile may play in a day.', 90)),
    timeZone: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'An IANA time zone, which says when a day begins.', examples: ['Europe/Zurich'] }),
    resetsAt: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected hh:mm')
      .default('00:00')
      .meta(about('Time of day at which the minutes begin again, as hh:mm in 24 hours.', '04:00')),
  })
  .meta({
    id: 'DailyTime',
    description: 'Time that a Profile may play in a day, on all its devices together. A pause does not count.',
  });
export type DailyTime = z.output<typeof DailyTime>;

/** Items that an Owner allowed or hid by hand. A show includes its episodes. */
const ItemRules = z
  .strictObject({
    allowed: z
      .array(Id)
      .max(MAX_RULED_ITEMS)
      .meta({ description: 'Ids of items that are shown whatever their rating.', examples: [['7d1e5a90c2b84f36']] }),
    hidden: z
      .array(Id)
      .max(MAX_RULED_ITEMS)
      .meta({ description: 'Ids of items that are never shown.', examples: [[]] }),
  })
  .meta({
    id: 'ItemRules',
    description:
      'Items that are allowed or hidden by hand. They have precedence over the age and over `unrated`, but not over ' +
      'the libraries. A show covers its episodes, unless an episode is named itself.',
  });
export type ItemRules = z.output<typeof ItemRules>;

const limits = {
  libraries: z
    .union([z.literal('all'), z.array(Id).max(100)])
    .meta({ description: 'All libraries, or the ids of some.', examples: ['all'] }),
  rating: z.union([z.literal('all'), z.int().min(0).max(MAX_RATING_AGE)]).meta({
    description: 'The highest age: items with a rating of this age or a lower one are shown. all: any rating.',
    examples: [12, 'all'],
  }),
  unrated: z.boolean().meta(about('Whether items without a rating are shown.', false)),
  items: ItemRules,
  windows: z
    .array(Window)
    .max(32)
    .meta({ description: 'When the Profile may watch; none means always.', examples: [[]] }),
  daily: DailyTime.optional().meta({ description: 'Time for each day. Left out: no limit.', examples: [] }),
  remote: z.boolean().meta(about('Whether the Profile may be used away from the home network.', true)),
  transcode: z.boolean().meta(about('Whether films may be converted for the Profile.', true)),
  download: z.boolean().meta(about('Whether the Profile may keep files.', true)),
};

/** Limits of a Profile: libraries, ratings, items, times and actions. Evaluated on every request. */
export const Policy = z
  .strictObject(limits)
  .meta({ id: 'Policy', description: 'Limits of a Profile. They are checked on every request.' });
export type Policy = z.output<typeof Policy>;

/** Limits as the Profile itself reads them. The names of hidden items would reveal that they exist. */
const OwnPolicy = Policy.omit({ items: true }).meta({
  id: 'OwnPolicy',
  description: 'Limits of the Profile that asks, without the items that were allowed or hidden by hand.',
});

/** Limits as they are set. Members that are left out take their defaults. */
export const PolicyInput = z
  .strictObject({
    libraries: limits.libraries.optional(),
    rating: z
      .union([z.literal('all'), z.int().min(0).max(MAX_RATING_AGE), z.enum(['family', 'teen'])])
      .optional()
      .meta({
        description:
          'The highest age: items with a rating of this age or a lower one are shown. all: any rating. ' +
          'family and teen mean 7 and 13.',
        examples: [12, 'all'],
      }),
    unrated: z
      .boolean()
      .optional()
      .meta(about('Whether items without a rating are shown. Left out: only if `rating` is all.', false)),
    items: ItemRules.optional().meta({
      description: 'Items that are allowed or hidden by hand. Left out: none, or those that the Profile has already.',
    }),
    windows: limits.windows.optional(),
    daily: DailyTime.nullable().optional().meta({
      description: 'Time for each day, for Viewers only; null for no limit. Left out: as it was.',
      examples: [],
    }),
    remote: limits.remote.optional(),
    transcode: limits.transcode.optional(),
    download: limits.download.optional(),
  })
  .meta({
    id: 'PolicyInput',
    description:
      'Limits of a Profile as they are set. Members that are left out take the values of a new Profile of this role: ' +
      'a Viewer starts with no library, rating 7, unrated items hidden and nothing allowed.',
  });
export type PolicyInput = z.output<typeof PolicyInput>;

/** Policy of a new Viewer: no library, and nothing allowed. */
export const NEW_VIEWER: Policy = {
  libraries: [],
  rating: FORMER_RATINGS.family,
  unrated: false,
  items: { allowed: [], hidden: [] },
  windows: [],
  remote: false,
  transcode: false,
  download: false,
};
/** Policy of a new Owner: everything. */
export const OWNER_POLICY: Policy = {
  libraries: 'all',
  rating: 'all',
  unrated: true,
  items: { allowed: [], hidden: [] },
  windows: [],
  remote: true,
  transcode: true,
  download: true,
};

export const Face = z
  .strictObject({
    colour: z.enum(FACE_COLOURS).meta(about('Colour of the Profile.', 'teal')),
    avatar: z
      .enum(AVATARS)
      .optional()
      .meta(about('Drawn picture. Left out with `picture`, or for the letters of the name.', 'fox')),
    picture: z
      .string()
      .optional()
      .meta(rarely('Version of the uploaded picture, to ask for it. Left out: there is none.')),
  })
  .meta({ id: 'Face', description: 'How a Profile looks.' });
export type Face = z.output<typeof Face>;

/** States of a Profile that the directory made. */
export const DIRECTORY_STATES = ['active', 'inactive', 'removed'] as const;
const DirectoryMark = z
  .strictObject({
    userName: z.string().meta(about('User name in the directory.', 'ada@example.org')),
    state: z.enum(DIRECTORY_STATES).meta({
      description:
        'active: it may sign in. inactive: the directory has deactivated it. removed: the directory has removed it, ' +
        'and it is deleted at `deletedAt` unless it comes back.',
      examples: ['active'],
    }),
    deletedAt: Time.optional().meta(rarely('When a removed Profile is deleted with everything that it kept.')),
  })
  .meta({ id: 'DirectoryMark', description: 'Origin of a Profile in the directory.' });

export const Profile = z
  .strictObject({
    id: idOf('profile', 'Id of the Profile.'),
    name: z.string().meta(about('Name of the Profile, as it signs in.', 'Ada')),
    role: z.enum(ROLES).meta(about('owner: administers the server. viewer: watches.', 'owner')),
    face: Face,
    language: LanguageCode.optional().meta(about('Language of the dashboard. Left out: that of the browser.', 'en')),
    policy: Policy,
    mfa: z.boolean().meta(about('Whether an authenticator app is enrolled as a second factor.', true)),
    passkeys: z.int().min(0).meta(about('Number of its passkeys. Each counts as a second factor.', 0)),
    pin: z.boolean().meta(about('Whether it has a PIN, which opens it on household devices.', false)),
    passwordless: z.boolean().meta(about('Whether the Profile has no password and signs in in another way.', false)),
    linked: z.boolean().meta(about('Whether it signs in through the identity provider that is set up.', false)),
    households: z.int().min(0).meta(about('Number of household devices whose picker shows it.', 1)),
    mfaExempt: z
      .boolean()
      .meta(about('Whether it needs no second factor at home. An Owner decides this for a Viewer.', false)),
    directory: DirectoryMark.optional().meta(
      rarely('Set for a Profile that the directory made: its name, and whether it may sign in, are decided there.'),
    ),
    createdAt: Time.meta(about('When the Profile was created.', '2026-10-03T17:20:11.000Z')),
  })
  .meta({ id: 'Profile', description: 'Account of a person, with its limits.' });
export type Profile = z.output<typeof Profile>;
export const OwnProfile = Profile.omit({ directory: true }).extend({ policy: OwnPolicy }).meta({
  id: 'OwnProfile',
  description: 'Profile that asks, with its limits.',
});
export type OwnProfile = z.output<typeof OwnProfile>;

export const ProfileName = lineOfText(64).meta(about('Name of the Profile, unique on this server.', 'Ada'));
export const Password = z
  .string()
  .min(12)
  .max(1024)
  .meta({ description: '12 to 1024 characters, and not a common one.', examples: ['nine tall green garden doors'] });

const givenLanguage = Language.nullable()
  .optional()
  .meta({
    description: 'Language of the dashboard for this Profile; null for that of the browser. Left out: as it was.',
    examples: ['en'],
  });

export const profiles = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/profiles',
    summary: 'All Profiles',
    description: 'Lists everybody who can sign in, with role and limits.',
    access: OWNER_READERS,
    query: z.strictObject({ ...paging }),
    result: list(Profile),
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
      password: Password.optional().meta(
        about(
          'Password of the Profile. A Viewer may have none: it signs in by Quick Connect, or opens on a household ' +
            'device.',
          'nine tall green garden doors',
        ),
      ),
      role: z.enum(ROLES).default('viewer').meta(about('owner: administers the server. viewer: watches.', 'owner')),
      language: givenLanguage,
      policy: PolicyInput.optional(),
    }),
    result: Profile,
    status: 201,
    fails: [
      'password-length',
      'password-common',
      'window-start',
      'time-zone-unknown',
      'daily-viewers-only',
      'owner-needs-way-in',
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
      language: givenLanguage,
      policy: PolicyInput.optional(),
    }),
    result: Profile,
    fails: [
      'window-start',
      'time-zone-unknown',
      'key-revoked',
      'key-viewer-policy-only',
      'daily-viewers-only',
      'owner-needs-way-in',
      'no-such-profile',
      'name-taken',
      'directory-managed',
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
