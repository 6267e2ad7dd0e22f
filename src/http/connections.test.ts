/** One caller cannot take what is there for everybody: not with streams, not with connections. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { z } from 'zod';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { MEDIA } from '../contract/kernel/surface.ts';
import { networkKey } from './connection-table.ts';
import type { ServerSentEvent } from './handle.ts';
import { type FakeFile, fakeFile, handle, makePrincipal, replyOf, startTestServer } from './testing.ts';

const media = { role: 'viewer', via: 'stream' } as const;
const events = endpoint({
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Events',
  access: media,
  result: { events: z.strictObject({}) },
});
const file = endpoint({
  method: 'GET',
  path: '/media/file',
  surface: MEDIA,
  summary: 'A file',
  access: media,
  result: { bytes: ['video/*'], ranged: true },
});
const pieces = endpoint({
  method: 'GET',
  path: '/media/pieces',
  surface: MEDIA,
  summary: 'Pieces',
  access: media,
  result: { bytes: ['text/plain'] },
});
const small = endpoint({
  method: 'GET',
  path: '/media/small',
  surface: MEDIA,
  summary: 'A small thing',
  access: media,
  result: { bytes: ['text/plain'] },
});
const open = endpoint({
  method: 'GET',
  path: '/api/v1/open',
  summary: 'Open',
  access: 'public',
  result: z.strictObject({}),
});

const ask = (path: string, who: string) =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${who}\r\nconnection: close\r\n\r\n`;
const silent = (): AsyncIterable<ServerSentEvent> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => new Promise<IteratorResult<ServerSentEvent>>(() => {}),
    return: async () => ({ done: true, value: undefined }),
  }),
});

test(
  'a Profile has so many event streams on all its devices together, and gets a place back with each that ends',
  { timeout: 120_000 },
  async (t) => {
    const { socket, raw, tokens } = await startTestServer(t, [handle(events, silent)], { room: { events: 3 } });
    tokens.set('phone', makePrincipal({ credential: 'e'.repeat(16) }));
    tokens.set('other', makePrincipal({ credential: 'f'.repeat(16), profile: 'b'.repeat(16) }));
    const stay = async (who: string) => {
      const one = await socket();
      one.on('error', () => {}).write(ask('/api/v1/events', who));
      const first = await new Promise<string>((resolve) => one.once('data', (chunk) => resolve(chunk.toString())));
      return { one, status: replyOf(first).status };
    };
    const held = [await stay('owner'), await stay('phone'), await stay('owner')];
    assert.deepEqual(
      held.map(({ status }) => status),
      [200, 200, 200],
    );
    const refused = replyOf(await raw(ask('/api/v1/events', 'phone')));
    assert.deepEqual(
      [refused.status, refused.headers.get('retry-after'), refused.body],
      [
        429,
        '10',
        '{"error":"this profile has too many streams open","reason":"too-many-streams","retryAfterSeconds":10}',
      ],
    );
    assert.equal((await stay('other')).status, 200, 'another Profile has places of its own');
    held[1]?.one.destroy();
    await until('the place of one that ended', async () => (await stay('owner')).status === 200);
  },
);

test(
  'a Profile has so many files open; one that is refused is closed, and what is sent at once takes no place',
  { timeout: 120_000 },
  async (t) => {
    const opened: FakeFile[] = [];
    const stuck = () => {
      const one = fakeFile(1_000_000, { read: () => new Promise<number>(() => {}) });
      opened.push(one);
      return one;
    };
    let isReturned = false;
    const slow = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<Uint8Array>>(() => {}),
        return: async () => ((isReturned = true), { done: true as const, value: undefined }),
      }),
    };
    const { socket, raw } = await startTestServer(
      t,
      [
        handle(file, stuck),
        handle(pieces, () => ({ type: 'text/plain', bytes: slow })),
        handle(small, () => ({ type: 'text/plain', bytes: Buffer.from('x') })),
      ],
      { room: { bytes: 2 } },
    );
    for (let i = 0; i < 2; i++) (await socket()).on('error', () => {}).write(ask('/media/file', 'owner'));
    await until('two open files', () => opened.length >= 2);
    assert.equal(replyOf(await raw(ask('/media/file', 'owner'))).status, 429);
    await opened[2]?.closed;
    assert.equal(replyOf(await raw(ask('/media/pieces', 'owner'))).status, 429);
    assert.equal(isReturned, true);
    assert.equal(replyOf(await raw(ask('/media/small', 'owner'))).status, 200);
  },
);

test('one address has so many connections, and a place again when one ends', { timeout: 120_000 }, async (t) => {
  const { socket, raw } = await startTestServer(t, [handle(open, () => ({}))], { room: { connections: 3 } });
  const held = [await socket(), await socket(), await socket()];
  const request = 'GET /api/v1/open HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  assert.equal(await raw(request), '', 'the fourth is cut without a word');
  held[0]?.destroy();
  await until('the place of one that ended', async () => (await raw(request)) !== '');
});

for (const [address, place] of [
  ['192.168.1.20', '192.168.1.20'],
  ['::ffff:192.168.1.20', '192.168.1.20'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
] as const) {
  test(`the place of ${address}`, () => assert.equal(networkKey(address), place));
}

test('a second authorization header, and an expectation of ours that is none, are refused in our words', async (t) => {
  const { raw } = await startTestServer(t, [handle(open, () => ({}))]);
  const twice = replyOf(
    await raw(
      'GET /api/v1/open HTTP/1.1\r\nhost: a\r\nauthorization: Bearer owner\r\nauthorization: Bearer viewer\r\n' +
        'connection: close\r\n\r\n',
    ),
  );
  assert.deepEqual(
    [twice.status, twice.body],
    [400, '{"error":"more than one authorization header","reason":"request-malformed"}'],
  );
  const odd = replyOf(
    await raw('GET /api/v1/open HTTP/1.1\r\nhost: a\r\nexpect: 200-maybe\r\nconnection: close\r\n\r\n'),
  );
  assert.deepEqual([odd.status, odd.headers.get('x-content-type-options')], [417, 'nosniff']);
});
