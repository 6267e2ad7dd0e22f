/** Changes that a Profile makes to itself: preferences, password, and the second factor. */
import type { z } from 'zod';
import type { Preferences } from '../../contract/identity/accounts.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Profile } from '../../contract/identity/profiles.ts';
import { Failure, found } from '../../lib/failure.ts';
import { MINUTE, mustEnrol, type Core } from '../core.ts';
import { checkPassword } from '../passwords/rules.ts';
import { newEnrolment, recoveryHash, spend, stepOf, type Enrolment } from '../proof/second-factor.ts';
import { endSessions, type Sessions } from './sessions.ts';
import { showProfile } from './shown.ts';
import { guarded, type SignIn } from './sign-in.ts';
import type { From, ProfileRow, Step } from '../types.ts';

/** How long a begun enrolment waits for its first code. */
const PENDING = 15 * MINUTE;

/** Changed preferences. A language of null is removed. */
type Changes = { [K in Exclude<keyof Preferences, 'language'>]?: Preferences[K] | undefined } & {
  language?: string | null | undefined;
};

function changed(before: Preferences, { language, ...others }: Changes): Preferences {
  const given = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  ) as Partial<Preferences>;
  const { language: spoken, ...kept } = { ...before, ...given };
  const next = language === undefined ? spoken : language;
  return { ...kept, ...(next !== null && next !== undefined && { language: next }) };
}

export interface Me {
  read(by: Principal): {
    profile: Profile;
    preferences: z.output<typeof Preferences>;
    recoveryCodesLeft: number;
    mfaEnrollmentRequired: boolean;
  };
  setPreferences(changes: Changes, by: Principal): Promise<Preferences>;
  setPassword(given: { by: Principal; from: From; password: string; newPassword: string }): Promise<void>;
  /** Makes a secret that is not in force yet. One begun before is forgotten. */
  beginMfa(by: Principal): Enrolment;
  /** Puts the begun secret in force; other sessions end. Returns the new token of a browser's session. */
  finishMfa(given: { by: Principal; from: From; code: string }): Promise<string | undefined>;
  removeMfa(given: { by: Principal; from: From; code: string }): Promise<void>;
}

interface Pending {
  enrolment: Enrolment;
  /** By the monotonic clock. */
  until: number;
}

export function createMe(core: Core, { signIn, sessions }: { signIn: SignIn; sessions: Sessions }): Me {
  const { roll, clock, hashing } = core;
  const pending = new Map<string, Pending>();
  const get = (by: Principal): ProfileRow => found(roll.profiles.get(by.profile), 'no such profile', 'no-such-profile');
  const wrong = (): Failure =>
    new Failure('unauthenticated', 'this code is wrong or was used before', { reason: 'code-wrong' });

  return {
    read: (by) => {
      const row = get(by);
      return {
        profile: showProfile(row),
        preferences: row.preferences,
        recoveryCodesLeft: row.recovery.length,
        mfaEnrollmentRequired: mustEnrol(core.config, row),
      };
    },

    setPreferences: (changes, by) =>
      core.change(() => {
        const row = get(by);
        const preferences = changed(row.preferences, changes);
        return { steps: [{ put: 'profile', row: { ...row, preferences } }], result: preferences };
      }),

    setPassword: async ({ by, from, password, newPassword }) => {
      const before = await signIn.provePassword({ by, from, password });
      checkPassword(newPassword, [before.name, core.serverName()]);
      const kept = await hashing.make(newPassword, `session ${by.credential}`);
      await core.change(() => {
        const row = get(by);
        if (row.password !== before.password || !roll.sessions.has(by.credential))
          throw new Failure('unauthenticated', 'this session is over', { reason: 'session-ended' });
        return {
          steps: [
            { put: 'profile', row: { ...row, password: kept } },
            ...endSessions(core, row.id, by.credential),
            core.audit({ kind: 'password-changed', outcome: 'done', profile: row.id, network: from.network }),
          ],
          result: undefined,
        };
      });
    },

    beginMfa: (by) => {
      const row = get(by);
      if (row.totp !== undefined)
        throw new Failure('conflict', 'a second factor is enrolled already; remove it first', {
          reason: 'mfa-enrolled',
        });
      for (const [id, { until }] of pending) if (clock.monotonic() >= until) pending.delete(id);
      const enrolment = newEnrolment(core.serverName(), row.name);
      // Bound to the session that began it: no other can finish it, and it is gone with the process.
      pending.set(by.credential, { enrolment, until: clock.monotonic() + PENDING });
      return enrolment;
    },

    finishMfa: async ({ by, from, code }) => {
      const token = await guarded(core, { by, from, kind: 'mfa-enrolled' }, () =>
        core.change(async () => {
          const row = get(by);
          const begun = pending.get(by.credential);
          const session = found(roll.sessions.get(by.credential), 'no such session', 'no-such-session');
          if (row.totp !== undefined)
            throw new Failure('conflict', 'a second factor is enrolled already', { reason: 'mfa-enrolled' });
          if (!begun || clock.monotonic() >= begun.until)
            throw new Failure('conflict', 'begin the enrolment first', { reason: 'mfa-not-begun' });
          const { secret, recoveryCodes } = begun.enrolment;
          const step = stepOf(secret, code, clock.now());
          if (step === undefined) throw wrong();
          const totp = await core.sealer.seal(`identity.totp.${row.id}`, secret);
          const recovery = recoveryCodes.map((one) => recoveryHash(core.keyFor('recovery'), row.id, one));
          const rotated = sessions.rotated(session);
          const proved = { ...(rotated?.row ?? session), provedAt: clock.now() };
          const steps: Step[] = [
            { put: 'profile', row: { ...row, totp, totpStep: step, recovery } },
            { put: 'session', row: proved },
            ...endSessions(core, row.id, session.id),
          ];
          return {
            steps: [
              ...steps,
              core.audit({ kind: 'mfa-enrolled', outcome: 'done', profile: row.id, network: from.network }),
            ],
            result: rotated?.token,
          };
        }),
      );
      pending.delete(by.credential);
      return token;
    },

    removeMfa: async ({ by, from, code }) => {
      if (get(by).totp === undefined)
        throw new Failure('conflict', 'no second factor is enrolled', { reason: 'mfa-not-enrolled' });
      await guarded(core, { by, from, kind: 'mfa-removed' }, () =>
        core.change(async () => {
          const row = get(by);
          if (row.totp === undefined)
            throw new Failure('conflict', 'no second factor is enrolled', { reason: 'mfa-not-enrolled' });
          const secret = await core.sealer.open(`identity.totp.${row.id}`, row.totp);
          if (!spend(row, { code, secret, key: core.keyFor('recovery'), now: clock.now() })) throw wrong();
          const bare: ProfileRow = { ...row, totp: undefined, recovery: [] };
          return {
            steps: [
              { put: 'profile', row: bare },
              ...endSessions(core, row.id, by.credential),
              core.audit({ kind: 'mfa-removed', outcome: 'done', profile: row.id, network: from.network }),
            ],
            result: undefined,
          };
        }),
      );
    },
  };
}
