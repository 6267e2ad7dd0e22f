/**
 * Judges a SAML answer whose assertion is signed: that it is for this server, of the provider of the settings, the
 * answer to this flow, of now, and about one person. Pure.
 *
 * Only the signed assertion of the answer is trusted. The unsigned response around it can make an answer refused, never
 * accepted.
 */
import { xmlAttribute, xmlChildren, xmlChildrenNamed, xmlContent, type XmlElement } from '../../../lib/xml/strict.ts';
import {
  authenticationTime,
  identityLabel,
  identityValue,
  OUTSIDE_SKEW_SECONDS,
  type OutsideProof,
  refuseAnswer,
} from '../proof.ts';
import { SAML, samlTime } from './names.ts';
import type { VerifiedResponse } from './verify.ts';

const SKEW = OUTSIDE_SKEW_SECONDS * 1000;
/** The setting's word for the identifier of the subject, which is no attribute. */
export const NAME_ID = 'NameID';

const AC = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
const MICROSOFT_MFA = 'http://schemas.microsoft.com/claims/multipleauthn';
/** Contexts of an authentication that mean more than one factor. */
const STRONG_CONTEXTS: ReadonlySet<string> = new Set([
  'https://refeds.org/profile/mfa',
  MICROSOFT_MFA,
  `${AC}MobileTwoFactorContract`,
  `${AC}MobileTwoFactorUnregistered`,
  `${AC}SmartcardPKI`,
]);
/** Attribute in which Entra ID names the methods that it asked for, as its context never says more than a password. */
const MICROSOFT_METHODS = 'http://schemas.microsoft.com/claims/authnmethodsreferences';

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';
/** Attributes in which a person recognises an identity, the best first: by the names that providers use. */
const LABELS: readonly string[] = [
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'name',
  `${CLAIMS}name`,
  'cn',
  'urn:oid:2.5.4.3',
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  `${CLAIMS}emailaddress`,
  'uid',
  'urn:oid:0.9.2342.19200300.100.1.1',
];

export interface ExpectedResponse {
  /** Entity id of the provider. */
  issuer: string;
  /** Entity id of this server. */
  audience: string;
  /** Address of this server to which the answer has to be sent. */
  recipient: string;
  /** Id of the request of this flow, and when that was made, in milliseconds since the epoch. */
  request: { id: string; madeAt: number };
  /** Attribute that names the person, or `NameID`. */
  attribute: string;
  now: number;
  /** Whether the person must have authenticated within the last minute. */
  isFresh: boolean;
}

export interface JudgedAssertion {
  proof: OutsideProof;
  /** Id of the assertion, and until when it counts. */
  assertion: string;
  endsAt: number;
}

/** Returns the identity that an answer proves. Throws `RefusedAnswer`. */
export function judgeResponse({ response, assertion }: VerifiedResponse, expected: ExpectedResponse): JudgedAssertion {
  judgeEnvelope(response, expected);
  const { issuer, attribute, now, isFresh } = expected;
  if (xmlAttribute(assertion, 'Version') !== '2.0') refuseAnswer('version of the assertion');
  if (contentOf(assertion, 'Issuer') !== issuer) refuseAnswer('issuer of the assertion');
  const issuedAt = timeOf(assertion, 'IssueInstant');
  if (issuedAt > now + SKEW || issuedAt < expected.request.madeAt - SKEW) refuseAnswer('time of issue');
  const subject = only(assertion, 'Subject');
  const confirmedUntil = judgeConfirmation(subject, expected);
  const conditionsEnd = judgeConditions(only(assertion, 'Conditions'), expected);
  const statement = only(assertion, 'AuthnStatement');
  const authenticatedAt = authenticationTime(timeOf(statement, 'AuthnInstant'), { now, isFresh });
  const sessionEndsAt = optionalTimeOf(statement, 'SessionNotOnOrAfter');
  if (sessionEndsAt !== undefined && sessionEndsAt <= now - SKEW) refuseAnswer('end of the session');
  const attributes = attributesOf(assertion);
  const nameId = nameIdOf(subject);
  const value = attribute === NAME_ID ? stableNameId(nameId) : singleValue(attributes.get(attribute));
  const sid = identityValue(xmlAttribute(statement, 'SessionIndex'));
  return {
    proof: {
      protocol: 'saml',
      issuer,
      claim: attribute,
      subject: identityValue(value) ?? refuseAnswer('identity'),
      label: identityLabel(LABELS.map((name) => attributes.get(name)?.[0])),
      session: { issuer, subject: identityValue(nameId?.value) ?? value, ...(sid !== undefined && { sid }) },
      authenticatedAt,
      isStrong: isStrong(statement, attributes),
      ...(sessionEndsAt !== undefined && { endsBy: sessionEndsAt }),
    },
    assertion: identityValue(xmlAttribute(assertion, 'ID')) ?? refuseAnswer('id of the assertion'),
    endsAt: Math.max(confirmedUntil, conditionsEnd) + SKEW,
  };
}

