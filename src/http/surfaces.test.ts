/** Surfaces through the real server: one that follows another protocol, next to ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { NOT_PAGES } from '../contract/dashboard/not-pages.ts';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { API, HEALTH, MEDIA, PAGE, type Surface, surface } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';
import { matrix } from './matrix.ts';
import { openapi } from './openapi.ts';
import { handle, replyOf, type TestServer, startTestServer } from './testing.ts';

const SCIM_TYPE = 'application/scim+json';
/** Error body of RFC 7644, section 3.12. */
const DirectoryError = z.strictObject({ schemas: z.array(z.string()), status: z.string(), detail: z.string() });
/** A surface like that of SCIM: its own content type and error body, fields it does not know ignored. */
const DIRECTORY = surface({
  name: 'directory',
  prefixes: ['/directory/v2'],
  isDocumented: true,
  failure: {
    type: SCIM_TYPE,
    shape: DirectoryError,
    body: ({ kind, status, message }) =>
      kind === 'forbidden'
        ? undefined
        : JSON.stringify({
            schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
            status: String(status),
            detail: message,
          }),
    headers: ({ kind }) => (kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="directory"' } : {}),
  },
  json: { accepts: [SCIM_TYPE, 'application/json'], returns: SCIM_TYPE },
  maxBodyBytes: 1024,
  fields: { unknown: 'ignored', repeated: 'joined' },
  headers: { 'access-control-allow-origin': '*' },
  cacheControl: 'private, no-cache',
});

const declared = {
  add: endpoint({
    method: 'POST',
    path: '/directory/v2/users',
    surface: DIRECTORY,
    summary: 'Add a user',
    access: { role: 'owner', via: 'admin' },
    query: z.object({ attributes: z.string().optional() }),
    body: z.object({ userName: z.string() }),
    result: z.strictObject({ userName: z.string(), attributes: z.string().optional() }),
    status: 201,
    fails: ['name-taken'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/directory/v2/users',
    surface: DIRECTORY,
    summary: 'Remove all users',
    access: { role: 'owner', via: 'admin' },
    result: NOTHING,
  }),
  file: endpoint({
    method: 'GET',
    path: '/directory/v2/photo',
    surface: DIRECTORY,
    summary: 'Get a photo',
    access: 'public',
    result: { bytes: ['image/png'], ranged: true },
  }),
  ours: endpoint({
    method: 'POST',
    path: '/api/v1/users',
    summary: 'Add a user',
    access: { role: 'owner', via: 'admin' },
    body: z.strictObject({ userName: z.string() }),
    result: z.strictObject({ userName: z.string() }),
  }),
};
const mounted = [
  handle(declared.add, ({ userName, attributes }) => {
    if (userName === 'taken') throw new Failure('conflict', 'there is such a user', { reason: 'name-taken' });
    if (userName === 'fault') throw new Error('a bug');
    return { userName, ...(attributes !== undefined && { attributes }) };
  }),
  handle(declared.remove, () => {}),
  handle(declared.file, () => ({ type: 'image/png', etag: 'one', bytes: Buffer.from('0123456789') })),
  handle(declared.ours, ({ userName }) => ({ userName })),
];

const OWNER = { authorization: 'Bearer owner' };
const ask = async (
  { raw }: TestServer,
  line: string,
  { body = '', ...headers }: Record<string, string> = {},
): Promise<ReturnType<typeof replyOf>> => {
  const fields = {
    host: 'a',
    'content-type': SCIM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return replyOf(await raw(`${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`, { keepOpen: true }));
};
const ADD = 'POST /directory/v2/users';
const user = (userName: string, more: object = {}) => JSON.stringify({ userName, ...more });

test('a surface replies with its own content type, headers and cache rule', async (t) => {
  const here = await startTestServer(t, mounted);
  const { status, headers, body } = await ask(here, ADD, { ...OWNER, body: user('ada') });
  assert.deepEqual([status, body], [201, '{"userName":"ada"}']);
  assert.equal(headers.get('content-type'), SCIM_TYPE);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('cache-control'), 'private, no-cache');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  const ours = await ask(here, 'POST /api/v1/users', {
    ...OWNER,
    'content-type': 'application/json',
    body: user('ada'),
  });
  assert.equal(ours.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(ours.headers.get('access-control-allow-origin'), undefined);
  assert.equal(ours.headers.get('cache-control'), 'no-store');
});

test('every failure of a surface is in its own words, also where no endpoint is', async (t) => {
  const here = await startTestServer(t, mounted);
  const json = { 'content-type': 'application/json' };
  const cases: [string, Record<string, string>, number][] = [
    [ADD, { body: user('ada') }, 401],
    [ADD, { ...OWNER, body: user('taken') }, 409],
    [ADD, { ...OWNER, body: user('fault') }, 500],
    [ADD, { ...OWNER, body: '{' }, 400],
    [ADD, { ...OWNER, 'content-type': 'text/plain', body: user('ada') }, 400],
    [ADD, { ...OWNER, 'content-encoding': 'gzip', body: user('ada') }, 415],
    [ADD, { ...OWNER, body: user('x'.repeat(1024)) }, 413],
    ['PUT /directory/v2/users', OWNER, 405],
    ['GET /directory/v2/groups', OWNER, 404],
    ['GET /directory/v2', OWNER, 404],
    ['GET /directory/v2/users/%ff', OWNER, 400],
    ['GET /directory/v2/photo', { 'if-match': '"two"' }, 412],
    ['GET /directory/v2/photo', { range: 'bytes=20-' }, 416],
  ];
  for (const [line, more, expected] of cases) {
    const { status, headers, body } = await ask(here, line, more);
    assert.equal(status, expected, line);
    assert.equal(headers.get('content-type'), SCIM_TYPE, `${line} ${expected}`);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(DirectoryError.parse(JSON.parse(body)).status, String(expected));
  }
  for (const line of ['PUT /api/v1/users', 'GET /api/v1/groups', 'GET /directory/v3', 'GET /directory/v22']) {
    const { headers, body } = await ask(here, line, { ...OWNER, ...json });
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', line);
    assert.deepEqual(Object.keys(JSON.parse(body) as object), ['error', 'reason'], line);
  }
  const challenge = (await ask(here, ADD, { body: user('ada') })).headers.get('www-authenticate');
  assert.equal(challenge, 'Bearer realm="directory"');
});

test('a surface can reply without a body, and cannot choose another status', async (t) => {
  const here = await startTestServer(t, mounted);
  const { status, headers, body } = await ask(here, ADD, { authorization: 'Bearer viewer', body: user('ada') });
  assert.deepEqual([status, body, headers.get('content-type')], [403, '', undefined]);
});

test('fields that are not declared are ignored or refused as the surface says', async (t) => {
  const here = await startTestServer(t, mounted);
  const more = { ...OWNER, body: user('ada', { password: 'x', nested: { a: 1 } }) };
  const query = 'surprise=1&attributes=a&attributes=b';
  assert.equal((await ask(here, `${ADD}?${query}`, more)).body, '{"userName":"ada","attributes":"a,b"}');
  const ours = { ...more, 'content-type': 'application/json' };
  assert.equal((await ask(here, 'POST /api/v1/users', ours)).status, 400);
  assert.equal((await ask(here, 'POST /api/v1/users?surprise=1', { ...ours, body: user('ada') })).status, 400);
  // Two values of one member could be read as either, on every surface.
  assert.equal((await ask(here, ADD, { ...OWNER, body: '{"userName":"a","userName":"b"}' })).status, 400);
});

test('the document and the matrix have its content types and its error body', () => {
  const { paths } = openapi(mounted) as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const add = paths['/directory/v2/users']?.['post'] as {
    requestBody: { content: object };
    responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
  };
  assert.deepEqual(Object.keys(add.requestBody.content), [SCIM_TYPE]);
  assert.deepEqual(Object.keys(add.responses['201']?.content ?? {}), [SCIM_TYPE]);
  assert.deepEqual(Object.keys(add.responses['409']?.content?.[SCIM_TYPE]?.schema.properties ?? {}), [
    'schemas',
    'status',
    'detail',
  ]);
  assert.equal(add.responses['403']?.content, undefined);
  assert.match(matrix(mounted), /^directory POST \/directory\/v2\/users \| owner/m);
});

test('no page of the dashboard is below the paths of the other surfaces', () => {
  for (const { prefixes } of [API, MEDIA, HEALTH] satisfies Surface[])
    for (const prefix of prefixes) assert.match(`${prefix}/x`, NOT_PAGES);
});

test('planted: an endpoint outside its surface is refused', async (t) => {
  const base = { method: 'GET', summary: 'a', access: 'public', result: NOTHING } as const;
  assert.throws(() => endpoint({ ...base, path: '/elsewhere' }), /not a path of the api surface/);
  assert.throws(
    () => endpoint({ ...base, path: '/directory/v2', surface: DIRECTORY, query: z.strictObject({ a: z.string() }) }),
    /use z.object/,
  );
  assert.throws(() => endpoint({ ...base, path: '/api/v1/a', query: z.object({ a: z.string() }) }), /z.strictObject/);
  assert.throws(() => surface({ name: 'a', prefixes: ['/a/'] }), /not the prefix of a path/);
  // Pages may be anywhere but below the prefix of another surface.
  const stray = endpoint({ ...base, path: '/api/v1/page', surface: PAGE });
  await assert.rejects(
    startTestServer(t, [...mounted, handle(stray, () => {})]),
    /a path of the api surface, not of page/,
  );
});
