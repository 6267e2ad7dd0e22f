/**
 * Set-up, sign-in and step-up: the ways to a session that begin with a password.
 *
 * Order of a sign-in: network, throttle, hashing (the same time whether or not the name exists), second factor, and
 * then, under the lock, everything is looked at once more and code, session and device are written as one.
 */
import type { Profile } from '../../contract/identity/profiles.ts';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { trustedHostname } from '../../config/index.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { keptName, lifeOf, mustEnrol, nameKeyOf, RECENT, type Core, type Settings } from '../core.ts';
import { deviceFor } from './devices.ts';
import { isOwnHost } from '../proof/own-host.ts';
import { checkPassword } from '../passwords/rules.ts';
import { newProfile } from './profiles.ts';
import { spend } from '../proof/second-factor.ts';
import { sessionFor } from './sessions.ts';
import { showProfile } from './shown.ts';
import { accountBucket, deviceBucket, networkBuckets, sessionBucket } from '../proof/throttle.ts';
import { hashOf } from '../tokens.ts';
import type { From, ProfileRow, Step } from '../types.ts';

type Transport = 'token' | 'cookie';

export interface SignedIn {
  /** The session's token; the caller puts it in the reply or in a cookie. */
  token: string;
  /** A new token of the device, where the browser had none of ours. */
  device: string | undefined;
  expiresAt: string;
  /** The whole seconds it may last. */
  lasts: number;
  profile: Profile;
  mfaEnrollmentRequired: boolean;
}

export interface SignInGiven {
  name: string;
  password: string;
  code?: string | undefined;
  device?: string | undefined;
  transport: Transport;
  from: From;
  /** The session this browser came with. It ends: a sign-in begins a new one. */
  replaces?: string | undefined;
}

export interface SignIn {
  isSetUp(): boolean;
  setUp(given: Omit<SignInGiven, 'code' | 'replaces'>): Promise<SignedIn>;
  signIn(given: SignInGiven): Promise<SignedIn>;
  stepUp(given: {
    by: Principal;
    from: From;
    password?: string | undefined;
    code?: string | undefined;
  }): Promise<{ until: string }>;
  /** Proves the password of the Profile that a session belongs to, against that session's own bucket. */
  provePassword(given: { by: Principal; from: From; password: string }): Promise<ProfileRow>;
}

/** Returns the host names of this server in the configuration. */
function ownHosts(config: Settings): string[] {
  const [trusted, url] = [config.get('tls.dns_a'), config.get('auth.url')];
  return [
    ...(config.get('tls.hosts') ?? []),
    ...(trusted === undefined ? [] : [trustedHostname(trusted)]),
    ...(url === undefined ? [] : [new URL(url).hostname]),
  ];
}

const wrong = (): Failure =>
  new Failure('unauthenticated', 'the name or password is wrong', { reason: 'credentials-invalid' });

/** Runs work that tests a password or code of an open session: what it gets wrong counts against that session alone. */
export async function guarded<R>(
  core: Core,
  { by, from, kind }: { by: Principal; from: From; kind: string },
  work: () => Promise<R>,
): Promise<R> {
  const attempt = core.throttle.take([sessionBucket(by.credential)]);
  try {
    const result = await work();
    attempt.refund();
    return result;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unauthenticated')
      await core.refused({ kind, profile: by.profile, network: from.network });
    else attempt.refund();
    throw error;
  }
}

