/** Changes that a Profile makes to itself: preferences, password, and the second factor. */
import type { z } from 'zod';
import type { Preferences } from '../../contract/identity/accounts.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { OwnProfile } from '../../contract/identity/profiles.ts';
import { Failure, found } from '../../lib/failure.ts';
import type { Core } from '../core.ts';
import { checkPassword } from '../passwords/rules.ts';
import { createEnrolling, type Enrolling } from './enrolling.ts';
import { endSessions, type Sessions } from './sessions.ts';
import { showOwnProfile } from './shown.ts';

import type { Proving } from './proving.ts';
import type { CallerOrigin, ProfileRow } from '../types.ts';

/** Changed preferences. Those left out stay as they are; an optional one of null is removed. */
type Changes = {
  [K in keyof Preferences]?: Preferences[K] | (undefined extends Preferences[K] ? null : never) | undefined;
};

function changed(before: Preferences, changes: Changes): Preferences {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged) as Preferences;
}

export interface Me extends Enrolling {
  read(by: Principal): {
    profile: OwnProfile;
    preferences: z.output<typeof Preferences>;
    recoveryCodesLeft: number;
    mfaEnrollmentRequired: boolean;
    household: boolean;
  };
  setPreferences(changes: Changes, by: Principal): Promise<Preferences>;
  setPassword(given: { by: Principal; from: CallerOrigin; password: string; newPassword: string }): Promise<void>;
}

export function createMe(
  core: Core,
  { provePassword, sessions }: { provePassword: Proving['provePassword']; sessions: Sessions },
): Me {
  const { identities, hashing } = core;
  const get = (by: Principal): ProfileRow =>
    found(identities.profiles.get(by.profile), 'no such profile', 'no-such-profile');

  return {
    read: (by) => {
      const row = get(by);
      return {
        profile: showOwnProfile(core, row),
        preferences: row.preferences,
        recoveryCodesLeft: row.recovery.length,
        mfaEnrollmentRequired: by.enrolling,
        household: by.household === true,
      };
    },

    setPreferences: (changes, by) =>
      core.change(() => {
        if (by.household)
          throw new Failure('forbidden', 'a profile opened on a household device can only watch', {
            reason: 'household-watch-only',
          });
        const row = get(by);
        const preferences = changed(row.preferences, changes);
        return { steps: [{ put: 'profile', row: { ...row, preferences } }], result: preferences };
      }),

    setPassword: async ({ by, from, password, newPassword }) => {
      const before = await provePassword({ by, from, password });
      checkPassword(newPassword, [before.name, core.serverName()]);
      const kept = await hashing.make(newPassword, `session ${by.credential}`);
      await core.change(() => {
        const row = get(by);
        if (row.password !== before.password || !identities.sessions.has(by.credential))
          throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
        return {
          steps: [
            { put: 'profile', row: { ...row, password: kept } },
            ...endSessions(core, row.id, by.credential),
            core.audit({ kind: 'password-changed', outcome: 'done', by, from }),
          ],
          result: undefined,
        };
      });
    },

    ...createEnrolling(core, sessions),
  };
}
