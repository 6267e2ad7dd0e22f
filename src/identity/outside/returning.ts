/** Judges what a browser brings back from the identity provider, and says which page it goes to. */
import type { OutsideEnding } from '../../contract/identity/outside.ts';
import { Failure } from '../../lib/failure.ts';
import type { SignedIn } from '../accounts/opening.ts';
import { browserKey, linkKey, type BegunFlow, type FlowPurpose } from './flows.ts';
import type { Issuer } from './issuer.ts';
import { judgeClaims, type OutsideProof, RefusedAnswer } from './judge.ts';
import { returnPageOf, returnTo, type ReturnPage } from './pages.ts';
import type { FlowOrigin, OutsideParts } from './parts.ts';
import type { OutsideSignIn } from './sign-in.ts';
import type { OutsideStepUp } from './step-up.ts';

/** End of a return from the provider: the page to show, the session that was opened, and whether a code is owed. */
export interface ReturnOutcome {
  page: ReturnPage;
  signedIn?: SignedIn;
  owesCode?: true;
}

/** Parameters that the provider adds to the address to which it sends the browser back. */
export type ProviderAnswer = { [name in 'code' | 'state' | 'iss' | 'error']?: string | undefined };

/**
 * Judges what a browser brings back from the provider. Whatever is wrong with it leads to a page with the reason.
 */
export type Returning = (answer: ProviderAnswer, from: FlowOrigin) => Promise<ReturnOutcome>;

export function createReturning(
  { core, flows, issuerFor }: OutsideParts,
  { signIn, stepUp }: { signIn: OutsideSignIn; stepUp: OutsideStepUp },
): Returning {
  const { clock, log } = core;

  /** Returns the page after a flow that came to nothing. */
  const ended = (purpose: FlowPurpose | undefined, reason: OutsideEnding): ReturnOutcome => ({
    page:
      purpose === undefined || purpose.kind === 'sign-in'
        ? returnTo('signIn', { reason })
        : purpose.kind === 'link'
          ? returnTo('account', { reason })
          : returnPageOf(purpose.to, { reason }),
  });

  const prove = async (at: Issuer, answer: ProviderAnswer, flow: BegunFlow): Promise<OutsideProof> => {
    const isFresh = flow.purpose.kind === 'step-up';
    const { code, state, iss, error } = answer;
    const given = Object.entries({ code, state, iss, error }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const claims = await at.exchange(new URLSearchParams(given), flow, isFresh);
    const { issuer: name, claim } = at.settings;
    return judgeClaims(claims, { issuer: name, claim, now: clock.now(), isFresh });
  };

  return async (answer, from) => {
    const at = issuerFor(from);
    const key = from.flow === undefined ? undefined : browserKey(from.flow);
    const taken = flows.take(key, 'begun');
    if (!taken || key === undefined) return ended(undefined, 'outside-expired');
    const { flow, keep } = taken;
    const { purpose } = flow;
    let proof: OutsideProof;
    try {
      proof = await prove(at, answer, flow);
    } catch (error) {
      if (!(error instanceof RefusedAnswer) && !(error instanceof Failure)) throw error;
      log.info('identity.outside.refused', {
        detail: error instanceof RefusedAnswer ? error.detail : error.reason,
        purpose: purpose.kind,
      });
      const profile = purpose.kind === 'sign-in' ? undefined : purpose.profile;
      await core.refused({ kind: `outside-${purpose.kind}`, profile, network: from.network });
      return ended(purpose, 'outside-refused');
    }
    if (purpose.kind === 'link') {
      keep(linkKey(purpose.session, purpose.flow), { stage: 'confirm', purpose, proof });
      return { page: returnTo('account', { link: purpose.flow }) };
    }
    const outcome =
      purpose.kind === 'sign-in'
        ? await signIn.opened({ purpose, proof, from })
        : await stepUp.proved({ purpose, proof, from });
    if (outcome === 'unknown') return ended(purpose, 'outside-unknown');
    if (outcome !== 'owes-code') return { page: returnPageOf(purpose.to), ...(outcome && { signedIn: outcome }) };
    keep(key, { stage: 'owes-code', purpose, proof, tries: 0 });
    const page =
      purpose.kind === 'sign-in'
        ? returnTo('signIn', { owes: 'code', ...(purpose.to !== undefined && { next: purpose.to }) })
        : returnPageOf(purpose.to, { owes: 'code' });
    return { page, owesCode: true };
  };
}
