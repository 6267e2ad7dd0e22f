/** Connections that never complete their TLS handshake block no other client, and are all closed after the deadline. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { endpoint } from '../../src/contract/kernel/endpoint.ts';
import { handle, replyOf } from '../../src/http/testing.ts';
import { until } from '../until.ts';
import { ended, PATIENT, startTarget, type TargetKind, TARGETS } from './clients.ts';

const open = endpoint({
  method: 'GET',
  path: '/api/v1/open',
  summary: 'Open',
  access: 'public',
  reach: 'everywhere',
  result: z.strictObject({}),
});
const REQUEST = 'GET /api/v1/open HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
const serving = (t: TestContext, more: Parameters<typeof startTarget>[2]) =>
  startTarget(t, [handle(open, () => ({}))], more);

/** A test of both listeners that speak TLS. */
const overTls = (name: string, run: (t: TestContext, kind: TargetKind) => Promise<void>): void => {
  for (const kind of TARGETS.slice(1)) test(`${name}, ${kind}`, { timeout: 120_000 }, (t) => run(t, kind));
};

/** The head of a client's first message, which promises 200 bytes more. */
const hello = Buffer.from('16030100c8010000c40303', 'hex');

overTls(
  'silent connections of several addresses keep no client out, and end after the deadline of a handshake',
  async (t, kind) => {
    const {
      open: connect,
      ask,
      held,
    } = await serving(t, {
      kind,
      patience: { ...PATIENT, handshakeTimeout: 2_000 },
      room: { connections: 50, allConnections: 60, silent: 20, allSilent: 40 },
    });
    const silent: Socket[] = [];
    for (let n = 0; n < 200; n++) silent.push(await connect(`127.0.0.${2 + (n % 5)}`));
    await until('the server to hold no more than its limit', async () => (await held()) <= 40);
    for (let n = 0; n < 3; n++)
      assert.equal(replyOf(await ask(REQUEST)).status, 200, 'a client that completes its handshake gets in');
    await until('the silent connections to be gone', async () => (await held()) === 0);
    await Promise.all(silent.map((one) => (one.resume(), ended(one))));
  },
);

const unfinished: Record<string, (one: Socket) => unknown> = {
  'that says nothing': () => {},
  'that sends half a hello': (one) => one.write(hello),
  'that sends half a hello and no more is to come': (one) => one.end(hello),
  'that ends its side at once': (one) => one.end(),
  'that speaks HTTP without TLS': (one) => one.write(REQUEST),
  'that sends nonsense': (one) => one.write('\u0000'.repeat(300)),
  'that is reset': (one) => (one.write(hello), one.resetAndDestroy()),
  'that adds a byte at a time': (one) => {
    const bytes = Buffer.concat([hello, Buffer.alloc(190)]);
    let at = 0;
    const timer = setInterval(
      () => (one.destroyed || at >= bytes.length ? clearInterval(timer) : one.write(bytes.subarray(at, ++at))),
      20,
    );
  },
};
for (const [what, act] of Object.entries(unfinished)) {
  overTls(`a connection to the TLS port ${what} is released`, async (t, kind) => {
    const { open: connect, held, ask } = await serving(t, { kind, patience: { ...PATIENT, handshakeTimeout: 1_000 } });
    const all = await Promise.all(Array.from({ length: 10 }, () => connect()));
    await until('all of them to be accepted', async () => (await held()) === 10);
    // Never read and never closed on this side: the server must let go by itself.
    for (const one of all) act(one.pause());
    await until('all of them to be released', async () => (await held()) === 0);
    assert.equal(replyOf(await ask(REQUEST)).status, 200);
  });
}

test('without TLS, silent connections make room as well', { timeout: 120_000 }, async (t) => {
  const {
    open: connect,
    ask,
    held,
  } = await serving(t, {
    kind: 'without TLS',
    patience: PATIENT,
    room: { connections: 50, allConnections: 60, silent: 20, allSilent: 40 },
  });
  for (let n = 0; n < 200; n++) await connect(`127.0.0.${2 + (n % 5)}`);
  await until('the server to hold no more than its limit', async () => (await held()) <= 40);
  assert.equal(replyOf(await ask(REQUEST)).status, 200);
});

