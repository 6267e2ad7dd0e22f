/**
 * Kinds of entries in the activity log: what can happen, the words and numbers that an entry keeps about it, and who
 * is notified of it.
 *
 * A new kind is a row here and its words in the dashboard's messages, which do not compile without it.
 */
import { z } from 'zod';

export const ACTIVITY_CATEGORIES = ['security', 'administration', 'playback', 'system'] as const;
export type ActivityCategory = (typeof ACTIVITY_CATEGORIES)[number];
export const ACTIVITY_OUTCOMES = ['done', 'refused', 'failed'] as const;
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number];

/** Ways in which a session is opened or proved again. */
export const SIGN_IN_WAYS = ['password', 'passkey', 'quick-connect', 'oidc', 'saml', 'household'] as const;

/** Details of an entry: words of ours and numbers. Never a name, a title, a path or a secret. */
type DetailShape = Readonly<Record<string, z.ZodType<string | number | undefined>>>;

/** Condition for a notice; every part that is given must hold. */
export interface NoticeCondition {
  outcome?: ActivityOutcome;
  /** Origin of the request: `public` is outside the home network. */
  reach?: 'public';
  details?: Readonly<Record<string, string>>;
}

export interface ActivityKindRow {
  readonly category: ActivityCategory;
  /** For the API document. */
  readonly summary: string;
  readonly details?: DetailShape;
  /**
   * Audience of a notice: the person whose Profile it is about and every Owner, or Owners alone. Left out: there is no
   * notice. Of refused attempts there is one when several come within an hour.
   */
  readonly notice?: 'person' | 'owners';
  /** When. Left out: always. */
  readonly noticeWhen?: readonly NoticeCondition[];
}

const way = z.enum(SIGN_IN_WAYS).optional();
const role = z.enum(['owner', 'viewer']);
const library = z.enum(['movies', 'shows', 'music', 'audiobooks', 'books', 'photos', 'mixed']);
/** How it is played, and the ids of the playback session and the device. */
const playing = {
  way: z.enum(['direct', 'remux', 'remux-audio', 'transcode']),
  playback: z.string(),
  device: z.string().optional(),
};
const language = z.string();
/** Items or files that were changed. */
const count = z.int();
const WHEN_REFUSED: readonly NoticeCondition[] = [{ outcome: 'refused' }];
const SIGN_INS: readonly NoticeCondition[] = [{ outcome: 'refused' }, { outcome: 'done', reach: 'public' }];

const SECURITY = {
  'set-up': { summary: 'The first Owner was created.' },
  'sign-in': {
    summary: 'A Profile signed in, or an attempt was refused.',
    details: { way },
    notice: 'person',
    noticeWhen: SIGN_INS,
  },
  'outside-sign-in': {
    summary: 'A Profile signed in through an identity provider, or an attempt was refused.',
    details: { way },
    notice: 'person',
    noticeWhen: SIGN_INS,
  },
  'sign-out': { summary: 'A session was ended by its own person.' },
  proof: {
    summary: 'A session was proved again, or the attempt was refused.',
    details: { way },
    notice: 'person',
    noticeWhen: WHEN_REFUSED,
  },
  'device-added': { summary: 'A Profile signed in on a device for the first time.', notice: 'person' },
  'device-forgotten': { summary: 'A device was removed, and its sessions ended.' },
  'session-ended': { summary: 'A session was ended from another one.' },
  'sessions-ended': { summary: 'All other sessions were ended.' },
  'session-copied': {
    summary: 'A token came from another place than its browser; the session was ended.',
    notice: 'person',
  },
  'password-changed': {
    summary: 'A person changed their password, or the attempt was refused.',
    notice: 'person',
  },
  'password-set': {
    summary: 'A password was set for a Profile by an Owner, or by a person who had none.',
    notice: 'person',
  },
  'password-removed': { summary: 'The password of a Profile was removed.', notice: 'person' },
  'factor-exempted': { summary: 'A Viewer was exempted from the second factor at home.', notice: 'person' },
  'factor-required': { summary: 'The exemption of a Viewer from the second factor ended.', notice: 'person' },
  'mfa-enrolled': { summary: 'An authenticator app became the second factor.', notice: 'person' },
  'mfa-removed': { summary: 'The authenticator app is no longer the second factor.', notice: 'person' },
  'passkey-added': { summary: 'A passkey was added.', notice: 'person' },
  'passkey-renamed': { summary: 'A passkey was renamed.' },
  'passkey-removed': { summary: 'A passkey was removed.', notice: 'person' },
  'passkey-suspect': { summary: 'A passkey was refused, because there may be a copy of it.', notice: 'person' },
  'outside-linked': { summary: 'An identity of an identity provider was linked.', notice: 'person' },
  'outside-unlinked': { summary: 'The link to an identity provider was removed.', notice: 'person' },
  'outside-logout': { summary: 'The identity provider ended a session.' },
  'quick-connect': {
    summary: 'The code of a device was approved, or a wrong code was refused.',
    notice: 'person',
  },
  'pin-set': { summary: 'The PIN of a Profile for household devices was set.', notice: 'person' },
  'pin-removed': { summary: 'The PIN of a Profile for household devices was removed.', notice: 'person' },
  'household-approved': { summary: 'A household device was approved.', notice: 'owners' },
  'household-changed': { summary: 'A household device was changed.' },
  'household-removed': { summary: 'A household device was removed.' },
  'household-open': {
    summary: 'A Profile was opened on a household device, or the attempt was refused.',
    notice: 'person',
    noticeWhen: WHEN_REFUSED,
  },
  'household-copied': {
    summary: 'The cookie of a household device came back after it was replaced; the device was removed.',
    notice: 'owners',
  },
  'key-created': { summary: 'An API key was created.', notice: 'owners' },
  'key-revoked': { summary: 'An API key was revoked.' },
  'profile-created': {
    summary: 'A Profile was created.',
    details: { role },
    notice: 'owners',
    noticeWhen: [{ details: { role: 'owner' } }],
  },
  'profile-changed': { summary: 'A Profile was changed.' },
  'role-changed': {
    summary: 'The role of a Profile was changed.',
    details: { role },
    notice: 'owners',
    noticeWhen: [{ details: { role: 'owner' } }],
  },
  'profile-removed': { summary: 'A Profile was removed.' },
  'profile-deactivated': {
    summary: 'The directory deactivated a Profile or removed it; its sessions ended.',
    details: { state: z.enum(['inactive', 'removed']) },
  },
  'profile-reactivated': { summary: 'The directory let a Profile sign in again.' },
  'directory-token-created': { summary: 'The token of the directory was created or replaced.', notice: 'owners' },
  'directory-token-revoked': { summary: 'The token of the directory was ended.' },
  'directory-refused': {
    summary: 'A wrong token was refused at the routes of the directory.',
    notice: 'owners',
    noticeWhen: WHEN_REFUSED,
  },
  recovery: { summary: 'A password was replaced at the console of the server.', notice: 'person' },
  'remote-cut': { summary: 'Remote access was cut off.', notice: 'owners' },
  'remote-allowed': { summary: 'Remote access was allowed again.', notice: 'owners' },
  'remote-proof': { summary: 'A third party was asked to connect to the public address.' },
  expiring: {
    summary: 'A certificate or token expires soon, or has expired.',
    details: { finding: z.string(), days: z.int(), until: z.iso.datetime() },
    notice: 'owners',
  },
} as const satisfies Readonly<Record<string, Omit<ActivityKindRow, 'category'>>>;

