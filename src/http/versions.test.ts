/** Conditional endpoints through the real server: 304 and 412 for JSON, with strong and weak ETags. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { API, surface } from '../contract/kernel/surface.ts';
import { openapi } from './openapi.ts';
import { handle, replyOf, startTestServer } from './testing.ts';

const WEAK = surface({ name: 'weak', prefixes: ['/weak'], validators: 'weak' });
const Note = z.strictObject({ text: z.string() });
const common = { summary: 'a note', access: { role: 'owner', via: 'admin' }, conditional: true } as const;
const notes = (path: string, on = API) => ({
  read: endpoint({ ...common, method: 'GET', path, surface: on, result: Note }),
  write: endpoint({ ...common, method: 'PUT', path, surface: on, body: Note, result: Note }),
  remove: endpoint({ ...common, method: 'DELETE', path, surface: on, result: NOTHING }),
});
const silent = endpoint({ ...common, method: 'GET', path: '/api/v1/silent', result: Note });
const plain = endpoint({ ...common, conditional: false, method: 'GET', path: '/api/v1/plain', result: Note });

async function asking(t: TestContext) {
  const store = { text: 'one', version: 1 as number | undefined, reads: 0, writes: 0 };
  const tag = () => (store.version === undefined ? undefined : `v${store.version}`);
  const handlers = (of: ReturnType<typeof notes>) => [
    handle(of.read, (_, { version }) => {
      version(tag());
      store.reads += 1;
      return { text: store.text };
    }),
    handle(of.write, ({ text }, { version, madeVersion }) => {
      version(tag());
      store.writes += 1;
      Object.assign(store, { text, version: (store.version ?? 0) + 1 });
      madeVersion(tag() ?? '');
      return { text };
    }),
    handle(of.remove, (_, { version }) => {
      version(tag());
      store.version = undefined;
    }),
  ];
  const { raw } = await startTestServer(t, [
    ...handlers(notes('/api/v1/note')),
    ...handlers(notes('/weak/note', WEAK)),
    handle(silent, () => ({ text: '' })),
    handle(plain, (_, { version }) => {
      version('v1');
      return { text: '' };
    }),
  ]);
  const ask = async (line: string, { body = '', ...more }: Record<string, string> = {}) => {
    const head = {
      host: 'a',
      authorization: 'Bearer owner',
      'content-type': 'application/json',
      'content-length': String(body.length),
      connection: 'close',
      ...more,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    const reply = replyOf(await raw(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, { keepOpen: true }));
    return [reply.status, reply.headers.get('etag'), reply.body];
  };
  return { store, ask };
}

test('a read that the caller has already is 304, before its handler does the work', async (t) => {
  const { store, ask } = await asking(t);
  assert.deepEqual(await ask('GET /api/v1/note'), [200, '"v1"', '{"text":"one"}']);
  for (const known of ['"v1"', 'W/"v1"', '"v0", "v1"', '*'])
    assert.deepEqual(await ask('GET /api/v1/note', { 'if-none-match': known }), [304, '"v1"', ''], known);
  assert.equal(store.reads, 1);
  assert.deepEqual(await ask('HEAD /api/v1/note', { 'if-none-match': '"v1"' }), [304, '"v1"', '']);
  assert.deepEqual(await ask('GET /api/v1/note', { 'if-none-match': '"v2"' }), [200, '"v1"', '{"text":"one"}']);
  assert.equal((await ask('GET /api/v1/note', { 'if-match': '"v2"', 'if-none-match': '"v1"' }))[0], 412);
});

test('a change of another version than the one that is meant is 412, and changes nothing', async (t) => {
  const { store, ask } = await asking(t);
  const body = '{"text":"two"}';
  const [status, , text] = await ask('PUT /api/v1/note', { body, 'if-match': '"v0"' });
  assert.deepEqual([status, text], [412, '{"error":"this has changed","reason":"precondition-failed"}']);
  for (const more of [{ 'if-none-match': '*' }, { 'if-none-match': '"v1"' }, { 'if-match': 'W/"v1"' }])
    assert.equal((await ask('PUT /api/v1/note', { body, ...more }))[0], 412, JSON.stringify(more));
  assert.equal(store.writes, 0);
  assert.deepEqual(await ask('PUT /api/v1/note', { body, 'if-match': '"v1"' }), [200, '"v2"', body]);
  assert.deepEqual(await ask('PUT /api/v1/note', { body }), [200, '"v3"', body]);
  assert.equal((await ask('DELETE /api/v1/note', { 'if-match': '"v2"' }))[0], 412);
  assert.equal((await ask('DELETE /api/v1/note', { 'if-match': '*' }))[0], 204);
  assert.equal((await ask('PUT /api/v1/note', { body, 'if-match': '*' }))[0], 412, 'there is nothing to match');
  assert.deepEqual(await ask('PUT /api/v1/note', { body, 'if-none-match': '*' }), [200, '"v1"', body]);
});

test('a surface with weak validators compares them weakly by If-Match too', async (t) => {
  const { ask } = await asking(t);
  assert.deepEqual(await ask('GET /weak/note'), [200, 'W/"v1"', '{"text":"one"}']);
  assert.deepEqual(await ask('GET /weak/note', { 'if-none-match': 'W/"v1"' }), [304, 'W/"v1"', '']);
  const body = '{"text":"two"}';
  assert.equal((await ask('PUT /weak/note', { body, 'if-match': 'W/"v0"' }))[0], 412);
  assert.deepEqual(await ask('PUT /weak/note', { body, 'if-match': 'W/"v1"' }), [200, 'W/"v2"', body]);
});

test('planted: a version that is not declared, or declared and not given, is a fault', async (t) => {
  const { ask } = await asking(t);
  assert.equal((await ask('GET /api/v1/silent'))[0], 500);
  assert.equal((await ask('GET /api/v1/plain'))[0], 500);
  const base = { ...common, method: 'GET', path: '/api/v1/x' } as const;
  assert.throws(() => endpoint({ ...base, result: { bytes: ['text/plain'] } }), /bytes bring their own ETag/);
});

test('the document has the conditions, the ETag and what they lead to', () => {
  const { read, write } = notes('/api/v1/note');
  const { paths } = openapi([handle(read, () => ({ text: '' })), handle(write, () => ({ text: '' }))]) as {
    paths: Record<string, Record<string, { parameters: { name: string }[]; responses: Record<string, object> }>>;
  };
  const { get, put } = paths['/api/v1/note'] ?? {};
  assert.deepEqual(
    get?.parameters.map(({ name }) => name),
    ['If-None-Match', 'If-Match'],
  );
  assert.deepEqual(
    ['304', '412'].map((status) => [status in (get?.responses ?? {}), status in (put?.responses ?? {})]),
    [
      [true, false],
      [true, true],
    ],
  );
  assert.match(JSON.stringify(get?.responses['200']), /"ETag"/);
});
