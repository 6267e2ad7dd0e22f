/**
 * A protocol in which an identity provider proves identities.
 *
 * What follows from a proof (linking, signing in, proving again) is the same for all protocols and is not decided here.
 */
import type { IdentityFinding } from '../../contract/identity/findings.ts';
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import type { OutsideProof } from './proof.ts';

/** Parts of a link that say which provider and which of its values it is for. */
export interface ProviderIdentifiers {
  issuer: string;
  claim: string;
}

/** A protocol with the provider of the settings. `Secrets` are of one flow; the provider's answer has to match them. */
export interface OutsideProtocol<Secrets, Answer> {
  readonly name: OutsideProtocolName;
  /** Name of the provider for people: its host. */
  readonly host: string;
  /** Origin of this server to which the provider returns a browser. */
  readonly origin: string;
  /**
   * How the provider returns a browser. A POST from another site brings only cookies that are sent from every site, and
   * browsers take such cookies over TLS only.
   */
  readonly returnsBy: 'GET' | 'POST';
  /** Returns which links open their Profiles; undefined as long as the provider is not known. */
  identifiers(): ProviderIdentifiers | undefined;
  /** Makes new secrets of a flow. */
  newSecrets(): Promise<Secrets>;
  /**
   * Returns the address to send a browser to. `isFresh` asks for a new authentication. Throws `Failure('unavailable')`
   * with an `IssuerFault` if the provider is away or cannot be used.
   */
  authorize(secrets: Secrets, isFresh: boolean): Promise<URL>;
  /**
   * Judges the answer to a flow. Throws `RefusedAnswer` for one that is not accepted, and `Failure('unavailable')` if
   * the provider is away.
   */
  prove(answer: Answer, secrets: Secrets, isFresh: boolean): Promise<OutsideProof>;
  /** Throws `Failure('unavailable')` with an `IssuerFault` if the provider cannot be used with these settings. */
  check(): Promise<void>;
  /** Returns findings for the diagnostics. */
  findings(): IdentityFinding[];
}
