/**
 * Signing in with a passkey, and proving again with one.
 *
 * The signature is judged before the lock, and everything that it relied on is looked at again inside: the key, its
 * counter and the Profile.
 */
import type { PasskeyAssertion } from '../../contract/identity/passkey-proof.ts';
import type { PasskeyHost, RequestOptions } from '../../contract/identity/passkeys.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { openSession, type SignedIn, type SignInGiven } from '../accounts/opening.ts';
import { guarded } from '../accounts/proving.ts';
import { RECENT, type Core } from '../core.ts';
import { isBarred } from '../directory/rules.ts';
import { networkBuckets } from '../proof/throttle.ts';
import type { CallerOrigin, PasskeyRow, ProfileRow, Step } from '../types.ts';
import { CEREMONY_MS, type Ceremonies, type OpenCeremony } from './ceremonies.ts';
import { judgeAssertion, type PasskeyUse } from './judge.ts';
import { passkeyHost, requirePasskeyHost } from './relying-party.ts';

interface BegunProof {
  ceremony: string;
  publicKey: RequestOptions;
}
interface ProofGiven {
  ceremony: string;
  credential: PasskeyAssertion;
}

export interface PasskeyProving {
  /** Returns where passkeys work, for a sign-in page; undefined until a Profile has one. */
  hostFor(from: CallerOrigin): PasskeyHost | undefined;
  beginSignIn(from: CallerOrigin): BegunProof;
  /** Opens a session. Fails as `unauthenticated`, in one way whatever is wrong. */
  finishSignIn(
    given: ProofGiven & Pick<SignInGiven, 'device' | 'transport' | 'remember' | 'from' | 'replaces'>,
  ): Promise<SignedIn>;
  beginStepUp(given: { by: Principal; from: CallerOrigin }): BegunProof;
  finishStepUp(given: ProofGiven & { by: Principal; from: CallerOrigin }): Promise<{ until: string }>;
}

/** A proof whose signature is right. */
interface JudgedUse {
  before: PasskeyRow;
  use: PasskeyUse;
}

const refusedProof = (): Failure =>
  new Failure('unauthenticated', 'this passkey was not accepted', { reason: 'passkey-refused' });

const optionsFor = (
  { ceremony, challenge }: { ceremony: string; challenge: string },
  host: string,
  allowed: readonly PasskeyRow[],
): BegunProof => ({
  ceremony,
  publicKey: {
    challenge,
    rpId: host,
    timeout: CEREMONY_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credential, transports }) => ({
      type: 'public-key',
      id: credential,
      transports: [...transports],
    })),
  },
});

/** Judges proofs before the lock, and looks at them again under it. */
function createJudging(core: Core) {
  const { identities, clock } = core;
  const judged = async (credential: PasskeyAssertion, ceremony: OpenCeremony | undefined): Promise<JudgedUse> => {
    const before = ceremony && identities.passkeyOf(credential.id);
    const use = before && (await judgeAssertion(credential, ceremony, before));
    if (!use) throw refusedProof();
    return { before, use };
  };
  /** Returns the Profile of a proof that still holds, and the passkey as it is afterwards. Runs under the lock. */
  const settled = ({ before, use }: JudgedUse): { profile: ProfileRow; row: PasskeyRow } => {
    const now = identities.passkeys.get(before.id);
    const profile = identities.profiles.get(before.profile);
    // Another use of the same passkey may have come while this one was judged.
    if (!profile || now?.counter !== before.counter || now.publicKey !== before.publicKey) throw refusedProof();
    if (isBarred(identities, profile.id)) throw refusedProof();
    return { profile, row: { ...now, counter: use.counter, isSynced: use.isSynced, lastUsedAt: clock.now() } };
  };
  /** Marks a passkey of which there may be a copy. */
  const suspect = ({ before }: JudgedUse, from: CallerOrigin): Promise<void> =>
    core.change(() => {
      const row = identities.passkeys.get(before.id);
      if (!row) return { steps: [], result: undefined };
      return {
        steps: [
          { put: 'passkey', row: { ...row, isSuspect: true } },
          core.audit({
            kind: 'passkey-suspect',
            outcome: 'refused',
            profile: row.profile,
            target: row.id,
            from,
          }),
        ],
        result: undefined,
      };
    });
  const proved = async (
    credential: PasskeyAssertion,
    ceremony: OpenCeremony | undefined,
    from: CallerOrigin,
  ): Promise<JudgedUse> => {
    const right = await judged(credential, ceremony);
    if (!right.use.isCopied) return right;
    await suspect(right, from);
    throw refusedProof();
  };
  return { proved, settled };
}

