/** The second factor of a Profile: begun, put in force with its first code, and removed with another one. */
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { MINUTE, type Core } from '../core.ts';
import { newEnrolment, recoveryHash, spendCode, timeStepOf, type Enrolment } from '../proof/second-factor.ts';
import type { CallerOrigin, ProfileRow, Step } from '../types.ts';
import { guarded, openSecret } from './proving.ts';
import { endSessions, type Sessions } from './sessions.ts';

/** How long a begun enrolment waits for its first code. */
const PENDING = 15 * MINUTE;

/** Changed preferences. A language of null is removed. */
export interface Enrolling {
  /**
   * Returns a secret that is not in force yet: the one that this session began before, or a new one if there is none,
   * it has expired, or `fresh` asks for one. Showing it again does not extend its life.
   */
  beginMfa(by: Principal, options?: { fresh?: boolean }): Pending['enrolment'];
  /** Puts the begun secret in force; other sessions end. Returns the new token of a browser's session. */
  finishMfa(given: { by: Principal; from: CallerOrigin; code: string }): Promise<string | undefined>;
  removeMfa(given: { by: Principal; from: CallerOrigin; code: string }): Promise<void>;
}

interface Pending {
  enrolment: Enrolment & { expiresAt: string };
  profile: string;
  /** By the monotonic clock. */
  until: number;
}

export function createEnrolling(core: Core, sessions: Sessions): Enrolling {
  const { identities, clock } = core;
  const pending = new Map<string, Pending>();
  const get = (by: Principal): ProfileRow =>
    found(identities.profiles.get(by.profile), 'no such profile', 'no-such-profile');
  const wrong = (): Failure =>
    new Failure('unauthenticated', 'this code is wrong or was used before', { reason: 'code-wrong' });

  return {
    beginMfa: (by, { fresh = false } = {}) => {
      const row = get(by);
      if (row.totp !== undefined)
        throw new Failure('conflict', 'a second factor is enrolled already; remove it first', {
          reason: 'mfa-enrolled',
        });
      for (const [id, { until }] of pending) if (clock.monotonic() >= until) pending.delete(id);
      const before = fresh ? undefined : pending.get(by.credential);
      const begun =
        before?.profile === row.id
          ? before
          : {
              enrolment: {
                ...newEnrolment(core.serverName(), row.name),
                expiresAt: iso(clock.now() + PENDING),
              },
              profile: row.id,
              until: clock.monotonic() + PENDING,
            };
      // Bound to the session that began it: no other sees or finishes it, and it is gone with the process.
      pending.set(by.credential, begun);
      return begun.enrolment;
    },

    finishMfa: async ({ by, from, code }) => {
      const token = await guarded(core, { by, from, kind: 'mfa-enrolled' }, () =>
        core.change(async () => {
          const row = get(by);
          const begun = pending.get(by.credential);
          const session = found(identities.sessions.get(by.credential), 'no such session', 'no-such-session');
          if (row.totp !== undefined)
            throw new Failure('conflict', 'a second factor is enrolled already', { reason: 'mfa-enrolled' });
          if (!begun || clock.monotonic() >= begun.until)
            throw new Failure('conflict', 'begin the enrolment first', { reason: 'mfa-not-begun' });
          const { secret, recoveryCodes } = begun.enrolment;
          const step = timeStepOf(secret, code, clock.now());
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
            steps: [...steps, core.audit({ kind: 'mfa-enrolled', outcome: 'done', by, from })],
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
          const secret = await openSecret(core, row.id, row.totp);
          const spent = spendCode(row, { code, secret, key: core.keyFor('recovery'), now: clock.now() });
          if (!spent) throw wrong();
          // Recovery codes stay as long as a passkey is a second factor.
          const recovery = identities.passkeysOf(row.id).length > 0 ? spent.recovery : [];
          const bare: ProfileRow = { ...spent, totp: undefined, recovery };
          return {
            steps: [
              { put: 'profile', row: bare },
              ...endSessions(core, row.id, by.credential),
              core.audit({ kind: 'mfa-removed', outcome: 'done', by, from }),
            ],
            result: undefined,
          };
        }),
      );
    },
  };
}
