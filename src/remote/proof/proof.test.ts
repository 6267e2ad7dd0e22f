/** The proof that remote access works, at a real authority that connects to a real listener. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createTcp, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect, createServer as createTls } from 'node:tls';
import { endpoint } from '../../contract/kernel/endpoint.ts';
import { z } from 'zod';
import { ownCertificate } from '../../http/certificate.ts';
import { createServer } from '../../http/server.ts';
import { handle } from '../../http/testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createNet, type Net } from '../../lib/net.ts';
import type { TaskContext } from '../../lib/tasks/index.ts';
import { createAcme } from '../certificates/acme.ts';
import { newKey } from '../certificates/keys.ts';
import { startAuthority } from '../certificates/testing-authority.ts';
import { createProof, PROOF_TASK } from './proof.ts';
import { createChallengeResponder } from './responder.ts';
import { validateByTls } from './validation.ts';

const HOST = 'film.duckdns.org';
const DAY_MS = 86_400_000;
const hello = endpoint({
  method: 'GET',
  path: '/api/v1/hello',
  summary: 'Hello',
  access: 'public',
  result: z.strictObject({ hello: z.string() }),
});

/** A public listener with its own certificate, and what it answers validations with. */
async function openListener(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-proof-'));
  const served = await ownCertificate({ folder: `${folder}/own`, hosts: [HOST], clock: systemClock });
  const responder = createChallengeResponder();
  const validated: string[] = [];
  const server = createServer({
    mounted: [handle(hello, async () => ({ hello: 'world' }))],
    doors: { identify: async () => undefined, current: (by) => by, log: silentLog },
    tls: {
      of: (host) => (host === HOST ? served : undefined),
      challengeOf: (host) => {
        validated.push(host);
        return responder.of(host);
      },
    },
  });
  const at = (await server.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo;
  t.after(async () => {
    await server.close(0);
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, served, responder, validated, port: at.port, server };
}

async function openProof(t: TestContext, given: { reuse?: number; tlsPort?: number } = {}) {
  const listener = await openListener(t);
  const authority = await startAuthority({ tlsPort: listener.port, ...given });
  t.after(() => authority.close());
  let offset = 0;
  const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() };
  const asked: string[] = [];
  const real = createNet({ version: '0', ca: authority.ca });
  t.after(() => real.close());
  const net: Net = {
    request: (request, signal) => {
      asked.push(new URL(request.url).pathname);
      return real.request(request, signal);
    },
    close: real.close,
  };
  const is = { listening: true, behindGateway: false };
  const make = () =>
    createProof({
      ...{ net, clock, log: silentLog, host: HOST, responder: listener.responder, directory: authority.directory },
      folder: `${listener.folder}/proof`,
      isListening: () => is.listening,
      isBehindGateway: is.behindGateway,
      start: async (name) => void started.push(name),
      pollMs: 20,
    });
  const started: string[] = [];
  const proof = make();
  await proof.open();
  const context = (signal: AbortSignal, resumed = false) => ({ signal, resumed }) as TaskContext<never>;
  return {
    ...{ ...listener, authority, net, clock, asked, is, proof, started, make },
    run: (signal = new AbortController().signal) => proof.task.run(context(signal)),
    resume: () => proof.task.run(context(new AbortController().signal, true)),
    pass: (ms: number) => void (offset += ms),
  };
}
const last = ({ proof }: { proof: ReturnType<typeof createProof> }) => proof.state().last?.result;

test('a third party connects each time, no certificate is taken, and the result outlives a restart', async (t) => {
  // An authority that remembers every proof, as the public one does.
  const house = await openProof(t, { reuse: 100 });
  await house.proof.begin(async () => {});
  assert.deepEqual(house.started, [PROOF_TASK]);
  await house.run();
  assert.equal(last(house), 'reached');
  const connections = house.validated.length;
  assert.ok(connections > 0, 'it has connected');
  await house.run();
  assert.equal(last(house), 'reached');
  assert.ok(house.validated.length > connections, 'it has connected again, and not answered from memory');
  assert.ok(!house.asked.some((path) => /finalize|cert/.test(path)), 'nothing was ordered to its end');

  const again = house.make();
  await again.open();
  assert.deepEqual(again.state(), { isRunning: false, last: house.proof.state().last });
  const kept = JSON.parse(await readFile(`${house.folder}/proof/proof.json`, 'utf8')) as { tries: number[] };
  assert.equal(kept.tries.length, 2);
});

test('what the authority remembers is no proof', async (t) => {
  const house = await openProof(t, { reuse: 100 });
  // Another proof with the same account was cut off before it ended its authorization.
  const key = newKey();
  const account = () => createAcme({ ...house, directory: house.authority.directory, accountKey: key });
  const forgetful = account();
  const needs = { host: HOST, responder: house.responder, now: house.clock.now, pollMs: 20 };
  const { signal } = new AbortController();
  const post: typeof forgetful.post = async (url, payload, ...more) =>
    JSON.stringify(payload)?.includes('deactivated')
      ? { status: 200, location: undefined, retryAfterMs: undefined, text: '', json: undefined }
      : forgetful.post(url, payload, ...more);
  assert.equal(await validateByTls({ ...needs, signal, acme: { ...forgetful, post } }), 'reached');
  await house.server.close(0);
  assert.equal(await validateByTls({ ...needs, signal, acme: account() }), 'elsewhere');
});

test('a closed port, another program and another server are said to be that', async (t) => {
  const house = await openProof(t);
  // This authority calls everything that fails unauthorized.
  await house.server.close(0);
  await house.run();
  assert.equal(last(house), 'elsewhere');

  const others: [string, (port: number) => Promise<{ close(): void }>][] = [
    [
      'a program without TLS',
      (port) =>
        new Promise((resolve) => {
          const server = createTcp((socket) => socket.on('error', () => {}).end('220 hello\r\n'));
          server.listen(port, '127.0.0.1', () => resolve(server));
        }),
    ],
    [
      'a server with another certificate',
      (port) =>
        new Promise((resolve) => {
          const { key, cert } = house.served;
          const server = createTls({ key, cert, ALPNProtocols: ['acme-tls/1', 'http/1.1'] }, (socket) =>
            socket.on('error', () => {}).end(),
          );
          server.on('tlsClientError', () => {}).listen(port, '127.0.0.1', () => resolve(server));
        }),
    ],
  ];
  for (const [name, open] of others) {
    const other = await open(house.port);
    await house.run();
    other.close();
    assert.equal(last(house), 'elsewhere', name);
  }
});

test('an authority that is away says nothing of the server, and a proof that is cut off is not repeated', async (t) => {
  const house = await openProof(t);
  await house.authority.stop();
  await house.run();
  assert.equal(last(house), 'ca-unreachable');
  await house.authority.start();
  const stop = new AbortController();
  const running = house.run(stop.signal);
  assert.equal(house.proof.state().isRunning, true);
  stop.abort();
  await assert.rejects(running);
  assert.deepEqual(house.proof.state().isRunning, false);
  assert.equal(house.responder.of(HOST), undefined, 'no challenge is left');
  const asked = house.asked.length;
  await house.resume();
  assert.equal(house.asked.length, asked, 'a restart does not ask again by itself');
});

test('four proofs a day, and none while the listener is closed or a gateway takes the handshakes', async (t) => {
  const house = await openProof(t);
  house.is.listening = false;
  await assert.rejects(
    house.proof.begin(async () => {}),
    { reason: 'remote-access-closed' },
  );
  house.is.listening = true;
  for (let tries = 1; tries <= 4; tries += 1) {
    await house.proof.begin(async () => {});
    await house.run();
  }
  await assert.rejects(
    house.proof.begin(async () => {}),
    { reason: 'too-many-proofs' },
  );
  await assert.rejects(house.run(), { reason: 'too-many-proofs' });
  house.pass(DAY_MS + 1_000);
  await house.proof.begin(async () => {});
  house.is.behindGateway = true;
  await assert.rejects(
    house.make().begin(async () => {}),
    { reason: 'proof-behind-gateway' },
  );
});

test('the problems that an authority names are told apart', async () => {
  const problem = (type: string | undefined) => ({
    status: 'invalid',
    challenges: [{ type: 'tls-alpn-01', url: 'https://ca.example/c', ...(type !== undefined && { error: { type } }) }],
  });
  const begun = { status: 'pending', challenges: [{ type: 'tls-alpn-01', url: 'https://ca.example/c', token: 'abc' }] };
  for (const [type, result] of [
    ['urn:ietf:params:acme:error:connection', 'not-connected'],
    ['urn:ietf:params:acme:error:dns', 'no-address'],
    ['urn:ietf:params:acme:error:tls', 'elsewhere'],
    ['urn:ietf:params:acme:error:unauthorized', 'elsewhere'],
    ['urn:ietf:params:acme:error:incorrectResponse', 'elsewhere'],
    ['urn:ietf:params:acme:error:somethingNew', 'not-connected'],
    [undefined, 'not-connected'],
  ] as const) {
    const replies: unknown[] = [{ authorizations: ['https://ca.example/a'] }, begun, {}, problem(type), {}];
    const found = await validateByTls({
      acme: {
        directory: async () => ({ newNonce: '', newAccount: '', newOrder: 'https://ca.example/o' }),
        read: () => Promise.reject(new Error('nothing is read without a signature')),
        register: async () => {},
        post: async () => ({
          ...{ status: 200, location: undefined, retryAfterMs: undefined, text: '' },
          json: replies.shift(),
        }),
        keyAuthorization: (token) => `${token}.print`,
      },
      host: HOST,
      responder: createChallengeResponder(),
      now: Date.now,
      pollMs: 1,
      signal: new AbortController().signal,
    });
    assert.equal(found, result, String(type));
  }
});

/** Shakes hands, asks for the page, and returns the protocol, the certificate and the reply. */
function shake(port: number, { protocols, version }: { protocols?: string[]; version: 'TLSv1.2' | 'TLSv1.3' }) {
  return new Promise<{ protocol: unknown; serial: string; reply: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false };
    const socket = connect(
      { ...options, maxVersion: version, minVersion: version, ...(protocols && { ALPNProtocols: protocols }) },
      () => {
        const serial = socket.getPeerX509Certificate()?.serialNumber ?? '';
        let reply = '';
        socket.on('data', (chunk: Buffer) => void (reply += chunk.toString('latin1')));
        socket.on('close', () => resolve({ protocol: socket.alpnProtocol, serial, reply }));
        socket.write(`GET ${hello.path} HTTP/1.1\r\nhost: ${HOST}\r\nconnection: close\r\n\r\n`);
      },
    );
    socket.once('error', reject);
  });
}

