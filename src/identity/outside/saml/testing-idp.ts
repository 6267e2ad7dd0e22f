/**
 * For tests: a SAML identity provider with its own keys that can answer wrongly in any way, behind a network that leads
 * to its metadata alone.
 *
 * Its answers are texts, made by templates and signed by `xml-crypto`, so that a test can change any of their parts
 * before or after they are signed.
 */
import { KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { Net } from '../../../lib/net.ts';
import { DSIG } from '../../../lib/xml/signature.ts';
import { type Signing, signXml } from '../../../lib/xml/testing-signature.ts';
import { readStrictXml, xmlAttribute, xmlChildrenNamed, xmlContent } from '../../../lib/xml/strict.ts';
import type { World } from '../../testing-world.ts';
import { escapeXml, SAML, writeSamlTime } from './names.ts';

export const IDP = 'https://id.example.org/saml';
const SIGN_ON = 'https://id.example.org/sso?tenant=home';
export const METADATA_URL = 'https://id.example.org/saml/metadata';
export const SITE = 'https://media.example.org';
export const ENTITY = `${SITE}/saml/metadata`;
export const ACS = `${SITE}/saml/acs`;
const PASSWORD_CONTEXT = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';
export const MFA_CONTEXT = 'https://refeds.org/profile/mfa';

/** Request of this server, as the provider reads it from an address. */
export interface ReadRequest {
  id: string;
  issuer: string;
  consumer: string;
  destination: string;
  isForced: boolean;
  format: string | undefined;
}
export function requestIn(address: URL): ReadRequest {
  const deflated = Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64');
  const request = readStrictXml(inflateRawSync(deflated).toString(), { depth: 8, elements: 32 });
  const value = (name: string): string => xmlAttribute(request, name) ?? '';
  const [issuer] = xmlChildrenNamed(request, SAML.assertion, 'Issuer');
  const [policy] = xmlChildrenNamed(request, SAML.protocol, 'NameIDPolicy');
  return {
    id: value('ID'),
    issuer: (issuer && xmlContent(issuer)) ?? '',
    consumer: value('AssertionConsumerServiceURL'),
    destination: value('Destination'),
    isForced: value('ForceAuthn') === 'true',
    format: policy && xmlAttribute(policy, 'Format'),
  };
}

/** Parts of an answer. Times are milliseconds since the epoch. */
export interface Draft {
  responseId: string;
  assertionId: string;
  version: string;
  assertionVersion: string;
  destination: string | undefined;
  inResponseTo: string | undefined;
  responseIssuer: string | undefined;
  issuer: string;
  status: string;
  issuedAt: number;
  responseIssuedAt: number;
  nameId: string | undefined;
  format: string;
  method: string;
  recipient: string | undefined;
  confirmedTo: string | undefined;
  confirmedUntil: number | undefined;
  notBefore: number;
  notOnOrAfter: number;
  audience: string;
  authenticatedAt: number | undefined;
  sessionEndsAt: number | undefined;
  context: string;
  /** Attributes, each with its values as XML. */
  attributes: Readonly<Record<string, readonly string[]>>;
  /** XML at these places. */
  extensions: string;
  inAssertion: string;
  inConditions: string;
  inSubject: string;
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeXml(value)}"`;
const time = (name: string, at: number | undefined): string =>
  at === undefined ? '' : attribute(name, writeSamlTime(at));

/** Returns the assertion of an answer, not signed. */
export function assertionOf(draft: Draft): string {
  const nameId =
    draft.nameId === undefined
      ? ''
      : `<saml:NameID${attribute('Format', draft.format)}>${escapeXml(draft.nameId)}</saml:NameID>`;
  const values = Object.entries(draft.attributes).map(
    ([name, all]) =>
      `<saml:Attribute${attribute('Name', name)}>` +
      `${all.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return (
    `<saml:Assertion xmlns:saml="${SAML.assertion}" ID="${draft.assertionId}"` +
    `${attribute('Version', draft.assertionVersion)}${time('IssueInstant', draft.issuedAt)}>` +
    `<saml:Issuer>${escapeXml(draft.issuer)}</saml:Issuer>` +
    `<saml:Subject>${nameId}<saml:SubjectConfirmation${attribute('Method', draft.method)}>` +
    `<saml:SubjectConfirmationData${attribute('Recipient', draft.recipient)}` +
    `${attribute('InResponseTo', draft.confirmedTo)}${time('NotOnOrAfter', draft.confirmedUntil)}/>` +
    `</saml:SubjectConfirmation>${draft.inSubject}</saml:Subject>` +
    `<saml:Conditions${time('NotBefore', draft.notBefore)}${time('NotOnOrAfter', draft.notOnOrAfter)}>` +
    `${draft.audience}${draft.inConditions}</saml:Conditions>` +
    `<saml:AuthnStatement${time('AuthnInstant', draft.authenticatedAt)} SessionIndex="s-1"` +
    `${time('SessionNotOnOrAfter', draft.sessionEndsAt)}><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>${escapeXml(draft.context)}</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>` +
    `${values.length > 0 ? `<saml:AttributeStatement>${values.join('')}</saml:AttributeStatement>` : ''}` +
    `${draft.inAssertion}</saml:Assertion>`
  );
}

export const audienceOf = (...audiences: string[]): string =>
  `<saml:AudienceRestriction>${audiences.map((one) => `<saml:Audience>${escapeXml(one)}</saml:Audience>`).join('')}` +
  '</saml:AudienceRestriction>';

/** Returns an answer around an assertion. */
export const responseOf = (draft: Draft, assertion = assertionOf(draft)): string =>
  `<samlp:Response xmlns:samlp="${SAML.protocol}" ID="${draft.responseId}"${attribute('Version', draft.version)}` +
  `${time('IssueInstant', draft.responseIssuedAt)}${attribute('Destination', draft.destination)}` +
  `${attribute('InResponseTo', draft.inResponseTo)}>` +
  (draft.responseIssuer === undefined
    ? ''
    : `<saml:Issuer xmlns:saml="${SAML.assertion}">${escapeXml(draft.responseIssuer)}</saml:Issuer>`) +
  draft.extensions +
  `<samlp:Status><samlp:StatusCode Value="${draft.status}"/></samlp:Status>${assertion}</samlp:Response>`;

export interface TestKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Certificate as PEM, and as metadata has it. */
  certificate: string;
  base64: string;
}
/** Makes a key with a certificate that it has signed itself. */
export async function makeTestKey(kind: 'rsa' | 'rsa-1024' | 'ec' = 'rsa'): Promise<TestKey> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const algorithm =
    kind === 'ec'
      ? { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
      : {
          name: 'RSASSA-PKCS1-v1_5',
          hash: 'SHA-256',
          publicExponent: new Uint8Array([1, 0, 1]),
          modulusLength: kind === 'rsa-1024' ? 1024 : 2048,
        };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString('hex'),
    name: 'CN=id.example.org',
    notBefore: new Date('2020-01-01'),
    // Its dates do not count.
    notAfter: new Date('2021-01-01'),
    signingAlgorithm: algorithm,
    keys,
  } as never);
  return {
    privateKey: KeyObject.from(keys.privateKey as never),
    publicKey: KeyObject.from(keys.publicKey as never),
    certificate: made.toString('pem'),
    base64: made.toString('base64'),
  };
}

/** Certificate of a world behind TLS. */
export const tlsOf = ({ privateKey, certificate }: TestKey) => ({
  own: { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: certificate },
});

/** Returns the metadata of a provider with these certificates. */
export const metadataOf = (
  certificates: readonly string[],
  { entity = IDP, signOn = SIGN_ON, more = '' } = {},
): string =>
  `<?xml version="1.0"?>\n<!-- of the test -->\n<md:EntityDescriptor xmlns:md="${SAML.metadata}" xmlns:ds="${DSIG}" ` +
  `entityID="${entity}"${more}><md:IDPSSODescriptor protocolSupportEnumeration="${SAML.protocol}" ` +
  `WantAuthnRequestsSigned="true">${certificates
    .map(
      (one) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${one}\n` +
        '</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>',
    )
    .join('')}<md:NameIDFormat>${SAML.persistent}</md:NameIDFormat>` +
  `<md:SingleSignOnService Binding="${SAML.post}" Location="https://id.example.org/post"/>` +
  `<md:SingleSignOnService Binding="${SAML.redirect}" Location="${escapeXml(signOn)}"/>` +
  '</md:IDPSSODescriptor></md:EntityDescriptor>';

/** Changes that a test makes to an answer. What is left out is as it should be. */
export interface SamlTwist {
  draft?: (draft: Draft) => Partial<Draft>;
  /** Changes the document before it is signed. */
  before?: (xml: string, draft: Draft) => string;
  signing?: (key: TestKey) => Partial<Signing>;
  /** Signs the document, instead of the key of the provider. */
  sign?: (xml: string, idp: TestIdp, draft: Draft) => string;
  /** Changes the document after it was signed. */
  after?: (xml: string, draft: Draft) => string;
  bytes?: (xml: string) => Buffer;
  form?: (SAMLResponse: string) => string;
}

export interface TestIdp {
  protocol: 'saml';
  net: Net;
  keys: { rsa: TestKey; ec: TestKey; stranger: TestKey };
  twist: SamlTwist;
  /** Metadata that it serves, or how it fails. */
  metadata: () => { status?: number; text: string };
  /** Addresses that were asked for. */
  asked: string[];
  /** Parts of the answers about the person who signs in next. */
  person: Partial<Draft>;
  /** Says who signs in next. */
  signs(given: { as: string; name?: string; at?: number; isStrong?: boolean }): void;
  now(): number;
  /** Signs in at the address where a browser was sent; returns the form that it brings back. */
  authorize(address: URL): { SAMLResponse: string };
}

const newId = (): string => `_${randomBytes(16).toString('hex')}`;

export function draftFor(request: ReadRequest, now: number): Draft {
  return {
    responseId: newId(),
    assertionId: newId(),
    version: '2.0',
    assertionVersion: '2.0',
    destination: request.consumer,
    inResponseTo: request.id,
    responseIssuer: IDP,
    issuer: IDP,
    status: SAML.success,
    issuedAt: now,
    responseIssuedAt: now,
    nameId: 'vic-1',
    format: SAML.persistent,
    method: SAML.bearer,
    recipient: request.consumer,
    confirmedTo: request.id,
    confirmedUntil: now + 300_000,
    notBefore: now - 30_000,
    notOnOrAfter: now + 300_000,
    audience: audienceOf(request.issuer),
    authenticatedAt: now,
    sessionEndsAt: undefined,
    context: PASSWORD_CONTEXT,
    attributes: { displayName: ['Vic Vega'], uid: ['vic'] },
    extensions: '',
    inAssertion: '',
    inConditions: '',
    inSubject: '',
  };
}

export async function createTestIdp(clock: World['clock']): Promise<TestIdp> {
  const [rsa, ec, stranger] = [await makeTestKey(), await makeTestKey('ec'), await makeTestKey()];
  const idp: TestIdp = {
    protocol: 'saml',
    keys: { rsa, ec, stranger },
    twist: {},
    metadata: () => ({ text: metadataOf([rsa.base64, ec.base64]) }),
    asked: [],
    person: {},
    signs: ({ as, name, at, isStrong = false }) => {
      idp.person = {
        nameId: as,
        attributes: name === undefined ? {} : { displayName: [name] },
        ...(at !== undefined && { authenticatedAt: at }),
        ...(isStrong && { context: MFA_CONTEXT }),
      };
    },
    now: () => clock.now(),
    authorize: (address) => {
      const { twist } = idp;
      const plain = { ...draftFor(requestIn(address), clock.now()), ...idp.person };
      const draft = { ...plain, ...twist.draft?.(plain) };
      const xml = twist.before?.(responseOf(draft), draft) ?? responseOf(draft);
      const signed = twist.sign?.(xml, idp, draft) ?? signXml(xml, { key: rsa.privateKey, ...twist.signing?.(rsa) });
      const sent = twist.after?.(signed, draft) ?? signed;
      const base64 = (twist.bytes?.(sent) ?? Buffer.from(sent)).toString('base64');
      return { SAMLResponse: twist.form?.(base64) ?? base64 };
    },
    net: {
      close: async () => {},
      request: async ({ url }) => {
        idp.asked.push(String(url));
        const { status = 200, text } = idp.metadata();
        return { status, headers: {}, bytes: Buffer.from(text) };
      },
    },
  };
  return idp;
}

/** The settings of a world whose identity provider this is. */
export const samlSettings = (more: Readonly<Record<string, unknown>> = {}): Map<string, unknown> =>
  new Map<string, unknown>([
    ['security.require_mfa', false],
    ['server.name', 'Home'],
    ['logging.audit_retention', 365 * 86_400_000],
    ['auth.url', SITE],
    ['integrations.saml.metadata_url', METADATA_URL],
    ['integrations.saml.identity_attribute', 'NameID'],
    ...Object.entries(more),
  ]);
