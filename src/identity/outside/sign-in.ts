/** Opens a session for an identity that the provider has confirmed and a Profile is linked to. */
import type { IdentityProvider } from '../../contract/identity/outside.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { Failure } from '../../lib/failure.ts';
import type { Core } from '../core.ts';
import { openSession, type SignedIn } from '../accounts/opening.ts';
import { withCode } from '../accounts/proving.ts';
import { directoryUserOfSubject, isBarred } from '../directory/rules.ts';
import { accountBucket, networkBuckets } from '../proof/throttle.ts';
import type { CallerOrigin, ProfileRow, Step } from '../types.ts';
import type { BegunStep, FlowOrigin, ProtocolParts } from './parts.ts';
import { browserKey, mayTryAgain, OUTSIDE_KINDS, type Flows, type OwingFlow, type FlowPurpose } from './flows.ts';
import type { OutsideProof } from './proof.ts';

type SignInPurpose = Extract<FlowPurpose, { kind: 'sign-in' }>;
interface Confirmed {
  purpose: SignInPurpose;
  proof: OutsideProof;
  from: CallerOrigin;
}

export interface OutsideSignIn {
  /** Returns the provider that a sign-in page may offer on this network. */
  provider(from: CallerOrigin): IdentityProvider | undefined;
  beginSignIn(given: {
    to: string | undefined;
    device: string | undefined;
    from: FlowOrigin;
    /** The caller, where the browser has a session already: the new one replaces it. */
    by: Principal | undefined;
  }): Promise<BegunStep>;
  /** Finishes a sign-in that owes a code. */
  finishSignIn(given: { code: string; from: FlowOrigin }): Promise<{ signedIn: SignedIn; to: string | undefined }>;
  /** Opens the session; `unknown` without a link, and `owes-code` for an Owner who has to give one first. */
  opened(given: Confirmed): Promise<SignedIn | 'unknown' | 'owes-code'>;
}

/**
 * Returns the Profile that an identity is linked to: by a link that the person has confirmed, else by the external id
 * that the directory gave a Viewer. None that the directory has barred.
 */
export function linkedProfile({ identities }: Core, proof: OutsideProof): { profile: ProfileRow } | undefined {
  const id = identities.linkOf(proof)?.profile ?? directoryUserOfSubject(identities, proof.subject)?.profile;
  const profile = id === undefined || isBarred(identities, id) ? undefined : identities.profiles.get(id);
  return profile && { profile };
}

/**
 * Whether an Owner owes the code of this server: it requires a second factor, the provider has not said that it asked
 * for one, and there is one here. An Owner without any has to enrol one next, as after a password.
 */
export const owesCode = ({ config }: Core, { role, totp, recovery }: ProfileRow, { isStrong }: OutsideProof): boolean =>
  config.get('security.require_mfa') && role === 'owner' && !isStrong && (totp !== undefined || recovery.length > 0);

/** The moment for which a proof counts. Without one from the provider, nothing is recent. */
export const provedAtOf = ({ authenticatedAt }: OutsideProof, now: number): number =>
  Math.min(authenticatedAt ?? 0, now);

/**
 * Runs work that spends the code of a flow. A wrong one costs the network and the account, and after some of them the
 * flow is over.
 */
export async function withFlowCode<R>(
  { core, flows }: Pick<ProtocolParts<unknown, never>, 'core'> & { flows: Pick<Flows<unknown>, 'take'> },
  { from, kind }: { from: FlowOrigin; kind: OwingFlow['purpose']['kind'] },
  work: (flow: OwingFlow) => Promise<R>,
): Promise<R> {
  const key = from.flow === undefined ? undefined : browserKey(from.flow);
  const none = (): Failure => new Failure('missing', 'this sign-in is over; begin again', { reason: 'no-such-flow' });
  const taken = flows.take(key, 'owes-code');
  if (!taken || key === undefined || taken.flow.purpose.kind !== kind) throw none();
  const { flow, keep } = taken;
  const linked = linkedProfile(core, flow.proof);
  if (!linked) throw none();
  let attempt: { refund(): void };
  try {
    attempt = core.throttle.take([...networkBuckets(from.address), accountBucket(linked.profile.nameKey)]);
  } catch (error) {
    keep(key, flow);
    throw error;
  }
  try {
    const result = await work(flow);
    attempt.refund();
    return result;
  } catch (error) {
    const next = { ...flow, tries: flow.tries + 1 };
    if (error instanceof Failure && error.kind === 'unauthenticated') {
      await core.refused({ kind: OUTSIDE_KINDS[kind], profile: linked.profile.id, from });
      if (mayTryAgain(next)) keep(key, next);
    } else attempt.refund();
    throw error;
  }
}

export function createOutsideSignIn<Secrets, Answer>(parts: ProtocolParts<Secrets, Answer>): OutsideSignIn {
  const { core, begin, protocol, providerFor } = parts;
  const { clock } = core;

  const open = (given: Confirmed, code: string | undefined): Promise<SignedIn | 'unknown' | 'owes-code'> =>
    core.change<SignedIn | 'unknown' | 'owes-code'>(async () => {
      const { purpose, proof, from } = given;
      const linked = linkedProfile(core, proof);
      if (!linked) return { steps: [], result: 'unknown' };
      const { profile } = linked;
      const isOwing = owesCode(core, profile, proof);
      if (isOwing && code === undefined) return { steps: [], result: 'owes-code' };
      const proved = isOwing ? await withCode(core, profile, { code, network: from.network }) : profile;
      const { steps, result, session } = openSession(core, proved, {
        device: purpose.deviceName,
        transport: 'cookie',
        // On its way back the browser does not send the cookie of its device.
        from: { ...from, device: purpose.device },
        replaces: purpose.replaces,
        proof: {
          way: proof.protocol,
          provedAt: provedAtOf(proof, clock.now()),
          outside: proof.session,
          endsBy: proof.endsBy,
        },
      });
      const changed: Step[] = proved === profile ? [] : [{ put: 'profile', row: proved }];
      return {
        steps: [
          ...changed,
          ...steps,
          core.audit({
            kind: 'outside-sign-in',
            outcome: 'done',
            profile: profile.id,
            session,
            details: { way: proof.protocol },
            from,
          }),
        ],
        result,
      };
    });

  return {
    provider: (from) =>
      protocol && from.network !== 'public' ? { name: protocol.host, origin: protocol.origin } : undefined,
    beginSignIn: ({ to, device, from, by }) =>
      begin({
        from,
        purpose: {
          kind: 'sign-in',
          to,
          replaces: by?.cookie === true && by.via === 'session' ? by.credential : undefined,
          device: from.device,
          deviceName: device,
        },
      }),
    opened: async (given) => {
      const outcome = await open(given, undefined);
      if (outcome === 'unknown') await core.refused({ kind: 'outside-sign-in', from: given.from });
      return outcome;
    },
    finishSignIn: async ({ code, from }) => {
      providerFor(from);
      return withFlowCode(parts, { from, kind: 'sign-in' }, async ({ purpose, proof }) => {
        if (purpose.kind !== 'sign-in') throw new Error('a flow of another kind');
        const signedIn = await open({ purpose, proof, from }, code);
        if (typeof signedIn === 'string')
          throw new Failure('missing', 'this sign-in is over; begin again', { reason: 'no-such-flow' });
        return { signedIn, to: purpose.to };
      });
    },
  };
}
