/** For tests: signs XML, by any algorithm and in any form. */
import { createHash, createHmac, createSign, type KeyObject, sign as signBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { DSIG, ENVELOPED, EXCLUSIVE_C14N } from './signature.ts';

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';

interface Signer {
  signatureAlgorithm: string;
  canonicalizationAlgorithm: string;
  SignatureAlgorithms: Record<string, unknown>;
  HashAlgorithms: Record<string, unknown>;
  addReference(reference: { xpath: string; transforms: readonly string[]; digestAlgorithm: string }): void;
  computeSignature(
    xml: string,
    options: { prefix: string; location: { reference: string; action: 'after' | 'append' } },
  ): void;
  getSignedXml(): string;
}
const require = createRequire(import.meta.url);
const { SignedXml } = require('xml-crypto') as {
  SignedXml: new (options: { privateKey?: KeyObject; publicCert?: string; idAttribute?: string }) => Signer;
};

export interface Signing {
  /** Name of the element that is signed. */
  over?: 'Assertion' | 'Response';
  key: KeyObject;
  /** Certificate to put into KeyInfo, as PEM. */
  certificate?: string | undefined;
  /** Name of the signature, such as `rsa-sha256`. */
  algorithm?: string;
  digest?: string;
  canonicalization?: string;
  transforms?: readonly string[];
}

const addressOfAlgorithm = (name: string): string =>
  name.endsWith('-sha1') ? `${DSIG}${name}` : name.includes('#') ? name : `${MORE}${name}`;
const addressOfDigest = (name: string): string =>
  name === 'sha1' ? `${DSIG}sha1` : name === 'sha384' ? `${MORE}sha384` : `${XMLENC}${name}`;

/** Makes a signature with any algorithm that has a name. */
const signing = (name: string) =>
  class {
    readonly getAlgorithmName = (): string => addressOfAlgorithm(name);
    readonly getSignature = (text: string, key: KeyObject): string => {
      const hash = /sha\d+$/.exec(name)?.[0] ?? 'sha256';
      if (name.startsWith('hmac'))
        return createHmac(hash, key.export({ type: 'spki', format: 'pem' }))
          .update(text)
          .digest('base64');
      if (name.startsWith('ecdsa'))
        return signBytes(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
      return createSign(hash).update(text).sign(key, 'base64');
    };
  };

const digesting = (name: string) =>
  class {
    readonly getAlgorithmName = (): string => addressOfDigest(name);
    readonly getHash = (text: string): string => createHash(name).update(text).digest('base64');
  };

/** Signs an element of a document. The signature is after the issuer of that element. */
export function signXml(
  xml: string,
  {
    over = 'Assertion',
    key,
    certificate,
    algorithm = 'rsa-sha256',
    digest = 'sha256',
    canonicalization = EXCLUSIVE_C14N,
    transforms = [ENVELOPED, EXCLUSIVE_C14N],
  }: Signing,
): string {
  const signer = new SignedXml({ privateKey: key, ...(certificate !== undefined && { publicCert: certificate }) });
  signer.SignatureAlgorithms = { [addressOfAlgorithm(algorithm)]: signing(algorithm) };
  signer.HashAlgorithms = { [addressOfDigest(digest)]: digesting(digest) };
  signer.signatureAlgorithm = addressOfAlgorithm(algorithm);
  signer.canonicalizationAlgorithm = canonicalization;
  const element = `//*[local-name(.)='${over}']`;
  signer.addReference({ xpath: element, transforms, digestAlgorithm: addressOfDigest(digest) });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}
