/** Judges what a browser brings back from the identity provider, and says which page it goes to. */
import type { OutsideEnding } from '../../contract/identity/outside.ts';
import { Failure } from '../../lib/failure.ts';
import type { SignedIn } from '../accounts/opening.ts';
import { browserKey, linkKey, OUTSIDE_KINDS, type FlowPurpose } from './flows.ts';
import { returnPageOf, returnTo, type ReturnPage } from './pages.ts';
import type { FlowOrigin, ProtocolParts } from './parts.ts';
import { type OutsideProof, RefusedAnswer } from './proof.ts';
import type { OutsideSignIn } from './sign-in.ts';
import type { OutsideStepUp } from './step-up.ts';

/** End of a return from the provider: the page to show, the session that was opened, and whether a code is owed. */
export interface ReturnOutcome {
  page: ReturnPage;
  signedIn?: SignedIn;
  owesCode?: true;
}

/**
 * Judges what a browser brings back from the provider. Whatever is wrong with it leads to a page with the reason.
 */
export type Returning<Answer> = (answer: Answer, from: FlowOrigin) => Promise<ReturnOutcome>;

export function createReturning<Secrets, Answer>(
  { core, flows, providerFor }: ProtocolParts<Secrets, Answer>,
  { signIn, stepUp }: { signIn: OutsideSignIn; stepUp: OutsideStepUp },
): Returning<Answer> {
  const { log } = core;

  /** Returns the page after a flow that came to nothing. */
  const ended = (purpose: FlowPurpose | undefined, reason: OutsideEnding): ReturnOutcome => ({
    page:
      purpose === undefined || purpose.kind === 'sign-in'
        ? returnTo('signIn', { reason })
        : purpose.kind === 'link'
          ? returnTo('account', { reason })
          : returnPageOf(purpose.to, { reason }),
  });

  return async (answer, from) => {
    const at = providerFor(from);
    const key = from.flow === undefined ? undefined : browserKey(from.flow);
    const taken = flows.take(key, 'begun');
    if (!taken || key === undefined) return ended(undefined, 'outside-expired');
    const { flow, keep } = taken;
    const { purpose, secrets } = flow;
    let proof: OutsideProof;
    try {
      proof = await at.prove(answer, secrets, purpose.kind === 'step-up');
    } catch (error) {
      if (!(error instanceof RefusedAnswer) && !(error instanceof Failure)) throw error;
      log.info('identity.outside.refused', {
        detail: error instanceof RefusedAnswer ? error.detail : error.reason,
        purpose: purpose.kind,
      });
      const profile = purpose.kind === 'sign-in' ? undefined : purpose.profile;
      await core.refused({ kind: OUTSIDE_KINDS[purpose.kind], profile, from });
      return ended(purpose, 'outside-refused');
    }
    if (purpose.kind === 'link') {
      keep(linkKey(purpose.session, purpose.flow), { stage: 'confirm', purpose, proof });
      return { page: returnTo('account', { link: purpose.flow, through: at.name }) };
    }
    const outcome =
      purpose.kind === 'sign-in'
        ? await signIn.opened({ purpose, proof, from })
        : await stepUp.proved({ purpose, proof, from });
    if (outcome === 'unknown') return ended(purpose, 'outside-unknown');
    if (outcome !== 'owes-code') return { page: returnPageOf(purpose.to), ...(outcome && { signedIn: outcome }) };
    keep(key, { stage: 'owes-code', purpose, proof, tries: 0 });
    const owed = { owes: 'code', through: at.name };
    const page =
      purpose.kind === 'sign-in'
        ? returnTo('signIn', { ...owed, ...(purpose.to !== undefined && { next: purpose.to }) })
        : returnPageOf(purpose.to, owed);
    return { page, owesCode: true };
  };
}
