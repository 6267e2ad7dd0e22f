/**
 * Profiles without a password, and Viewers that are exempt from the second factor.
 *
 * A Viewer may be without a password: an Owner can sign it in by Quick Connect at any time, or put it in the picker of
 * a household device. What a person removes from their own Profile must leave them another sign-in method.
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Profile } from '../../contract/identity/profiles.ts';
import { Failure, found } from '../../lib/failure.ts';
import type { Core } from '../core.ts';
import { openingsOf } from '../household/rules.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { CallerOrigin, ProfileRow } from '../types.ts';
import { createProfileChecks } from './profile-checks.ts';
import { endSessions } from './sessions.ts';
import { showProfile } from './shown.ts';
import { ownerNeedsSignInMethod, requireSignInMethod } from './sign-in-methods.ts';

export interface Passwordless {
  /** Exempts a Viewer from the second factor at home, or ends that. */
  exempt(given: { id: string; exempt: boolean }, by: Principal): Promise<Profile>;
  /** Removes the password of a Viewer, and ends its sessions. */
  removePassword(id: string, by: Principal): Promise<Profile>;
  /** Sets a password for the caller, who has none. Its other sessions stay. */
  setOwnPassword(given: { newPassword: string; by: Principal; from: CallerOrigin }): Promise<void>;
  /** Removes the password of the caller. Its other sessions end. */
  removeOwnPassword(given: { by: Principal; from: CallerOrigin }): Promise<void>;
}

export function createPasswordless(core: Core): Passwordless {
  const { identities, hashing } = core;
  const { checkOwners, requireOwner } = createProfileChecks(core);
  const get = (id: string): ProfileRow => found(identities.profiles.get(id), 'no such profile', 'no-such-profile');
  /** Returns the row of a caller whose session still exists. */
  const own = (by: Principal): ProfileRow => {
    if (!identities.sessions.has(by.credential))
      throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
    return get(by.profile);
  };
  const refuseSet = ({ password }: ProfileRow): void => {
    if (password !== undefined)
      throw new Failure('conflict', 'this profile has a password', { reason: 'password-set' });
  };
  /** Returns the row without its password. Fails as `conflict` if there is none, or if a picker opens with it. */
  const without = ({ password, ...row }: ProfileRow): ProfileRow => {
    if (password === undefined)
      throw new Failure('conflict', 'this profile has no password', { reason: 'no-password' });
    if (openingsOf(identities, row).includes('password'))
      throw new Failure('conflict', 'this password opens the profile on a household device', {
        reason: 'password-in-use',
      });
    return { ...row, password: undefined };
  };

  return {
    exempt: ({ id, exempt }, by) =>
      core.change(() => {
        requireOwner(by);
        const { mfaExempt: _, ...rest } = get(id);
        if (rest.role !== 'viewer')
          throw new Failure('conflict', 'only a viewer can be exempt', { reason: 'exempt-viewers-only' });
        const row: ProfileRow = { ...rest, ...(exempt && { mfaExempt: true as const }) };
        const kind = exempt ? 'factor-exempted' : 'factor-required';
        return {
          steps: [{ put: 'profile', row }, core.audit({ kind, outcome: 'done', by, profile: id })],
          result: showProfile(core, row),
        };
      }),

    removePassword: (id, by) =>
      core.change(() => {
        requireOwner(by);
        const before = get(id);
        if (before.role === 'owner') throw ownerNeedsSignInMethod();
        const row = without(before);
        return {
          steps: [
            { put: 'profile', row },
            ...endSessions(core, id),
            core.audit({ kind: 'password-removed', outcome: 'done', by, profile: id }),
          ],
          result: showProfile(core, row),
        };
      }),

    setOwnPassword: async ({ newPassword, by, from }) => {
      const { name } = own(by);
      refuseSet(own(by));
      checkPassword(newPassword, [name, core.serverName()]);
      const password = await hashing.make(newPassword, `session ${by.credential}`);
      await core.change(() => {
        const row = own(by);
        refuseSet(row);
        return {
          steps: [
            { put: 'profile', row: { ...row, password } },
            core.audit({ kind: 'password-set', outcome: 'done', by, from }),
          ],
          result: undefined,
        };
      });
    },

    removeOwnPassword: ({ by, from }) =>
      core.change(() => {
        const row = without(own(by));
        requireSignInMethod(core, row, {});
        if (row.role === 'owner') checkOwners(row.id, row);
        return {
          steps: [
            { put: 'profile', row },
            ...endSessions(core, row.id, by.credential),
            core.audit({ kind: 'password-removed', outcome: 'done', by, from }),
          ],
          result: undefined,
        };
      }),
  };
}
