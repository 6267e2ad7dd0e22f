/**
 * Users of the directory: the Profiles that it makes, changes, deactivates and removes.
 *
 * A user is a Viewer without a password and with nothing allowed. The directory sees the Viewers that it made and no
 * others: neither Owners nor Profiles that were made here. What it takes away ends with that transaction. A removed
 * user is kept for 30 days: the same external id brings it back with its history.
 */
import { OUTSIDE_PROTOCOLS } from '../../contract/identity/outside.ts';
import type { ServiceCaller } from '../../contract/kernel/principal.ts';
import { Failure, found } from '../../lib/failure.ts';
import { freshPolicy } from '../accounts/policies.ts';
import { MAX_PROFILES, newProfile } from '../accounts/profiles.ts';
import { endKeys } from '../accounts/keys.ts';
import { endSessions } from '../accounts/sessions.ts';
import { nameKeyOf, type Core } from '../core.ts';
import type { CallerOrigin, DirectoryUserRow, Step } from '../types.ts';
import { isLikeOwner, profileNameFor } from './names.ts';
import { directoryUserFor, KEPT_AFTER_REMOVAL_MS } from './rules.ts';
import type { ServiceTokens } from './tokens.ts';

/** A person as the directory describes them. */
export interface DirectoryPerson extends Pick<DirectoryUserRow, 'userName' | 'externalId' | 'isActive' | 'attributes'> {
  /** Names for the Profile, the best first. The user name is the last resort. */
  names: readonly string[];
}
/** A user as the directory sees it. `version` changes with every change. */
export interface DirectoryUser extends Omit<DirectoryPerson, 'names'> {
  id: string;
  version: string;
  createdAt: number;
  changedAt: number;
}

/** Events of the activity log for requests of the directory. */
type DirectoryEvent =
  | { kind: 'profile-created'; details: { role: 'viewer' } }
  | { kind: 'profile-deactivated'; details: { state: 'inactive' | 'removed' } }
  | { kind: 'profile-changed' | 'profile-reactivated' };

/** The request of a directory: its service and where it came from. */
interface DirectoryCall {
  by: ServiceCaller;
  from: CallerOrigin;
}
interface UserCall extends DirectoryCall {
  id: string;
  /** Called under the lock with the version that is about to change. What it throws changes nothing. */
  check(version: string): void;
}

export interface DirectoryUsers {
  list(): DirectoryUser[];
  /** Throws `Failure('missing')`, as the other calls with an id do. */
  read(id: string): DirectoryUser;
  /** Makes a user, or brings back one that was removed. Throws `Failure('conflict')` for a name or id that is taken. */
  create(given: DirectoryCall & { person: DirectoryPerson }): Promise<DirectoryUser>;
  /** Changes a user. `next` is called under the lock and returns the person as they are to be. */
  change(given: UserCall & { next(user: DirectoryUser): DirectoryPerson }): Promise<DirectoryUser>;
  remove(given: UserCall): Promise<void>;
  /** Returns the steps that remove for good what was removed long ago. */
  overdue(): Step[];
}

const shown = (row: DirectoryUserRow): DirectoryUser => ({
  id: row.profile,
  userName: row.userName,
  externalId: row.externalId,
  isActive: row.isActive,
  attributes: row.attributes,
  version: String(row.version),
  createdAt: row.createdAt,
  changedAt: row.changedAt,
});

const isSame = (before: DirectoryUserRow, after: DirectoryUserRow): boolean =>
  JSON.stringify(shown(before)) === JSON.stringify(shown(after));

