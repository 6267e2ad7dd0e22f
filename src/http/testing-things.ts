/** Endpoints that show the path of a request, for tests of requests and of replies. */
import type { TestContext } from 'node:test';
import { z } from 'zod';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { byId, integer } from '../contract/kernel/common.ts';
import { Failure } from '../lib/failure.ts';
import { handle, makePrincipal, replyOf, startTestServer } from './testing.ts';

const Echo = z.strictObject({ name: z.string(), deep: z.unknown().optional() });
const read = endpoint({
  method: 'GET',
  path: '/api/v1/things/{id}',
  summary: 'Read',
  access: { role: 'viewer', via: 'library', link: 'art' },
  params: byId,
  query: z.strictObject({ limit: integer(1, 9).optional() }),
  result: z.strictObject({ id: z.string() }),
  fails: ['no-such-item'],
});
const write = endpoint({
  method: 'POST',
  path: '/api/v1/things',
  summary: 'Write',
  access: { role: 'owner', via: 'admin', recent: true },
  body: Echo,
  result: z.strictObject({ name: z.string() }),
});
const empty = endpoint({
  method: 'POST',
  path: '/api/v1/nothing',
  summary: 'Nothing',
  access: { role: 'viewer', via: 'write' },
  result: NOTHING,
});
const open = endpoint({
  method: 'GET',
  path: '/api/v1/open',
  summary: 'Open',
  access: 'public',
  result: z.strictObject({ by: z.string() }),
});
const wrong = endpoint({
  method: 'GET',
  path: '/api/v1/wrong',
  summary: 'Wrong',
  access: 'public',
  result: z.strictObject({ a: z.string() }),
});
const broken = endpoint({
  method: 'GET',
  path: '/api/v1/broken',
  summary: 'Broken',
  access: 'public',
  result: z.strictObject({}),
});
const key = endpoint({
  method: 'POST',
  path: '/api/v1/own',
  summary: 'Own',
  access: { role: 'viewer', via: 'session' },
  result: NOTHING,
});

/** A server with one endpoint of each kind of access and body. */
export async function startThings(t: TestContext, more: Parameters<typeof startTestServer>[2] = {}) {
  const done: string[] = [];
  const ways = await startTestServer(
    t,
    [
      handle(read, ({ id }) => {
        if (id === '0'.repeat(16)) throw new Failure('missing', 'no such thing', { reason: 'no-such-item' });
        return { id };
      }),
      handle(write, ({ name }) => {
        done.push(name);
        return { name };
      }),
      handle(empty, () => void done.push('nothing')),
      handle(open, (_given, { by }) => ({ by: (by as typeof by | undefined)?.name ?? 'nobody' })),
      handle(wrong, () => ({ a: 'x', secret: 'must not leave' })),
      handle(broken, () => {
        throw new Error('/etc/shadow token=hunter2');
      }),
      handle(key, () => void done.push('own')),
    ],
    more,
  );
  ways.tokens.set('stale', makePrincipal({ credential: 'e'.repeat(16), recent: false }));
  ways.tokens.set('key', makePrincipal({ credential: 'f'.repeat(16), via: new Set(['library']) }));
  ways.tokens.set('link', makePrincipal({ credential: '1'.repeat(16), via: { purpose: 'art', item: 'a'.repeat(16) } }));
  ways.tokens.set(
    'media-link',
    makePrincipal({ credential: '2'.repeat(16), via: { purpose: 'media', item: 'a'.repeat(16) } }),
  );
  ways.tokens.set('enrolling', makePrincipal({ credential: '3'.repeat(16), enrolling: true }));
  ways.tokens.set(
    'denied',
    makePrincipal({
      credential: '4'.repeat(16),
      denied: { reason: 'outside-viewing-window', message: 'not at this time' },
    }),
  );
  const send = async (line: string, headers: Record<string, string> = {}, body?: string) => {
    const all = {
      host: 'matinee.test',
      connection: 'close',
      ...(body !== undefined && {
        'content-length': String(Buffer.byteLength(body)),
        'content-type': 'application/json',
      }),
      ...headers,
    };
    return replyOf(
      await ways.raw(
        `${line} HTTP/1.1\r\n${Object.entries(all)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n${body ?? ''}`,
      ),
    );
  };
  const as = (who: string) => ({ authorization: `Bearer ${who}` });
  return { ...ways, done, send, as };
}

export const READ = `GET /api/v1/things/${'a'.repeat(16)}`;
