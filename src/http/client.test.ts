/** The typed client against the real server: JSON, forms, bytes, redirects and versions. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { handle, startTestServer } from './testing.ts';
import { toPage } from './handle.ts';
import { CallFailed, createClient, routesOf } from '../contract/kernel/client.ts';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { surface } from '../contract/kernel/surface.ts';

const Note = z.strictObject({ text: z.string() });
const at = (path: string) => ({ path: `/api/v1/${path}`, summary: 'a', access: 'public' }) as const;
const DIRECTORY = surface({
  name: 'directory',
  prefixes: ['/directory'],
  json: { accepts: ['application/scim+json'], returns: 'application/scim+json' },
});
const group = {
  form: endpoint({
    ...at('form'),
    method: 'POST',
    takes: { form: 'urlencoded', maxBytes: 1024 },
    body: Note,
    result: Note,
  }),
  picture: endpoint({
    ...at('picture'),
    method: 'PUT',
    takes: { form: 'bytes', maxBytes: 1024, types: ['image/png', 'image/webp'] },
    result: z.strictObject({ hex: z.string() }),
  }),
  turn: endpoint({ ...at('turn'), method: 'GET', result: { redirect: ['account', 'item'] } }),
  home: endpoint({ ...at('home'), method: 'POST', result: { redirect: ['home'] }, status: 302 }),
  read: endpoint({ ...at('note'), method: 'GET', conditional: true, result: Note }),
  write: endpoint({ ...at('note'), method: 'PUT', conditional: true, body: Note, result: Note }),
  remove: endpoint({ ...at('note'), method: 'DELETE', conditional: true, result: NOTHING }),
  foreign: endpoint({
    method: 'POST',
    path: '/directory/users',
    surface: DIRECTORY,
    summary: 'a',
    access: 'public',
    body: Note,
    result: Note,
  }),
};

async function calling(t: TestContext, redirect: 'manual' | 'follow' = 'manual') {
  const store = { text: 'one', version: 1 };
  const tag = () => `v${store.version}`;
  const { port } = await startTestServer(t, [
    handle(group.form, (given) => given),
    handle(group.picture, (_, { bytes }) => ({ hex: Buffer.from(bytes).toString('hex') })),
    handle(group.turn, () => toPage('item', { params: { id: 'a b' }, query: { from: 'x' } })),
    handle(group.home, () => toPage('home')),
    handle(group.read, (_, { version }) => {
      version(tag());
      return { text: store.text };
    }),
    handle(group.write, ({ text }, { version, madeVersion }) => {
      version(tag());
      Object.assign(store, { text, version: store.version + 1 });
      madeVersion(tag());
      return { text };
    }),
    handle(group.remove, (_, { version }) => version(tag())),
    handle(group.foreign, (given) => given),
  ]);
  const send = (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect });
  return createClient(routesOf({ group }), send).group;
}

test('a form and bytes are sent as the endpoint takes them', async (t) => {
  const call = await calling(t);
  assert.deepEqual(await call.form({ text: 'a b&c=ü' }), { text: 'a b&c=ü' });
  const bytes = new Uint8Array([0, 255, 7]);
  assert.deepEqual(await call.picture({ bytes, contentType: 'image/png' }), { hex: '00ff07' });
  assert.deepEqual(await call.picture({ bytes: new Blob([bytes]), contentType: 'image/webp' }), { hex: '00ff07' });
  await assert.rejects(
    call.picture({ bytes, contentType: 'text/html' as 'image/png' }),
    (error: unknown) => error instanceof CallFailed && error.reason === 'content-type',
  );
  assert.deepEqual(await call.foreign({ text: 'a' }), { text: 'a' });
});

test('a redirect gives the address of the page, whether it was followed or not', async (t) => {
  const call = await calling(t);
  assert.equal(await call.turn({}), '/item/a%20b?from=x');
  assert.equal(await call.home({}), '/');
  const follows = await calling(t, 'follow');
  assert.equal(await follows.turn({}), '/item/a%20b?from=x');
});

test('a version that the caller has is not sent again, and another one is not changed', async (t) => {
  const call = await calling(t);
  const first = await call.read({});
  assert.deepEqual(first, { isChanged: true, etag: '"v1"', value: { text: 'one' } });
  assert.deepEqual(await call.read({ ifNoneMatch: first.etag }), { isChanged: false, etag: '"v1"' });
  const second = await call.write({ text: 'two', ifMatch: first.etag });
  assert.deepEqual(second, { isChanged: true, etag: '"v2"', value: { text: 'two' } });
  await assert.rejects(
    call.write({ text: 'three', ifMatch: first.etag }),
    (error: unknown) => error instanceof CallFailed && error.status === 412 && error.reason === 'precondition-failed',
  );
  assert.deepEqual(await call.read({ ifNoneMatch: first.etag }), second);
  await assert.rejects(call.remove({ ifMatch: first.etag }), CallFailed);
});

test('the table that the dashboard carries says only what differs from JSON', () => {
  const { group: routes } = routesOf({ group });
  assert.deepEqual(routes.form, {
    method: 'POST',
    path: '/api/v1/form',
    query: [],
    body: ['text'],
    form: 'urlencoded',
  });
  assert.deepEqual(routes.read, { method: 'GET', path: '/api/v1/note', query: [], body: [], isConditional: true });
  assert.deepEqual(routes.turn, { method: 'GET', path: '/api/v1/turn', query: [], body: [], isRedirect: true });
});
