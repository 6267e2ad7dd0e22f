/**
 * For tests: rogue SAML documents. Each is an answer to the flow of a person who is linked, and wrong in one respect.
 * One that tries to be another person names `ada-1`.
 */
import { deflateRawSync } from 'node:zlib';
import { DSIG, ENVELOPED, EXCLUSIVE_C14N } from '../../../lib/xml/signature.ts';
import { signXml } from '../../../lib/xml/testing-signature.ts';
import { SAML, XMLENC } from './names.ts';
import { ACS, assertionOf, audienceOf, type Draft, type SamlTwist } from './testing-idp.ts';

const MINUTE = 60_000;
const draft = (change: (draft: Draft) => Partial<Draft>): SamlTwist => ({ draft: change });
const after = (change: (xml: string, draft: Draft) => string): SamlTwist => ({ after: change });
const before = (change: (xml: string, draft: Draft) => string): SamlTwist => ({ before: change });
const overResponse = { signing: () => ({ over: 'Response' as const }) };

const SIGNATURE = /<ds:Signature [\s\S]*?<\/ds:Signature>/;
const ASSERTION = /<saml:Assertion [\s\S]*<\/saml:Assertion>/;
const partOf = (xml: string, part: RegExp): string => part.exec(xml)?.[0] ?? '';
const toAda = (xml: string): string => xml.replaceAll('vic-1', 'ada-1');
/** The same element with another id, about Ada. */
const evil = (xml: string, id: string): string => toAda(xml).replace(`ID="${id}"`, 'ID="_evil"');

interface Wrapped {
  xml: string;
  /** The signed assertion, the same without its signature, and a forged one. */
  signed: string;
  bare: string;
  forged: string;
  signature: string;
}
/** Rearranges a document whose assertion is signed. */
const wrapped = (arrange: (parts: Wrapped) => string): SamlTwist =>
  after((xml, { assertionId }) => {
    const [signed, signature] = [partOf(xml, ASSERTION), partOf(xml, SIGNATURE)];
    const bare = signed.replace(SIGNATURE, '');
    const arranged = arrange({ xml, signed, bare, forged: evil(bare, assertionId), signature });
    return xml.replace(ASSERTION, () => arranged);
  });
const within = (outer: string, inner: string, end: string): string => outer.replace(end, () => `${inner}${end}`);
const END = '</saml:Assertion>';
const withSignature = (assertion: string, signature: string): string =>
  assertion.replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);

/** Signature wrapping, in the eight forms in which tools of testers try it. */
const WRAPPINGS: Record<string, SamlTwist> = {
  'wrapping 1: the signed response inside the signature of a forged one': {
    ...overResponse,
    after: (xml, { responseId }) => {
      const [signature, bare] = [partOf(xml, SIGNATURE), xml.replace(SIGNATURE, '')];
      const forged = evil(bare, responseId);
      return withSignature(forged, within(signature, bare, '</ds:Signature>'));
    },
  },
  'wrapping 2: the signed response before the signature of a forged one': {
    ...overResponse,
    after: (xml, { responseId }) => {
      const [signature, bare] = [partOf(xml, SIGNATURE), xml.replace(SIGNATURE, '')];
      return withSignature(evil(bare, responseId), bare + signature);
    },
  },
  'wrapping 3: a forged assertion before the signed one': wrapped(({ forged, signed }) => forged + signed),
  'wrapping 4: the signed assertion inside a forged one': wrapped(({ forged, signed }) => within(forged, signed, END)),
  'wrapping 5: a forged assertion with the signature of the next': wrapped(
    ({ forged, bare, signature }) => withSignature(forged, signature) + bare,
  ),
  'wrapping 6: the signed assertion inside the signature of a forged one': wrapped(({ forged, bare, signature }) =>
    withSignature(forged, within(signature, bare, '</ds:Signature>')),
  ),
  'wrapping 7: a forged assertion in the extensions': after((xml, { assertionId }) => {
    const forged = evil(partOf(xml, ASSERTION).replace(SIGNATURE, ''), assertionId);
    return xml.replace('<samlp:Status>', () => `<samlp:Extensions>${forged}</samlp:Extensions><samlp:Status>`);
  }),
  'wrapping 8: the signed assertion in an object of the signature of a forged one': wrapped(
    ({ forged, bare, signature }) =>
      withSignature(forged, within(signature, `<ds:Object>${bare}</ds:Object>`, '</ds:Signature>')),
  ),
  'a forged assertion with the id of the signed one': wrapped(({ bare, signed }) => toAda(bare) + signed),
  'the signed assertion in the extensions and a forged one in its place': after((xml, { assertionId }) => {
    const signed = partOf(xml, ASSERTION);
    const forged = evil(signed.replace(SIGNATURE, ''), assertionId);
    const moved = `<samlp:Extensions>${signed}</samlp:Extensions><samlp:Status>`;
    return xml.replace(ASSERTION, () => forged).replace('<samlp:Status>', () => moved);
  }),
  'the signed assertion in the extensions, and none in its place': after((xml) => {
    const moved = `<samlp:Extensions>${partOf(xml, ASSERTION)}</samlp:Extensions><samlp:Status>`;
    return xml.replace(ASSERTION, '').replace('<samlp:Status>', () => moved);
  }),
  'twins: the signed assertion twice': wrapped(({ signed }) => signed + signed),
};

