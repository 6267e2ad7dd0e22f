/** Clients that are slow, that do not read, or that are there when the server stops. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { z } from 'zod';
import { until } from '../../test/until.ts';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { MEDIA } from '../contract/kernel/surface.ts';
import type { Body, ServerSentEvent } from './handle.ts';
import { packingFor } from './reply.ts';
import { fakeFile, handle, replyOf, startTestServer } from './testing.ts';

const media = { role: 'viewer', via: 'stream' } as const;
const events = endpoint({
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Events',
  access: { role: 'viewer', via: 'library' },
  result: { events: z.strictObject({ n: z.int(), text: z.string() }) },
});
const bytes = endpoint({
  method: 'GET',
  path: '/media/bytes',
  surface: MEDIA,
  summary: 'Bytes',
  access: media,
  result: { bytes: ['text/plain'] },
});
const file = endpoint({
  method: 'GET',
  path: '/media/file',
  surface: MEDIA,
  summary: 'A file',
  access: media,
  result: { bytes: ['video/*'], ranged: true },
});
const nothing = endpoint({
  method: 'POST',
  path: '/api/v1/nothing',
  summary: 'Nothing',
  access: { role: 'viewer', via: 'write' },
  result: NOTHING,
});
const AS = 'host: a\r\nauthorization: Bearer viewer\r\n';
const ended = (socket: Socket) =>
  new Promise<void>(
    (resolve) =>
      void socket
        .on('close', () => resolve())
        .on('error', () => {})
        .resume(),
  );
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

const IMPATIENT = { headersTimeout: 100, requestTimeout: 200, keepAliveTimeout: 100, connectionsCheckingInterval: 20 };

test('a client that dribbles its head or its body is cut', { timeout: 120_000 }, async (t) => {
  const { http, socket, raw } = await startTestServer(t, [handle(nothing, () => {})], { patience: IMPATIENT });
  const dribble = async (start: string, drop: string) => {
    const one = await socket();
    let text = '';
    one.on('data', (chunk) => void (text += chunk.toString()));
    const gone = ended(one);
    one.write(start);
    const timer = setInterval(() => one.writable && one.write(drop), 10);
    await gone.finally(() => clearInterval(timer));
    return replyOf(text);
  };
  const head = await dribble('GET /api/v1/nothing HTTP/1.1\r\nhost: a\r\nx: ', 'y');
  assert.deepEqual([head.status, head.body], [408, '{"error":"the request took too long","reason":"request-timeout"}']);
  assert.equal(head.headers.get('x-content-type-options'), 'nosniff');
  const body = await dribble(
    `POST /api/v1/nothing HTTP/1.1\r\n${AS}content-type: application/json\r\ncontent-length: 100000\r\n\r\n`,
    ' ',
  );
  assert.ok([0, 400, 408].includes(body.status || 0), `${body.status}`);
  await ended(await socket());
  // A tenth of a second is less than a busy machine may take for a request that comes at once.
  http.server.server.headersTimeout = http.server.server.requestTimeout = 60_000;
  assert.equal(
    replyOf(await raw(`POST /api/v1/nothing HTTP/1.1\r\n${AS}connection: close\r\n\r\n`)).status,
    204,
    'one that is not slow is served',
  );
});

test('an idle connection is closed after its time', { timeout: 120_000 }, async (t) => {
  const { socket } = await startTestServer(t, [handle(nothing, () => {})], { patience: IMPATIENT });
  const one = await socket();
  const gone = ended(one);
  one.write(`POST /api/v1/nothing HTTP/1.1\r\n${AS}\r\n`);
  await gone;
});

test(
  'an event stream ends for a client that does not read, and holds little for it',
  { timeout: 120_000 },
  async (t) => {
    const most = (32 * 1024 * 1024) / 50_000;
    let sent = 0;
    let isReturned = false;
    const endless = async function* (): AsyncGenerator<ServerSentEvent> {
      try {
        // The client does not read them, so without a bound all of these would be held.
        while (sent < 2 * most) {
          yield { id: ++sent, data: { n: sent, text: 'x'.repeat(50_000) } };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        isReturned = true;
      }
    };
    const { socket } = await startTestServer(t, [handle(events, endless)]);
    const one = await socket();
    one.pause().on('error', () => {});
    one.write(`GET /api/v1/events HTTP/1.1\r\n${AS}\r\n`);
    await until('the end of the stream', () => isReturned);
    assert.ok(sent < most, `${sent} events of 50 kB are held for a client that reads none`);
  },
);

test('events come as they are, resume where they stopped, and end with their source', async (t) => {
  let last: number | undefined;
  const { raw } = await startTestServer(t, [
    handle(events, async function* (_given, call) {
      last = call.lastEvent;
      yield { id: 8, data: { n: 1, text: 'a\nb' } };
      yield { data: { n: 2, text: '' } };
    }),
  ]);
  const { headers, body } = replyOf(
    await raw(`GET /api/v1/events HTTP/1.1\r\n${AS}last-event-id: 7\r\nconnection: close\r\n\r\n`),
  );
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(last, 7);
  assert.match(body, /id: 8\ndata: \{"n":1,"text":"a\\nb"\}\n\n/);
  assert.match(body, /\ndata: \{"n":2,"text":""\}\n\n/);
});

test('a source of events that never answers does not hold a stream that is over', { timeout: 120_000 }, async (t) => {
  const silent = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<ServerSentEvent>>(() => {}) }),
  };
  const { socket, tokens, http } = await startTestServer(t, [handle(events, () => silent)]);
  const one = await socket();
  const gone = ended(one);
  const begun = new Promise((resolve) => one.once('data', resolve));
  one.write(`GET /api/v1/events HTTP/1.1\r\n${AS}\r\n`);
  await begun;
  tokens.delete('viewer');
  http.review();
  await gone;
});

test('a revocation ends the streams of that credential and no other', { timeout: 120_000 }, async (t) => {
  const source = (_given: unknown, call: { signal: AbortSignal }) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise<IteratorResult<ServerSentEvent>>((resolve) =>
          call.signal.addEventListener('abort', () => resolve({ done: true, value: undefined })),
        ),
    }),
  });
  const { socket, tokens, http } = await startTestServer(t, [handle(events, source)]);
  const open = async (who: string) => {
    const one = await socket();
    const begun = new Promise((resolve) => one.once('data', resolve));
    one.on('error', () => {}).write(`GET /api/v1/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${who}\r\n\r\n`);
    await begun;
    return one.resume();
  };
  const [kept, cut] = await Promise.all([open('owner'), open('viewer')]);
  const gone = ended(cut);
  tokens.delete('viewer');
  http.review();
  await gone;
  assert.equal(kept.closed, false);
});

test(
  'a stop ends event streams at once, lets a download finish, and refuses what is new',
  { timeout: 120_000 },
  async (t) => {
    const gate = Promise.withResolvers<void>();
    const content = fakeFile(10, {});
    const { read } = content;
    let isAsked = false;
    content.read = async (into, position) => {
      isAsked = true;
      await gate.promise;
      return read(into, position);
    };
    const silent = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<ServerSentEvent>>(() => {}) }),
    };
    const { socket, http, port } = await startTestServer(t, [
      handle(events, () => silent),
      handle(file, () => content),
    ]);
    const stream = await socket();
    const begun = new Promise((resolve) => stream.once('data', resolve));
    stream.write(`GET /api/v1/events HTTP/1.1\r\n${AS}\r\n`);
    await begun;
    const gone = ended(stream);
    const download = await socket();
    let text = '';
    download.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
    const over = ended(download);
    download.write(`GET /media/file HTTP/1.1\r\n${AS}\r\n`);
    await until('the first read', () => isAsked);
    const closed = http.close(60_000);
    await gone;
    const refused = await new Promise(
      (resolve) => void get({ port, agent: false }, () => resolve(false)).on('error', () => resolve(true)),
    );
    assert.equal(refused, true);
    gate.resolve();
    await Promise.all([closed, over]);
    const reply = replyOf(text);
    assert.deepEqual([reply.status, reply.body.length], [200, 10]);
  },
);

test('a stop does not wait for those who never finish', { timeout: 120_000 }, async (t) => {
  const content = fakeFile(1024 ** 3);
  const { socket, http } = await startTestServer(t, [handle(file, () => content)]);
  const one = await socket();
  one.pause().on('error', () => {});
  one.write(`GET /media/file HTTP/1.1\r\n${AS}\r\n`);
  await until('the first read', () => content.reads > 0);
  await http.close(20);
  await content.closed;
});

test('bytes in pieces: a failure before the first has its status, a later one cuts the connection', async (t) => {
  const isBroken = true;
  let give: () => AsyncGenerator<Uint8Array> = async function* () {
    yield Buffer.alloc(0);
  };
  const { raw } = await startTestServer(t, [handle(bytes, (): Body => ({ type: 'text/plain', bytes: give() }))]);
  const ask = async (method = 'GET') => {
    const text = await raw(`${method} /media/bytes HTTP/1.1\r\n${AS}connection: close\r\n\r\n`, { keepOpen: true });
    return { ...replyOf(text), isWhole: text.endsWith('0\r\n\r\n') };
  };
  give = async function* () {
    yield Buffer.from('one');
    yield Buffer.from('two');
  };
  const good = await ask();
  assert.deepEqual([good.status, good.isWhole], [200, true]);
  give = async function* () {
    if (isBroken) throw new Error('at once');
    yield Buffer.from('never');
  };
  assert.equal((await ask()).status, 500);
  give = async function* () {
    yield Buffer.from('one');
    await turn();
    throw new Error('later');
  };
  const cut = await ask();
  assert.deepEqual([cut.status, cut.isWhole], [200, false]);
  let isBegun = false;
  give = async function* () {
    isBegun = true;
    yield Buffer.from('one');
  };
  assert.deepEqual([(await ask('HEAD')).status, isBegun], [200, false], 'HEAD begins no work');
});

test('pieces stop, and their source ends, when the client leaves', { timeout: 120_000 }, async (t) => {
  let isReturned = false;
  const { socket } = await startTestServer(t, [
    handle(bytes, (): Body => ({
      type: 'text/plain',
      bytes: (async function* () {
        try {
          for (;;) {
            yield Buffer.alloc(65_536);
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          isReturned = true;
        }
      })(),
    })),
  ]);
  const one = await socket();
  one.on('error', () => {});
  const begun = new Promise((resolve) => one.once('data', resolve));
  one.write(`GET /media/bytes HTTP/1.1\r\n${AS}\r\n`);
  await begun;
  one.destroy();
  await until('the end of the source', () => isReturned);
});

test('packed bytes go to those who take them, each with its own validator', async (t) => {
  const { raw } = await startTestServer(t, [
    handle(bytes, (): Body => ({
      type: 'text/plain',
      bytes: Buffer.from('plain'),
      packed: { br: Buffer.from('B'), gzip: Buffer.from('G') },
      etag: 'e',
      cache: 'no-cache',
    })),
  ]);
  const ask = async (more: string) =>
    replyOf(await raw(`GET /media/bytes HTTP/1.1\r\n${AS}${more}connection: close\r\n\r\n`));
  for (const [accept, encoding, etag, body] of [
    ['', undefined, '"e"', 'plain'],
    ['accept-encoding: gzip, br\r\n', 'br', '"e-br"', 'B'],
    ['accept-encoding: gzip\r\n', 'gzip', '"e-gzip"', 'G'],
    ['accept-encoding: br;q=0, gzip\r\n', 'gzip', '"e-gzip"', 'G'],
  ] as const) {
    const reply = await ask(accept);
    assert.deepEqual(
      [reply.headers.get('content-encoding'), reply.headers.get('etag'), reply.body, reply.headers.get('vary')],
      [encoding, etag, body, 'accept-encoding'],
      accept,
    );
  }
  assert.equal((await ask('if-none-match: "e"\r\n')).status, 304);
  assert.equal((await ask('if-none-match: "e-br"\r\n')).status, 200);
  assert.equal((await ask('if-match: "x"\r\n')).status, 412);
  assert.equal(
    (await ask('if-modified-since: Tue, 02 Jan 2024 03:04:05 GMT\r\n')).status,
    200,
    'what has no date is not unchanged since one',
  );
  assert.equal(packingFor('*', { gzip: Buffer.from('G') }), 'gzip');
  assert.equal(packingFor('identity, *;q=0', { gzip: Buffer.from('G') }), undefined);
});
