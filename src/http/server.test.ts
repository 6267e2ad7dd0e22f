/**
 * The path of a request: tricks are refused, checks come in their order, and every reply has its headers.
 */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { byId } from '../contract/kernel/common.ts';
import { endpoint, NOTHING } from '../contract/kernel/endpoint.ts';
import { handle, replyOf, startTestServer } from './testing.ts';
import { READ, startThings } from './testing-things.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};
test('every reply has the security headers, an id, and JSON that is not kept', async (t) => {
  const { send, as } = await startThings(t);
  const ids = new Set<string>();
  for (const [line, headers, status] of [
    [READ, as('viewer'), 200],
    [READ, {}, 401],
    [READ, as('nobody'), 401],
    ['GET /api/v1/unknown', {}, 404],
    ['PUT /api/v1/open', {}, 405],
    ['GET /api/v1/broken', {}, 500],
    ['GET /api/v1/wrong', {}, 500],
    [`GET /${'a'.repeat(300)}`, {}, 404],
    ['GET /%zz', {}, 400],
    ['BREW /api/v1/open', {}, 400],
  ] as const) {
    const reply = await send(line, headers);
    assert.equal(reply.status, status, line);
    for (const [name, value] of Object.entries(HEADERS))
      assert.equal(reply.headers.get(name), value, `${line}: ${name}`);
    assert.match(
      reply.headers.get('content-security-policy') ?? '',
      /default-src 'none'; frame-ancestors 'none'; sandbox/,
      line,
    );
    const id = reply.headers.get('x-request-id') ?? '';
    assert.match(id, /^[0-9a-f]{16}$/, line);
    assert.equal(ids.has(id), false);
    ids.add(id);
    assert.equal(reply.headers.has('server') || reply.headers.has('x-powered-by'), false);
    if (status >= 400) assert.deepEqual(Object.keys(JSON.parse(reply.body) as object), ['error', 'reason'], line);
  }
});

test('a bug tells nothing of itself, and a field that was not declared never leaves', async (t) => {
  const { send, told } = await startThings(t);
  for (const path of ['broken', 'wrong'])
    assert.equal(
      (await send(`GET /api/v1/${path}`)).body,
      '{"error":"something went wrong here","reason":"server-fault"}',
    );
  assert.equal(told.filter((each) => each.startsWith('handler.failed')).length, 2);
});