/** Changes the signature of a document after it was made. */
const inSignature = (change: (signature: string) => string): SamlTwist =>
  after((xml) => xml.replace(SIGNATURE, change));
const REFERENCE = /<ds:Reference [\s\S]*<\/ds:Reference>/;

const SIGNATURES: Record<string, SamlTwist> = {
  'no signature': { sign: (xml) => xml },
  'the signature removed': after((xml) => xml.replace(SIGNATURE, '')),
  'an empty signature': after((xml) => xml.replace(/(<ds:SignatureValue>)[^<]*/, '$1')),
  'a signature of other bytes': after((xml) =>
    xml.replace(/(<ds:SignatureValue>)(....)/, (_, tag: string, four: string) => tag + [...four].reverse().join('')),
  ),
  'another person after signing': after(toAda),
  'another person after the response was signed': { ...overResponse, after: toAda },
  'another key': { sign: (xml, { keys }) => signXml(xml, { key: keys.stranger.privateKey }) },
  'another key that brings its certificate': {
    sign: (xml, { keys: { stranger } }) =>
      signXml(toAda(xml), { key: stranger.privateKey, certificate: stranger.certificate }),
  },
  'another key under the certificate of the provider': {
    sign: (xml, { keys }) => signXml(xml, { key: keys.stranger.privateKey, certificate: keys.rsa.certificate }),
  },
  'SHA-1 in the signature': { signing: () => ({ algorithm: 'rsa-sha1' }) },
  'SHA-1 in the digest': { signing: () => ({ digest: 'sha1' }) },
  'HMAC-SHA-1 with the public key as the secret': {
    signing: ({ publicKey }) => ({ algorithm: 'hmac-sha1', key: publicKey }),
  },
  'HMAC-SHA-256 with the public key as the secret': {
    signing: ({ publicKey }) => ({ algorithm: 'hmac-sha256', key: publicKey }),
  },
  'an RSA signature under the name of an elliptic curve': inSignature((xml) =>
    xml.replace('#rsa-sha256', '#ecdsa-sha256'),
  ),
  'an elliptic curve under the name of RSA': {
    sign: (xml, { keys }) =>
      signXml(xml, { key: keys.ec.privateKey, algorithm: 'ecdsa-sha256' }).replace('#ecdsa-sha256', '#rsa-sha256'),
  },
  'an algorithm without a name': inSignature((xml) => xml.replace(/#rsa-sha256/, '#')),
  'an algorithm named as a member of objects': inSignature((xml) =>
    xml.replace(/(<ds:SignatureMethod Algorithm=")[^"]*/, '$1__proto__'),
  ),
  'a canonical form with comments': { signing: () => ({ canonicalization: `${EXCLUSIVE_C14N}WithComments` }) },
  'an inclusive canonical form': {
    signing: () => ({ canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
  },
  'no canonical form of what is signed': { signing: () => ({ transforms: [ENVELOPED] }) },
  'transforms in another order': { signing: () => ({ transforms: [EXCLUSIVE_C14N, ENVELOPED] }) },
  'a further transform': { signing: () => ({ transforms: [ENVELOPED, EXCLUSIVE_C14N, EXCLUSIVE_C14N] }) },
  'a transform that transforms': inSignature((xml) =>
    xml.replace(ENVELOPED, 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
  ),
  'a reference to the whole document': inSignature((xml) => xml.replace(/URI="[^"]*"/, 'URI=""')),
  'a reference without an address': inSignature((xml) => xml.replace(/ URI="[^"]*"/, '')),
  'a reference to the response': after((xml, { responseId, assertionId }) =>
    xml.replace(`URI="#${assertionId}"`, `URI="#${responseId}"`),
  ),
  'two references': inSignature((xml) => xml.replace(REFERENCE, (one) => one + one)),
  'two values of a digest': inSignature((xml) =>
    xml.replace(/<ds:DigestValue>.*<\/ds:DigestValue>/, (one) => one + one),
  ),
  'a comment in the digest': inSignature((xml) => xml.replace('<ds:DigestValue>', '<ds:DigestValue><!--forged-->')),
  'two infos of a signature': inSignature((xml) =>
    xml.replace(/<ds:SignedInfo>[\s\S]*<\/ds:SignedInfo>/, (one) => toAda(one) + one),
  ),
  'an object in the signature': inSignature((xml) => within(xml, '<ds:Object/>', '</ds:Signature>')),
  'a second signature in the assertion': after((xml) => xml.replace(SIGNATURE, (one) => one + one)),
  'a second signature in the subject': after((xml) =>
    xml.replace('</saml:Subject>', () => `${partOf(xml, SIGNATURE)}</saml:Subject>`),
  ),
  'the signature in another place': after((xml) => {
    const signature = partOf(xml, SIGNATURE);
    return xml.replace(SIGNATURE, '').replace('</saml:Assertion>', `</saml:Assertion>${signature}`);
  }),
  'a signature of the response that is not good': {
    sign: (xml, { keys: { rsa, stranger } }) =>
      signXml(signXml(xml, { key: rsa.privateKey }), { over: 'Response', key: stranger.privateKey }),
  },
  'a signature of the assertion that is not good, in a signed response': {
    sign: (xml, { keys: { rsa, stranger } }) =>
      signXml(signXml(xml, { key: stranger.privateKey }), { over: 'Response', key: rsa.privateKey }),
  },
};

const deep = (levels: number): string => `${'<e>'.repeat(levels)}${'</e>'.repeat(levels)}`;
const extended = (content: string): SamlTwist =>
  draft(() => ({ extensions: `<samlp:Extensions>${content}</samlp:Extensions>` }));
const doctype = (subset = ''): SamlTwist => after((xml) => `<!DOCTYPE samlp:Response${subset}>${xml}`);
const inName = (change: (name: string) => string): SamlTwist =>
  after((xml) => xml.replace('vic-1</saml:NameID>', () => `${change('vic-1')}</saml:NameID>`));
const beforeStatus = (content: string): SamlTwist =>
  after((xml) => xml.replace('<samlp:Status>', () => `${content}<samlp:Status>`));
const ENTITIES = ' [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]';

const DOCUMENTS: Record<string, SamlTwist> = {
  'a document type': doctype(),
  'a document type with entities': doctype(ENTITIES),
  'a document type from elsewhere': doctype(' SYSTEM "https://rogue.example/x.dtd"'),
  'a processing instruction': after((xml) => xml.replace('<samlp:Status>', '<?php x?><samlp:Status>')),
  'a comment in the name': inName((name) => name.replace('-', '<!---->-')),
  'a comment before the end of the name': before((xml) =>
    xml.replace('vic-1</saml:NameID>', 'vic-1<!---->.rogue</saml:NameID>'),
  ),
  'a comment in the response': beforeStatus('<!-- hello -->'),
  'a CDATA section': inName((name) => `<![CDATA[${name}]]>`),
  'UTF-16': { bytes: (xml) => Buffer.from(`\uFEFF${xml}`, 'utf16le') },
  'another character set': {
    bytes: (xml) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1'),
  },
  'bytes that are not UTF-8': {
    ...extended('<e>#</e>'),
    bytes: (xml) => Buffer.from(xml.replace('<e>#</e>', '<e>\u00ff</e>'), 'latin1'),
  },
  'XML 1.1': after((xml) => `<?xml version="1.1"?>${xml}`),
  'a character that XML does not allow': beforeStatus('&#1;'),
  'an entity that is not known': beforeStatus('&nbsp;'),
  'thirty-three levels': extended(deep(31)),
  'more elements than there may be': extended('<e/>'.repeat(2_000)),
  'more bytes than there may be': extended(`<e>${'e'.repeat(260 * 1024)}</e>`),
  'an attribute twice': after((xml) => xml.replace('<samlp:Status>', '<samlp:Status a="1" a="2">')),
  'a prefix that is not declared': beforeStatus('<rogue:e/>'),
  'an element that is not closed': beforeStatus('<samlp:e>'),
  'a second root element': after((xml) => `${xml}<e/>`),
  'text after the document': after((xml) => `${xml}hello`),
  'an id twice': after((xml, { responseId, assertionId }) => xml.replace(responseId, assertionId)),
  'an id twice in other letters': after((xml, { assertionId }) =>
    xml.replace('<samlp:Status>', `<samlp:Status Id="${assertionId}">`),
  ),
  'an id twice in another namespace': after((xml, { assertionId }) =>
    xml.replace('<samlp:Status>', `<samlp:Status xml:id="${assertionId}">`),
  ),
  'an id twice where nothing is signed': extended('<e xml:id="_twice"/><e Id="_twice"/>'),
  'a second assertion in the extensions': draft((plain) => {
    const other = assertionOf({ ...plain, assertionId: '_other' }).replaceAll('Issuer>', 'Sender>');
    return { extensions: `<samlp:Extensions>${other}</samlp:Extensions>` };
  }),
  'a second assertion of another namespace': beforeStatus('<Assertion xmlns="urn:rogue"/>'),
  'an encrypted assertion': beforeStatus(`<saml:EncryptedAssertion xmlns:saml="${SAML.assertion}"/>`),
  'encrypted data': beforeStatus(`<EncryptedData xmlns="${XMLENC}"/>`),
  'an encrypted id': draft(() => ({ inSubject: '<saml:EncryptedID/>' })),
  'a response to a logout': after((xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
  'an assertion alone': after((xml) => partOf(xml, ASSERTION)),
  'a response of another namespace': after((xml) =>
    xml.replaceAll(SAML.protocol, 'urn:oasis:names:tc:SAML:1.0:protocol'),
  ),
  'a root element of another namespace': after((xml) =>
    xml
      .replace('<samlp:Response ', '<rogue:Response xmlns:rogue="urn:rogue" ')
      .replace('</samlp:Response>', '</rogue:Response>'),
  ),
  'no document': after(() => 'hello'),
  'Base64 with other characters': { form: (base64) => `${base64.slice(0, -4)}%%%%` },
  'a deflated answer': { bytes: (xml) => deflateRawSync(xml) },
  'an answer in Base64 twice': { form: (base64) => Buffer.from(base64).toString('base64') },
};

const OTHER = 'https://rogue.example';
const CONTENTS: Record<string, SamlTwist> = {
  'another destination': draft(() => ({ destination: `${OTHER}/saml/acs` })),
  'no destination': draft(() => ({ destination: undefined })),
  'a destination that only begins like ours': draft(() => ({ destination: `${ACS}/x` })),
  'another recipient': draft(() => ({ recipient: `${OTHER}/saml/acs` })),
  'no recipient': draft(() => ({ recipient: undefined })),
  'another audience': draft(() => ({ audience: audienceOf(OTHER) })),
  'no audience': draft(() => ({ audience: '' })),
  'no audience in the restriction': draft(() => ({ audience: audienceOf() })),
  'a second restriction to another audience': draft(({ audience }) => ({ audience: audience + audienceOf(OTHER) })),
  'an audience with a space': draft(({ audience }) => ({
    audience: audience.replace('</saml:Audience>', ' </saml:Audience>'),
  })),
  'another issuer of the assertion': draft(() => ({ issuer: OTHER })),
  'another issuer of the response': draft(() => ({ responseIssuer: OTHER })),
  'the answer to another request': draft(() => ({ inResponseTo: '_other' })),
  'an answer to no request': draft(() => ({ inResponseTo: undefined })),
  'an assertion for another request': draft(() => ({ confirmedTo: '_other' })),
  'an assertion for no request': draft(() => ({ confirmedTo: undefined })),
  'an answer that nobody asked for': draft(() => ({ inResponseTo: undefined, confirmedTo: undefined })),
  'a confirmation that is over': draft(({ issuedAt }) => ({ confirmedUntil: issuedAt - 61_000 })),
  'a confirmation without an end': draft(() => ({ confirmedUntil: undefined })),
  'conditions that are over': draft(({ issuedAt }) => ({ notOnOrAfter: issuedAt - 61_000 })),
  'conditions of later': draft(({ issuedAt }) => ({ notBefore: issuedAt + 2 * MINUTE })),
  'an assertion issued later': draft(({ issuedAt }) => ({ issuedAt: issuedAt + 2 * MINUTE })),
  'an assertion issued before the request': draft(({ issuedAt }) => ({ issuedAt: issuedAt - 2 * MINUTE })),
  'a response issued later': draft(({ issuedAt }) => ({ responseIssuedAt: issuedAt + 2 * MINUTE })),
  'a time of another zone': before((xml) => xml.replace(/ AuthnInstant="([^"]*)Z"/, ' AuthnInstant="$1+00:00"')),
  'an authentication in the future': draft(({ issuedAt }) => ({ authenticatedAt: issuedAt + 2 * MINUTE })),
  'no time of authentication': draft(() => ({ authenticatedAt: undefined })),
  'a session that is over': draft(({ issuedAt }) => ({ sessionEndsAt: issuedAt - 61_000 })),
  'a status of failure': draft(() => ({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })),
  'a response of SAML 1.1': draft(() => ({ version: '1.1' })),
  'an assertion of SAML 1.1': draft(() => ({ assertionVersion: '1.1' })),
  'a holder of a key': draft(() => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' })),
  'two confirmations': before((xml) =>
    xml.replace(/<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>/, (one) => one + one),
  ),
  'two subjects': before((xml) => xml.replace(/<saml:Subject>[\s\S]*<\/saml:Subject>/, (one) => toAda(one) + one)),
  'two names': before((xml) => xml.replace(/<saml:NameID [\s\S]*<\/saml:NameID>/, (one) => toAda(one) + one)),
  'no name': draft(() => ({ nameId: undefined })),
  'an empty name': draft(() => ({ nameId: '' })),
  'a name of 256 characters': draft(() => ({ nameId: 'v'.repeat(256) })),
  'a name with a control character': before((xml) => xml.replace('vic-1<', 'vic-1&#9;<')),
  'a name with an element in it': before((xml) => xml.replace('vic-1<', 'vic-1<e/><')),
  'a name in capitals': draft(() => ({ nameId: 'VIC-1' })),
  'a name with a space': draft(() => ({ nameId: 'vic-1 ' })),
  'a name that is another one each time': draft(() => ({ format: SAML.transient })),
  'two statements of an authentication': before((xml) =>
    xml.replace(/<saml:AuthnStatement [\s\S]*<\/saml:AuthnStatement>/, (one) => one + one),
  ),
  'two sets of conditions': before((xml) =>
    xml.replace(/<saml:Conditions [\s\S]*<\/saml:Conditions>/, (one) => one + one),
  ),
  'a condition that is not known': draft(() => ({ inConditions: '<e:Condition xmlns:e="urn:rogue"/>' })),
  'no conditions': before((xml) => xml.replace(/<saml:Conditions [\s\S]*<\/saml:Conditions>/, '')),
  'a stranger': draft(() => ({ nameId: 'eve-1' })),
  'a stranger with the name and e-mail address of a Profile': draft(() => ({
    nameId: 'eve-1',
    attributes: { displayName: ['Vic'], uid: ['Vic'], mail: ['vic@example.org'], NameID: ['vic-1'] },
  })),
};

export const ROGUE_DOCUMENTS: Readonly<Record<string, SamlTwist>> = {
  ...WRAPPINGS,
  ...SIGNATURES,
  ...DOCUMENTS,
  ...CONTENTS,
};

/** Right answers in other forms. */
export const RIGHT_DOCUMENTS: Readonly<Record<string, SamlTwist>> = {
  'a signed response': overResponse,
  'a signed response with a signed assertion': {
    sign: (xml, { keys: { rsa } }) =>
      signXml(signXml(xml, { key: rsa.privateKey }), { over: 'Response', key: rsa.privateKey }),
  },
  'an elliptic curve': {
    sign: (xml, { keys }) => signXml(xml, { key: keys.ec.privateKey, algorithm: 'ecdsa-sha256' }),
  },
  'SHA-512': { signing: () => ({ algorithm: 'rsa-sha512', digest: 'sha512' }) },
  'SHA-384': { signing: () => ({ algorithm: 'rsa-sha384', digest: 'sha384' }) },
  'a certificate in KeyInfo': { signing: ({ certificate }) => ({ certificate }) },
  'an XML declaration and lines of Windows': after((xml) => `<?xml version="1.0" encoding="UTF-8"?>\r\n${xml}`),
  'lines inside of what is signed': before((xml) => xml.replace('<saml:Subject>', '\r\n\t<saml:Subject>')),
  'Base64 in lines': { form: (base64) => base64.replaceAll(/.{76}/g, '$&\r\n') },
  'no issuer of the response': draft(() => ({ responseIssuer: undefined })),
  'several audiences in one restriction': draft(({ audience }) => ({
    audience: audience.replace('<saml:Audience>', `<saml:Audience>${OTHER}</saml:Audience><saml:Audience>`),
  })),
  'a clock that is a minute behind': draft(({ issuedAt }) => ({
    issuedAt: issuedAt - 50_000,
    confirmedUntil: issuedAt - 50_000,
  })),
  'a clock that is a minute ahead': draft(({ issuedAt }) => ({
    issuedAt: issuedAt + 50_000,
    notBefore: issuedAt + 50_000,
    authenticatedAt: issuedAt + 50_000,
  })),
  'one use only': draft(() => ({ inConditions: '<saml:OneTimeUse/>' })),
  'thirty-two levels': extended(deep(30)),
  'namespaces declared at the top': {
    before: (xml) =>
      xml
        .replaceAll(` xmlns:saml="${SAML.assertion}"`, '')
        .replace(' ID=', ` xmlns:saml="${SAML.assertion}" xmlns:ds="${DSIG}" ID=`),
  },
  'a name with letters of all kinds': draft(() => ({
    attributes: { displayName: ['Ví&amp;ç <>"'.replace('<', '&lt;')] },
  })),
};
