/** Events and entries of the activity log. Times are milliseconds since the epoch. */
import type { ActivityDetails, ActivityKind, ActivityOutcome } from '../contract/activity/kinds.ts';
import type { Principal } from '../contract/kernel/principal.ts';

/** Through what an entry came about: a credential of a caller, the console, a directory, or the server by itself. */
export type ActivityVia = 'session' | 'household' | 'key' | 'link' | 'console' | 'directory' | 'server';

/** Origin of a request, as much of it as is kept. */
export interface ActivityPlace {
  reach: 'local' | 'public';
  /** /24 of an IPv4 address, /48 of an IPv6 address. */
  network: string | undefined;
}

interface EventBase {
  outcome: ActivityOutcome;
  /** The caller. Left out where there is none yet, as at a sign-in. */
  by?: Pick<Principal, 'profile' | 'via' | 'credential' | 'household'> | undefined;
  /** The Profile that did it, where there is no caller. Left out: `profile`. */
  actor?: string | undefined;
  /** How it came about, where there is no caller. */
  via?: ActivityVia | undefined;
  /** Session that was opened by it. */
  session?: string | undefined;
  /** The Profile that it is about. Left out: the caller's. */
  profile?: string | undefined;
  /** Id of the session, device, key, item, library or task that it is about. */
  target?: string | undefined;
  place?: ActivityPlace | undefined;
  /** Attempts that the entry stands for; left out: 1. */
  count?: number | undefined;
  /** Profiles that are notified. */
  notify?: readonly string[] | undefined;
}
type WithDetails<K extends ActivityKind> =
  ActivityDetails<K> extends undefined
    ? { details?: undefined }
    : Record<never, never> extends ActivityDetails<K>
      ? { details?: ActivityDetails<K> | undefined }
      : { details: ActivityDetails<K> };

/** Something that happened. No names, titles, paths or secrets: those can be looked up while they exist. */
export type ActivityEvent = { [K in ActivityKind]: EventBase & { kind: K } & WithDetails<K> }[ActivityKind];

export type ActivityChain = 'record' | 'playback';

/** An entry as it is read. */
export interface ActivityEntry {
  /** Position in the log. It only grows. */
  number: number;
  id: string;
  chain: ActivityChain;
  at: number;
  /** A kind of this version, or of a later or earlier one. */
  kind: string;
  outcome: string;
  actor: string | undefined;
  via: string | undefined;
  /** Id of the session or key that did it, or was opened. */
  credential: string | undefined;
  profile: string | undefined;
  target: string | undefined;
  reach: string | undefined;
  network: string | undefined;
  count: number;
  details: Readonly<Record<string, string | number>>;
}

/** An entry as it is stored, without its hash, which covers the text of the details as it is written. */
export interface ChainedEntry extends Omit<ActivityEntry, 'details'> {
  /** JSON of words and numbers by name. */
  details: string;
}
