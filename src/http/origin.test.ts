/** Which network a request is from: by its listener, and at home by its address and its Host too. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { endpoint } from '../contract/kernel/endpoint.ts';
import type { Listener } from './origin.ts';
import { silentLog } from '../lib/log.ts';
import { createServer, type HttpServer } from './server.ts';
import { handle, replyOf, startTestServer } from './testing.ts';

const HOST = 'film.duckdns.org';
const TOKEN = 'a-token-of-the-gateway-with-40-characters';
const OUTSIDE = '198.51.100.7';

const Place = z.strictObject({ network: z.string(), address: z.string(), secure: z.boolean() });
const where = endpoint({
  method: 'GET',
  path: '/api/v1/where',
  summary: 'Where',
  access: 'public',
  reach: 'everywhere',
  result: Place,
});
const inside = endpoint({
  method: 'GET',
  path: '/api/v1/inside',
  summary: 'At home',
  access: 'public',
  result: z.strictObject({}),
});
const both = endpoint({
  method: 'DELETE',
  path: '/api/v1/where',
  summary: 'At home',
  access: 'public',
  result: z.strictObject({}),
});
const named = endpoint({
  method: 'GET',
  path: '/api/v1/{name}',
  summary: 'Anything',
  access: 'public',
  reach: 'everywhere',
  params: z.strictObject({ name: z.string() }),
  result: z.strictObject({}),
});
const mounted = [
  handle(where, (_, { from }) => ({ network: from.network, address: from.address, secure: from.isSecure })),
  handle(inside, () => ({})),
  handle(both, () => ({})),
  handle(named, () => ({})),
];
const serverOf = async (t: TestContext, listener: Listener) => (await startTestServer(t, mounted, { listener })).http;

interface Asked {
  address?: string;
  host?: string;
  method?: 'GET' | 'DELETE' | 'POST';
  path?: string;
  headers?: Record<string, string>;
}
async function ask(
  { server }: HttpServer,
  { address = '127.0.0.1', host = HOST, method = 'GET', path = where.path, headers = {} }: Asked = {},
) {
  const {
    statusCode,
    body,
    headers: got,
  } = await server.inject({
    method,
    url: path,
    remoteAddress: address,
    headers: { ...headers, host },
  });
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown>, headers: got };
}

test('at home, private addresses and those of our own networks are local, whatever their form', async (t) => {
  let noted = 0;
  const http = await serverOf(t, { kind: 'home', publicHost: HOST, noteOutside: () => void noted++ });
  const own = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one !== undefined && !one.internal)
    .map((one) => one?.address ?? '');
  const local = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.20', '169.254.3.4', '100.64.0.9', '::1'];
  for (const address of [...local, 'fd00::7', 'fe80::1', '::ffff:192.168.1.20', ...own]) {
    const reply = await ask(http, { address, host: 'localhost' });
    assert.deepEqual([reply.status, reply.body['network'], reply.body['address']], [200, 'local', address], address);
  }
  assert.equal(noted, 0);
});

test('at home, a public address or a public Host gets the public table, and is noted', async (t) => {
  let noted = 0;
  const http = await serverOf(t, { kind: 'home', publicHost: HOST, noteOutside: () => void noted++ });
  const outside: Asked[] = [
    { address: OUTSIDE, host: 'localhost' },
    { address: '::ffff:198.51.100.7', host: 'localhost' },
    { address: '2001:db8::9', host: 'localhost' },
    { host: '198.51.100.7' },
    { host: '198.51.100.7:38128' },
    { host: '[2001:db8::9]:38128' },
    { host: HOST },
    { host: `${HOST.toUpperCase()}:38128` },
    { host: `${HOST}.` },
  ];
  for (const asked of outside) {
    const name = JSON.stringify(asked);
    assert.equal((await ask(http, asked)).body['network'], 'public', name);
    const hidden = await ask(http, { ...asked, path: inside.path });
    assert.deepEqual([hidden.status, hidden.body['reason']], [404, 'no-such-route'], name);
    const method = await ask(http, { ...asked, method: 'DELETE' });
    assert.deepEqual([method.status, method.headers['allow']], [405, 'GET, HEAD'], name);
  }
  assert.equal(noted, 3 * outside.length);
  for (const host of ['localhost', '192.168.1.5:38128', '[fd00::7]', 'attic', 'media.example.org', `not-${HOST}`]) {
    assert.equal((await ask(http, { host })).body['network'], 'local', host);
    assert.equal((await ask(http, { host, path: inside.path })).status, 200, host);
  }
  assert.equal(noted, 3 * outside.length);
});

test('at the public listener every address is public, and another Host is misdirected', async (t) => {
  const seen: number[] = [];
  const http = await serverOf(t, { kind: 'public', host: HOST, noteOutside: () => void seen.push(1) });
  for (const address of ['127.0.0.1', '192.168.1.20', OUTSIDE]) {
    const reply = await ask(http, { address });
    assert.deepEqual(reply.body, { network: 'public', address, secure: false });
    const hidden = await ask(http, { address, path: inside.path });
    assert.deepEqual([hidden.status, hidden.body['reason']], [404, 'no-such-route']);
  }
  assert.equal(seen.length, 2, 'only those from outside the home were seen');
  assert.equal((await ask(http, { host: `${HOST}:443` })).status, 200);
  assert.equal((await ask(http, { host: HOST.toUpperCase() })).status, 200);
  for (const host of ['localhost', '127.0.0.1', `${HOST}:8443`, `${HOST}.`, `x.${HOST}`, 'duckdns.org', OUTSIDE]) {
    const reply = await ask(http, { host, address: OUTSIDE });
    assert.deepEqual([reply.status, reply.body['reason']], [421, 'host-misdirected'], host);
    assert.equal((await ask(http, { host, path: '/nowhere' })).status, 421, host);
  }
  assert.equal(seen.length, 2);
});

/** 30 ways to claim an address or to be the gateway, without having its token and exactly one address. */
const SPOOFS: readonly (readonly [name: string, value: string][])[] = [
  [],
  [['x-forwarded-for', '192.168.1.9']],
  [['X-FORWARDED-FOR', '192.168.1.9']],
  [['x-forwarded-for', '192.168.1.9, 192.168.1.10']],
  [['forwarded', 'for=192.168.1.9;host=localhost;proto=https']],
  [['x-real-ip', '192.168.1.9']],
  [['x-client-ip', '192.168.1.9']],
  [['true-client-ip', '192.168.1.9']],
  [['cf-connecting-ip', '192.168.1.9']],
  [['x-forwarded-host', 'localhost']],
  [['x-matinee-gateway', '']],
  [['x-matinee-gateway', TOKEN]],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', ''],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', 'unknown'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', 'localhost'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '192.168.1.9, 192.168.1.10'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '192.168.1.9:443'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '[fd00::7]'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '192.168.1'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '0xc0a80109'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '192.168.1.9'],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', 'wrong'],
    ['x-matinee-gateway', TOKEN],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', TOKEN],
    ['X-Matinee-Gateway', 'wrong'],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', 'wrong'],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', TOKEN.slice(1)],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', `${TOKEN}x`],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', TOKEN.toUpperCase()],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee-gateway', `Bearer ${TOKEN}`],
    ['x-forwarded-for', '192.168.1.9'],
  ],
  [
    ['x-matinee_gateway', TOKEN],
    ['x-forwarded-for', '192.168.1.9'],
  ],
];

