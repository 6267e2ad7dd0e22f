/** Renews the proof of an open session at the identity provider, by the identity that its Profile is linked to. */
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { RECENT } from '../core.ts';
import { withCode } from '../accounts/proving.ts';
import { isUsableLink } from '../accounts/sign-in-methods.ts';
import { directoryIdentity } from '../directory/rules.ts';
import type { CallerOrigin, Step } from '../types.ts';
import type { BegunStep, FlowOrigin, ProtocolParts } from './parts.ts';
import type { FlowPurpose } from './flows.ts';
import type { OutsideProof } from './proof.ts';
import { linkedProfile, owesCode, provedAtOf, withFlowCode } from './sign-in.ts';

type StepUpPurpose = Extract<FlowPurpose, { kind: 'step-up' }>;
interface ProvedAgain {
  purpose: StepUpPurpose;
  proof: OutsideProof;
  from: CallerOrigin;
}

export interface OutsideStepUp {
  /** Fails as `conflict` for a Profile that the provider could not prove. */
  beginStepUp(given: { to: string | undefined; by: Principal; from: FlowOrigin }): Promise<BegunStep>;
  /** Finishes a proof that owes a code, for the session that began it. */
  finishStepUp(given: { code: string; by: Principal; from: FlowOrigin }): Promise<{ until: string }>;
  /**
   * Renews the proof of the session; `unknown` if it has ended or the identity is not that of its Profile, and
   * `owes-code` for an Owner who has to give one first.
   */
  proved(given: ProvedAgain): Promise<'unknown' | 'owes-code' | undefined>;
}

export function createOutsideStepUp<Secrets, Answer>(parts: ProtocolParts<Secrets, Answer>): OutsideStepUp {
  const { core, begin, providerFor } = parts;
  const { identities, clock } = core;

  const renew = (given: ProvedAgain, code: string | undefined): Promise<'unknown' | 'owes-code' | number> =>
    core.change<'unknown' | 'owes-code' | number>(async () => {
      const { purpose, proof, from } = given;
      const session = identities.sessions.get(purpose.session);
      const linked = linkedProfile(core, proof);
      if (session?.profile !== purpose.profile || linked?.profile.id !== purpose.profile)
        return { steps: [], result: 'unknown' };
      const { profile } = linked;
      const isOwing = owesCode(core, profile, proof);
      if (isOwing && code === undefined) return { steps: [], result: 'owes-code' };
      const spent = isOwing ? await withCode(core, profile, { code, network: from.network }) : profile;
      const changed: Step[] = spent === profile ? [] : [{ put: 'profile', row: spent }];
      const provedAt = Math.max(session.provedAt, provedAtOf(proof, clock.now()));
      return {
        steps: [
          ...changed,
          { put: 'session', row: { ...session, provedAt } },
          core.audit({
            kind: 'proof',
            outcome: 'done',
            profile: profile.id,
            session: session.id,
            details: { way: proof.protocol },
            from,
          }),
        ],
        result: provedAt + RECENT,
      };
    });

  return {
    beginStepUp: ({ to, by, from }) => {
      const { name } = providerFor(from);
      const isLinked = [...identities.links.values()].some(
        (link) => link.profile === by.profile && link.protocol === name && isUsableLink(core, link),
      );
      if (!isLinked && !directoryIdentity(core, by.profile, name))
        throw new Failure('conflict', 'this profile is not linked to an identity', { reason: 'outside-not-linked' });
      const purpose: StepUpPurpose = { kind: 'step-up', to, session: by.credential, profile: by.profile };
      return begin({ from, purpose, isFresh: true });
    },
    proved: async (given) => {
      const outcome = await renew(given, undefined);
      if (outcome !== 'unknown') return outcome === 'owes-code' ? outcome : undefined;
      await core.refused({
        kind: 'proof',
        profile: given.purpose.profile,
        details: { way: given.proof.protocol },
        from: given.from,
      });
      return outcome;
    },
    finishStepUp: ({ code, by, from }) =>
      withFlowCode(parts, { from, kind: 'step-up' }, async ({ purpose, proof }) => {
        const over = (): Failure =>
          new Failure('missing', 'this proof is over; begin again', { reason: 'no-such-flow' });
        if (purpose.kind !== 'step-up' || purpose.session !== by.credential) throw over();
        const until = await renew({ purpose, proof, from }, code);
        if (typeof until === 'string') throw over();
        return { until: iso(until) };
      }),
  };
}