test(
  'connections that have been used and are idle make room for new clients, the longest idle first',
  { timeout: 120_000 },
  async (t) => {
    const {
      open: connect,
      ask,
      held,
    } = await serving(t, { kind: 'without TLS', patience: PATIENT, room: { connections: 20, allConnections: 40 } });
    const used: Socket[] = [];
    for (let n = 0; n < 40; n++) {
      const one = await connect(`127.0.0.${2 + (n % 5)}`);
      const answered = new Promise((resolve) => void one.once('data', resolve));
      one.write('GET /api/v1/open HTTP/1.1\r\nhost: a\r\n\r\n');
      await answered;
      used.push(one);
    }
    assert.equal(await held(), 40);
    assert.equal(replyOf(await ask(REQUEST)).status, 200);
    await ended(used[0] as Socket);
    assert.equal(used.at(-1)?.destroyed, false);
  },
);

test('empty lines between two requests do not keep a connection', { timeout: 120_000 }, async (t) => {
  const { open: connect } = await serving(t, {
    kind: 'without TLS',
    patience: { ...PATIENT, headersTimeout: 100, keepAliveTimeout: 300, handshakeTimeout: 100 },
  });
  const one = await connect();
  const gone = ended(one.resume());
  one.write('GET /api/v1/open HTTP/1.1\r\nhost: a\r\n\r\n');
  const timer = setInterval(() => one.writable && one.write('\r\n'), 20);
  await gone.finally(() => clearInterval(timer));
});

overTls('a stop does not wait for unfinished handshakes', async (t, kind) => {
  const { open: connect, http, held } = await serving(t, { kind, patience: PATIENT });
  const silent = await Promise.all(Array.from({ length: 5 }, () => connect()));
  await until('the connections to be accepted', async () => (await held()) === 5);
  await http.close(30_000);
  await Promise.all(silent.map((one) => (one.resume(), ended(one))));
});

overTls(
  'TLS 1.2 offers ephemeral keys with authenticated encryption alone, and TLS 1.0 and 1.1 nothing',
  async (t, kind) => {
    const { client } = await serving(t, { kind, patience: PATIENT });
    const speak = async (
      minVersion: 'TLSv1' | 'TLSv1.2' | 'TLSv1.3',
      maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3',
      ciphers?: string,
    ) => {
      const one = await client({
        minVersion,
        maxVersion,
        ...(ciphers !== undefined && { ciphers: `${ciphers}:@SECLEVEL=0` }),
      }).catch(() => undefined);
      const name = (one as { getCipher?(): { standardName: string } } | undefined)?.getCipher?.().standardName;
      one?.destroy();
      return name;
    };
    for (const cipher of [
      'ECDHE-ECDSA-AES128-GCM-SHA256',
      'ECDHE-ECDSA-AES256-GCM-SHA384',
      'ECDHE-ECDSA-CHACHA20-POLY1305',
    ])
      assert.match((await speak('TLSv1.2', 'TLSv1.2', cipher)) ?? '', /^TLS_ECDHE_ECDSA_WITH_.*(GCM|POLY1305)/, cipher);
    for (const cipher of [
      'ECDHE-ECDSA-AES128-SHA256',
      'ECDHE-ECDSA-AES256-SHA384',
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA',
      'ECDHE-ECDSA-AES128-CCM8',
      'ECDHE-ECDSA-CAMELLIA128-SHA256',
      'ECDHE-ECDSA-ARIA128-GCM-SHA256',
    ])
      assert.equal(await speak('TLSv1.2', 'TLSv1.2', cipher), undefined, cipher);
    assert.equal(await speak('TLSv1', 'TLSv1.1', 'ALL'), undefined);
    assert.match((await speak('TLSv1.3', 'TLSv1.3')) ?? '', /^TLS_(AES|CHACHA20)/);
  },
);

overTls('a client of TLS 1.2 cannot have the server shake hands again', async (t, kind) => {
  // The server does not answer such a request, so the connection ends as a silent one.
  const { client } = await serving(t, { kind, patience: { ...PATIENT, headersTimeout: 1_500 } });
  const one = (await client({ maxVersion: 'TLSv1.2' })) as TLSSocket;
  const isRefused = await new Promise<boolean>((resolve) => {
    one.once('close', () => resolve(true)).resume();
    one.renegotiate({}, (error) => resolve(error !== null));
  });
  assert.equal(isRefused, true);
});
