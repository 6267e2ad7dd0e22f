/** Parts and types that the operations at an identity provider share. */
import type { Core } from '../core.ts';
import type { CallerOrigin } from '../types.ts';
import type { FlowPurpose, Flows } from './flows.ts';
import type { OutsideProtocol } from './protocol.ts';

/** A caller, with the cookie of a flow that its browser has begun. */
export type FlowOrigin = CallerOrigin & { flow: string | undefined };

/** Step that was begun: the address to send the browser to, and the secret for its cookie. */
export interface BegunStep {
  address: URL;
  secret: string;
  /** How the provider returns the browser: the cookie has to come along. */
  returnsBy: OutsideProtocol<never, never>['returnsBy'];
}

/** Parts that the operations of one protocol share. */
export interface ProtocolParts<Secrets, Answer> {
  core: Core;
  flows: Flows<Secrets>;
  /** The protocol with the provider of the settings; undefined unless they are complete. */
  protocol: OutsideProtocol<Secrets, Answer> | undefined;
  /** The same for a caller. Fails as `missing` without a provider, away from home, and where TLS is missing. */
  providerFor(from: CallerOrigin): OutsideProtocol<Secrets, Answer>;
  /** Begins a step at the provider, in place of one that this browser had begun. */
  begin(given: { purpose: FlowPurpose; from: FlowOrigin; isFresh?: boolean }): Promise<BegunStep>;
}
