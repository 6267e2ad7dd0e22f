/**
 * Profiles: made, changed and removed by Owners. What they may do changes with the row, on their next request.
 *
 * At all times one Owner remains who can sign in with a password at any hour; a change that would take the last one
 * away is refused, also when two such changes are asked for at the same time.
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { PolicyInput, Profile } from '../../contract/identity/profiles.ts';
import type { Role } from '../../contract/kernel/endpoint.ts';
import { Failure, found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { keptName, nameKeyOf, type Core } from '../core.ts';
import { completePolicy, freshPolicy, type ItemAccess, withItem } from './policies.ts';
import { createProfileChecks } from './profile-checks.ts';
import { checkPassword } from '../passwords/rules.ts';
import { requireUnmanaged } from '../directory/rules.ts';
import { endKeys } from './keys.ts';
import { endSessions } from './sessions.ts';
import { showProfile } from './shown.ts';
import { hasLocalSignInMethod, ownerNeedsSignInMethod } from './sign-in-methods.ts';
import type { ProfileRow, Step } from '../types.ts';
import { withoutGrants } from '../viewing/grants.ts';
import { checkWindows } from '../windows.ts';

/** Maximum number of Profiles. */
export const MAX_PROFILES = 1_000;

export const newProfile = (
  { clock }: Core,
  given: Pick<ProfileRow, 'name' | 'password' | 'role' | 'policy'>,
): ProfileRow => ({
  ...given,
  id: newId(),
  nameKey: nameKeyOf(given.name),
  totp: undefined,
  totpStep: 0,
  recovery: [],
  preferences: { audio: [], subtitles: [], subtitleMode: 'automatic', theme: 'system' },
  createdAt: clock.now(),
});

/** Returns preferences in another language of the dashboard. Left out it stays, and null is that of the browser. */
function inLanguage(
  { language: before, ...rest }: ProfileRow['preferences'],
  language: string | null | undefined,
): ProfileRow['preferences'] {
  const chosen = language === undefined ? before : (language ?? undefined);
  return chosen === undefined ? rest : { ...rest, language: chosen };
}

interface ProfileChange {
  /** Language of the dashboard; null for that of the browser. */
  language?: string | null | undefined;
  policy?: PolicyInput | undefined;
}

/** Returns a Profile with what was sent. Another role begins with its own policy: a former Owner keeps nothing. */
function withChanges(
  before: ProfileRow,
  {
    name,
    role = before.role,
    language,
    policy,
  }: ProfileChange & { name?: string | undefined; role?: Role | undefined },
): ProfileRow {
  const { mfaExempt, grants, ...rest } = before;
  const isOther = role !== before.role;
  const kept = isOther ? freshPolicy(role) : before.policy;
  return {
    ...rest,
    // Decisions for a Viewer do not come back with the role.
    ...(mfaExempt && !isOther && { mfaExempt }),
    ...(grants && !isOther && { grants }),
    ...(name !== undefined && { name: keptName(name), nameKey: nameKeyOf(name) }),
    role,
    preferences: inLanguage(before.preferences, language),
    policy: policy ? completePolicy(policy, role, kept) : kept,
  };
}

export interface Profiles {
  list(): Profile[];
  read(id: string): Profile;
  create(
    given: ProfileChange & { name: string; password?: string | undefined; role: Role },
    by: Principal,
  ): Promise<Profile>;
  update(
    given: ProfileChange & { id: string; name?: string | undefined; role?: Role | undefined },
    by: Principal,
  ): Promise<Profile>;
  /** Allows an item for a Profile whatever its rating, hides it, or takes back either. */
  ruleItem(given: { id: string; item: string; access: ItemAccess }, by: Principal): Promise<Profile>;
  remove(id: string, by: Principal): Promise<void>;
  /** Sets a password; every session of that Profile ends, except the caller's own. */
  setPassword(given: { id: string; password: string }, by: Principal): Promise<void>;
}

