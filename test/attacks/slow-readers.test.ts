/**
 * Replies that are not read end their connection, pipelined requests do not pile up, and little memory is held for
 * either.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { z } from 'zod';
import { endpoint } from '../../src/contract/kernel/endpoint.ts';
import { MEDIA, PAGE } from '../../src/contract/kernel/surface.ts';
import { fakeFile, handle, replyOf } from '../../src/http/testing.ts';
import type { ServerSentEvent } from '../../src/http/handle.ts';
import { until } from '../until.ts';
import { ended, everything, PATIENT, startTarget, type TargetKind, TARGETS } from './clients.ts';

const MIB = 1024 * 1024;
const signedIn = { role: 'viewer', via: 'stream' } as const;
const open = endpoint({
  method: 'GET',
  path: '/api/v1/open',
  summary: 'Open',
  access: 'public',
  reach: 'everywhere',
  result: z.strictObject({ n: z.int() }),
});
const asset = endpoint({
  method: 'GET',
  path: '/assets/large',
  surface: PAGE,
  summary: 'A public asset',
  access: 'public',
  reach: 'everywhere',
  result: { bytes: ['text/plain'] },
});
const own = endpoint({
  method: 'GET',
  path: '/media/own',
  surface: MEDIA,
  summary: 'Bytes of a Profile',
  access: signedIn,
  reach: 'everywhere',
  result: { bytes: ['text/plain'] },
});
const film = endpoint({
  method: 'GET',
  path: '/media/film',
  surface: MEDIA,
  summary: 'A file',
  access: signedIn,
  reach: 'everywhere',
  result: { bytes: ['video/*'], ranged: true },
});
const events = endpoint({
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Events',
  access: { role: 'viewer', via: 'library' },
  reach: 'everywhere',
  result: { events: z.strictObject({}) },
});

/** More than the buffers of both ends of a connection on loopback take. */
const LARGE = Buffer.alloc(16 * MIB, 'x');
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`;
const AS = 'authorization: Bearer viewer\r\n';

/** Sends a request and reads nothing of the reply. */
function stopped(one: Socket, text: string): Socket {
  one.pause();
  one.write(text);
  return one;
}

const scenarios: Record<string, (t: TestContext, kind: TargetKind) => Promise<void>> = {
  'a public reply that is not read ends first; one of a Profile and a paused stream stay': async (t, kind) => {
    const { client, held } = await startTarget(
      t,
      [
        handle(asset, () => ({ type: 'text/plain', bytes: LARGE })),
        handle(own, () => ({ type: 'text/plain', bytes: LARGE })),
        handle(film, () => fakeFile(1024 * MIB)),
      ],
      { kind, patience: { ...PATIENT, anonymousStallTimeout: 200 } },
    );
    stopped(await client(), get('/media/own', AS));
    stopped(await client(), get('/media/film', AS));
    stopped(await client(), get('/assets/large'));
    stopped(await client(), get('/assets/large', AS));
    await until('the public replies to be ended', async () => (await held()) === 2);
    // Planted: had the others the same limit, they would have ended with them, being older.
    assert.equal(await held(), 2);
  },

  'a reply to a Profile that is not read ends, and a paused stream stays while its session holds': async (t, kind) => {
    const files: ReturnType<typeof fakeFile>[] = [];
    const opened = () => {
      files.push(fakeFile(1024 * MIB));
      return files.at(-1) as (typeof files)[number];
    };
    const { client, held, tokens, http } = await startTarget(
      t,
      [handle(own, () => ({ type: 'text/plain', bytes: LARGE })), handle(film, opened)],
      { kind, patience: { ...PATIENT, anonymousStallTimeout: 100, stallTimeout: 200 } },
    );
    stopped(await client(), get('/media/film', AS));
    stopped(await client(), get('/media/own', AS));
    await until('the reply to be ended', async () => (await held()) === 1);
    assert.equal(files[0]?.isClosed, false);
    tokens.delete('viewer');
    http.review();
    await until('the stream to end with its session', async () => (await held()) === 0);
    await files[0]?.closed;
  },

  'a client that reads slowly gets all of it': async (t, kind) => {
    const { client } = await startTarget(t, [handle(asset, () => ({ type: 'text/plain', bytes: LARGE }))], {
      kind,
      // Less than all of it takes, and far more than the pause until the system says that there is room again.
      patience: { ...PATIENT, anonymousStallTimeout: 1_000 },
    });
    const [one, began] = [await client(), performance.now()];
    one.pause();
    one.write(get('/assets/large', 'connection: close\r\n'));
    let length = 0;
    const timer = setInterval(() => {
      length += (one.read() as Buffer | null)?.length ?? 0;
    }, 5);
    await ended(one).finally(() => clearInterval(timer));
    for (let piece = one.read() as Buffer | null; piece; piece = one.read() as Buffer | null) length += piece.length;
    assert.ok(length > LARGE.length, `${length} bytes`);
    assert.ok(performance.now() - began > 1_000, 'it took longer than a reader may stand still');
  },

  'hundreds of pipelined requests that are never read begin two replies at most, and memory stays as it was': async (
    t,
    kind,
  ) => {
    let begun = 0;
    const small = LARGE.subarray(0, MIB / 2);
    const { client, held } = await startTarget(
      t,
      [handle(asset, () => (begun++, { type: 'text/plain', bytes: small }))],
      { kind, patience: PATIENT, room: { connections: 2_000 } },
    );
    const before = process.memoryUsage().rss;
    const flood = get('/assets/large').repeat(500);
    const clients: Socket[] = [];
    for (let n = 0; n < 60; n++) clients.push(stopped(await client(), flood));
    await until('all of them to be cut', async () => (await held()) === 0);
    assert.ok(begun <= clients.length, `${begun} replies were begun for ${clients.length} connections`);
    const grown = Math.round((process.memoryUsage().rss - before) / MIB);
    t.diagnostic(`${begun} replies begun, ${grown} MiB more`);
    assert.ok(grown < 200, `${grown} MiB more are held`);
  },

  'dozens of public replies that are not read hold little, and give it back': async (t, kind) => {
    const { client, held } = await startTarget(t, [handle(asset, () => ({ type: 'text/plain', bytes: LARGE }))], {
      kind,
      patience: { ...PATIENT, anonymousStallTimeout: 1_000 },
      room: { connections: 2_000 },
    });
    const before = process.memoryUsage();
    for (let n = 0; n < 40; n++) stopped(await client(), get('/assets/large'));
    const during = process.memoryUsage();
    const grown = Math.round((during.rss - before.rss) / MIB);
    t.diagnostic(`${grown} MiB for 40 replies of 16 MiB`);
    assert.ok(grown < 120, `${grown} MiB are held for 40 replies of 16 MiB`);
    await until('all of them to be ended', async () => (await held()) === 0);
  },

  'one request may wait for its turn and is not begun before; a third ends the connection': async (t, kind) => {
    let begun = 0;
    const gate = Promise.withResolvers<void>();
    const { client, held } = await startTarget(
      t,
      [
        handle(open, async () => {
          const n = ++begun;
          if (n === 1) await gate.promise;
          return { n };
        }),
      ],
      { kind, patience: PATIENT },
    );
    const one = await client();
    const all = everything(one, get('/api/v1/open') + get('/api/v1/open', 'connection: close\r\n'));
    await until('the first to be begun', () => begun === 1);
    const other = await client();
    const gone = ended(other.resume());
    other.write(get('/media/none').repeat(2) + get('/api/v1/open'));
    await gone;
    assert.equal(begun, 1, 'neither the one that waits nor the third is begun');
    gate.resolve();
    assert.deepEqual(
      [...(await all).matchAll(/\{"n":(\d)\}/g)].map(([, n]) => n),
      ['1', '2'],
    );
    await until('both to be closed', async () => (await held()) === 0);
  },

  'nothing waits behind an event stream for long, whatever it asks for': async (t, kind) => {
    const silent = (): AsyncIterable<ServerSentEvent> => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<ServerSentEvent>>(() => {}),
        return: async () => ({ done: true, value: undefined }),
      }),
    });
    const { client, held } = await startTarget(t, [handle(events, silent), handle(open, () => ({ n: 1 }))], {
      kind,
      patience: PATIENT,
    });
    for (const flood of [
      get('/api/v1/open'),
      get('/api/v1/none'),
      'HEAD /api/v1/open HTTP/1.1\r\nhost: a\r\n\r\n',
      get('/api/v1/open', 'expect: tea\r\n'),
      'PROPFIND /api/v1/open HTTP/1.1\r\nhost: a\r\n\r\n',
    ]) {
      const one = await client();
      const gone = ended(one.resume());
      one.write(get('/api/v1/events', AS) + flood.repeat(2));
      await gone;
    }
    await until('all of them to be closed', async () => (await held()) === 0);
  },

  'nonsense behind a request is not answered within its reply': async (t, kind) => {
    let isRead = false;
    const { client } = await startTarget(
      t,
      [handle(film, () => fakeFile(64 * MIB, { read: async (into) => ((isRead = true), into.fill(0x78).length) }))],
      { kind, patience: PATIENT },
    );
    const one = await client();
    one.pause();
    one.write(get('/media/film', AS));
    await until('the reply to be begun', () => isRead);
    const text = await everything(one, 'NONSENSE\r\n\r\n');
    const reply = replyOf(text);
    assert.deepEqual([reply.status, reply.body.includes('HTTP/1.1')], [200, false]);
  },

  'a refusal ends its connection, though it is not read': async (t, kind) => {
    const { client, held } = await startTarget(t, [handle(asset, () => ({ type: 'text/plain', bytes: LARGE }))], {
      kind,
      patience: { ...PATIENT, anonymousStallTimeout: 200 },
    });
    stopped(await client(), `${get('/assets/large')}NONSENSE\r\n\r\n`);
    stopped(await client(), 'NONSENSE\r\n\r\n');
    await until('both to be released', async () => (await held()) === 0);
  },
};

for (const kind of TARGETS)
  describe(kind, () => {
    for (const [name, scenario] of Object.entries(scenarios))
      test(name, { timeout: 120_000 }, (t) => scenario(t, kind));
  });
