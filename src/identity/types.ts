/**
 * Rows of identity: Profiles, sessions, keys and devices as rows, and the steps by which they change.
 *
 * A change is a list of steps. The same list is written as one transaction and then applied to memory, so the two
 * cannot drift apart. Times are milliseconds since the epoch; every secret is a hash or sealed.
 */
import type { ActivityEvent } from '../activity/index.ts';
import type { Role, Scope, Service } from '../contract/kernel/endpoint.ts';
import type { Preferences } from '../contract/identity/accounts.ts';
import type { OutsideProtocolName } from '../contract/identity/outside.ts';
import type { HouseholdOpening } from '../contract/identity/household.ts';
import type { Face, Policy } from '../contract/identity/profiles.ts';
import type { SESSION_WAYS } from '../contract/identity/sessions.ts';

export type Network = 'local' | 'public';
export type SessionWay = (typeof SESSION_WAYS)[number];

export interface ProfileRow {
  id: string;
  name: string;
  /** The name as it is compared: NFC, case folded, single spaces. Unique. */
  nameKey: string;
  role: Role;
  policy: Policy;
  /** Argon2id in its self-describing form; undefined for a Profile that signs in without a password. */
  password: string | undefined;
  /** The sealed secret of the second factor. */
  totp: string | undefined;
  /** Argon2id of the PIN that opens it on household devices. */
  pin?: string | undefined;
  /** Present for a Viewer that needs no second factor at home. */
  mfaExempt?: true | undefined;
  /** The last time step of which a code was accepted; only later ones are. */
  totpStep: number;
  /** Keyed hashes of the recovery codes that are left. */
  recovery: readonly string[];
  preferences: Preferences;
  /** How it looks. What is not chosen is derived. */
  look?: ChosenFace | undefined;
  /** Permissions for a while. */
  grants?: readonly Grant[] | undefined;
  createdAt: number;
}

/**
 * Permission of a Viewer until a moment. The id is that of the request that it answers. An item is shown; time
 * opens the viewing hours until `opensUntil`, and adds to the minutes of a day of the Profile.
 */
export type Grant =
  | { kind: 'item'; id: string; item: string; until: number }
  | { kind: 'time'; id: string; ms: number; day?: string | undefined; opensUntil: number; until: number };

export interface ChosenFace {
  colour?: Face['colour'] | undefined;
  avatar?: Face['avatar'] | undefined;
  /** Version of the uploaded picture, whose bytes are in their own table. */
  picture?: string | undefined;
}

/** The uploaded picture of a Profile, encoded again. */
export interface PictureRow {
  profile: string;
  bytes: Uint8Array;
}

/** Origin of a session that an identity provider opened: its subject and, where it sends one, the id of its session. */
export interface OutsideSession {
  issuer: string;
  subject: string;
  sid?: string | undefined;
}

/** The tokens of a browser that stays signed in, as hashes. `devices/rotation.ts` has the rules. */
export interface Rotation {
  /** When the token in force was first used. */
  rotatedAt: number;
  /** A newer token that was sent to the browser and has not come back yet. */
  offered?: string | undefined;
  /** Tokens that were in force or offered before, the newest first. */
  retired: readonly string[];
}

export interface SessionRow {
  id: string;
  hash: string;
  profile: string;
  /** The id of the device it was opened on. */
  device: string | undefined;
  kind: 'token' | 'cookie';
  /** How it was opened. */
  way: SessionWay;
  network: Network;
  createdAt: number;
  lastUsedAt: number;
  /** When its owner last proved who they are, with everything that is enrolled. */
  provedAt: number;
  endsAt: number;
  /** Set for a session that was opened through an identity provider. */
  outside: OutsideSession | undefined;
  /** Present if the person marked this browser as theirs. */
  remembered?: Rotation | undefined;
  /** The id of the household device whose picker opened it. Such a session only watches. */
  household?: string | undefined;
  /** Whether it may add a passkey from outside, as its Quick Connect was approved for. */
  mayAddPasskey?: true | undefined;
}

/** A passkey of a Profile: the public half of a key that a device keeps. */
export interface PasskeyRow {
  id: string;
  profile: string;
  /** Id of the credential in Base64url. Unique over all Profiles. */
  credential: string;
  /** COSE key in Base64url. */
  publicKey: string;
  /** Uses that the device has counted; 0 for one that does not count. */
  counter: number;
  /** Whether the device may copy it to others of the person. It never changes. */
  isSyncable: boolean;
  /** Whether it was copied. */
  isSynced: boolean;
  transports: readonly string[];
  /** Host that it was made for. */
  host: string;
  name: string;
  /** Whether there may be a copy of it that its person did not make. */
  isSuspect: boolean;
  createdAt: number;
  lastUsedAt: number | undefined;
}

