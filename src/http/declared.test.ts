/** Words of a declaration that no operation uses yet, proved on endpoints of this test through the real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { MEDIA, PAGE, surface } from '../contract/kernel/surface.ts';
import { DEVICE_COOKIE, FLOW_COOKIE, HOUSEHOLD_COOKIE, SESSION_COOKIE } from './caller.ts';
import { toPage } from './handle.ts';
import { matrix, publicRoutes } from './matrix.ts';
import { openapi } from './openapi.ts';
import { handle, makePrincipal, replyOf, type TestServer, startTestServer } from './testing.ts';

const access = 'public' as const;
const PNG = 'image/png';
const EVENTING = surface({ name: 'eventing', prefixes: ['/evt'] });
const KIB = 1024;
const declared = {
  change: endpoint({
    method: 'PATCH',
    path: '/api/v1/things',
    summary: 'Change a thing',
    access: { role: 'owner', via: 'admin' },
    body: z.strictObject({ name: z.string() }),
    result: z.strictObject({ name: z.string() }),
  }),
  subscribe: endpoint({ method: 'SUBSCRIBE', path: '/evt', surface: EVENTING, summary: 'a', access, result: NOTHING }),
  end: endpoint({ method: 'UNSUBSCRIBE', path: '/evt', surface: EVENTING, summary: 'a', access, result: NOTHING }),
  form: endpoint({
    method: 'POST',
    path: '/api/v1/form',
    summary: 'Send a form',
    access,
    takes: { form: 'urlencoded', maxBytes: KIB },
    body: z.strictObject({ code: z.string(), state: z.string().optional() }),
    result: z.strictObject({ code: z.string() }),
    reach: 'everywhere',
  }),
  upload: endpoint({
    method: 'PUT',
    path: '/api/v1/picture',
    summary: 'Send a picture',
    access: { role: 'owner', via: 'admin' },
    takes: { form: 'bytes', maxBytes: 2 * KIB * KIB, types: [PNG] },
    result: z.strictObject({ size: z.int() }),
  }),
  turn: endpoint({
    method: 'GET',
    path: '/api/v1/turn',
    summary: 'Go to a page',
    access,
    query: z.strictObject({ to: z.string().optional() }),
    result: { redirect: ['home', 'item'] },
    status: 302,
  }),
  leave: endpoint({
    method: 'GET',
    path: '/api/v1/leave',
    summary: 'Go to another server',
    access,
    query: z.strictObject({ to: z.string() }),
    sameOrigin: true,
    result: { departure: 'Address of another server.' },
  }),
  arrive: endpoint({
    method: 'POST',
    path: '/api/v1/arrive',
    summary: 'Come from another site',
    access: 'public',
    anyOrigin: true,
    takes: { form: 'urlencoded', maxBytes: KIB },
    body: z.strictObject({ code: z.string() }),
    result: z.strictObject({ caller: z.string() }),
  }),
  part: endpoint({
    method: 'GET',
    path: '/media/part/{session}',
    surface: MEDIA,
    summary: 'A part of a session',
    access: { role: 'viewer', via: 'stream', link: 'media', linkBy: 'session' },
    params: z.strictObject({ session: z.string() }),
    query: z.strictObject({ id: z.string().optional(), ticket: z.string().optional() }),
    result: z.strictObject({}),
  }),
  reader: endpoint({
    method: 'GET',
    path: '/reader',
    surface: PAGE,
    summary: 'a',
    access,
    frames: true,
    result: { bytes: ['text/html'] },
  }),
  page: endpoint({
    method: 'GET',
    path: '/page',
    surface: PAGE,
    summary: 'a',
    access,
    result: { bytes: ['text/html'] },
  }),
};
const html = { type: 'text/html', bytes: Buffer.from('<p>') };
const mounted = [
  handle(declared.change, ({ name }) => ({ name })),
  handle(declared.subscribe, () => {}),
  handle(declared.end, () => {}),
  handle(declared.form, ({ code }) => ({ code })),
  handle(declared.upload, (_, { bytes }) => ({ size: bytes.byteLength })),
  handle(declared.turn, ({ to }) =>
    to === undefined
      ? toPage('item', { params: { id: '../../x?y' }, query: { from: 'https://elsewhere.example/' } })
      : toPage(to as 'home'),
  ),
  handle(declared.leave, ({ to }) => ({ address: new URL(to) })),
  handle(declared.arrive, (_given, { by }) => ({ caller: (by as typeof by | undefined)?.profile ?? 'nobody' })),
  handle(declared.part, () => ({})),
  handle(declared.reader, () => html),
  handle(declared.page, () => html),
];

const ask = async ({ raw }: TestServer, line: string, { body = '', ...headers }: Record<string, string> = {}) => {
  const fields = { host: 'a', 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...headers };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return replyOf(await raw(`${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`, { keepOpen: true }));
};
const FORM = 'application/x-www-form-urlencoded';
const OWNER = { authorization: 'Bearer owner' };

test('PATCH, SUBSCRIBE and UNSUBSCRIBE are methods like the others', async (t) => {
  const here = await startTestServer(t, mounted);
  const json = { 'content-type': 'application/json', body: '{"name":"a"}' };
  assert.equal((await ask(here, 'PATCH /api/v1/things', json)).status, 401);
  const cookie = { cookie: 'matinee=owner', 'sec-fetch-site': 'cross-site' };
  assert.equal((await ask(here, 'PATCH /api/v1/things', { ...json, ...cookie })).status, 403);
  assert.deepEqual((await ask(here, 'PATCH /api/v1/things', { ...json, ...OWNER })).body, '{"name":"a"}');
  for (const method of ['SUBSCRIBE', 'UNSUBSCRIBE']) assert.equal((await ask(here, `${method} /evt`)).status, 204);
  const other = await ask(here, 'GET /evt');
  assert.deepEqual([other.status, other.headers.get('allow')], [405, 'SUBSCRIBE, UNSUBSCRIBE']);
});

test('every cookie of this server is bound by the same-origin rule, at endpoints without a session, too', async (t) => {
  const here = await startTestServer(t, mounted);
  const form = { 'content-type': FORM, body: 'code=1&state=x' };
  const status = async (headers: Record<string, string>) =>
    (await ask(here, 'POST /api/v1/form', { ...form, ...headers })).status;
  const names = [SESSION_COOKIE, FLOW_COOKIE, HOUSEHOLD_COOKIE, DEVICE_COOKIE].map(({ plain }) => plain);
  for (const name of [...names, 'matinee-of-a-later-version']) {
    const cookie = `theme=dark; ${name}=x`;
    assert.equal(await status({ cookie, 'sec-fetch-site': 'cross-site' }), 403, name);
    assert.equal(await status({ cookie, origin: 'http://elsewhere' }), 403, name);
    assert.equal(await status({ cookie }), 403, `${name}, and nothing says where it comes from`);
    assert.equal(await status({ cookie, 'sec-fetch-site': 'same-origin' }), 200, name);
    assert.equal(await status({ cookie, ...OWNER, 'sec-fetch-site': 'cross-site' }), 200, `${name} beside a token`);
  }
  assert.equal(await status({ cookie: 'matinees=x; other-matinee=y', 'sec-fetch-site': 'cross-site' }), 200);
});

test('a form is read as strictly as JSON, within its own limit', async (t) => {
  const here = await startTestServer(t, mounted);
  const send = (body: string, type = FORM) => ask(here, 'POST /api/v1/form', { 'content-type': type, body });
  assert.equal((await send('code=a+b%20c&state=x')).body, '{"code":"a b c"}');
  for (const body of ['code=1&code=2', 'code=1&other=2', 'state=1', '', 'code=%ff', 'code=1&__proto__=2'])
    assert.equal((await send(body)).status, 400, body);
  assert.equal((await send('{"code":"1"}', 'application/json')).status, 400);
  assert.equal((await send(`code=${'x'.repeat(KIB)}`)).status, 413);
});

test('bytes arrive as they came, of the declared types and size only', async (t) => {
  const here = await startTestServer(t, mounted);
  const send = (body: string, more: Record<string, string> = {}) =>
    ask(here, 'PUT /api/v1/picture', { ...OWNER, 'content-type': PNG, body, ...more });
  assert.equal((await send('x'.repeat(1.5 * KIB * KIB))).body, `{"size":${1.5 * KIB * KIB}}`);
  assert.equal((await send('x', { 'content-type': 'text/html' })).status, 400);
  assert.equal((await send('x', { 'content-encoding': 'gzip' })).status, 415);
  assert.equal((await send('x'.repeat(2 * KIB * KIB + 1))).status, 413);
  assert.equal((await send('x', { authorization: 'Bearer viewer' })).status, 403);
});

test('a redirect leads to a declared page, whatever its parameters are', async (t) => {
  const here = await startTestServer(t, mounted);
  const { status, headers, body } = await ask(here, 'GET /api/v1/turn');
  const to = '/item/..%2F..%2Fx%3Fy?from=https%3A%2F%2Felsewhere.example%2F';
  assert.deepEqual([status, headers.get('location'), body], [302, to, '']);
  for (const page of ['account', 'https://elsewhere.example/', 'item'])
    assert.equal((await ask(here, `GET /api/v1/turn?to=${encodeURIComponent(page)}`)).status, 500, page);
});

test('a departure leads to another server over https, or over http on this machine', async (t) => {
  const here = await startTestServer(t, mounted);
  const ask303 = (to: string) => ask(here, `GET /api/v1/leave?to=${encodeURIComponent(to)}`);
  for (const to of ['https://id.example/in?a=b', 'http://127.0.0.1:9/in', 'http://localhost/', 'http://[::1]/']) {
    const { status, headers, body } = await ask303(to);
    assert.deepEqual([status, headers.get('location'), body], [303, to, ''], to);
  }
  for (const to of ['http://id.example/', 'http://127.example/', 'javascript:alert(1)', 'https://a:b@id.example/'])
    assert.equal((await ask303(to)).status, 500, to);
});

test('a GET that does more than read is refused from another site, where a cookie speaks for it', async (t) => {
  const here = await startTestServer(t, mounted);
  here.tokens.set('cookie', makePrincipal({ cookie: true }));
  const ask303 = async (headers: Record<string, string>) =>
    (await ask(here, 'GET /api/v1/leave?to=https%3A%2F%2Fid.example', headers)).status;
  const auth = { authorization: 'Bearer cookie' };
  assert.equal(await ask303({ ...auth, 'sec-fetch-site': 'same-origin' }), 303);
  assert.equal(await ask303({ ...auth, 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await ask303({ ...auth, 'sec-fetch-site': 'none' }), 403);
  assert.equal(await ask303(auth), 403);
  assert.equal(await ask303({ 'sec-fetch-site': 'cross-site' }), 303);
});

test('a form that other sites send is taken from any of them, and no session speaks for it', async (t) => {
  const here = await startTestServer(t, mounted);
  here.tokens.set('cookie', makePrincipal({ cookie: true }));
  const form = { 'content-type': FORM, body: 'code=1' };
  // A site next to ours, such as one on another port, brings the cookies of a session along.
  for (const site of ['cross-site', 'same-site', 'none', 'same-origin']) {
    const headers = { ...form, cookie: 'matinee=cookie', 'sec-fetch-site': site, authorization: 'Bearer cookie' };
    const { status, body } = await ask(here, 'POST /api/v1/arrive', headers);
    assert.deepEqual([status, body], [200, '{"caller":"nobody"}'], site);
  }
  const other = { method: 'GET', path: '/api/v1/arrive', summary: 'x', result: z.strictObject({}) } as const;
  assert.throws(() => endpoint({ ...other, access: 'public', anyOrigin: true }), /only a public POST/);
  const signedIn = { role: 'viewer', via: 'session' } as const;
  assert.throws(() => endpoint({ ...other, method: 'POST', access: signedIn, anyOrigin: true }), /only a public POST/);
});

test('a link that is made for a session opens that session, not an item of the same id', async (t) => {
  const here = await startTestServer(t, mounted, {});
  const link = (item: string) => makePrincipal({ via: { purpose: 'media', item }, role: 'viewer' });
  here.tokens.set('link', link('s1'));
  const auth = { authorization: 'Bearer link' };
  assert.equal((await ask(here, 'GET /media/part/s1', auth)).status, 200);
  assert.equal((await ask(here, 'GET /media/part/s2', auth)).status, 401);
  assert.equal((await ask(here, 'GET /media/part/s2?id=s1', auth)).status, 401);
});

test('a page with frames allows our own, any other page none', async (t) => {
  const here = await startTestServer(t, mounted);
  const policy = async (path: string) => (await ask(here, `GET ${path}`)).headers.get('content-security-policy') ?? '';
  assert.match(await policy('/reader'), /; frame-src 'self'$/);
  assert.doesNotMatch(await policy('/page'), /frame-src/);
});

test('the public listener has what is declared for it; all else is 404 there', async (t) => {
  const outside = await startTestServer(t, mounted, { listener: { kind: 'public', host: 'a' } });
  for (const { endpoint } of mounted) {
    const { status } = await ask(outside, `${endpoint.method} ${endpoint.path.replace('{session}', 's1')}`, OWNER);
    if (endpoint.reach === 'everywhere') assert.equal(status, 400, endpoint.path);
    else assert.equal(status, 404, endpoint.path);
  }
  assert.equal(publicRoutes(mounted).trim().split('\n').at(-1), 'api POST /api/v1/form | anyone | - | -');
  assert.match(matrix(mounted), /\/media\/part\/\{session\} .* \| link for media by session$/m);
});

test('the document has the form of each body, and where a redirect leads', () => {
  interface Operation {
    requestBody?: { content: object };
    responses: object;
  }
  const { paths } = openapi(mounted) as { paths: Record<string, Record<string, Operation>> };
  const content = (path: string, method: string) => Object.keys(paths[path]?.[method]?.requestBody?.content ?? {});
  assert.deepEqual(content('/api/v1/form', 'post'), [FORM]);
  assert.deepEqual(content('/api/v1/picture', 'put'), [PNG]);
  assert.deepEqual(content('/api/v1/things', 'patch'), ['application/json']);
  assert.match(JSON.stringify(paths['/api/v1/turn']?.['get']?.responses), /"302":.*"enum":\["\/","\/item\/\{id\}"\]/);
});

test('planted: declarations that contradict themselves are refused', () => {
  const base = { path: '/api/v1/x', summary: 'a', access, result: NOTHING } as const;
  const json = { form: 'json', maxBytes: 1 } as const;
  assert.throws(() => endpoint({ ...base, method: 'GET', takes: json }), /a GET has no body/);
  const bytes = { form: 'bytes', maxBytes: 1, types: [PNG] } as const;
  assert.throws(
    () => endpoint({ ...base, method: 'PUT', takes: bytes, body: z.strictObject({ a: z.string() }) }),
    /bytes/,
  );
  assert.throws(() => endpoint({ ...base, method: 'POST', status: 302 }), /only a redirect/);
  assert.throws(() => endpoint({ ...base, method: 'SUBSCRIBE' }), /the API document cannot have SUBSCRIBE/);
  assert.throws(() => endpoint({ ...base, method: 'GET', frames: true }), /only a page has frames/);
  const link = { role: 'viewer', via: 'stream', link: 'media', linkBy: 'session' } as const;
  assert.throws(() => endpoint({ ...base, method: 'GET', access: link }), /no parameter session/);
});