export function createPasskeyProving(core: Core, ceremonies: Ceremonies): PasskeyProving {
  const { identities, clock, config, throttle } = core;
  const { proved, settled } = createJudging(core);

  return {
    hostFor: (from) => {
      const at = passkeyHost(config, from);
      return at && [...identities.passkeys.values()].some(({ host }) => host === at.host) ? at : undefined;
    },
    beginSignIn: (from) => {
      const at = requirePasskeyHost(config, from);
      return optionsFor(ceremonies.begin({ kind: 'sign-in' }, at, from), at.host, []);
    },
    finishSignIn: async ({ ceremony: id, credential, ...given }) => {
      const { from } = given;
      const ceremony = ceremonies.take(id, { kind: 'sign-in', network: from.network });
      const attempt = throttle.take(networkBuckets(from.address));
      try {
        const right = await proved(credential, ceremony, from);
        const result = await core.change(() => {
          const { profile, row } = settled(right);
          if (from.network === 'public' && !profile.policy.remote) throw refusedProof();
          const proof = { way: 'passkey', provedAt: clock.now() } as const;
          const { steps, result: signedIn, session } = openSession(core, profile, { ...given, proof });
          return {
            steps: [
              { put: 'passkey', row },
              ...steps,
              core.audit({
                kind: 'sign-in',
                outcome: 'done',
                profile: profile.id,
                session,
                details: { way: 'passkey' },
                from,
              }),
            ],
            result: signedIn,
          };
        });
        attempt.refund();
        return result;
      } catch (error) {
        if (error instanceof Failure && error.kind === 'unauthenticated')
          await core.refused({
            kind: 'sign-in',
            profile: identities.passkeyOf(credential.id)?.profile,
            details: { way: 'passkey' },
            from,
          });
        else attempt.refund();
        throw error;
      }
    },
    beginStepUp: ({ by, from }) => {
      const at = requirePasskeyHost(config, from);
      const own = identities.passkeysOf(by.profile).filter(({ host }) => host === at.host);
      if (own.length === 0)
        throw new Failure('conflict', 'this profile has no passkey for this address', { reason: 'no-passkey' });
      const purpose = { kind: 'step-up', session: by.credential, profile: by.profile } as const;
      return optionsFor(ceremonies.begin(purpose, at, from), at.host, own);
    },
    finishStepUp: ({ ceremony: id, credential, by, from }) =>
      guarded(core, { by, from, kind: 'proof' }, async () => {
        const ceremony = ceremonies.take(id, { kind: 'step-up', network: from.network, session: by.credential });
        const right = await proved(credential, ceremony, from);
        const until = await core.change(() => {
          const { profile, row } = settled(right);
          const session = identities.sessions.get(by.credential);
          if (profile.id !== by.profile || session?.profile !== profile.id) throw refusedProof();
          const now = clock.now();
          const steps: Step[] = [
            { put: 'passkey', row },
            { put: 'session', row: { ...session, provedAt: now } },
            core.audit({ kind: 'proof', outcome: 'done', by, details: { way: 'passkey' }, from }),
          ];
          return { steps, result: now + RECENT };
        });
        return { until: iso(until) };
      }),
  };
}
