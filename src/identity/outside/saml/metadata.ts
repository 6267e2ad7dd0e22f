/**
 * Metadata of SAML: what the identity provider says about itself, and what this server says about itself.
 *
 * The provider's document is trusted because of the address that it was fetched from, or because an Owner has pasted
 * it; a signature in it is not checked. Pure.
 */
import { type KeyObject, X509Certificate } from 'node:crypto';
import { DSIG } from '../../../lib/xml/signature.ts';
import {
  readStrictXml,
  RefusedXml,
  visitXml,
  xmlAttribute,
  xmlChildrenNamed,
  xmlContent,
  type XmlElement,
  xmlText,
} from '../../../lib/xml/strict.ts';
import { issuerFailure } from '../faults.ts';
import { identityValue } from '../proof.ts';
import { escapeXml, SAML, samlTime } from './names.ts';

/** Largest document in bytes. */
export const MAX_METADATA_BYTES = 1024 * 1024;
const LIMITS = { depth: 32, elements: 20_000, asides: 'skipped' } as const;
const MAX_KEYS = 16;
const MIN_RSA_BITS = 2_048;
const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

export interface ProviderMetadata {
  /** Entity id of the provider: the issuer of its identities. */
  issuer: string;
  /** Address to which a browser is sent to sign in. */
  signOn: URL;
  /** Keys with which the provider signs, in the order of the document. */
  keys: readonly KeyObject[];
  /** Formats of name ids that it lists. */
  formats: readonly string[];
  /** Time until which the document is valid, in milliseconds since the epoch. */
  validUntil: number | undefined;
}

/**
 * Reads the document of a provider. `isPlainAllowed` accepts a sign-in over http on this machine. Throws
 * `Failure('unavailable')` with an `IssuerFault`.
 */
export function readMetadata(bytes: Uint8Array, { isPlainAllowed }: { isPlainAllowed: boolean }): ProviderMetadata {
  const { entity, descriptor } = providerIn(bytes);
  const issuer = identityValue(xmlAttribute(entity, 'entityID'));
  if (issuer === undefined) throw issuerFailure('saml-metadata-invalid');
  const services = xmlChildrenNamed(descriptor, SAML.metadata, 'SingleSignOnService');
  const redirect = services.find((one) => xmlAttribute(one, 'Binding') === SAML.redirect);
  const signOn = redirect && addressOf(xmlAttribute(redirect, 'Location'), isPlainAllowed);
  const keys = xmlChildrenNamed(descriptor, SAML.metadata, 'KeyDescriptor')
    .filter((one) => (xmlAttribute(one, 'use') ?? 'signing') === 'signing')
    .flatMap(certificatesIn)
    .flatMap(usableKey)
    .slice(0, MAX_KEYS);
  if (!signOn || keys.length === 0) throw issuerFailure('saml-provider-unsupported');
  const formats = xmlChildrenNamed(descriptor, SAML.metadata, 'NameIDFormat').map((one) => xmlContent(one) ?? '');
  const ends = [entity, descriptor].flatMap((one) => endOf(one));
  return { issuer, signOn, keys, formats, validUntil: ends.length > 0 ? Math.min(...ends) : undefined };
}

/** Returns the only identity provider of a document, which may be inside a list of entities. */
function providerIn(bytes: Uint8Array): { entity: XmlElement; descriptor: XmlElement } {
  const found: { entity: XmlElement; descriptor: XmlElement }[] = [];
  try {
    visitXml(readStrictXml(xmlText(bytes, MAX_METADATA_BYTES), LIMITS), (entity) => {
      if (entity.namespace !== SAML.metadata || entity.local !== 'EntityDescriptor') return;
      for (const descriptor of xmlChildrenNamed(entity, SAML.metadata, 'IDPSSODescriptor'))
        if ((xmlAttribute(descriptor, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(SAML.protocol))
          found.push({ entity, descriptor });
    });
  } catch (error) {
    if (!(error instanceof RefusedXml)) throw error;
    throw issuerFailure('saml-metadata-invalid', error);
  }
  const [only, ...more] = found;
  if (!only || more.length > 0) throw issuerFailure('saml-metadata-invalid');
  return only;
}

/** Returns an address of a page at the provider; undefined for any other text. */
function addressOf(location: string | undefined, isPlainAllowed: boolean): URL | undefined {
  if (location === undefined || !URL.canParse(location)) return undefined;
  const url = new URL(location);
  const isPlain = url.protocol === 'http:' && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(url.hostname);
  const isAllowed = url.protocol === 'https:' || (isPlain && isPlainAllowed);
  return isAllowed && url.username === '' && url.password === '' && url.hash === '' ? url : undefined;
}

/** Returns the certificates of a key descriptor, in Base64. */
function certificatesIn(descriptor: XmlElement): string[] {
  const found: string[] = [];
  visitXml(descriptor, (one) => {
    if (one.namespace === DSIG && one.local === 'X509Certificate') found.push(xmlContent(one) ?? '');
  });
  return found;
}

/**
 * Returns the key of a certificate, unless it is of a kind or size that is not accepted. Its name and dates do not
 * count: the metadata says that the key is the provider's.
 */
function usableKey(base64: string): KeyObject[] {
  try {
    const { publicKey } = new X509Certificate(Buffer.from(base64.replaceAll(/\s/g, ''), 'base64'));
    const { modulusLength = 0, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
    const isStrongRsa = publicKey.asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS;
    const isKnownCurve = publicKey.asymmetricKeyType === 'ec' && CURVES.has(namedCurve);
    return isStrongRsa || isKnownCurve ? [publicKey] : [];
  } catch {
    // An unreadable certificate is skipped: the provider may have listed another.
    return [];
  }
}

function endOf(element: XmlElement): number[] {
  const text = xmlAttribute(element, 'validUntil');
  if (text === undefined) return [];
  const at = samlTime(text) ?? Date.parse(text);
  if (Number.isNaN(at)) throw issuerFailure('saml-metadata-invalid');
  return [at];
}

/** Addresses of this server, as a provider has to know them. */
export interface OwnAddresses {
  /** Entity id of this server, which is the address of its metadata. */
  entity: string;
  /** Address to which the provider sends its answers. */
  consumer: string;
}
export const METADATA_TYPE = 'application/samlmetadata+xml';

/** Returns the metadata of this server. */
export const ownMetadata = ({ entity, consumer }: OwnAddresses): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  `<md:EntityDescriptor xmlns:md="${SAML.metadata}" entityID="${escapeXml(entity)}">\n` +
  '  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" ' +
  `protocolSupportEnumeration="${SAML.protocol}">\n` +
  `    <md:NameIDFormat>${SAML.persistent}</md:NameIDFormat>\n` +
  `    <md:AssertionConsumerService index="0" isDefault="true" Binding="${SAML.post}" ` +
  `Location="${escapeXml(consumer)}"/>\n` +
  '  </md:SPSSODescriptor>\n' +
  '</md:EntityDescriptor>\n';
