/** WebSockets over real connections: admission, limits, and what ends them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { until } from '../../test/until.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { SOCKET_CLOSE } from '../contract/kernel/socket.ts';
import { Failure } from '../lib/failure.ts';
import type { OpenSocket } from './handle.ts';
import { openapi } from './openapi.ts';
import { handle, makePrincipal, replyOf, type TestServer, startTestServer } from './testing.ts';

const Said = z.strictObject({ say: z.string() });
const Heard = z.strictObject({ heard: z.string() });
const KIB = 1024;
const room = endpoint({
  method: 'GET',
  path: '/api/v1/rooms/{id}/socket',
  summary: 'Talk in a room',
  access: { role: 'viewer', via: 'stream', link: 'media' },
  params: z.strictObject({ id: z.string().regex(/^[a-z0-9]{1,16}$/) }),
  query: z.strictObject({ ticket: z.string().optional() }),
  result: { socket: { receives: Said, sends: Heard, maxBytes: 2 * KIB, maxPerSecond: 5 } },
  fails: ['no-such-item'],
});
const lobby = endpoint({
  method: 'GET',
  path: '/api/v1/lobby',
  summary: 'Listen in the lobby',
  access: 'public',
  result: { socket: { receives: Said, sends: Heard, maxPerSecond: 10_000 } },
});
const ordinary = endpoint({
  method: 'GET',
  path: '/api/v1/ordinary',
  summary: 'Not a socket',
  access: 'public',
  result: Heard,
});

interface Rooms extends TestServer {
  /** Handles a message of the room; a test replaces it. */
  answer: (say: string) => Promise<void> | void;
  /** Sends to the socket that was opened last. */
  send: (message: z.input<typeof Heard>) => void;
  opened: number;
  closed: number;
}

async function rooms(t: TestContext, more: Parameters<typeof startTestServer>[2] = {}): Promise<Rooms> {
  const state = { opened: 0, closed: 0 } as Rooms;
  const open: OpenSocket<z.output<typeof Said>, z.input<typeof Heard>> = (peer) => {
    state.opened += 1;
    state.send = peer.send;
    return {
      receive: ({ say }) => (say === 'bye' ? peer.close() : state.answer(say)),
      closed: () => void (state.closed += 1),
    };
  };
  state.answer = (say) => state.send({ heard: say });
  const here = await startTestServer(
    t,
    [
      handle(room, ({ id }, { onlyWhile }) => {
        if (id === 'none') throw new Failure('missing', 'there is no such room', { reason: 'no-such-item' });
        onlyWhile(({ name }) => name !== 'Barred');
        return open;
      }),
      handle(lobby, () => open),
      handle(ordinary, () => ({ heard: '' })),
    ],
    more,
  );
  return Object.assign(state, here);
}

const ROOM = '/api/v1/rooms/one/socket';
const VIEWER = { authorization: 'Bearer viewer' };
function dial(t: TestContext, { port }: TestServer, path = ROOM, headers: Record<string, string> = VIEWER): WebSocket {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: true });
  t.after(() => ws.terminate());
  ws.on('error', () => {});
  return ws;
}
const opened = async (...all: Parameters<typeof dial>) => {
  const ws = dial(...all);
  await once(ws, 'open');
  return ws;
};
/** Returns the code and the text with which a socket was closed. */
const closed = async (ws: WebSocket) => {
  const [code, reason] = (await once(ws, 'close')) as [number, Buffer];
  return [code, reason.toString()];
};
const heard = async (ws: WebSocket) => String(((await once(ws, 'message')) as [Buffer])[0]);
/** Returns the reply that refuses a handshake. */
async function refused(...all: Parameters<typeof dial>) {
  const ws = dial(...all);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  ws.once('open', () => reject(new Error('the socket was opened')));
  ws.once('unexpected-response', (_, response) => resolve(response));
  const reply = await promise;
  const pieces: Buffer[] = [];
  for await (const piece of reply) pieces.push(piece as Buffer);
  const body = JSON.parse(Buffer.concat(pieces).toString() || '{}') as { reason?: string };
  return { status: reply.statusCode, reason: body.reason, headers: reply.headers };
}

