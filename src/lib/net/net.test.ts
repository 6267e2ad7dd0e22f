/** The outbound client goes where it may and nowhere else, and reads no more than it said. */
import assert from 'node:assert/strict';
import { createServer as createHttp } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { plant } from '../../../test/faults/planted.ts';
import * as real from '../net.ts';
import type { Net, NetNeeds, NetRequest, Resolve } from '../net.ts';
import { certificate } from './testing.ts';

type Door = typeof real;
const faultOf = (error: unknown): unknown => (error instanceof Error && 'fault' in error ? error.fault : error);
const refused = async (net: Net, request: NetRequest, reason: string, signal?: AbortSignal): Promise<void> => {
  const got = await net.request(request, signal).then((reply) => `status ${reply.status}`, faultOf);
  assert.equal(got, reason, String(request.url));
};

async function serve(
  t: TestContext,
  listener: RequestListener,
  isTls = false,
): Promise<{ port: number; names: string[] }> {
  const names: string[] = [];
  const server = isTls ? createHttps({ key: certificate.key, cert: certificate.cert }, listener) : createHttp(listener);
  server.on('secureConnection', (socket) => names.push(String(socket.servername)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, names };
}

function client(t: TestContext, more: Partial<NetNeeds> = {}, door: Door = real): Net {
  const net = door.createNet({ version: '1.2', ca: certificate.cert, ...more });
  t.after(() => net.close());
  return net;
}

test('addresses that are not public are known for what they are', () => {
  const closed = [
    '0.0.0.0',
    '10.1.1.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.31.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '1.2.3',
  ];
  assert.deepEqual(
    closed.filter((address) => real.isPublic(address)),
    [],
  );
  for (const open of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
    assert.ok(real.isPublic(open), open);
});

test('what the address may not say', async (t) => {
  let asked = 0;
  const { port } = await serve(t, (_, reply) => {
    asked += 1;
    reply.end('reached');
  });
  const net = client(t);
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://0177.0.0.1:${port}/`,
    `https://127.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://[::ffff:7f00:1]:${port}/`,
    `https://１２７.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    'https://169.254.169.254/latest',
    'https://user:secret@example.org/',
    'https://example.org:22/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'not an address',
  ])
    await refused(net, { url }, 'address');
  await refused(net, { url: 'https://example.org/', allowedHosts: ['api.example.org'] }, 'address');
  await refused(net, { url: `http://user:secret@127.0.0.1:${port}/`, allowLoopback: true }, 'address');
  assert.equal(asked, 0);
  await assert.rejects(
    net.request({ url: `http://127.0.0.1:${port}/`, allowLoopback: true, headers: { Host: 'other' } }),
    TypeError,
  );
});

async function resolvedRules(t: TestContext, door: Door): Promise<void> {
  const { port } = await serve(t, (_, reply) => reply.end('reached'));
  const to =
    (...addresses: string[]): Resolve =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  const url = `https://api.example.org:${port}/`;
  for (const addresses of [
    ['127.0.0.1'],
    ['1.1.1.1', '10.0.0.1'],
    ['1.1.1.1', '::ffff:127.0.0.1'],
    ['2606:4700::1111', 'fd00::1'],
  ]) {
    await refused(client(t, { resolve: to(...addresses) }, door), { url, timeoutMs: 60_000 }, 'address');
  }
  await refused(client(t, { resolve: to() }, door), { url }, 'unresolved');
  await refused(client(t, { resolve: () => Promise.reject(new Error('no')) }, door), { url }, 'unresolved');
  // Plain http stays on this machine, also when the Owner's own setting names a host.
  await refused(
    client(t, { resolve: to('1.1.1.1') }, door),
    { url: `http://api.example.org:${port}/`, allowLoopback: true, timeoutMs: 60_000 },
    'address',
  );
}

test('every address of a name is checked', (t) => resolvedRules(t, real));
test('planted: only the first address is checked', async (t) => {
  const broken = plant(t, {
    file: 'lib/net/create.ts',
    from: 'for (const { address } of found) if',
    to: 'for (const { address } of found.slice(0, 1)) if',
  });
  await assert.rejects(resolvedRules(t, (await import(broken('lib/net.ts').href)) as Door), assert.AssertionError);
});

async function rebinding(t: TestContext, door: Door): Promise<void> {
  let asked = 0;
  const { port, names } = await serve(
    t,
    (request, reply) => {
      assert.equal(request.headers.host, `api.example.org:${port}`);
      assert.equal(request.headers['user-agent'], 'Matinee v1.2');
      reply.end('reached');
    },
    true,
  );
  // The second answer is another: were the name looked up again to connect, it would not get there.
  const resolve: Resolve = () => Promise.resolve([{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.9', family: 4 }]);
  const reply = await client(t, { resolve }, door).request({
    url: `https://api.example.org:${port}/`,
    allowLoopback: true,
    timeoutMs: 60_000,
  });
  assert.deepEqual([reply.bytes.toString(), asked, names], ['reached', 1, ['api.example.org']]);
}

test('the connection goes to the checked address and keeps the name', (t) => rebinding(t, real));
test('planted: the name is looked up twice', async (t) => {
  const broken = plant(t, {
    file: 'lib/net/create.ts',
    from: 'base({ ...options, hostname:',
    to: 'void resolve(name); base({ ...options, hostname:',
  });
  await assert.rejects(
    async () => rebinding(t, (await import(broken('lib/net.ts').href)) as Door),
    assert.AssertionError,
  );
});

test('a certificate that does not hold is refused', async (t) => {
  const { port } = await serve(t, (_, reply) => reply.end(), true);
  await refused(client(t), { url: `https://127.0.0.1:${port}/`, allowLoopback: true }, 'tls');
  const net = real.createNet({ version: '1', resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
  t.after(() => net.close());
  await refused(net, { url: `https://api.example.org:${port}/`, allowLoopback: true }, 'tls');
});

async function redirecting(t: TestContext, door: Door): Promise<void> {
  const seen: IncomingMessage[] = [];
  const other = await serve(t, (request, reply) => {
    seen.push(request);
    reply.end('elsewhere');
  });
  const { port } = await serve(t, (request, reply) => {
    seen.push(request);
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
    if (to === null) return reply.end(`${request.method} final`);
    reply
      .writeHead(Number(new URL(request.url ?? '', 'http://x').searchParams.get('status') ?? '302'), { location: to })
      .end('moved');
  });
  const base = `http://127.0.0.1:${port}`;
  const net = client(t, {}, door);
  const to = (target: string, more: Partial<NetRequest> = {}): NetRequest => ({
    url: `${base}/?to=${encodeURIComponent(target)}`,
    allowLoopback: true,
    redirects: 3,
    headers: { authorization: 'Bearer secret' },
    ...more,
  });
  assert.equal((await net.request(to('/end', { redirects: 0 }))).headers['location'], '/end');
  assert.equal((await net.request(to('/end'))).bytes.toString(), 'GET final');
  assert.equal((await net.request(to('/end', { method: 'POST', body: 'x' }))).bytes.toString(), 'GET final');
  assert.equal(seen.at(-1)?.headers.authorization, 'Bearer secret', 'kept within the origin');
  const before = seen.length;
  await refused(net, to(`http://127.0.0.1:${other.port}/`), 'redirect');
  await refused(net, to('http://169.254.169.254/latest'), 'redirect');
  await refused(net, to('https://evil.example/'), 'redirect');
  await refused(net, to('file:///etc/passwd'), 'redirect');
  await refused(net, to('http://user:secret@127.0.0.1/'), 'redirect');
  // Allowed by name, but another origin of this machine: only what the setting named may be here.
  await refused(net, to(`https://127.0.0.1:${other.port}/`, { allowedHosts: ['127.0.0.1'] }), 'address');
  await refused(
    net,
    to(`/?to=${encodeURIComponent(`/?to=${encodeURIComponent('/end')}`)}`, { redirects: 2 }),
    'redirect',
  );
  assert.deepEqual(
    seen.slice(before).filter((request) => request.socket.localPort === other.port),
    [],
  );
}

test('redirects are followed only where they may lead', (t) => redirecting(t, real));
test('planted: redirects are not checked', async (t) => {
  const broken = plant(t, {
    file: 'lib/net/rules.ts',
    from: 'checkUrl(url, hop.isLoopbackAllowed && isSameOrigin,',
    to: 'void checkUrl; void (url,',
  });
  await assert.rejects(
    async () => redirecting(t, (await import(broken('lib/net.ts').href)) as Door),
    assert.AssertionError,
  );
});

test('nothing that may be a secret follows to another origin', async () => {
  const { firstHop, nextHop } = await import('./rules.ts');
  const request: NetRequest = {
    url: 'https://a.example/x',
    allowedHosts: ['a.example', 'b.example'],
    headers: { Authorization: 'x', Cookie: 'y', 'Api-Key': 'z', Accept: 'a/b' },
  };
  const hop = firstHop(request, 'agent');
  assert.deepEqual(Object.keys(nextHop(request, hop, 302, 'https://b.example/')?.headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'user-agent',
  ]);
  assert.equal(nextHop(request, hop, 302, '/y')?.headers['api-key'], 'z');
  assert.throws(
    () => nextHop(request, { ...hop, method: 'POST', body: 'secret' }, 307, 'https://b.example/'),
    (error) => faultOf(error) === 'redirect',
  );
  assert.throws(
    () => nextHop(request, hop, 302, 'http://a.example/'),
    (error) => faultOf(error) === 'redirect',
  );
});

const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
const bodies: Record<string, (reply: ServerResponse) => void> = {
  '/gzip': (r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('text')),
  '/br': (r) => void r.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('text')),
  '/deflate': (r) => void r.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('text')),
  '/raw': (r) => void r.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync('text')),
  '/plain': (r) => void r.end('text'),
  '/bomb': (r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  '/nested': (r) => void r.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb)),
  '/garbage': (r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end('text'),
  '/declared': (r) => void r.writeHead(200, { 'content-length': '9999999' }).write('x'),
  '/endless': (r) => {
    const more = setInterval(() => r.write(Buffer.alloc(64 * 1024)), 1);
    r.on('close', () => clearInterval(more));
  },
  '/short': (r) => {
    r.writeHead(200, { 'content-length': '100' }).write('x');
    setTimeout(() => r.destroy(), 20);
  },
  '/drip': (r) => {
    const more = setInterval(() => r.write('x'), 20);
    r.on('close', () => clearInterval(more));
  },
  '/silent': () => {},
};

async function sizes(t: TestContext, door: Door): Promise<void> {
  const { port } = await serve(t, (request, reply) => bodies[request.url ?? '']?.(reply));
  const net = client(t, {}, door);
  const at = (path: string, more: Partial<NetRequest> = {}): NetRequest => ({
    url: `http://127.0.0.1:${port}${path}`,
    allowLoopback: true,
    maxBytes: 100_000,
    timeoutMs: 60_000,
    ...more,
  });
  for (const path of ['/gzip', '/br', '/deflate', '/raw', '/plain'])
    assert.equal((await net.request(at(path))).bytes.toString(), 'text', path);
  for (const path of ['/bomb', '/declared', '/endless']) await refused(net, at(path), 'too-large');
  for (const path of ['/nested', '/garbage']) await refused(net, at(path), 'broken');
  await refused(net, at('/short'), 'unreachable');
  await refused(net, at('/drip', { timeoutMs: 300 }), 'timeout');
  await refused(net, at('/silent', { timeoutMs: 100 }), 'timeout');
  await refused(net, at('/silent'), 'aborted', AbortSignal.timeout(50));
  await refused(net, at('/plain'), 'aborted', AbortSignal.abort());
}

test('sizes and time are bounded, on the wire and unpacked', (t) => sizes(t, real));
test('planted: unpacking without a bound', async (t) => {
  const broken = plant(t, { file: 'lib/net/body.ts', from: '{ maxOutputLength: mostBytes }', to: '{}' });
  await assert.rejects(async () => sizes(t, (await import(broken('lib/net.ts').href)) as Door), assert.AssertionError);
});

test('a port without a server, and a Retry-After', async (t) => {
  await refused(client(t), { url: 'http://127.0.0.1:1/', allowLoopback: true }, 'unreachable');
  const now = Date.parse('2026-11-21T10:00:00Z');
  const rows: [string | undefined, number | null][] = [
    ['5', 5000],
    ['0', 0],
    ['99999', 3_600_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-3', null],
    ['1.5', null],
    ['99999999999999', null],
  ];
  for (const [header, wait] of rows) assert.equal(real.retryAfterMs(header, now), wait, header ?? 'none');
});
