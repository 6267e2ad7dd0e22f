/** Proofs in an open session: its password again, and a code of the second factor. */
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, restated } from '../../lib/failure.ts';
import { owesFactor, RECENT, type Core } from '../core.ts';
import { spendCode } from '../proof/second-factor.ts';
import { sessionBucket } from '../proof/throttle.ts';
import type { CallerOrigin, Network, ProfileRow, Step } from '../types.ts';

export interface Proving {
  stepUp(given: {
    by: Principal;
    from: CallerOrigin;
    password?: string | undefined;
    code?: string | undefined;
  }): Promise<{ until: string }>;
  /** Proves the password of the Profile that a session belongs to, against that session's own bucket. */
  provePassword(given: { by: Principal; from: CallerOrigin; password: string }): Promise<ProfileRow>;
}

/** Runs work that tests a password or code of an open session: what it gets wrong counts against that session alone. */
export const guarded = <R>(core: Core, guess: Guess, work: () => Promise<R>): Promise<R> =>
  guessing(core, guess, (failure) => failure.kind === 'unauthenticated', work);

interface Guess {
  by: Principal;
  from: CallerOrigin;
  /** Kind of the entry in the activity log. */
  kind: 'proof' | 'mfa-enrolled' | 'mfa-removed' | 'quick-connect';
}

/** The same, with another rule for which failures are wrong guesses. */
export async function guessing<R>(
  core: Core,
  { by, from, kind }: Guess,
  isWrong: (failure: Failure) => boolean,
  work: () => Promise<R>,
): Promise<R> {
  const attempt = core.throttle.take([sessionBucket(by.credential)]);
  try {
    const result = await work();
    attempt.refund();
    return result;
  } catch (error) {
    if (error instanceof Failure && isWrong(error)) await core.refused({ kind, by, from });
    else attempt.refund();
    throw error;
  }
}

/** Returns the secret of a second factor. Throws `Failure('unavailable')` without the key file of the server. */
export const openSecret = (core: Core, profile: string, sealed: string): Promise<string> =>
  core.sealer.open(`identity.totp.${profile}`, sealed).catch((error: unknown) => {
    // The other sentences are about the secret itself, and begin with a verb.
    if (!(error instanceof Failure) || error.reason === 'key-file-unreadable') throw error;
    throw restated(error, { message: `the second factor ${error.message}` });
  });

/**
 * Returns the Profile with its code spent. Fails as `unauthenticated` if a code is needed and is missing or wrong. A
 * Profile whose second factor is a passkey has only recovery codes in addition to its password.
 */
export async function withCode(
  core: Core,
  profile: ProfileRow,
  { code, network }: { code: string | undefined; network: Network },
): Promise<ProfileRow> {
  const owesForPasskey = owesFactor(core, profile, network) && core.identities.passkeysOf(profile.id).length > 0;
  if (profile.totp === undefined && !owesForPasskey) return profile;
  if (code === undefined)
    throw new Failure('unauthenticated', 'a code of the second factor is needed', {
      reason: 'mfa-required',
      mfaRequired: true,
    });
  const secret = profile.totp === undefined ? undefined : await openSecret(core, profile.id, profile.totp);
  const spent = spendCode(profile, { code, secret, key: core.keyFor('recovery'), now: core.clock.now() });
  if (!spent)
    throw new Failure('unauthenticated', 'this code is wrong or was used before', {
      reason: 'code-wrong',
      mfaRequired: true,
    });
  return spent;
}

export function createProving(core: Core): Proving {
  const { identities, clock, hashing } = core;

  const provePassword: Proving['provePassword'] = async ({ by, from, password }) => {
    if (from.network === 'public')
      throw new Failure('forbidden', 'a password is accepted on the home network only', {
        reason: 'password-at-home-only',
      });
    return guarded(core, { by, from, kind: 'proof' }, async () => {
      const profile = identities.profiles.get(by.profile);
      const isRight = await hashing.verify(profile?.password, password, `session ${by.credential}`);
      if (!isRight || !profile)
        throw new Failure('unauthenticated', 'the password is wrong', { reason: 'password-wrong' });
      return profile;
    });
  };

  const stepUp: Proving['stepUp'] = async ({ by, from, password, code }) => {
    if (password === undefined) throw new Failure('invalid', 'the password is needed', { reason: 'password-missing' });
    const before = await provePassword({ by, from, password });
    const renew = (): Promise<number> =>
      core.change(async () => {
        const [profile, session] = [identities.profiles.get(by.profile), identities.sessions.get(by.credential)];
        if (!profile || !session || profile.password !== before.password)
          throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
        const proved = await withCode(core, profile, { code, network: from.network });
        const now = clock.now();
        const changed: Step[] = proved === profile ? [] : [{ put: 'profile', row: proved }];
        return {
          steps: [
            ...changed,
            { put: 'session', row: { ...session, provedAt: now } },
            core.audit({ kind: 'proof', outcome: 'done', by, details: { way: 'password' }, from }),
          ],
          result: now + RECENT,
        };
      });
    // No code, no guess to count.
    const until = await (code === undefined ? renew() : guarded(core, { by, from, kind: 'proof' }, renew));
    return { until: iso(until) };
  };

  return { stepUp, provePassword };
}
