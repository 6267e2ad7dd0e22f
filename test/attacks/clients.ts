/** Servers with short limits on loopback, and clients that hold connections without using them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { type Certificate, ownCertificate } from '../../src/http/certificate.ts';
import { type TestServer, startTestServer } from '../../src/http/testing.ts';

let made: Promise<Certificate> | undefined;
/** Returns the certificate of this test run. */
async function certificate(): Promise<Certificate> {
  made ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'matinee-attacks-'));
    try {
      return await ownCertificate({
        folder,
        hosts: [],
        clock: { now: () => Date.now(), monotonic: () => performance.now() },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  })();
  return made;
}

/** Limits short enough for a test; each test shortens the one that it is about. */
export const PATIENT = {
  headersTimeout: 60_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  handshakeTimeout: 60_000,
  anonymousStallTimeout: 60_000,
  stallTimeout: 60_000,
  connectionsCheckingInterval: 20,
};

export interface Target extends TestServer {
  /** Number of connections that the server holds. */
  held(): Promise<number>;
  /** Opens a TCP connection, from one of the addresses 127.0.0.0/8 where it is given. */
  open(from?: string): Promise<Socket>;
  /** Opens a connection as a client is meant to, with TLS where the server has it. */
  client(options?: ConnectionOptions & { from?: string }): Promise<Socket>;
  /** Sends a request and returns all that arrives until the connection ends. */
  ask(text: string): Promise<string>;
}

/** Listeners that are attacked: of the home network with and without TLS, and the public one. */
export const TARGETS = ['without TLS', 'over TLS', 'at the public listener'] as const;
export type TargetKind = (typeof TARGETS)[number];
/** Host of the requests, and of the public listener. */
export const TARGET_HOST = 'a';

/** Starts a server over endpoints of a test, which exist everywhere. */
export async function startTarget(
  t: TestContext,
  mounted: Parameters<typeof startTestServer>[1],
  { kind, ...more }: NonNullable<Parameters<typeof startTestServer>[2]> & { kind: TargetKind },
): Promise<Target> {
  const tls = kind === 'without TLS' ? undefined : await certificate();
  const isPublic = kind === 'at the public listener';
  const ways = await startTestServer(t, mounted, {
    ...more,
    ...(isPublic && { listener: { kind: 'public', host: TARGET_HOST } }),
    // The public listener has a certificate for its name only, and none for clients that name no host.
    tls: tls && (isPublic ? { of: (host) => (host === 'localhost' ? tls : undefined) } : { own: tls }),
  });
  const open = (from = '127.0.0.1') =>
    new Promise<Socket>((resolve, reject) => {
      const one = connect({ port: ways.port, host: '127.0.0.1', localAddress: from }, () =>
        resolve(one.off('error', reject).on('error', () => {})),
      ).once('error', reject);
      t.after(() => one.destroy());
    });
  const client = async ({ from, ...options }: ConnectionOptions & { from?: string } = {}) => {
    const tcp = await open(from);
    if (!tls) return tcp;
    return new Promise<Socket>((resolve, reject) => {
      const one = connectTls({ socket: tcp, ca: tls.cert, servername: 'localhost', ...options }, () =>
        resolve(one.off('error', reject).on('error', () => {})),
      ).once('error', reject);
      one.once('close', () => reject(new Error('the handshake was cut')));
    });
  };
  const ask = async (text: string) => everything(await client(), text);
  return {
    ...ways,
    open,
    client,
    ask,
    held: promisify(ways.http.server.server.getConnections.bind(ways.http.server.server)),
  };
}

/** Writes to a connection and returns all that arrives until it ends. */
export function everything(one: Socket, text: string | Buffer): Promise<string> {
  const chunks: Buffer[] = [];
  const gone = new Promise<string>(
    (resolve) =>
      void one
        .on('data', (chunk: Buffer) => void chunks.push(chunk))
        .once('close', () => resolve(Buffer.concat(chunks).toString('latin1'))),
  );
  one.resume().write(text);
  return gone;
}

/** Resolves when a connection has ended, whether its client reads or not. */
export const ended = (one: Socket): Promise<void> =>
  one.closed ? Promise.resolve() : new Promise((resolve) => void one.once('close', () => resolve()));
