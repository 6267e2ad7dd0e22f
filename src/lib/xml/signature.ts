/**
 * Verifies XML signatures of one form: over the element that they are in, which is then given back in its canonical
 * form, the very bytes that were signed. Whoever reads those reads what was signed and not what is next to it.
 *
 * The only file that knows `xml-crypto`, which makes the canonical form and compares digest and signature. The library
 * gets no algorithm beyond those named here, and no key from the document. Its caller has looked through the document
 * first: that the signature is of that form, and that no id occurs twice.
 */
import { createHash, KeyObject, verify } from 'node:crypto';
import { createRequire } from 'node:module';

export const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED = `${DSIG}enveloped-signature`;

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
/** Hash functions that are accepted, by the name that Node has for them. */
const HASHES = { sha256: `${XMLENC}sha256`, sha384: `${MORE}sha384`, sha512: `${XMLENC}sha512` } as const;
type HashName = keyof typeof HASHES;
const HASH_NAMES = Object.keys(HASHES) as HashName[];

/** Digests that are accepted, by their addresses. */
export const DIGESTS: ReadonlyMap<string, HashName> = new Map(HASH_NAMES.map((hash) => [HASHES[hash], hash]));

interface SignatureKind {
  hash: HashName;
  key: 'rsa' | 'ec';
}
/** Signatures that are accepted, by their addresses: of the kind of key that the address names and of no other. */
export const SIGNATURES: ReadonlyMap<string, SignatureKind> = new Map(
  HASH_NAMES.flatMap((hash): [string, SignatureKind][] => [
    [`${MORE}rsa-${hash}`, { hash, key: 'rsa' }],
    [`${MORE}ecdsa-${hash}`, { hash, key: 'ec' }],
  ]),
);

/** The part of a node of the library's document that is looked at. */
interface DomNode {
  readonly localName?: string | null;
  readonly namespaceURI?: string | null;
  readonly childNodes: ArrayLike<DomNode>;
}
/** The part of the libraries that is used. Their types would bring those of browsers into the server. */
interface Verifier {
  CanonicalizationAlgorithms: Record<string, unknown>;
  HashAlgorithms: Record<string, unknown>;
  SignatureAlgorithms: Record<string, unknown>;
  loadSignature(signature: DomNode): void;
  checkSignature(text: string): boolean;
  getSignedReferences(): string[];
}
interface XmlCrypto {
  SignedXml: new (options: { publicCert: KeyObject; getCertFromKeyInfo(): null }) => Verifier;
}
interface XmlDom {
  DOMParser: new (options: { errorHandler(level: string, message: string): never }) => {
    parseFromString(text: string, type: string): { documentElement: DomNode | null } | undefined;
  };
}
const require = createRequire(import.meta.url);
/** Loaded with the first document. */
const xmlCrypto = (): XmlCrypto => require('xml-crypto') as XmlCrypto;
const xmlDom = (): XmlDom => require('@xmldom/xmldom') as XmlDom;

/** Name of an element. */
export interface XmlName {
  namespace: string;
  local: string;
}

/**
 * Returns the canonical form of an element that one of the keys has signed; undefined if none has. `path` has the names
 * of the elements that lead from the root, which is not among them, to the element.
 */
export function signedForm(text: string, path: readonly XmlName[], keys: readonly KeyObject[]): string | undefined {
  let element = rootOf(text);
  for (const name of path) element &&= childNamed(element, name);
  const signature = element && childNamed(element, { namespace: DSIG, local: 'Signature' });
  if (!signature) return undefined;
  const { SignedXml } = xmlCrypto();
  for (const publicCert of keys) {
    const form = formOf(restricted(new SignedXml({ publicCert, getCertFromKeyInfo: () => null })), signature, text);
    if (form !== undefined) return form;
  }
  return undefined;
}

/** Returns the root element as the library reads it; undefined for a text that it does not read. */
function rootOf(text: string): DomNode | undefined {
  const errorHandler = (level: string): never => {
    throw new Error(level);
  };
  try {
    return new (xmlDom().DOMParser)({ errorHandler }).parseFromString(text, 'text/xml')?.documentElement ?? undefined;
  } catch {
    return undefined;
  }
}

const childNamed = (of: DomNode, { namespace, local }: XmlName): DomNode | undefined =>
  Array.from(of.childNodes).find((one) => one.localName === local && one.namespaceURI === namespace);

/** Returns the canonical form of what is signed; undefined if the signature is not of this key. */
function formOf(verifier: Verifier, signature: DomNode, text: string): string | undefined {
  try {
    verifier.loadSignature(signature);
    if (!verifier.checkSignature(text)) return undefined;
  } catch {
    // The library throws for most signatures that are not good. The next key may have made this one.
    return undefined;
  }
  const references = verifier.getSignedReferences();
  return references.length === 1 ? references[0] : undefined;
}

/** Leaves a verifier only the algorithms that are accepted. */
function restricted(verifier: Verifier): Verifier {
  const all = verifier.CanonicalizationAlgorithms;
  const only = (rows: (readonly [string, unknown])[]): Record<string, unknown> =>
    Object.assign(Object.create(null) as Record<string, unknown>, Object.fromEntries(rows));
  verifier.CanonicalizationAlgorithms = only([ENVELOPED, EXCLUSIVE_C14N].map((name) => [name, all[name]]));
  verifier.HashAlgorithms = only([...DIGESTS].map(([name, hash]) => [name, hashAlgorithm(name, hash)]));
  verifier.SignatureAlgorithms = only(
    [...SIGNATURES].map(([name, { hash, key }]) => [name, signatureAlgorithm(name, hash, key)]),
  );
  return verifier;
}

const hashAlgorithm = (name: string, hash: HashName) =>
  class {
    readonly getAlgorithmName = (): string => name;
    readonly getHash = (text: string): string => createHash(hash).update(text, 'utf8').digest('base64');
  };

const signatureAlgorithm = (name: string, hash: HashName, kind: 'rsa' | 'ec') =>
  class {
    readonly getAlgorithmName = (): string => name;
    readonly getSignature = (): string => {
      throw new Error('this server signs nothing');
    };
    readonly verifySignature = (text: unknown, key: unknown, signature: unknown): boolean =>
      key instanceof KeyObject &&
      key.asymmetricKeyType === kind &&
      typeof text === 'string' &&
      typeof signature === 'string' &&
      verify(hash, Buffer.from(text, 'utf8'), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64'));
  };