test('others are served as ever while a challenge waits, and a validation is served nothing', async (t) => {
  const { port, responder, served } = await openListener(t);
  const { X509Certificate } = await import('node:crypto');
  const own = new X509Certificate(served.cert).serialNumber;
  for (const version of ['TLSv1.3', 'TLSv1.2'] as const) {
    await assert.rejects(shake(port, { protocols: ['acme-tls/1'], version }), 'no challenge waits');
    const end = await responder.answer({ host: HOST, keyAuthorization: 'token.print', now: Date.now() });
    const validation = await shake(port, { protocols: ['acme-tls/1'], version });
    assert.equal(validation.protocol, 'acme-tls/1');
    assert.notEqual(validation.serial, own);
    assert.equal(validation.reply, '', 'nothing is served on it');
    for (const protocols of [undefined, ['http/1.1'], ['h2', 'http/1.1']]) {
      const usual = await shake(port, { ...(protocols && { protocols }), version });
      assert.equal(usual.serial, own);
      assert.match(usual.reply, /^HTTP\/1\.1 200/);
    }
    await assert.rejects(shake(port, { protocols: ['h2'], version }), 'no protocol in common');
    end();
    await assert.rejects(shake(port, { protocols: ['acme-tls/1'], version }), 'the challenge is over');
  }
});