export function createDirectoryUsers(core: Core, tokens: Pick<ServiceTokens, 'requireInForce'>): DirectoryUsers {
  const { identities, clock } = core;
  const checks = createUniqueness(core);
  const rowOf = (id: string): DirectoryUserRow =>
    found(directoryUserFor(identities, id), 'no such user', 'no-such-user');
  const said = (event: DirectoryEvent, { from }: DirectoryCall, profile: string): Step =>
    core.audit({ ...event, outcome: 'done', via: 'directory', profile, from });
  const { withName, made, restored } = createRows(core);

  return {
    list: () =>
      [...identities.directoryUsers.keys()]
        .flatMap((id) => directoryUserFor(identities, id) ?? [])
        .sort((a, b) => a.createdAt - b.createdAt || (a.profile < b.profile ? -1 : 1))
        .map(shown),
    read: (id) => shown(rowOf(id)),

    create: ({ person, ...call }) =>
      core.change(() => {
        tokens.requireInForce(call.by);
        const removed = checks.removedWith(person);
        checks.requireFree(person, removed?.profile);
        const { row, steps } = removed ? restored(removed, person) : made(person);
        const event: DirectoryEvent = removed
          ? { kind: 'profile-reactivated' }
          : { kind: 'profile-created', details: { role: 'viewer' } };
        return {
          steps: [...steps, { put: 'directory-user', row }, said(event, call, row.profile)],
          result: shown(row),
        };
      }),

    change: ({ id, check, next, ...call }) =>
      core.change(() => {
        tokens.requireInForce(call.by);
        const before = rowOf(id);
        check(String(before.version));
        const { names, ...described } = next(shown(before));
        const userNameKey = nameKeyOf(described.userName);
        const changed: DirectoryUserRow = { ...before, ...described, userNameKey };
        if (isSame(before, changed)) return { steps: [], result: shown(before) };
        checks.requireFree(changed, id);
        const row = { ...changed, version: before.version + 1, changedAt: clock.now() };
        const isLeaving = before.isActive && !row.isActive;
        const ended = isLeaving
          ? endEverything(core, id)
          : row.externalId === before.externalId
            ? []
            : endOutsideSessions(core, id);
        const event: DirectoryEvent = isLeaving
          ? { kind: 'profile-deactivated', details: { state: 'inactive' } }
          : { kind: row.isActive === before.isActive ? 'profile-changed' : 'profile-reactivated' };
        return {
          steps: [{ put: 'directory-user', row }, ...withName(id, names), ...ended, said(event, call, id)],
          result: shown(row),
        };
      }),

    remove: ({ id, check, ...call }) =>
      core.change(() => {
        tokens.requireInForce(call.by);
        const before = rowOf(id);
        check(String(before.version));
        const now = clock.now();
        const row = { ...before, version: before.version + 1, changedAt: now, removedAt: now };
        return {
          steps: [
            { put: 'directory-user', row },
            ...endEverything(core, id),
            said({ kind: 'profile-deactivated', details: { state: 'removed' } }, call, id),
          ],
          result: undefined,
        };
      }),

    overdue: () => {
      const now = clock.now();
      return [...identities.directoryUsers.values()]
        .filter(({ removedAt }) => removedAt !== undefined && now >= removedAt + KEPT_AFTER_REMOVAL_MS)
        .flatMap(({ profile }): Step[] => [
          { drop: 'profile', id: profile, at: now },
          core.audit({ kind: 'profile-removed', outcome: 'done', via: 'server', profile }),
        ]);
    },
  };
}

