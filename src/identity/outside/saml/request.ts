/**
 * The request with which a browser is sent to the provider, in the redirect binding.
 *
 * It is not signed: the provider answers to the address that was registered there, and only to a flow that this server
 * has begun.
 */
import { deflateRawSync } from 'node:zlib';
import type { OwnAddresses, ProviderMetadata } from './metadata.ts';
import { escapeXml, SAML, writeSamlTime } from './names.ts';

export interface AuthnRequest {
  id: string;
  /** Milliseconds since the epoch. */
  madeAt: number;
  /** Whether the provider has to authenticate the person again. */
  isFresh: boolean;
  /** Whether the identity is the name id, which then has to stay the same. */
  isByNameId: boolean;
}

/** Returns the address to send a browser to. */
export function requestAddress(
  { signOn, formats }: ProviderMetadata,
  { entity, consumer }: OwnAddresses,
  { id, madeAt, isFresh, isByNameId }: AuthnRequest,
): URL {
  // A request without a format leaves the choice to the provider, which was made there for this server.
  const format = isByNameId && formats.includes(SAML.persistent) ? ` Format="${SAML.persistent}"` : '';
  const xml =
    `<samlp:AuthnRequest xmlns:samlp="${SAML.protocol}" ID="${id}" Version="2.0" ` +
    `IssueInstant="${writeSamlTime(madeAt)}" Destination="${escapeXml(signOn.href)}" ` +
    `AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${SAML.post}"` +
    `${isFresh ? ' ForceAuthn="true"' : ''}>` +
    `<saml:Issuer xmlns:saml="${SAML.assertion}">${escapeXml(entity)}</saml:Issuer>` +
    `<samlp:NameIDPolicy${format} AllowCreate="true"/>` +
    '</samlp:AuthnRequest>';
  const address = new URL(signOn);
  address.searchParams.set('SAMLRequest', deflateRawSync(xml).toString('base64'));
  return address;
}