/** The response may be unsigned: what it says has to agree, and proves nothing. */
function judgeEnvelope(response: XmlElement, { issuer, recipient, request, now }: ExpectedResponse): void {
  if (xmlAttribute(response, 'Version') !== '2.0') refuseAnswer('version of the response');
  if (xmlAttribute(response, 'Destination') !== recipient) refuseAnswer('destination');
  if (xmlAttribute(response, 'InResponseTo') !== request.id) refuseAnswer('answer to another request');
  if (timeOf(response, 'IssueInstant') > now + SKEW) refuseAnswer('time of the response');
  const issuers = xmlChildrenNamed(response, SAML.assertion, 'Issuer');
  if (issuers.length > 1 || (issuers[0] && xmlContent(issuers[0]) !== issuer)) refuseAnswer('issuer of the response');
}

/** Returns until when the bearer of the assertion counts as its subject. */
function judgeConfirmation(subject: XmlElement, { recipient, request, now }: ExpectedResponse): number {
  const confirmation = only(subject, 'SubjectConfirmation');
  if (xmlAttribute(confirmation, 'Method') !== SAML.bearer) refuseAnswer('method of confirmation');
  const data = only(confirmation, 'SubjectConfirmationData');
  if (xmlAttribute(data, 'Recipient') !== recipient) refuseAnswer('recipient');
  if (xmlAttribute(data, 'InResponseTo') !== request.id) refuseAnswer('assertion for another request');
  const end = timeOf(data, 'NotOnOrAfter');
  requireWithin(optionalTimeOf(data, 'NotBefore'), end, now);
  return end;
}

/** Returns until when the conditions hold. Conditions that are not known here cannot be met. */
function judgeConditions(conditions: XmlElement, { audience, now }: ExpectedResponse): number {
  const end = optionalTimeOf(conditions, 'NotOnOrAfter');
  requireWithin(optionalTimeOf(conditions, 'NotBefore'), end, now);
  const audiences: XmlElement[] = [];
  for (const condition of xmlChildren(conditions)) {
    if (condition.namespace !== SAML.assertion) refuseAnswer('conditions');
    if (condition.local === 'AudienceRestriction') audiences.push(condition);
    else if (condition.local !== 'OneTimeUse' && condition.local !== 'ProxyRestriction') refuseAnswer('conditions');
  }
  const isFor = (restriction: XmlElement): boolean =>
    xmlChildrenNamed(restriction, SAML.assertion, 'Audience').some((one) => xmlContent(one) === audience);
  if (audiences.length === 0 || !audiences.every(isFor)) refuseAnswer('audience');
  return end ?? 0;
}

function requireWithin(start: number | undefined, end: number | undefined, now: number): void {
  if (start !== undefined && start > now + SKEW) refuseAnswer('not yet valid');
  if (end !== undefined && end <= now - SKEW) refuseAnswer('no longer valid');
}

/** Whether the provider says that it asked for more than one factor. */
function isStrong(statement: XmlElement, attributes: Attributes): boolean {
  const [context] = xmlChildrenNamed(only(statement, 'AuthnContext'), SAML.assertion, 'AuthnContextClassRef');
  const isStrongContext = context !== undefined && STRONG_CONTEXTS.has(xmlContent(context) ?? '');
  return isStrongContext || (attributes.get(MICROSOFT_METHODS) ?? []).includes(MICROSOFT_MFA);
}

interface NameId {
  value: string | undefined;
  format: string | undefined;
}
function nameIdOf(subject: XmlElement): NameId | undefined {
  const [nameId, ...more] = xmlChildrenNamed(subject, SAML.assertion, NAME_ID);
  if (more.length > 0) refuseAnswer('two name ids');
  return nameId && { value: xmlContent(nameId), format: xmlAttribute(nameId, 'Format') };
}
function stableNameId(nameId: NameId | undefined): string {
  if (nameId?.format === SAML.transient) refuseAnswer('a name id that is another one each time');
  return nameId?.value ?? refuseAnswer('no name id');
}

/** Values of the attributes by their names; a value with elements in it is undefined. */
type Attributes = ReadonlyMap<string, readonly (string | undefined)[]>;
function attributesOf(assertion: XmlElement): Attributes {
  const found = new Map<string, (string | undefined)[]>();
  for (const statement of xmlChildrenNamed(assertion, SAML.assertion, 'AttributeStatement'))
    for (const attribute of xmlChildrenNamed(statement, SAML.assertion, 'Attribute')) {
      const name = xmlAttribute(attribute, 'Name') ?? '';
      const values = xmlChildrenNamed(attribute, SAML.assertion, 'AttributeValue').map(xmlContent);
      found.set(name, [...(found.get(name) ?? []), ...values]);
    }
  return found;
}
function singleValue(values: readonly (string | undefined)[] | undefined): string {
  if (values?.length !== 1) refuseAnswer('not exactly one value of the identity');
  return values?.[0] ?? refuseAnswer('a value of the identity that is no text');
}

function only(from: XmlElement, local: string): XmlElement {
  const [found, ...more] = xmlChildrenNamed(from, SAML.assertion, local);
  if (!found || more.length > 0) return refuseAnswer(`not exactly one ${local}`);
  return found;
}
const contentOf = (from: XmlElement, local: string): string | undefined => xmlContent(only(from, local));

const optionalTimeOf = (from: XmlElement, local: string): number | undefined =>
  xmlAttribute(from, local) === undefined ? undefined : timeOf(from, local);
const timeOf = (from: XmlElement, local: string): number =>
  samlTime(xmlAttribute(from, local)) ?? refuseAnswer(`time ${local}`);