export function createProfiles(core: Core): Profiles {
  const { identities, hashing } = core;
  const { checkName, checkOwners, requireOwner, requireScope } = createProfileChecks(core);
  const shown = (row: ProfileRow): Profile => showProfile(core, row);
  const get = (id: string): ProfileRow => found(identities.profiles.get(id), 'no such profile', 'no-such-profile');

  const said = (kind: 'profile-changed' | 'profile-removed' | 'password-set', by: Principal, profile: string): Step =>
    core.audit({ kind, outcome: 'done', by, profile });
  const saidRole = (kind: 'profile-created' | 'role-changed', by: Principal, { id, role }: ProfileRow): Step =>
    core.audit({ kind, outcome: 'done', by, profile: id, details: { role } });

  return {
    list: () => [...identities.profiles.values()].sort((a, b) => a.createdAt - b.createdAt).map(shown),
    read: (id) => shown(get(id)),

    create: async ({ name, password, role, language, policy }, by) => {
      checkName(name);
      if (password !== undefined) checkPassword(password, [name, core.serverName()]);
      else if (role === 'owner') throw ownerNeedsSignInMethod();
      if (policy?.windows) checkWindows(policy.windows);
      const kept = password === undefined ? undefined : await hashing.make(password, `session ${by.credential}`);
      return core.change(() => {
        requireOwner(by);
        checkName(name);
        if (identities.profiles.size >= MAX_PROFILES)
          throw new Failure('conflict', 'the limit of profiles is reached', { reason: 'too-many-profiles' });
        const made = newProfile(core, {
          name: keptName(name),
          password: kept,
          role,
          policy: policy ? completePolicy(policy, role) : freshPolicy(role),
        });
        const row = { ...made, preferences: inLanguage(made.preferences, language) };
        return { steps: [{ put: 'profile', row }, saidRole('profile-created', by, row)], result: shown(row) };
      });
    },

    update: ({ id, name, role, language, policy }, by) =>
      core.change(() => {
        requireOwner(by);
        const before = get(id);
        if (policy?.windows) checkWindows(policy.windows);
        if (name !== undefined) checkName(name, id);
        const row = withChanges(before, { name, role, language, policy });
        const isOther = row.role !== before.role;
        requireScope(before, row, by);
        requireUnmanaged(identities, before, row);
        if (before.role === 'owner') checkOwners(id, row);
        else if (row.role === 'owner' && !hasLocalSignInMethod(core, row)) throw ownerNeedsSignInMethod();
        const ended = row.role === 'owner' ? [] : endKeys(core, id);
        // A session that was proved as one role has proved nothing as another.
        const unproved = [...identities.sessions.values()]
          .filter((one) => isOther && one.profile === id)
          .map((one): Step => ({ put: 'session', row: { ...one, provedAt: 0 } }));
        return {
          steps: [
            { put: 'profile', row },
            ...ended,
            ...unproved,
            isOther ? saidRole('role-changed', by, row) : said('profile-changed', by, id),
          ],
          result: shown(row),
        };
      }),

    ruleItem: ({ id, item, access }, by) =>
      core.change(() => {
        requireOwner(by);
        const before = get(id);
        // A decision by hand ends what was allowed for a while.
        const kept = withoutGrants(before, (one) => one.kind === 'item' && one.item === item);
        const row: ProfileRow = { ...kept, policy: withItem(before.policy, item, access) };
        requireScope(before, row, by);
        return { steps: [{ put: 'profile', row }, said('profile-changed', by, id)], result: shown(row) };
      }),

    remove: (id, by) =>
      core.change(() => {
        requireOwner(by);
        const before = get(id);
        if (before.role === 'owner') checkOwners(id);
        return {
          steps: [{ drop: 'profile', id, at: core.clock.now() }, said('profile-removed', by, id)],
          result: undefined,
        };
      }),

    setPassword: async ({ id, password }, by) => {
      checkPassword(password, [get(id).name, core.serverName()]);
      const kept = await hashing.make(password, `session ${by.credential}`);
      await core.change(() => {
        requireOwner(by);
        const before = get(id);
        return {
          steps: [
            { put: 'profile', row: { ...before, password: kept } },
            ...endSessions(core, id, by.credential),
            said('password-set', by, id),
          ],
          result: undefined,
        };
      });
    },
  };
}