test('messages go both ways, one at a time, and nothing is compressed', async (t) => {
  const here = await rooms(t);
  const ws = await opened(t, here);
  assert.equal(ws.extensions, '');
  ws.send('{"say":"hello"}');
  assert.equal(await heard(ws), '{"heard":"hello"}');
  const order: string[] = [];
  here.answer = async (say) => {
    order.push(`begin ${say}`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`end ${say}`);
  };
  for (const say of ['a', 'b']) ws.send(JSON.stringify({ say }));
  await until('both were handled', () => order.length === 4);
  assert.deepEqual(order, ['begin a', 'end a', 'begin b', 'end b']);
  ws.send('{"say":"bye"}');
  assert.deepEqual(await closed(ws), [SOCKET_CLOSE.done, '']);
  await until('the handler was notified', () => here.closed === 1);
});

test('a handshake is admitted like any request, and refused by an ordinary reply', async (t) => {
  const here = await rooms(t);
  here.tokens.set('link', makePrincipal({ role: 'viewer', via: { purpose: 'media', item: 'one' } }));
  here.tokens.set('library', makePrincipal({ via: new Set(['library'] as const) }));
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const cases: [string, Record<string, string>, number, string][] = [
    [ROOM, {}, 401, 'sign-in-required'],
    [ROOM, as('unknown'), 401, 'credentials-invalid'],
    [ROOM, as('library'), 403, 'scope-missing'],
    ['/api/v1/rooms/two/socket', as('link'), 401, 'link-invalid'],
    ['/api/v1/rooms/none/socket', VIEWER, 404, 'no-such-item'],
    [`${ROOM}?surprise=1`, VIEWER, 400, 'field-unknown'],
    ['/api/v1/rooms/UPPER/socket', VIEWER, 400, 'field-invalid'],
    ['/api/v1/ordinary', VIEWER, 400, 'request-malformed'],
    ['/api/v1/nowhere', VIEWER, 400, 'request-malformed'],
  ];
  for (const [path, headers, status, reason] of cases) {
    const reply = await refused(t, here, path, headers);
    assert.deepEqual([reply.status, reply.reason], [status, reason], path);
    assert.match(String(reply.headers['x-request-id']), /^[0-9a-f]{16}$/, path);
    assert.equal(reply.headers['x-content-type-options'], 'nosniff', path);
  }
  assert.equal(here.opened, 0);
  assert.equal((await opened(t, here, ROOM, as('link'))).readyState, WebSocket.OPEN);
});

test('another site cannot open a socket with our cookie', async (t) => {
  const here = await rooms(t);
  const own = `http://127.0.0.1:${here.port}`;
  const cookie = { cookie: 'matinee=viewer' };
  for (const [headers, why] of [
    [{ origin: 'https://elsewhere.example' }, 'another site'],
    [{ origin: own, 'sec-fetch-site': 'cross-site' }, 'a site that the browser names'],
    [{ origin: `https://127.0.0.1:${here.port}` }, 'another scheme'],
    [{ origin: 'null' }, 'a sandboxed page'],
    [{}, 'no origin'],
  ] as const) {
    const reply = await refused(t, here, ROOM, { ...cookie, ...headers });
    assert.deepEqual([reply.status, reply.reason], [403, 'foreign-origin'], why);
    assert.equal((await refused(t, here, '/api/v1/lobby', { ...cookie, ...headers })).status, 403, why);
  }
  assert.equal(here.opened, 0);
  await opened(t, here, ROOM, { ...cookie, origin: own, 'sec-fetch-site': 'same-origin' });
  // A Bearer is not sent by a browser of itself.
  await opened(t, here, ROOM, { ...VIEWER, origin: 'https://elsewhere.example' });
});

