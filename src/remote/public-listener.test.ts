/** The listener for remote access: when it is open, whose handshakes it takes, and what a renewal leaves. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect as connectTcp, createServer as createTcp, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { z } from 'zod';
import { until } from '../../test/until.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { ownCertificate } from '../http/certificate.ts';
import type { ServerSentEvent } from '../http/handle.ts';
import { createServer } from '../http/server.ts';
import { handle, replyOf } from '../http/testing.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { createPublicListener, type PublicPlace } from './public-listener.ts';
import type { ServedCertificate } from './types.ts';

const HOST = 'film.duckdns.org';
const TICK_MS = 20;

async function openFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-listener-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function makeCertificate(t: TestContext): Promise<ServedCertificate> {
  const { key, cert } = await ownCertificate({ folder: await openFolder(t), hosts: [HOST], clock: systemClock });
  return { key, chain: cert, names: [HOST], notAfter: Date.now() + 86_400_000 };
}

const open = endpoint({
  method: 'GET',
  path: '/api/v1/open',
  summary: 'Open',
  access: 'public',
  reach: 'everywhere',
  result: z.strictObject({}),
});
const events = endpoint({
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Events',
  access: 'public',
  reach: 'everywhere',
  result: { events: z.strictObject({ n: z.int() }) },
});
const GET = (path: string, host = HOST) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

interface World {
  listener: ReturnType<typeof createPublicListener>;
  state: { certificate: ServedCertificate | undefined; isAllowed: boolean };
  /** Sends an event on every open stream. */
  emit(): void;
  port(): number;
}

async function openWorld(
  t: TestContext,
  place: PublicPlace = { kind: 'public', host: HOST, address: { host: '127.0.0.1', port: 0 } },
): Promise<World> {
  const state: World['state'] = { certificate: await makeCertificate(t), isAllowed: true };
  const waiting = new Set<() => void>();
  let n = 0;
  const stream = async function* (): AsyncGenerator<ServerSentEvent> {
    for (;;) {
      await new Promise<void>((resolve) => void waiting.add(resolve));
      yield { data: { n } };
    }
  };
  const listener = createPublicListener({
    place,
    clock: systemClock,
    log: silentLog,
    makeServer: (needs) =>
      createServer({
        mounted: [handle(open, () => ({})), handle(events, stream)],
        doors: { identify: async () => undefined, current: (by) => by, log: silentLog },
        ...needs,
      }),
    certificate: () => state.certificate,
    isAllowed: () => state.isAllowed,
    challengeOf: () => undefined,
    noteOutside: () => {},
    tickMs: TICK_MS,
  });
  t.after(() => listener.close(0));
  return {
    listener,
    state,
    emit: () => {
      n += 1;
      for (const go of waiting) go();
      waiting.clear();
    },
    port: () => listener.state().port ?? 0,
  };
}

const shake = (port: number, options: ConnectionOptions = {}): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const one = connect({ port, host: '127.0.0.1', servername: HOST, rejectUnauthorized: false, ...options }, () =>
      resolve(one.on('error', () => {})),
    );
    one.once('error', reject).once('close', () => reject(new Error('the handshake was ended')));
  });
const serialOf = (one: TLSSocket): string => one.getPeerX509Certificate()?.serialNumber ?? '';
const isReachable = async (port: number): Promise<boolean> => {
  const one = await shake(port).catch(() => undefined);
  one?.destroy();
  return one !== undefined;
};
const ask = async (port: number, text: string): Promise<ReturnType<typeof replyOf>> => {
  const one = await shake(port);
  const chunks: Buffer[] = [];
  one.on('data', (chunk: Buffer) => void chunks.push(chunk)).write(text);
  await new Promise((resolve) => void one.once('close', resolve));
  return replyOf(Buffer.concat(chunks).toString('latin1'));
};

test('it is open only with leave and a certificate, and follows both while the server runs', async (t) => {
  const { listener, state, port } = await openWorld(t);
  const { certificate } = state;
  for (const missing of [{ isAllowed: false }, { certificate: undefined }]) {
    Object.assign(state, missing);
    await listener.start();
    await listener.update();
    assert.equal(listener.state().isOpen, false, JSON.stringify(Object.keys(missing)));
    Object.assign(state, { isAllowed: true, certificate });
  }
  await listener.update();
  assert.equal((await ask(port(), GET('/api/v1/open'))).status, 200);
  assert.equal((await ask(port(), GET('/api/v1/open', 'localhost'))).status, 421);
  const before = port();
  state.isAllowed = false;
  await listener.update();
  assert.deepEqual([listener.state().isOpen, await isReachable(before)], [false, false]);
  state.isAllowed = true;
  await listener.update();
  assert.equal(await isReachable(port()), true);
  // One that has ended is never served; the listener learns of it by the clock.
  state.certificate = undefined;
  assert.equal(await isReachable(port()), false);
  await until('the listener to be closed', () => !listener.state().isOpen);
});

