/**
 * Policies of access: who may call an endpoint. An endpoint names one of them, or one with a signed link added, so the
 * same name always means the same callers. No other module of the contract declares a policy.
 */
import type { Access, Scope } from './endpoint.ts';

type Policy = Exclude<Access, 'public'>;

/** Every Profile, also with an API key of the scope `library`. */
export const LIBRARY_READERS = { role: 'viewer', via: 'library' } as const satisfies Policy;
/** The same, also while a second factor still has to be enrolled. */
export const ENROLLING_READERS = { ...LIBRARY_READERS, enrolling: true } as const satisfies Policy;
/** Every Profile, for what it keeps about itself. */
export const OWN_DATA_WRITERS = { role: 'viewer', via: 'write' } as const satisfies Policy;
/** Every Profile, to play. */
export const PLAYERS = { role: 'viewer', via: 'stream' } as const satisfies Policy;
/** Every Profile, also outside its viewing hours: what it may still read and do is about those hours. */
export const READERS_AT_ANY_HOUR = { ...LIBRARY_READERS, anyHour: true } as const satisfies Policy;
export const WRITERS_AT_ANY_HOUR = { ...OWN_DATA_WRITERS, anyHour: true } as const satisfies Policy;
export const PLAYERS_AT_ANY_HOUR = { ...PLAYERS, anyHour: true } as const satisfies Policy;
/** Every Profile, to keep a file. Whether it may is checked with the item. */
export const DOWNLOADERS = { role: 'viewer', via: 'download' } as const satisfies Policy;

/** A person of any Profile, for their own session; no API key. */
export const SIGNED_IN = { role: 'viewer', via: 'session', enrolling: true } as const satisfies Policy;
/** The same, with a recent proof: an unlocked browser must not be enough to take over the second factor. */
export const SIGNED_IN_PROVEN = { ...SIGNED_IN, recent: true } as const satisfies Policy;
/** Any person who adds a sign-in method, with a recent proof; no API key, and not before the second factor. */
export const VIEWERS_IN_PERSON = { role: 'viewer', via: 'session', recent: true } as const satisfies Policy;

/** Scopes of a Profile that was opened on a household device: it watches, and keeps its place and its lists. */
export const WATCHING: ReadonlySet<Scope> = new Set<Scope>(['library', 'stream', 'write']);

/** Owners, for what the library shows only to them. */
export const LIBRARY_OWNERS = { role: 'owner', via: 'library' } as const satisfies Policy;
/** Owners who look: no recent proof is needed. */
export const OWNER_READERS = { role: 'owner', via: 'admin' } as const satisfies Policy;
/** Owners who change something, with a recent proof. */
export const OWNERS = { ...OWNER_READERS, recent: true } as const satisfies Policy;
/** Owners who look at sign-in methods; no API key. */
export const OWNER_READERS_IN_PERSON = { role: 'owner', via: 'session' } as const satisfies Policy;
/**
 * Owners who change sign-in methods, with a recent proof. No API key: one that could add, change or remove a sign-in
 * method could outlive its own revocation.
 */
export const OWNERS_IN_PERSON = { ...OWNER_READERS_IN_PERSON, recent: true } as const satisfies Policy;
