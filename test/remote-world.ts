/**
 * For tests of remote access: a server with a public listener on loopback, and requests to it over TLS.
 *
 * The certificate of the public name is put where the server keeps it, so no authority is asked for one.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { ownCertificate } from '../src/http/certificate.ts';
import { fakeClock, type TestClock } from './world.ts';

export const PUBLIC_HOST = 'film.duckdns.org';
const DIRECTORY = 'https://ca.example/directory';

/** Settings of remote access, on a port that the system chooses. */
export const REMOTE_ENV = {
  SERVICE_REMOTE_MODE: 'https',
  SERVICE_DNS_A_DOMAIN: 'film',
  SERVICE_DNS_A_TOKEN: 'a'.repeat(36),
  SERVICE_AUTH_URL: `https://${PUBLIC_HOST}`,
  SERVICE_REMOTE_LISTEN: '127.0.0.1:0',
  SERVICE_REMOTE_TERMS_ACCEPTED: 'true',
  SERVICE_ACME_DIRECTORY: DIRECTORY,
} as const;

/** Makes folders in which a certificate of the public name is kept already. */
export async function makeRemoteFolders(t: Pick<TestContext, 'after'>): Promise<{ folder: string; clock: TestClock }> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-remote-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const clock = fakeClock();
  await keepCertificate(join(folder, 'data'), clock);
  return { folder, clock };
}

/** Keeps a certificate of the public name in a data folder. */
export async function keepCertificate(data: string, clock: Pick<TestClock, 'now'>): Promise<void> {
  const kept = join(data, 'certificates', 'public');
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const made = await ownCertificate({
    folder: join(data, 'certificates', 'made'),
    hosts: [PUBLIC_HOST],
    clock: { now: clock.now, monotonic: () => 0 },
  });
  await writeFile(
    join(kept, 'certificate.json'),
    JSON.stringify({ directory: DIRECTORY, key: made.key, chain: made.cert }),
    { mode: 0o600 },
  );
}

export interface OutsideAsked {
  method?: string;
  path: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a request to the public listener and returns the reply while its body may still come. */
export function openOutside(
  port: number,
  asked: OutsideAsked,
): Promise<{ reply: IncomingMessage; sent: ClientRequest }> {
  const { method = 'GET', path, token, body, headers = {} } = asked;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, servername: PUBLIC_HOST, rejectUnauthorized: false, agent: false, method, path },
        headers: {
          host: PUBLIC_HOST,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (reply) => resolve({ reply, sent }),
    );
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends a request to the public listener and returns the whole reply. */
export async function askOutside(
  port: number,
  asked: OutsideAsked,
): Promise<{ status: number; body: Record<string, unknown>; headers: IncomingMessage['headers'] }> {
  const { reply } = await openOutside(port, asked);
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = reply.headers['content-type']?.startsWith('application/json') === true;
  return {
    status: reply.statusCode ?? 0,
    body: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
    headers: reply.headers,
  };
}
