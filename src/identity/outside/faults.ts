/** Why an identity provider cannot be used now. */
import type { IssuerFault } from '../../contract/identity/reasons.ts';
import { Failure } from '../../lib/failure.ts';
import { NetFailure } from '../../lib/net.ts';

const SENTENCES: Record<IssuerFault, string> = {
  'issuer-unreachable': 'the identity provider cannot be reached',
  'issuer-address': 'the address of the identity provider is neither public, nor private over https',
  'issuer-certificate': 'the certificate of the identity provider is not valid',
  'issuer-broken': 'there is no valid discovery document of an identity provider at this address',
  'issuer-renamed': 'the identity provider calls itself by another address than the one in the settings',
  'issuer-unsupported': 'the identity provider lacks something that is needed',
  'issuer-client-refused': 'the identity provider refuses the client ID or the client secret',
  'saml-metadata-invalid': 'this is not valid metadata of exactly one SAML identity provider',
  'saml-metadata-expired': 'the metadata of the identity provider is no longer valid',
  'saml-provider-unsupported':
    'the metadata of the identity provider lacks a sign-in by redirect, or a key for signing that is strong enough',
};
export const issuerFailure = (reason: IssuerFault, cause?: unknown): Failure =>
  new Failure('unavailable', SENTENCES[reason], { reason }, { cause });

/** Returns the error of `lib/net` behind an error of a library; undefined if there is none. */
export function netFailureIn(error: unknown): NetFailure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if (at instanceof NetFailure) return at;
  return undefined;
}
/** Returns why the issuer cannot be used, from an error while it was asked. `broken` is for an answer that is none. */
export function issuerFaultOf(error: unknown, broken: IssuerFault = 'issuer-broken'): Failure {
  if (error instanceof Failure && !(error instanceof NetFailure)) return error;
  const failed = netFailureIn(error);
  if (!failed) return issuerFailure(broken, error);
  if (failed.fault === 'tls') return issuerFailure('issuer-certificate', error);
  if (failed.fault === 'address') return issuerFailure('issuer-address', error);
  const isAnswered = failed.fault === 'broken' || failed.fault === 'too-large' || failed.fault === 'redirect';
  return issuerFailure(isAnswered ? broken : 'issuer-unreachable', error);
}