test('a request that is not a correct handshake is refused in our words', async (t) => {
  const here = await rooms(t);
  const KEY = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const UPGRADE = 'connection: upgrade\r\nupgrade: websocket\r\n';
  const cases: [string, number, string][] = [
    ['', 400, 'upgrade-expected'],
    ['upgrade: websocket\r\n', 400, 'upgrade-expected'],
    [`connection: upgrade\r\nupgrade: h2c\r\n${KEY}sec-websocket-version: 13\r\n`, 400, 'request-malformed'],
    [`${UPGRADE}${KEY}sec-websocket-version: 8\r\n`, 400, 'request-malformed'],
    [`${UPGRADE}sec-websocket-version: 13\r\nsec-websocket-key: short\r\n`, 400, 'request-malformed'],
  ];
  for (const [lines, status, reason] of cases) {
    const text = `GET ${ROOM} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer viewer\r\n${lines}\r\n`;
    const reply = replyOf(await here.raw(text));
    assert.deepEqual([reply.status, (JSON.parse(reply.body) as { reason: string }).reason], [status, reason], lines);
  }
  const post = `POST ${ROOM} HTTP/1.1\r\nhost: a\r\n${UPGRADE}content-length: 0\r\n\r\n`;
  assert.equal(replyOf(await here.raw(post)).status, 400);
  assert.equal(here.opened, 0);
});

test('a message of another shape closes the socket, with a code that says why', async (t) => {
  const here = await rooms(t);
  const cases: [string | Buffer, number, string][] = [
    ['{"say":1}', 4400, 'field-invalid'],
    ['{"say":"a","more":1}', 4400, 'field-unknown'],
    ['{"say":"a","say":"b"}', 4400, 'field-repeated'],
    ['[]', 4400, 'body-malformed'],
    ['{', 4400, 'body-malformed'],
    [Buffer.from('{"say":"a"}'), SOCKET_CLOSE.notText, 'not-text'],
    [JSON.stringify({ say: 'x'.repeat(2 * KIB) }), SOCKET_CLOSE.tooLarge, ''],
  ];
  const answered: string[] = [];
  here.answer = (say) => void answered.push(say);
  for (const [message, code, reason] of cases) {
    const ws = await opened(t, here);
    ws.send(message, { binary: typeof message !== 'string' });
    assert.deepEqual(await closed(ws), [code, reason], String(message).slice(0, 40));
  }
  assert.deepEqual(answered, []);
  here.answer = () => {
    throw new Failure('conflict', 'not now', { reason: 'locked' });
  };
  const refusedLater = await opened(t, here);
  refusedLater.send('{"say":"a"}');
  assert.deepEqual(await closed(refusedLater), [4409, 'locked']);
  here.answer = () => Promise.reject(new Error('a bug'));
  const broken = await opened(t, here);
  broken.send('{"say":"a"}');
  assert.deepEqual(await closed(broken), [SOCKET_CLOSE.fault, 'server-fault']);
  here.answer = () => here.send({ heard: 1 } as unknown as { heard: string });
  const wrong = await opened(t, here);
  wrong.send('{"say":"a"}');
  assert.deepEqual(await closed(wrong), [SOCKET_CLOSE.fault, 'server-fault']);
  assert.equal(here.told.filter((line) => line.startsWith('socket.failed')).length, 2);
});

test('a client that sends too many messages or pings is cut off', async (t) => {
  const here = await rooms(t);
  const talker = await opened(t, here);
  for (let n = 0; n < 20; n++) talker.send('{"say":"again"}');
  assert.deepEqual(await closed(talker), [SOCKET_CLOSE.tooMany, 'too-many-messages']);
  const pinger = await opened(t, here);
  for (let n = 0; n < 20; n++) pinger.ping();
  assert.deepEqual(await closed(pinger), [SOCKET_CLOSE.tooMany, 'too-many-messages']);
});

test('a revoked credential closes its socket, and so does a permission that ends', async (t) => {
  const here = await rooms(t);
  const ws = await opened(t, here);
  here.http.review();
  ws.send('{"say":"still here"}');
  assert.equal(await heard(ws), '{"heard":"still here"}');
  here.tokens.delete('viewer');
  here.http.review();
  assert.deepEqual(await closed(ws), [SOCKET_CLOSE.ended, 'session-ended']);
  here.tokens.set('barred', makePrincipal({ credential: 'e'.repeat(16) }));
  const barred = await opened(t, here, ROOM, { authorization: 'Bearer barred' });
  here.tokens.set('barred', makePrincipal({ credential: 'e'.repeat(16), name: 'Barred' }));
  here.http.review();
  assert.deepEqual(await closed(barred), [SOCKET_CLOSE.ended, 'session-ended']);
  await until('both were closed', () => here.closed === 2);
});

