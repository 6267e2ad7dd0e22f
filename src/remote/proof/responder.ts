/**
 * The reply to a validation by TLS-ALPN-01 (RFC 8737): a handshake for the public name that asks for `acme-tls/1` gets
 * the certificate of the challenge. While none waits, such handshakes are refused.
 */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsCertificate } from '../types.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** The extension id-pe-acmeIdentifier. */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const HOUR_MS = 3_600_000;

export interface ChallengeResponder {
  /** Returns the certificate of the challenge that waits for a host. */
  of(host: string): TlsCertificate | undefined;
  /** Has a challenge answered until the returned function is called. */
  answer(given: { host: string; keyAuthorization: string; now: number }): Promise<() => void>;
}

export function createChallengeResponder(): ChallengeResponder {
  let waiting: { host: string; certificate: TlsCertificate } | undefined;
  return {
    of: (host) => (waiting?.host === host ? waiting.certificate : undefined),
    answer: async (given) => {
      const mine = { host: given.host, certificate: await challengeCertificate(given) };
      waiting = mine;
      return () => {
        if (waiting === mine) waiting = undefined;
      };
    },
  };
}

/** Makes the certificate by which a name shows that it belongs to the account of an authority. */
async function challengeCertificate({
  host,
  keyAuthorization,
  now,
}: {
  host: string;
  keyAuthorization: string;
  now: number;
}): Promise<TlsCertificate> {
  await import('reflect-metadata');
  const { Extension, SubjectAlternativeNameExtension, X509CertificateGenerator } = await import('@peculiar/x509');
  const { subtle } = globalThis.crypto;
  const keys = await subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const digest = createHash('sha256').update(keyAuthorization).digest();
  // An octet string in DER.
  const value = Buffer.concat([Buffer.from([4, digest.length]), digest]);
  const made = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Reachability',
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + HOUR_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      new Extension(ACME_IDENTIFIER, true, value),
    ],
  });
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' });
  return { key: key.toString(), cert: new X509Certificate(Buffer.from(made.rawData)).toString() };
}