const ADMINISTRATION = {
  'item-granted': { summary: 'A Viewer may see an item for some days.' },
  'time-granted': { summary: 'A Viewer may watch longer today.' },
  'grant-revoked': { summary: 'A temporary permission of a Viewer was revoked.' },
  'setting-changed': { summary: 'A setting was saved; its value is not recorded.', details: { key: z.string() } },
  'setting-reset': { summary: 'A setting was reset.', details: { key: z.string() } },
  'library-added': { summary: 'A library was added.', details: { kind: library } },
  'library-changed': { summary: 'A library was changed.', details: { kind: library } },
  'library-removed': { summary: 'A library was removed.', details: { kind: library } },
  'metadata-edited': { summary: 'The description of an item was edited.', details: { count } },
  'metadata-picture': { summary: 'A picture of an item was chosen.', details: { count } },
  'metadata-matched': { summary: 'An item was matched by hand.' },
  'metadata-bulk-edited': { summary: 'Several items were edited at once.', details: { count } },
  'metadata-undone': { summary: 'An edit was undone.', details: { count } },
  'subtitle-applied': { summary: 'An edited subtitle was installed.', details: { language } },
  'subtitle-restored': { summary: 'The preserved subtitle was restored.', details: { language } },
  'subtitles-hidden': { summary: 'Sidecar subtitles were hidden by the clean-up.', details: { count } },
  'supporter-activated': { summary: 'The key of a supporter was recognised; the key is not recorded.' },
} as const satisfies Readonly<Record<string, Omit<ActivityKindRow, 'category'>>>;

const PLAYBACK = {
  'playback-started': {
    summary: 'An item started to play.',
    details: playing,
  },
  'playback-ended': {
    summary: 'Playback of an item ended.',
    details: { ...playing, seconds: z.int() },
  },
} as const satisfies Readonly<Record<string, Omit<ActivityKindRow, 'category'>>>;

const SYSTEM = {
  'task-failed': { summary: 'A task failed.', details: { task: z.string(), reason: z.string() } },
} as const satisfies Readonly<Record<string, Omit<ActivityKindRow, 'category'>>>;

type Tables = typeof SECURITY & typeof ADMINISTRATION & typeof PLAYBACK & typeof SYSTEM;
export type ActivityKind = keyof Tables & string;
/** The kinds of each category. */
export interface ActivityKindsByCategory {
  security: keyof typeof SECURITY;
  administration: keyof typeof ADMINISTRATION;
  playback: keyof typeof PLAYBACK;
  system: keyof typeof SYSTEM;
}

const ofCategory = (
  category: ActivityCategory,
  rows: Readonly<Record<string, Omit<ActivityKindRow, 'category'>>>,
): [string, ActivityKindRow][] => Object.entries(rows).map(([kind, row]) => [kind, { ...row, category }]);

/** Every kind with its row. */
export const ACTIVITY_KINDS = Object.fromEntries([
  ...ofCategory('security', SECURITY),
  ...ofCategory('administration', ADMINISTRATION),
  ...ofCategory('playback', PLAYBACK),
  ...ofCategory('system', SYSTEM),
]) as Readonly<Record<ActivityKind, ActivityKindRow>>;

type DetailsIn<Row> = Row extends { readonly details: infer Shape extends DetailShape }
  ? z.output<z.ZodObject<Shape>>
  : undefined;
/** The details that entries of a kind have. */
export type ActivityDetails<K extends ActivityKind> = DetailsIn<Tables[K]>;