/** A Profile's link to an identity: the value of a claim of an issuer in a protocol. Unique by these four. */
export interface LinkRow {
  id: string;
  profile: string;
  protocol: OutsideProtocolName;
  issuer: string;
  claim: string;
  subject: string;
  /** Name or e-mail address that the issuer gave, to recognise the identity by. */
  label: string | undefined;
  createdAt: number;
}

/** A Profile that the directory made, as the directory describes it. */
export interface DirectoryUserRow {
  /** The id of the Profile. The directory knows the user by it. */
  profile: string;
  userName: string;
  /** The user name as names are compared. Unique among users that are not removed. */
  userNameKey: string;
  /** Id in the directory. It counts as the subject of the identity provider, and is unique. */
  externalId: string | undefined;
  /** Whether the Profile may sign in. */
  isActive: boolean;
  /** Further attributes in the words of the directory's protocol. Identity keeps them unread. */
  attributes: Readonly<Record<string, unknown>>;
  /** Counts the changes, from 1. */
  version: number;
  createdAt: number;
  changedAt: number;
  /** When the directory removed the user. Its Profile is kept for a while. */
  removedAt: number | undefined;
}

/** Use of the token of a service, and what was announced about its end. */
export interface ServiceTokenRow {
  service: Service;
  /** Hash of the token. A row of another token says nothing about this one. */
  hash: string;
  expiresAt: number;
  lastUsedAt: number | undefined;
  /** Fewest days before its end that were announced. */
  announcedDays: number | undefined;
}

/** A device that an Owner approved at home, with the Viewers that its picker shows. */
export interface HouseholdRow {
  id: string;
  hash: string;
  name: string;
  allowed: readonly HouseholdProfile[];
  createdAt: number;
  lastSeenAt: number;
  remembered: Rotation;
}
export interface HouseholdProfile {
  profile: string;
  opens: HouseholdOpening;
}

export interface KeyRow {
  id: string;
  hash: string;
  name: string;
  profile: string;
  scopes: readonly Scope[];
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | undefined;
}

/** A browser or app that has signed in to one Profile. Two Profiles on one browser are two rows with one hash. */
export interface DeviceRow {
  id: string;
  hash: string;
  profile: string;
  name: string;
  firstSeenAt: number;
  lastSeenAt: number;
}

/**
 * A fact that is true for good: that set-up is over, and the sealed key of this installation. That remote access
 * is cut is true until an Owner allows it.
 */
export interface MarkRow {
  name: 'set-up' | 'install-key' | 'remote-cut';
  text: string;
  at: number;
}

export type Step =
  | { put: 'profile'; row: ProfileRow }
  | { put: 'session'; row: SessionRow }
  | { put: 'key'; row: KeyRow }
  | { put: 'device'; row: DeviceRow }
  | { put: 'link'; row: LinkRow }
  | { put: 'household'; row: HouseholdRow }
  | { put: 'passkey'; row: PasskeyRow }
  | { put: 'picture'; row: PictureRow }
  | { put: 'directory-user'; row: DirectoryUserRow }
  | { put: 'service-token'; row: ServiceTokenRow }
  /** Takes along what belongs to it, and is remembered for the domains above. */
  | { drop: 'profile'; id: string; at: number }
  | { drop: 'session' | 'key' | 'device' | 'link' | 'household' | 'passkey'; id: string }
  /** Drops the uploaded picture of the Profile with this id. */
  | { drop: 'picture'; id: string }
  /** Fails as `conflict` when the mark is there already. */
  | { mark: MarkRow }
  | { unmark: 'remote-cut' }
  /** An entry of the activity log, written with the change. */
  | { audit: ActivityEvent; at: number };

/** Origin of a request, as far as identity needs it. */
export interface CallerOrigin {
  address: string;
  network: Network;
  isSecure: boolean;
  host: string;
  userAgent: string | undefined;
  device: string | undefined;
  /** The cookie of a household device. */
  household?: string | undefined;
}

/** A credential as it came, before it is checked. */
export interface UncheckedCredentials {
  bearer: string | undefined;
  cookie: string | undefined;
  ticket: string | undefined;
  /** The service whose endpoint is called: only its token counts. */
  service?: Service | undefined;
  from: CallerOrigin;
}