test('leave that is withdrawn while it opens closes it again', async (t) => {
  const { listener, state } = await openWorld(t);
  const started = listener.start();
  state.isAllowed = false;
  await Promise.all([started, listener.update()]);
  assert.equal(listener.state().isOpen, false);
});

test('another name, or none, ends the handshake, and nothing of the certificate is sent', async (t) => {
  const { listener, port } = await openWorld(t);
  await listener.start();
  assert.equal(await isReachable(port()), true);
  for (const servername of ['localhost', 'duckdns.org', `x.${HOST}`, `${HOST}.example`, '']) {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const tcp = connectTcp({ port: port(), host: '127.0.0.1' });
      const one = await shake(0, { socket: tcp, servername, maxVersion }).catch(() => undefined);
      assert.equal(one, undefined, `${servername} ${maxVersion}`);
      // An alert at most; the smallest certificate has hundreds of bytes.
      assert.ok(tcp.bytesRead < 32, `${servername} ${maxVersion}: ${tcp.bytesRead} bytes`);
      tcp.destroy();
    }
  }
});

test('a renewed certificate is in use from the next handshake on, and open streams stay', async (t) => {
  const { listener, state, port, emit } = await openWorld(t);
  await listener.start();
  const first = await shake(port());
  let got = '';
  first.on('data', (chunk: Buffer) => void (got += chunk.toString('latin1')));
  first.write(GET('/api/v1/events'));
  await until('the stream to begin', () => got.includes('200 OK'));
  emit();
  await until('the first event', () => got.includes('{"n":1}'));
  const before = serialOf(first);
  assert.equal(before, new X509Certificate(state.certificate?.chain ?? '').serialNumber);
  const opened = port();
  state.certificate = await makeCertificate(t);
  await listener.update();
  const second = await shake(port());
  t.after(() => second.destroy());
  assert.notEqual(serialOf(second), before);
  assert.equal(serialOf(second), new X509Certificate(state.certificate.chain).serialNumber);
  emit();
  await until('an event on the stream of before', () => got.includes('{"n":2}'));
  assert.deepEqual([first.destroyed, port()], [false, opened]);
  first.destroy();
});

test('a port that is taken is a fault that is tried again', async (t) => {
  const other: Server = createTcp();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const at = other.address();
  const taken = typeof at === 'object' && at !== null ? at.port : 0;
  const { listener } = await openWorld(t, { kind: 'public', host: HOST, address: { host: '127.0.0.1', port: taken } });
  await listener.start();
  assert.deepEqual([listener.state().isOpen, listener.state().fault], [false, 'port-taken']);
  await new Promise<void>((resolve) => void other.close(() => resolve()));
  await until('it to be open', () => listener.state().isOpen);
  assert.deepEqual([listener.state().fault, await isReachable(taken)], [undefined, true]);
});

test('an address that is not of this machine is a fault', async (t) => {
  const { listener } = await openWorld(t, { kind: 'public', host: HOST, address: { host: '192.0.2.1', port: 0 } });
  await listener.start();
  assert.equal(listener.state().fault, 'listen-address-unknown');
});

test('the gateway has a private folder with the socket and the certificate', async (t) => {
  const folder = join(await openFolder(t), 'gateway');
  const place = { kind: 'gateway', host: HOST, token: 'x'.repeat(40), folder } as const;
  const { listener, state } = await openWorld(t, place);
  await listener.start();
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const [socket, pem] = [join(folder, 'public.sock'), join(folder, 'public.pem')];
  assert.deepEqual([await mode(folder), await mode(socket), await mode(pem)], ['700', '600', '600']);
  assert.equal((await stat(socket)).isSocket(), true);
  const kept = await readFile(pem, 'utf8');
  assert.ok(kept.includes(state.certificate?.chain.trim() ?? '-') && kept.includes('PRIVATE KEY'));
  state.certificate = await makeCertificate(t);
  await listener.update();
  assert.ok((await readFile(pem, 'utf8')).includes(state.certificate.chain.trim()), 'a renewed one replaces it');
  state.isAllowed = false;
  await listener.update();
  await assert.rejects(stat(socket), { code: 'ENOENT' });
  await assert.rejects(stat(pem), { code: 'ENOENT' });
  await writeFile(socket, 'left by a server that was killed');
  state.isAllowed = true;
  await listener.update();
  assert.deepEqual([(await stat(socket)).isSocket(), listener.state().fault], [true, undefined]);
});

test('a data folder whose path is too long for a socket is a fault', async (t) => {
  const folder = join(await openFolder(t), 'x'.repeat(100));
  const { listener } = await openWorld(t, { kind: 'gateway', host: HOST, token: 'x'.repeat(40), folder });
  await listener.start();
  assert.equal(listener.state().fault, 'gateway-path-too-long');
});