test('what two servers in a row could read in two ways is refused', async (t) => {
  const { raw, done } = await startThings(t);
  const auth = 'authorization: Bearer owner\r\n';
  const rows: [text: string, why: string][] = [
    [`${READ} HTTP/1.1\r\nhost: a\r\nhost: b\r\n${auth}\r\n`, 'two hosts'],
    [`${READ} HTTP/1.1\r\nhost: a\r\nHOST: a\r\n${auth}\r\n`, 'the same host twice'],
    [`${READ} HTTP/1.1\r\n${auth}\r\n`, 'no host'],
    [`${READ} HTTP/1.1\r\nhost: a/b\r\n${auth}\r\n`, 'a path in the host'],
    [`${READ} HTTP/1.1\r\nhost: user@a\r\n${auth}\r\n`, 'a user in the host'],
    [`${READ} HTTP/1.1\r\nhost:\r\n${auth}\r\n`, 'an empty host'],
    [`GET http://elsewhere/api/v1/open HTTP/1.1\r\nhost: a\r\n\r\n`, 'absolute form'],
    [`OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n`, 'asterisk form'],
    [
      `POST /api/v1/things HTTP/1.1\r\nhost: a\r\n${auth}content-type: application/json\r\n` +
        'Content-Type: text/plain\r\ncontent-length: 12\r\n\r\n{"name":"a"}',
      'two content types',
    ],
    [`GET /api/v1/open HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`, 'an upgrade'],
    [
      'GET /api/v1/open HTTP/1.1\r\nhost: a\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\n' +
        'http2-settings: AAA\r\n\r\n',
      'an upgrade to HTTP/2',
    ],
    [`GET /api/v1/open HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nhello`, 'a GET with a body'],
    [
      `GET /api/v1/open HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      'a GET with a body in chunks',
    ],
    [
      `POST /api/v1/nothing HTTP/1.1\r\nhost: a\r\n${auth}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n` +
        '0\r\n\r\n',
      'two lengths',
    ],
    [
      `POST /api/v1/nothing HTTP/1.1\r\nhost: a\r\n${auth}content-length: 0\r\ncontent-length: 5\r\n\r\nhello`,
      'two lengths that differ',
    ],
    [`POST /api/v1/nothing HTTP/1.1\r\nhost: a\r\n${auth}content-length: -1\r\n\r\n`, 'a negative length'],
    [`GET /api/v1/open HTTP/1.1\r\nhost: a\r\nx : y\r\n\r\n`, 'a space before the colon'],
    [`GET /api/v1/open HTTP/1.1\r\nhost: a\r\nx: a\r\n b\r\n\r\n`, 'a folded header'],
    [`GET /api/v1/open HTTP/1.1\nhost: a\n\n`, 'lines without a carriage return'],
    [`GET /api/v1/open HTTP/9.9\r\nhost: a\r\n\r\n`, 'another version'],
  ];
  for (const [text, why] of rows) {
    const { status, headers, body } = replyOf(await raw(text));
    assert.equal(status, 400, why);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', why);
    assert.match(body, /^\{"error":"[a-z][^"]+","reason":"[a-z-]+"\}/, why);
  }
  assert.deepEqual(done, []);
  assert.equal(await raw('CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n'), '', 'CONNECT is cut');
  assert.equal(
    replyOf(await raw(`TRACE /api/v1/open HTTP/1.1\r\nhost: a\r\nx-secret: y\r\nconnection: close\r\n\r\n`)).status,
    405,
  );
  assert.equal(
    replyOf(await raw(`GET /api/v1/open HTTP/1.1\r\nhost: [::1]:8080\r\nconnection: close\r\n\r\n`)).status,
    200,
    'an address in brackets is a host',
  );
});

test('a head that is too large is refused in our words', async (t) => {
  const { raw } = await startThings(t);
  const { status, headers } = replyOf(
    await raw(`GET /api/v1/open HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
  );
  assert.deepEqual([status, headers.get('connection')], [431, 'close']);
});

test('who may not call learns nothing of the body: the checks come in their order', async (t) => {
  const { send, as, done } = await startThings(t);
  const POST = 'POST /api/v1/things';
  const good = '{"name":"a"}';
  const huge = 'x'.repeat(1024 * 1024 + 1);
  const foreign = { cookie: 'matinee=owner', 'sec-fetch-site': 'cross-site' };
  const rows: [headers: Record<string, string>, body: string, status: number, why: string][] = [
    [{}, huge, 401, 'credentials before size'],
    [{}, '{', 401, 'credentials before syntax'],
    [as('nobody'), huge, 401, 'a wrong token before size'],
    [foreign, huge, 403, 'origin before size'],
    [{ cookie: 'matinee=owner' }, good, 403, 'a cookie without an origin'],
    [{ cookie: 'matinee=owner', origin: 'http://elsewhere' }, good, 403, 'another origin'],
    [{ cookie: 'matinee=owner', 'sec-fetch-site': 'same-site' }, good, 403, 'a neighbour'],
    [
      { cookie: 'matinee=owner', 'sec-fetch-site': 'cross-site', origin: 'http://matinee.test' },
      good,
      403,
      'what the browser says counts',
    ],
    [as('viewer'), huge, 403, 'role before size'],
    [as('key'), huge, 403, 'scope before size'],
    [as('stale'), huge, 403, 'recent before size'],
    [as('enrolling'), good, 403, 'enrolment'],
    [as('denied'), good, 403, 'the times in which one may'],
    [as('link'), good, 401, 'a link is for one thing'],
    [as('owner'), huge, 413, 'size before syntax'],
    [as('owner'), '{', 400, 'syntax'],
  ];
  for (const [headers, body, status, why] of rows) assert.equal((await send(POST, headers, body)).status, status, why);
  assert.deepEqual(done, []);
  assert.equal(JSON.parse((await send(POST, as('stale'), good)).body).stepUpRequired, true);
  assert.equal(JSON.parse((await send(POST, as('enrolling'), good)).body).mfaEnrollmentRequired, true);
  // And each of the allowed ways is open, so that the refusals above are those of their own check.
  assert.equal((await send(POST, as('owner'), good)).status, 200);
  assert.equal((await send(POST, { cookie: 'matinee=owner', 'sec-fetch-site': 'same-origin' }, good)).status, 200);
  assert.equal((await send(POST, { cookie: 'matinee=owner', origin: 'http://matinee.test' }, good)).status, 200);
  assert.equal(
    (await send(POST, { ...as('owner'), ...foreign }, good)).status,
    200,
    'a cookie beside a token is not looked at',
  );
  assert.deepEqual(done, ['a', 'a', 'a', 'a']);
});

test('keys and links open what they are for', async (t) => {
  const { send, as } = await startThings(t);
  const other = `GET /api/v1/things/${'b'.repeat(16)}`;
  assert.equal((await send(READ, as('key'))).status, 200);
  assert.equal((await send('POST /api/v1/own', as('key'))).status, 403, 'session only');
  assert.equal((await send('POST /api/v1/own', as('viewer'))).status, 204);
  assert.equal((await send(READ, as('link'))).status, 200);
  assert.equal((await send(other, as('link'))).status, 401, 'another item');
  assert.equal((await send(READ, as('media-link'))).status, 401, 'another purpose');
  assert.equal(
    (await send('GET /api/v1/open', as('nobody'))).status,
    401,
    'a wrong token is refused where none is needed',
  );
  assert.equal((await send('GET /api/v1/open', { authorization: 'Basic eDp5' })).status, 401);
  assert.equal((await send('GET /api/v1/open')).body, '{"by":"nobody"}');
});

test('every other method of a known path is 405 with what is offered, and of another path 404', async (t) => {
  const { send } = await startThings(t);
  for (const method of METHODS) {
    if (method === 'GET' || method === 'HEAD' || method === 'CONNECT') continue;
    const { status, headers, body } = await send(`${method} /api/v1/open`, { 'content-length': '5' }, 'hello');
    assert.deepEqual(
      [status, headers.get('allow'), body],
      [405, 'GET, HEAD', '{"error":"this method is not offered here","reason":"method-not-allowed"}'],
      method,
    );
    assert.equal(
      (await send(`${method} /api/v1/%6fpen?x=%ff`)).status,
      405,
      `${method}: a known path in other letters`,
    );
    for (const path of ['/api/v1/unknown', '/api/v1/open/', '/api/v1/things/', `/api/v1/things/${'a'.repeat(300)}`])
      assert.equal((await send(`${method} ${path}`)).status, 404, `${method} ${path.slice(0, 40)}`);
  }
  assert.equal((await send('GET /api/v1/things')).headers.get('allow'), 'POST');
  assert.equal(
    (await send('QUERY /api/v1/things', {}, 'x'.repeat(2 ** 20 + 1))).status,
    405,
    'before the body is read',
  );
});

test('a path next to a more general one offers only its own methods', async (t) => {
  const general = endpoint({
    method: 'GET',
    path: '/api/v1/box/{id}',
    summary: 'Box',
    access: 'public',
    params: byId,
    result: NOTHING,
  });
  const own = endpoint({ method: 'POST', path: '/api/v1/box/new', summary: 'New', access: 'public', result: NOTHING });
  const { raw } = await startTestServer(t, [handle(general, () => {}), handle(own, () => {})]);
  const ask = async (line: string) => replyOf(await raw(`${line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`));
  for (const [line, status, allow] of [
    ['GET /api/v1/box/new', 405, 'POST'],
    ['HEAD /api/v1/box/new', 405, 'POST'],
    ['COPY /api/v1/box/new', 405, 'POST'],
    ['POST /api/v1/box/new', 204, undefined],
    ['POST /api/v1/box/0123456789abcdef', 405, 'GET, HEAD'],
    ['GET /api/v1/box/0123456789abcdef', 204, undefined],
  ] as const) {
    const reply = await ask(line);
    assert.deepEqual([reply.status, reply.headers.get('allow')], [status, allow], line);
  }
});

test('HEAD is GET without the bytes', async (t) => {
  const { send, as } = await startThings(t);
  const whole = await send(READ, as('owner'));
  const head = await send(READ.replace('GET', 'HEAD'), as('owner'));
  assert.deepEqual(
    [head.status, head.body, head.headers.get('content-length')],
    [200, '', whole.headers.get('content-length')],
  );
});

test('a route that was not declared stops the server', async (t) => {
  const { http } = await startTestServer(t, []);
  assert.throws(() => http.server.get('/back-door', () => 'hi'), /undeclared route|already/);
});

test('a credential revoked while the body is read does nothing any more', async (t) => {
  const { socket, tokens, done } = await startThings(t);
  const send = async (isRevoked: boolean) => {
    const { promise: isKnown, resolve: known } = Promise.withResolvers<void>();
    tokens.get = (token) => (known(), Map.prototype.get.call(tokens, token) as ReturnType<typeof tokens.get>);
    const one = await socket();
    let text = '';
    one.on('data', (chunk) => void (text += chunk.toString())).on('error', () => {});
    one.write(
      'POST /api/v1/things HTTP/1.1\r\nhost: a\r\nauthorization: Bearer owner\r\nconnection: close\r\n' +
        'content-type: application/json\r\ncontent-length: 12\r\n\r\n{"name"',
    );
    // It was asked who this is, and let in; what is waited for now is the rest of the body.
    await isKnown;
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    if (isRevoked) tokens.delete('owner');
    one.write(':"a"}');
    await new Promise<void>((resolve) => void one.on('close', () => resolve()));
    return replyOf(text).status;
  };
  assert.equal(await send(false), 200, 'planted: unrevoked, the same request is done');
  assert.equal(await send(true), 401);
  assert.deepEqual(done, ['a']);
});
