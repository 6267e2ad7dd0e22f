/**
 * Sign-in with a password.
 *
 * Order of a sign-in: network, throttle, hashing (the same time whether or not the name exists), second factor, and
 * then, under the lock, everything is looked at once more and code, session and device are written as one.
 */
import { Failure } from '../../lib/failure.ts';
import { nameKeyOf, type Core } from '../core.ts';
import { isBarred } from '../directory/rules.ts';
import { accountBucket, deviceBucket, networkBuckets } from '../proof/throttle.ts';
import { hashOf } from '../tokens.ts';
import type { CallerOrigin, Step } from '../types.ts';
import { openSession, type SignedIn, type SignInGiven } from './opening.ts';
import { withCode } from './proving.ts';

export type SignIn = (given: SignInGiven) => Promise<SignedIn>;

const wrong = (): Failure =>
  new Failure('unauthenticated', 'the name or password is wrong', { reason: 'credentials-invalid' });

export function createSignIn(core: Core): SignIn {
  const { identities, hashing, throttle } = core;
  const refused = (profile: string | undefined, from: CallerOrigin): Promise<void> =>
    core.refused({ kind: 'sign-in', profile, details: { way: 'password' }, from });

  return async (given) => {
    const { name, password, code, from } = given;
    if (from.network === 'public')
      throw new Failure('forbidden', 'signing in with a password is possible on the home network only', {
        reason: 'password-at-home-only',
      });
    const nameKey = nameKeyOf(name);
    const before = identities.profileNamed(nameKey);
    const known = before && from.device !== undefined ? identities.deviceOf(hashOf(from.device), before.id) : undefined;
    const attempt = throttle.take(
      known ? [deviceBucket(known.id)] : [...networkBuckets(from.address), accountBucket(nameKey)],
    );
    // Known devices do not wait with strangers. This reveals no names, because it takes the device's token.
    const line = known && `device ${known.id}`;
    const isRight = await hashing.verify(before?.password, password, line).catch((error: unknown) => {
      attempt.refund();
      throw error;
    });
    if (!isRight || !before?.password) {
      await refused(before?.id, from);
      throw wrong();
    }
    const upgraded = hashing.isOld(before.password)
      ? await hashing.make(password, line).catch(() => undefined)
      : undefined;
    try {
      const result = await core.change(async () => {
        const profile = identities.profiles.get(before.id);
        // It was renamed, removed, or got another password while this one was hashed.
        if (!profile || profile.password !== before.password || profile.nameKey !== nameKey) throw wrong();
        if (isBarred(identities, profile.id)) throw wrong();
        const proved = await withCode(core, profile, { code, network: from.network });
        const after = upgraded === undefined ? proved : { ...proved, password: upgraded };
        const { steps, result: signedIn, session } = openSession(core, after, given);
        const changed: Step[] = after === profile ? [] : [{ put: 'profile', row: after }];
        return {
          steps: [
            ...changed,
            ...steps,
            core.audit({
              kind: 'sign-in',
              outcome: 'done',
              profile: profile.id,
              session,
              details: { way: 'password' },
              from,
            }),
          ],
          result: signedIn,
        };
      });
      attempt.refund();
      return result;
    } catch (error) {
      // Asking for the code is no failure of the one who knew the password; a wrong code is.
      if (code === undefined || !(error instanceof Failure)) attempt.refund();
      else await refused(before.id, from);
      throw error;
    }
  };
}