/** Sends bytes to a socket and returns the reply. */
const exchange = (to: { port: number } | { path: string }, lines: readonly string[]) =>
  new Promise<ReturnType<typeof replyOf>>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const one = connect('port' in to ? { ...to, host: '127.0.0.1' } : to, () => {
      one.write(['GET /api/v1/where HTTP/1.1', ...lines, 'connection: close', '', ''].join('\r\n'));
    });
    one
      .on('data', (chunk: Buffer) => void chunks.push(chunk))
      .once('close', () => resolve(replyOf(Buffer.concat(chunks).toString('latin1'))))
      .once('error', reject);
  });

test('spoofed headers of a gateway: 0 of 30 × 4 accepted', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-gateway-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'public.sock');
  const start = (listener: Listener) => startTestServer(t, mounted, { listener });
  await listenAt(t, path);
  const home = await start({ kind: 'home', publicHost: HOST });
  const outside = await start({ kind: 'public', host: HOST });
  // Each with the only reply that believes none of the headers.
  const targets: readonly [to: { port: number } | { path: string }, host: string, expected: object | 403][] = [
    [{ path }, HOST, 403],
    [{ port: outside.port }, HOST, { network: 'public', address: '127.0.0.1', secure: false }],
    [{ port: home.port }, 'localhost', { network: 'local', address: '127.0.0.1', secure: false }],
    [{ port: home.port }, OUTSIDE, { network: 'public', address: '127.0.0.1', secure: false }],
  ];
  const accepted: string[] = [];
  let tried = 0;
  for (const [to, host, expected] of targets)
    for (const spoof of SPOOFS) {
      tried++;
      const { status, body } = await exchange(to, [
        `host: ${host}`,
        ...spoof.map(([name, value]) => `${name}: ${value}`),
      ]);
      const isRefused = status === 403 && body.includes('"gateway-only"');
      const isUnmoved = status === 200 && body === JSON.stringify(expected);
      if (expected === 403 ? !isRefused : !isUnmoved) accepted.push(`${JSON.stringify(spoof)} ${status} ${body}`);
    }
  assert.deepEqual([tried, accepted], [120, []]);
  const right = ['x-matinee-gateway: ' + TOKEN, 'x-forwarded-for: 198.51.100.7'];
  const through = await exchange({ path }, [`host: ${HOST}`, ...right]);
  assert.deepEqual(JSON.parse(through.body), { network: 'public', address: OUTSIDE, secure: true });
  assert.match(through.headers.get('strict-transport-security') ?? '', /max-age/);
  assert.equal((await exchange({ path }, ['host: localhost', ...right])).status, 421);
  t.diagnostic(`${tried} spoofed requests, ${accepted.length} accepted`);
});

/** Starts a server behind a gateway. */
async function listenAt(t: TestContext, path: string): Promise<void> {
  const http = createServer({
    mounted,
    doors: { identify: async () => undefined, current: (by) => by, log: silentLog },
    listener: { kind: 'gateway', host: HOST, token: TOKEN },
  });
  t.after(() => http.close(0));
  await http.listen({ path });
}