test('a client that does not read is cut', async (t) => {
  const here = await rooms(t);
  const ws = await opened(t, here, '/api/v1/lobby', {});
  ws.pause();
  const text = 'x'.repeat(64 * KIB);
  // More than the buffers of both ends of a connection on loopback take.
  for (let n = 0; n < 256; n++) {
    here.send({ heard: text });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until('the slow reader was cut', () => here.closed === 1, { withinMs: 5_000 });
});

test('a client that answers no ping is cut', async (t) => {
  const here = await rooms(t, { patience: { socketPingInterval: 50 } });
  const mute = connect(here.port, '127.0.0.1');
  t.after(() => mute.destroy());
  mute.write(
    `GET /api/v1/lobby HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  mute.resume();
  await once(mute, 'close');
  const alive = await opened(t, here, '/api/v1/lobby', {});
  await once(alive, 'ping');
  await once(alive, 'ping');
  await once(alive, 'ping');
  assert.equal(alive.readyState, WebSocket.OPEN);
});

test('sockets count among the connections of an address and the streams of a Profile', async (t) => {
  const here = await rooms(t, { room: { sockets: 2, connections: 4 } });
  const two = [await opened(t, here), await opened(t, here)];
  const third = await refused(t, here);
  assert.deepEqual([third.status, third.reason], [429, 'too-many-streams']);
  await opened(t, here, '/api/v1/lobby', {});
  await opened(t, here, '/api/v1/lobby', {});
  assert.equal(await here.raw('GET /api/v1/ordinary HTTP/1.1\r\nhost: a\r\n\r\n', { keepOpen: true }), '');
  two[0]?.close();
  await until('one was closed', () => here.closed === 1);
  await opened(t, here);
});

test('a stop closes every socket with 1001, and cuts those that do not answer', { timeout: 30_000 }, async (t) => {
  const here = await rooms(t);
  const ws = await opened(t, here);
  const deaf = await opened(t, here, '/api/v1/lobby', {});
  deaf.pause();
  const stopped = here.http.close(200);
  assert.deepEqual(await closed(ws), [SOCKET_CLOSE.stopping, 'stopping']);
  await stopped;
  await until('both handlers were notified', () => here.closed === 2);
});

test('a client that leaves during the handshake, or sends a frame with it, leaves nothing open', async (t) => {
  const here = await rooms(t);
  const head =
    `GET ${ROOM} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer viewer\r\nconnection: upgrade\r\n` +
    `upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  const early = await here.socket();
  early.write(head);
  early.resetAndDestroy();
  // Two frames that are not masked come with the request: a client must mask, so the socket is closed.
  const text = await here.raw(`${head}\x81\x00\x81\x00`, { keepOpen: true });
  assert.match(text, /^HTTP\/1\.1 101 /);
  await until('every socket that was opened is closed', () => here.opened === here.closed && here.opened > 0);
  // A second request behind a handshake is not one: the connection speaks another protocol.
  assert.doesNotMatch(await here.raw(`${head}${head}`, { keepOpen: true }), /HTTP.*HTTP/s);
});

test('the document says what goes each way, and with which limits', () => {
  const { paths } = openapi([handle(room, () => () => ({ receive: () => {} }))]) as {
    paths: Record<string, { get: { responses: Record<string, Record<string, unknown>> } }>;
  };
  const { 101: switched, 200: ok, 400: wrong } = paths['/api/v1/rooms/{id}/socket']?.get.responses ?? {};
  assert.equal(ok, undefined);
  assert.match(JSON.stringify(wrong), /"\$ref"/);
  assert.deepEqual(switched?.['x-limits'], { maxBytes: 2 * KIB, maxPerSecond: 5 });
  assert.match(JSON.stringify(switched?.['x-receives']), /"say"/);
  assert.match(JSON.stringify(switched?.['x-sends']), /"heard"/);
});
