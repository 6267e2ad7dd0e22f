/** Keys, signing requests and issued certificates. */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { isPlausible } from '../../lib/clock.ts';
import { RemoteFault } from '../fault.ts';
import type { ServedCertificate } from '../types.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const MAX_CHAIN = 10;
const CLOCK_TOLERANCE_MS = 3_600_000;

/** A new private key in PEM (P-256). */
export const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** Loaded only here: a server without such certificates does not need it. */
async function x509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** Signing request for some names, in base64url. */
export async function signingRequest(key: string, names: readonly string[]): Promise<string> {
  const { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } = await x509();
  const { subtle } = globalThis.crypto;
  const pkcs8 = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' });
  const privateKey = await subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']);
  const { d: _, key_ops: __, ...jwk } = await subtle.exportKey('jwk', privateKey);
  const publicKey = await subtle.importKey('jwk', jwk, ALGORITHM, true, ['verify']);
  const made = await Pkcs10CertificateRequestGenerator.create({
    keys: { privateKey, publicKey },
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  });
  return Buffer.from(made.rawData).toString('base64url');
}

export interface IssuedCertificate extends ServedCertificate {
  notBefore: number;
  /** Its name at the authority's renewal information (RFC 9773). */
  renewalId: string | undefined;
}

/**
 * Checks that the key, the chain and the names belong together, and that the certificate is valid at `now`. Throws a
 * fault if they do not.
 */
export async function checkedCertificate(
  { key, chain }: Pick<ServedCertificate, 'key' | 'chain'>,
  names: readonly string[],
  now: number,
): Promise<IssuedCertificate> {
  const found = read(key, chain, names);
  // By a clock that is itself wrong no certificate can be judged.
  if (!found || found.notAfter <= now || (isPlausible(now) && found.notBefore > now + CLOCK_TOLERANCE_MS))
    throw new RemoteFault('certificate-unfit');
  return { key, chain, names, ...found, renewalId: await renewalId(chain) };
}

function read(key: string, chain: string, names: readonly string[]) {
  try {
    const certificates = (chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
      .slice(0, MAX_CHAIN)
      .map((pem) => new X509Certificate(pem));
    const [leaf] = certificates;
    const isChain = certificates.every((one, at) => {
      const issuer = certificates[at + 1];
      return issuer === undefined || (one.checkIssued(issuer) && one.verify(issuer.publicKey));
    });
    if (!leaf || !isChain || !leaf.checkPrivateKey(createPrivateKey(key))) return undefined;
    if (!names.every((name) => leaf.checkHost(name) !== undefined)) return undefined;
    return { notBefore: Date.parse(leaf.validFrom), notAfter: Date.parse(leaf.validTo) };
  } catch {
    return undefined;
  }
}

async function renewalId(chain: string): Promise<string | undefined> {
  const { X509Certificate: Parsed, AuthorityKeyIdentifierExtension } = await x509();
  const leaf = new Parsed(chain.slice(0, chain.indexOf('-----END') + '-----END CERTIFICATE-----'.length));
  const keyId = leaf.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  const serial = leaf.serialNumber.padStart(leaf.serialNumber.length + (leaf.serialNumber.length % 2), '0');
  // The number is signed: a first bit that is set needs a zero byte before it.
  const signed = /^[89a-f]/i.test(serial) ? `00${serial}` : serial;
  return keyId === undefined
    ? undefined
    : `${Buffer.from(keyId, 'hex').toString('base64url')}.${Buffer.from(signed, 'hex').toString('base64url')}`;
}