/** Rows of users that are made or come back, with what changes of their Profiles. */
function createRows(core: Core) {
  const { identities, clock } = core;
  /** The steps that give a Profile the first of some names that is free. */
  const withName = (id: string, names: readonly string[]): Step[] => {
    const profile = found(identities.profiles.get(id), 'no such user', 'no-such-user');
    const name = profileNameFor(identities, names, id);
    return name === profile.name ? [] : [{ put: 'profile', row: { ...profile, name, nameKey: nameKeyOf(name) } }];
  };
  const made = ({ names, ...described }: DirectoryPerson): { row: DirectoryUserRow; steps: Step[] } => {
    if (identities.profiles.size >= MAX_PROFILES)
      throw new Failure('conflict', 'the limit of profiles is reached', { reason: 'too-many-profiles' });
    const profile = newProfile(core, {
      name: profileNameFor(identities, names),
      password: undefined,
      role: 'viewer',
      policy: freshPolicy('viewer'),
    });
    const now = clock.now();
    const row: DirectoryUserRow = {
      ...described,
      profile: profile.id,
      userNameKey: nameKeyOf(described.userName),
      version: 1,
      createdAt: now,
      changedAt: now,
      removedAt: undefined,
    };
    return { row, steps: [{ put: 'profile', row: profile }] };
  };
  const restored = (
    removed: DirectoryUserRow,
    { names, ...described }: DirectoryPerson,
  ): { row: DirectoryUserRow; steps: Step[] } => {
    const row: DirectoryUserRow = {
      ...removed,
      ...described,
      userNameKey: nameKeyOf(described.userName),
      version: removed.version + 1,
      changedAt: clock.now(),
      removedAt: undefined,
    };
    return { row, steps: withName(row.profile, names) };
  };
  return { withName, made, restored };
}

/** User names and external ids that are taken. */
function createUniqueness({ identities, protocols }: Core) {
  const isNameTaken = (userName: string, own: string | undefined): boolean => {
    const key = nameKeyOf(userName);
    if (isLikeOwner(identities, userName, own)) return true;
    const named = identities.profileNamed(key);
    if (named && named.id !== own && !identities.directoryUsers.has(named.id)) return true;
    return [...identities.directoryUsers.values()].some(
      ({ profile, userNameKey, removedAt }) => removedAt === undefined && profile !== own && userNameKey === key,
    );
  };
  const isIdTaken = (subject: string, own: string | undefined): boolean => {
    const holders = [
      identities.directoryUserOf(subject)?.profile,
      ...OUTSIDE_PROTOCOLS.map((protocol) => {
        const provider = protocols[protocol]?.identifiers();
        return provider && identities.linkOf({ protocol, ...provider, subject })?.profile;
      }),
    ];
    return holders.some((holder) => holder !== undefined && holder !== own);
  };
  return {
    /** Returns the removed user that comes back with a person. */
    removedWith: ({ externalId }: Pick<DirectoryPerson, 'externalId'>): DirectoryUserRow | undefined => {
      const user = externalId === undefined ? undefined : identities.directoryUserOf(externalId);
      return user?.removedAt === undefined ? undefined : user;
    },
    /** Throws `Failure('conflict')`. What a user has already is not taken, whoever took the same name since. */
    requireFree: ({ userName, externalId }: Pick<DirectoryPerson, 'userName' | 'externalId'>, own?: string): void => {
      const [key, before] = [nameKeyOf(userName), identities.directoryUsers.get(own ?? '')];
      const isKept = before?.removedAt === undefined && before?.userNameKey === key;
      if (!isKept && isNameTaken(userName, own))
        throw new Failure('conflict', 'another user or profile has this user name', { reason: 'directory-name-taken' });
      if (externalId !== undefined && isIdTaken(externalId, own))
        throw new Failure('conflict', 'another user or profile has this external id', { reason: 'directory-id-taken' });
    },
  };
}

/** The steps that end sessions, keys and links of a Profile. The links that its sessions have signed end with them. */
const endEverything = (core: Core, profile: string): Step[] => [
  ...endSessions(core, profile),
  ...endKeys(core, profile),
  ...[...core.identities.links.values()]
    .filter((link) => link.profile === profile)
    .map(({ id }): Step => ({ drop: 'link', id })),
];

/** The steps that end the sessions which an identity has opened: another external id is another identity. */
const endOutsideSessions = ({ identities }: Core, profile: string): Step[] =>
  [...identities.sessions.values()]
    .filter((session) => session.profile === profile && session.outside !== undefined)
    .map(({ id }): Step => ({ drop: 'session', id }));
