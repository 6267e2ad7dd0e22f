/**
 * The gate before the signature of a SAML answer is looked at: its size, its characters, and its shape.
 *
 * What comes through has one assertion, in its place; ids that occur once; and signatures in their places, of exactly
 * one shape: over the element that they are in, by an accepted algorithm, without anything else inside. So which bytes
 * are signed is decided here and not by a library. Nothing in the document is trusted yet. Pure.
 */
import { DIGESTS, DSIG, ENVELOPED, EXCLUSIVE_C14N, SIGNATURES } from '../../../lib/xml/signature.ts';
import {
  readStrictXml,
  RefusedXml,
  visitXml,
  xmlAttribute,
  xmlChildren,
  xmlChildrenNamed,
  xmlContent,
  type XmlElement,
  xmlText,
} from '../../../lib/xml/strict.ts';
import { refuseAnswer, RefusedAnswer } from '../proof.ts';
import { SAML, XMLENC } from './names.ts';

/** Largest answer in bytes, decoded. */
const MAX_RESPONSE_BYTES = 256 * 1024;
/** Its Base64, with a line break after every 64 characters. */
export const MAX_RESPONSE_TEXT = Math.ceil((MAX_RESPONSE_BYTES * 4) / 3 / 64) * 66;
export const RESPONSE_LIMITS = { depth: 32, elements: 2_000 } as const;
const MAX_SIGNATURE_TEXT = 4_096;

/** An answer whose shape is right, and whose signatures were not verified. */
export interface GatedResponse {
  /** The document as it is verified. */
  text: string;
  response: XmlElement;
  assertion: XmlElement;
  /** Ids of the elements that are signed: the response, its assertion, or both. */
  signed: { response: string | undefined; assertion: string | undefined };
}

/** Reads an answer as the browser brought it, in Base64. Throws `RefusedAnswer`. */
export function readResponse(base64: string): GatedResponse {
  try {
    return gated(xmlText(bytesOf(base64), MAX_RESPONSE_BYTES));
  } catch (error) {
    if (error instanceof RefusedXml) throw new RefusedAnswer(error.detail, error);
    throw error;
  }
}

function bytesOf(base64: string): Buffer {
  if (base64.length > MAX_RESPONSE_TEXT) refuseAnswer('too large');
  const plain = base64.replaceAll(/[\r\n \t]/g, '');
  if (plain === '' || plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) refuseAnswer('not Base64');
  return Buffer.from(plain, 'base64');
}

function gated(text: string): GatedResponse {
  const response = readStrictXml(text, RESPONSE_LIMITS);
  if (response.namespace !== SAML.protocol || response.local !== 'Response') refuseAnswer('not a response');
  // A provider that could not sign the person in says so, and sends no assertion.
  const status = onlyChild(onlyChild(response, SAML.protocol, 'Status'), SAML.protocol, 'StatusCode');
  if (xmlAttribute(status, 'Value') !== SAML.success) refuseAnswer('status');
  requireOnce(response);
  const assertion = onlyChild(response, SAML.assertion, 'Assertion');
  const signed = { response: signedId(response), assertion: signedId(assertion) };
  const places = [signed.response, signed.assertion].filter((id) => id !== undefined).length;
  if (places === 0) refuseAnswer('no signature in its place');
  if (countNamed(response, 'Signature') !== places) refuseAnswer('a signature in another place');
  return { text, response, assertion, signed };
}

const countNamed = (from: XmlElement, local: string): number => {
  let count = 0;
  visitXml(from, (one) => void (count += one.local === local ? 1 : 0));
  return count;
};

/** Refuses a second assertion anywhere, in any namespace; an id that occurs twice; and whatever is encrypted. */
function requireOnce(root: XmlElement): void {
  const ids = new Set<string>();
  let assertions = 0;
  visitXml(root, ({ local, namespace, attributes }) => {
    if (local === 'Assertion') assertions += 1;
    if (namespace === XMLENC || local.startsWith('Encrypted')) refuseAnswer('something encrypted');
    for (const { local: name, value } of attributes) {
      if (name.toLowerCase() !== 'id') continue;
      if (ids.has(value)) refuseAnswer('an id twice');
      ids.add(value);
    }
  });
  if (assertions !== 1) refuseAnswer('not exactly one assertion');
}

function onlyChild(from: XmlElement, namespace: string, local: string): XmlElement {
  const [found, ...more] = xmlChildrenNamed(from, namespace, local);
  if (!found || more.length > 0) return refuseAnswer(`not exactly one ${local} in its place`);
  return found;
}

/** Returns the id of an element that contains a signature over itself; undefined for one without a signature. */
function signedId(element: XmlElement): string | undefined {
  const [signature, ...more] = xmlChildrenNamed(element, DSIG, 'Signature');
  if (!signature) return undefined;
  if (more.length > 0) refuseAnswer('two signatures of one element');
  const id = xmlAttribute(element, 'ID');
  // Letters that mean nothing in a query, as the library finds the element by one.
  if (id === undefined || !/^[A-Za-z_][A-Za-z0-9._-]{0,255}$/.test(id)) return refuseAnswer('ID');
  requireParts(signature, ['SignedInfo', 'SignatureValue'], ['KeyInfo']);
  requireText(onlyChild(signature, DSIG, 'SignatureValue'));
  const info = onlyChild(signature, DSIG, 'SignedInfo');
  requireParts(info, ['CanonicalizationMethod', 'SignatureMethod', 'Reference'], []);
  requireAlgorithm(info, 'CanonicalizationMethod', (name) => name === EXCLUSIVE_C14N);
  requireAlgorithm(info, 'SignatureMethod', (name) => SIGNATURES.has(name));
  const reference = onlyChild(info, DSIG, 'Reference');
  requireParts(reference, ['Transforms', 'DigestMethod', 'DigestValue'], []);
  if (xmlAttribute(reference, 'URI') !== `#${id}`) refuseAnswer('a signature over another element');
  const transforms = xmlChildren(onlyChild(reference, DSIG, 'Transforms'));
  const names = transforms.map((one) =>
    one.local === 'Transform' && one.namespace === DSIG ? xmlAttribute(one, 'Algorithm') : undefined,
  );
  if (names.join(' ') !== `${ENVELOPED} ${EXCLUSIVE_C14N}`) refuseAnswer('transforms');
  requireAlgorithm(reference, 'DigestMethod', (name) => DIGESTS.has(name));
  requireText(onlyChild(reference, DSIG, 'DigestValue'));
  return id;
}

/** Refuses an element with other children than these, each once, in this order. */
function requireParts(from: XmlElement, needed: readonly string[], last: readonly string[]): void {
  const found = xmlChildren(from).map(({ namespace, local }) => (namespace === DSIG ? local : ''));
  const isWhole = needed.every((name, at) => found[at] === name);
  const rest = found.slice(needed.length);
  if (!isWhole || rest.length > last.length || rest.some((name, at) => name !== last[at]))
    refuseAnswer(`parts of ${from.local}`);
}

function requireAlgorithm(from: XmlElement, local: string, isAccepted: (name: string) => boolean): void {
  const element = onlyChild(from, DSIG, local);
  const name = xmlAttribute(element, 'Algorithm');
  const isPlain = local === 'CanonicalizationMethod' || xmlContent(element)?.trim() === '';
  if (name === undefined || !isAccepted(name) || !isPlain) refuseAnswer(local);
}

function requireText(element: XmlElement): void {
  const text = xmlContent(element);
  if (text === undefined || text.length > MAX_SIGNATURE_TEXT || !/^[A-Za-z0-9+/=\s]+$/.test(text))
    refuseAnswer(element.local);
}
