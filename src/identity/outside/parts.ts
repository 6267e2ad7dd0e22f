/** Parts and types that the operations at the identity provider share. */
import type { Core } from '../core.ts';
import type { CallerOrigin } from '../types.ts';
import type { FlowPurpose, Flows } from './flows.ts';
import type { Issuer } from './issuer.ts';

/** A caller, with the cookie of a flow that its browser has begun. */
export type FlowOrigin = CallerOrigin & { flow: string | undefined };

/** Step that was begun: the address to send the browser to, and the secret for its cookie. */
export interface BegunStep {
  address: URL;
  secret: string;
}

/** Parts that the operations share. */
export interface OutsideParts {
  core: Core;
  flows: Flows;
  /** The provider of the settings. Throws `Failure('missing')` without one, and away from home. */
  issuerFor(from: CallerOrigin): Issuer;
  /** Begins a step at the provider, in place of one that this browser had begun. */
  begin(given: { purpose: FlowPurpose; from: FlowOrigin; isFresh?: boolean }): Promise<BegunStep>;
}
