/**
 * The certificate of this server's own: made at the first start, kept in the data folder, made again before
 * it ends or when the names change. No authority has signed it, so browsers ask once; a trusted one is a setting.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { ensurePrivateFolder, isThere, readBounded, sweepStray, writeWhole } from '../lib/files.ts';

export interface Certificate {
  key: string;
  cert: string;
  /** SHA-256 of the certificate, in pairs with colons, for people to compare. */
  fingerprint: string;
}

const DAY_MS = 86_400_000;
/** Browsers refuse longer ones (CA/Browser Forum, SC-22). */
const LIFE_MS = 397 * DAY_MS;
const RENEW_MS = 30 * DAY_MS;
const MAX_BYTES = 64 * 1024;

/** The names that the certificate is for: what the household set, this machine's names and its addresses. */
export function certificateNames(hosts: readonly string[]): string[] {
  const own = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
      .map(({ address }) => address),
  );
  const name = hostname().toLowerCase();
  const plain = /^[a-z0-9][a-z0-9-]{0,62}$/.test(name) ? [name, `${name}.local`] : [];
  return [...new Set(['localhost', '127.0.0.1', '::1', ...hosts, ...plain, ...own])].slice(0, 100);
}

/** Reads the kept certificate, or makes one. `folder` is the server's own. */
export async function ownCertificate({
  folder,
  hosts,
  clock,
}: {
  folder: string;
  hosts: readonly string[];
  clock: Clock;
}): Promise<Certificate> {
  const names = certificateNames(hosts);
  const path = `${folder}/certificate.pem`;
  const kept = (await isThere(path))
    ? read((await readBounded(path, MAX_BYTES)).toString('latin1'), names, clock.now())
    : undefined;
  if (kept) return kept;
  const made = await make(names, clock.now());
  await ensurePrivateFolder(folder);
  // Killed while it made one, a server left a piece with a key in it.
  await sweepStray(folder);
  // Key and certificate are one file, so that a crash never leaves one without the other.
  await writeWhole(path, Buffer.from(`${made.key}\n${made.cert}\n`, 'latin1'), { mode: 0o600 });
  return made;
}

function read(pem: string, names: readonly string[], now: number): Certificate | undefined {
  const key = /-----BEGIN PRIVATE KEY-----[^-]{1,8000}-----END PRIVATE KEY-----/.exec(pem)?.[0];
  const cert = /-----BEGIN CERTIFICATE-----[^-]{1,16000}-----END CERTIFICATE-----/.exec(pem)?.[0];
  if (key === undefined || cert === undefined) return undefined;
  try {
    const own = new X509Certificate(cert);
    const isFor = names.every((name) =>
      isIP(name) ? own.checkIP(name) !== undefined : own.checkHost(name) !== undefined,
    );
    // One that a clock running ahead made is not valid yet.
    return isFor && Date.parse(own.validFrom) <= now && Date.parse(own.validTo) - now > RENEW_MS
      ? { key, cert, fingerprint: own.fingerprint256 }
      : undefined;
  } catch {
    return undefined;
  }
}

async function make(names: readonly string[], now: number): Promise<Certificate> {
  // Loaded only here: at all other starts nothing of it is needed.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: createHash('sha256')
      .update(`${now}`)
      .update(globalThis.crypto.getRandomValues(new Uint8Array(16)))
      .digest('hex')
      .slice(0, 32)
      .replace(/^[89a-f]/, '7'),
    name: 'CN=Matinee',
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + LIFE_MS - DAY_MS),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/.{64}/g, '$&\n').trim()}\n-----END PRIVATE KEY-----`;
  const pem = cert.toString('pem');
  return { key, cert: pem, fingerprint: new X509Certificate(pem).fingerprint256 };
}
