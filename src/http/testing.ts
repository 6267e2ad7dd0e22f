/** For tests of requests: a server over endpoints of a test, and clients that send malformed requests on purpose. */
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Endpoint } from '../contract/kernel/endpoint.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { OWNER_POLICY } from '../contract/identity/profiles.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import type { Handler, MountedEndpoint, RangedFile } from './handle.ts';
import { createServer, type HttpServer, type ServerNeeds } from './server.ts';

export const makePrincipal = (more: Partial<Principal> = {}): Principal => ({
  profile: 'a'.repeat(16),
  name: 'Ada',
  role: 'owner',
  via: 'session',
  credential: 'c'.repeat(16),
  recent: true,
  enrolling: false,
  cookie: false,
  policy: OWNER_POLICY,
  ...more,
});

export const handle = <E extends Endpoint>(endpoint: E, handler: Handler<E>): MountedEndpoint => ({
  endpoint,
  name: 'test',
  handler: handler as MountedEndpoint['handler'],
});

export interface TestServer {
  http: HttpServer;
  port: number;
  /** Tokens that are good; taking one out is a revocation that `http.review()` makes known. */
  tokens: Map<string, Principal>;
  /** Lines of the log: events and faults. */
  told: string[];
  /** Sends bytes as they are and returns everything that came until the connection ended. */
  raw(text: string, more?: { keepOpen?: boolean }): Promise<string>;
  socket(): Promise<Socket>;
}

export async function startTestServer(
  t: TestContext,
  mounted: readonly MountedEndpoint[],
  more: Partial<ServerNeeds> = {},
): Promise<TestServer> {
  const tokens = new Map<string, Principal>([
    ['owner', makePrincipal()],
    ['viewer', makePrincipal({ role: 'viewer', credential: 'd'.repeat(16) })],
  ]);
  const told: string[] = [];
  const note = (event: string) => void told.push(event);
  const log: Log = {
    debug: note,
    info: note,
    warn: note,
    error: note,
    fault: (event, error) => void told.push(`${event}: ${error instanceof Error ? error.message : String(error)}`),
    child: () => log,
  };
  const http = createServer({
    mounted,
    doors: {
      identify: async ({ bearer, cookie }) => {
        const by = tokens.get(bearer ?? cookie ?? '');
        if (bearer !== undefined && !by)
          throw new Failure('unauthenticated', 'this token is not good', { reason: 'credentials-invalid' });
        return by && (bearer === undefined ? { ...by, cookie: true } : by);
      },
      current: (by) => [...tokens.values()].find(({ credential }) => credential === by.credential),
      log,
    },
    ...more,
  });
  t.after(() => http.close(50));
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const socket = () =>
    new Promise<Socket>((resolve, reject) => {
      const one = connect(port, '127.0.0.1', () => resolve(one)).on('error', reject);
      t.after(() => one.destroy());
    });
  const raw: TestServer['raw'] = async (text, { keepOpen = false } = {}) => {
    const one = await socket();
    const { promise, resolve } = Promise.withResolvers<string>();
    const chunks: Buffer[] = [];
    one
      .on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk as Buffer)))
      .on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
      .on('error', () => {});
    if (keepOpen) one.write(text);
    else one.end(text);
    return promise;
  };
  return { http, port, tokens, told, raw, socket };
}

export interface Reply {
  status: number;
  headers: Map<string, string>;
  body: string;
}
/** The first reply in what came over a connection. */
export function replyOf(text: string): Reply {
  const at = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, at).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(at + 4) };
}

export interface FakeFile extends RangedFile {
  isClosed: boolean;
  reads: number;
  closed: Promise<void>;
}
/** A file in memory that notes what is done with it. `actual` is how many bytes there really are. */
export function fakeFile(
  bytes: Uint8Array | number,
  { actual, ...more }: Partial<RangedFile> & { actual?: number } = {},
): FakeFile {
  const size = typeof bytes === 'number' ? bytes : bytes.length;
  const closing = Promise.withResolvers<void>();
  const file: FakeFile = {
    type: 'video/mp4',
    size,
    modified: Date.UTC(2024, 0, 2, 3, 4, 5, 678),
    etag: 'abc',
    isClosed: false,
    reads: 0,
    closed: closing.promise,
    read: async (into, position) => {
      file.reads += 1;
      const length = Math.max(0, Math.min(into.length, (actual ?? size) - position));
      for (let i = 0; i < length; i++)
        into[i] = typeof bytes === 'number' ? (position + i) & 0xff : (bytes[position + i] ?? 0);
      return length;
    },
    close: async () => {
      file.isClosed = true;
      closing.resolve();
    },
    ...more,
  };
  return file;
}