export function createSignIn(core: Core, machine: string): SignIn {
  const { roll, clock, hashing, throttle, config } = core;
  const isSetUp = (): boolean => roll.mark('set-up') !== undefined;

  /** The steps that open a session for a Profile, and the reply. */
  const open = (
    profile: ProfileRow,
    given: Pick<SignInGiven, 'device' | 'transport' | 'from' | 'replaces'>,
  ): { steps: Step[]; result: SignedIn } => {
    const { from, transport, replaces } = given;
    const now = clock.now();
    const device = deviceFor(core, { profile: profile.id, name: given.device, from });
    const session = sessionFor(core, {
      profile: profile.id,
      device: device.row.id,
      kind: transport,
      network: from.network,
    });
    const steps: Step[] = [...device.steps, ...session.steps];
    if (replaces !== undefined && roll.sessions.has(replaces)) steps.push({ drop: 'session', id: replaces });
    const lasts = Math.floor(lifeOf(transport, from.network) / 1000);
    return {
      steps,
      result: {
        token: session.token,
        device: device.token,
        expiresAt: iso(now + lasts * 1000),
        lasts,
        profile: showProfile(profile),
        mfaEnrollmentRequired: mustEnrol(config, profile),
      },
    };
  };

  /** The Profile with its code spent; fails when a code is needed and is missing or wrong. */
  const withCode = async (profile: ProfileRow, code: string | undefined): Promise<ProfileRow> => {
    if (profile.totp === undefined) return profile;
    if (code === undefined)
      throw new Failure('unauthenticated', 'a code of the second factor is needed', {
        reason: 'mfa-required',
        mfaRequired: true,
      });
    const secret = await core.sealer.open(`identity.totp.${profile.id}`, profile.totp);
    const spent = spend(profile, { code, secret, key: core.keyFor('recovery'), now: clock.now() });
    if (!spent)
      throw new Failure('unauthenticated', 'this code is wrong or was used before', {
        reason: 'code-wrong',
        mfaRequired: true,
      });
    return spent;
  };

  const refused = (kind: string, profile: string | undefined, from: From): Promise<void> =>
    core.refused({ kind, profile, network: from.network });

  const setUp: SignIn['setUp'] = async (given) => {
    const { name, password, from } = given;
    const shut = (): Failure =>
      new Failure('conflict', 'set-up was done before and is closed for good', { reason: 'already-set-up' });
    if (isSetUp()) throw shut();
    if (from.network === 'public')
      throw new Failure('forbidden', 'set-up is possible from the home network only', { reason: 'setup-at-home-only' });
    if (!isOwnHost(from.host, { machine, hosts: ownHosts(config) }))
      throw new Failure('forbidden', 'set-up is possible only at an address or name of this machine itself', {
        reason: 'setup-on-own-name-only',
      });
    checkPassword(password, [name, core.serverName()]);
    const kept = await hashing.make(password, 'set-up');
    const result = await core.change(async () => {
      if (isSetUp()) throw shut();
      const key = await core.newInstallKey();
      const profile = newProfile(core, { name: keptName(name), password: kept, role: 'owner', policy: OWNER_POLICY });
      const { steps, result } = open(profile, given);
      const marks: Step[] = [{ mark: { name: 'set-up', text: '', at: clock.now() } }, ...(key ? [{ mark: key }] : [])];
      return {
        steps: [
          ...marks,
          { put: 'profile', row: profile },
          ...steps,
          core.audit({ kind: 'set-up', outcome: 'done', profile: profile.id, network: from.network }),
        ],
        result,
      };
    });
    // The next start does it again.
    await core.setUpDone?.().catch((error: unknown) => core.log.fault('identity.set-up.not-recorded', error));
    return result;
  };

  const signIn: SignIn['signIn'] = async (given) => {
    const { name, password, code, from } = given;
    if (from.network === 'public')
      throw new Failure('forbidden', 'signing in with a password is possible on the home network only', {
        reason: 'password-at-home-only',
      });
    const nameKey = nameKeyOf(name);
    const before = roll.profileNamed(nameKey);
    const known = before && from.device !== undefined ? roll.deviceOf(hashOf(from.device), before.id) : undefined;
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
      await refused('sign-in', before?.id, from);
      throw wrong();
    }
    const upgraded = hashing.isOld(before.password)
      ? await hashing.make(password, line).catch(() => undefined)
      : undefined;
    try {
      const result = await core.change(async () => {
        const profile = roll.profiles.get(before.id);
        // It was renamed, removed, or got another password while this one was hashed.
        if (!profile || profile.password !== before.password || profile.nameKey !== nameKey) throw wrong();
        const proved = await withCode(profile, code);
        const after = upgraded === undefined ? proved : { ...proved, password: upgraded };
        const { steps, result: signedIn } = open(after, given);
        const changed: Step[] = after === profile ? [] : [{ put: 'profile', row: after }];
        return {
          steps: [
            ...changed,
            ...steps,
            core.audit({ kind: 'sign-in', outcome: 'done', profile: profile.id, network: from.network }),
          ],
          result: signedIn,
        };
      });
      attempt.refund();
      return result;
    } catch (error) {
      // Asking for the code is no failure of the one who knew the password; a wrong code is.
      if (code === undefined || !(error instanceof Failure)) attempt.refund();
      else await refused('sign-in', before.id, from);
      throw error;
    }
  };

  const provePassword: SignIn['provePassword'] = async ({ by, from, password }) => {
    if (from.network === 'public')
      throw new Failure('forbidden', 'a password is accepted on the home network only', {
        reason: 'password-at-home-only',
      });
    return guarded(core, { by, from, kind: 'proof' }, async () => {
      const profile = roll.profiles.get(by.profile);
      const isRight = await hashing.verify(profile?.password, password, `session ${by.credential}`);
      if (!isRight || !profile)
        throw new Failure('unauthenticated', 'the password is wrong', { reason: 'password-wrong' });
      return profile;
    });
  };

  const stepUp: SignIn['stepUp'] = async ({ by, from, password, code }) => {
    if (password === undefined) throw new Failure('invalid', 'the password is needed', { reason: 'password-missing' });
    const before = await provePassword({ by, from, password });
    const renew = (): Promise<number> =>
      core.change(async () => {
        const [profile, session] = [roll.profiles.get(by.profile), roll.sessions.get(by.credential)];
        if (!profile || !session || profile.password !== before.password)
          throw new Failure('unauthenticated', 'this session is over', { reason: 'session-ended' });
        const proved = await withCode(profile, code);
        const now = clock.now();
        const changed: Step[] = proved === profile ? [] : [{ put: 'profile', row: proved }];
        return {
          steps: [
            ...changed,
            { put: 'session', row: { ...session, provedAt: now } },
            core.audit({ kind: 'proof', outcome: 'done', profile: profile.id, network: from.network }),
          ],
          result: now + RECENT,
        };
      });
    // No code, no guess to count.
    const until = await (code === undefined ? renew() : guarded(core, { by, from, kind: 'proof' }, renew));
    return { until: iso(until) };
  };

  return { isSetUp, setUp, signIn, stepUp, provePassword };
}
