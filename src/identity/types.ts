/**
 * Rows of identity: Profiles, sessions, keys and devices as rows, and the steps by which they change.
 *
 * A change is a list of steps. The same list is written as one transaction and then applied to memory, so the two
 * cannot drift apart. Times are milliseconds since the epoch; every secret is a hash or sealed.
 */
import type { Role, Scope } from '../contract/kernel/endpoint.ts';
import type { Preferences } from '../contract/identity/accounts.ts';
import type { Policy } from '../contract/identity/profiles.ts';

export type Network = 'local' | 'public';

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
  /** The last time step of which a code was accepted; only later ones are. */
  totpStep: number;
  /** Keyed hashes of the recovery codes that are left. */
  recovery: readonly string[];
  preferences: Preferences;
  createdAt: number;
}

export interface SessionRow {
  id: string;
  hash: string;
  profile: string;
  /** The id of the device it was opened on. */
  device: string | undefined;
  kind: 'token' | 'cookie';
  network: Network;
  createdAt: number;
  lastUsedAt: number;
  /** When its owner last proved who they are, with everything that is enrolled. */
  provedAt: number;
  endsAt: number;
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

/** One thing that happened. No secrets, and no names: those can be looked up while the Profile exists. */
export interface AuditRow {
  id: string;
  at: number;
  /** A word of ours, such as `sign-in`. */
  kind: string;
  outcome: 'done' | 'refused';
  profile: string | undefined;
  /** Its subject: the id of another Profile, a session, a key or a device. */
  subject: string | undefined;
  network: Network | undefined;
}

/** A fact that is true for good: that set-up is over, and the sealed key of this installation. */
export interface MarkRow {
  name: 'set-up' | 'install-key';
  text: string;
  at: number;
}

export type Step =
  | { put: 'profile'; row: ProfileRow }
  | { put: 'session'; row: SessionRow }
  | { put: 'key'; row: KeyRow }
  | { put: 'device'; row: DeviceRow }
  /** Takes its sessions, keys and devices along, and is remembered for the domains above. */
  | { drop: 'profile'; id: string; at: number }
  | { drop: 'session' | 'key' | 'device'; id: string }
  /** Fails as `conflict` when the mark is there already. */
  | { mark: MarkRow }
  | { audit: AuditRow };

/** Origin of a request, as far as identity needs it. */
export interface CallerOrigin {
  address: string;
  network: Network;
  isSecure: boolean;
  host: string;
  userAgent: string | undefined;
  device: string | undefined;
}

/** A credential as it came, before it is checked. */
export interface UncheckedCredentials {
  bearer: string | undefined;
  cookie: string | undefined;
  ticket: string | undefined;
  from: CallerOrigin;
}
