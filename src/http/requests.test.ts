/** Input of requests: bodies and queries are strict, and a body is not read before its sender may send it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { until } from '../../test/until.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { handle, replyOf, startTestServer } from './testing.ts';
import { READ, startThings } from './testing-things.ts';

test('bodies are exactly one object with the declared fields', async (t) => {
  const { send, as, done } = await startThings(t);
  const nested = (n: number) => `{"name":"a","deep":${'['.repeat(n)}${']'.repeat(n)}}`;
  const rows: [body: string, why: string][] = [
    ['', 'nothing'],
    ['null', 'null'],
    ['[]', 'a list'],
    ['"a"', 'a text'],
    ['{', 'half'],
    ['{"name":"a"}{"name":"b"}', 'two'],
    ['{"name":"a"} x', 'something after it'],
    ['{"name":"a"},', 'a comma after it'],
    ['{"name":null}', 'null for a text'],
    ['{"name":1}', 'a number for a text'],
    ['{"name":["a"]}', 'a list for a text'],
    ['{}', 'a field that is missing'],
    ['{"name":"a","more<script>":1}', 'a field that is not known'],
    ['{"name":"a","name":"b"}', 'a field twice'],
    ['{"name":"a","NAME":"b"}', 'a field twice in another case'],
    ['{"name":"a","n\\u0061me":"b"}', 'a field twice, once in escapes'],
    ['{"name":"a","__proto__":{}}', '__proto__'],
    ['{"name":"a","deep":{"__proto__":1}}', '__proto__ further down'],
    ['{"name":"a","constructor":1}', 'constructor'],
    [nested(16), 'seventeen deep'],
    ['\ufeff{"name":"a"}', 'a byte order mark'],
    ["{'name':'a'}", 'single quotes'],
    ['{"name":"a",}', 'a comma at the end'],
    ['{"name":NaN}', 'not a number'],
    ['{"name":"a" /* x */}', 'a comment'],
  ];
  for (const [body, why] of rows) {
    const reply = await send('POST /api/v1/things', as('owner'), body);
    assert.equal(reply.status, 400, why);
    assert.doesNotMatch(reply.body, /more|__proto__/, `${why}: names that a caller made up are not repeated`);
  }
  const unknown = await send('POST /api/v1/things', as('owner'), '{"name":"a","more":1}');
  assert.equal(unknown.body, '{"error":"unknown field: more","reason":"field-unknown"}', 'unless they are plain');
  for (const type of [
    'application/json; charset',
    'application/json;;',
    'application/json; charset=utf-8; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])
    assert.equal(
      (await send('POST /api/v1/things', { ...as('owner'), 'content-type': type }, '{"name":"a"}')).status,
      400,
      type,
    );
  assert.deepEqual(done, []);
  assert.equal((await send('POST /api/v1/things', as('owner'), nested(15))).status, 200, 'sixteen deep is allowed');
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf8; version=1',
  ])
    assert.equal(
      (await send('POST /api/v1/things', { ...as('owner'), 'content-type': type }, '{"name":"a"}')).status,
      200,
      type,
    );
  assert.equal(
    (await send('POST /api/v1/nothing', as('owner'))).status,
    204,
    'what takes nothing may be called without a body',
  );
  assert.equal((await send('POST /api/v1/nothing', as('owner'), '{}')).status, 204);
  assert.equal((await send('POST /api/v1/nothing', as('owner'), '{"a":1}')).status, 400);
  assert.equal((await send('POST /api/v1/nothing', as('owner'), 'x'.repeat(2 ** 20 + 1))).status, 413);
});

test('a compressed body and another charset are refused as what they are', async (t) => {
  const { send, as, done } = await startThings(t);
  const rows: [headers: Record<string, string>, error: string][] = [
    ...['gzip', 'br', 'deflate', 'identity, gzip', 'x'].map((encoding): [Record<string, string>, string] => [
      { 'content-encoding': encoding },
      'the body must not be compressed',
    ]),
    ...['latin1', 'iso-8859-1', 'utf-16', '"utf-7"', '""'].map((charset): [Record<string, string>, string] => [
      { 'content-type': `application/json; charset=${charset}` },
      'the body must be in UTF-8',
    ]),
  ];
  for (const [headers, error] of rows) {
    const reply = await send('POST /api/v1/things', { ...as('owner'), ...headers }, '{"name":"a"}');
    assert.deepEqual(
      [reply.status, reply.body],
      [415, JSON.stringify({ error, reason: error.includes('UTF-8') ? 'charset' : 'content-encoding' })],
      JSON.stringify(headers),
    );
    assert.equal(
      (await send('POST /api/v1/nothing', { ...as('owner'), ...headers }, '{}')).status,
      415,
      'where no fields are taken, too',
    );
  }
  assert.equal(
    (await send('POST /api/v1/things', { 'content-encoding': 'gzip' }, '{"name":"a"}')).status,
    401,
    'credentials first',
  );
  assert.deepEqual(done, []);
  assert.equal(
    (await send('POST /api/v1/things', { ...as('owner'), 'content-encoding': 'identity' }, '{"name":"a"}')).status,
    200,
  );
});

test('a body that says nothing of its length is cut at the same size', async (t) => {
  const { raw } = await startThings(t);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const { status } = replyOf(
    await raw(
      'POST /api/v1/things HTTP/1.1\r\nhost: a\r\nauthorization: Bearer owner\r\n' +
        `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
    ),
  );
  assert.equal(status, 413);
});

test('a client that asks first is told to send its body only when it may, and not when it is too large', async (t) => {
  const { raw, socket, done } = await startThings(t);
  const head = (who: string, length: number) =>
    `POST /api/v1/things HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${who}\r\nconnection: close\r\n` +
    `expect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  for (const [who, length, status] of [
    ['nobody', 12, 401],
    ['viewer', 12, 403],
    ['owner', 2 ** 20 + 1, 413],
  ] as const)
    assert.equal(replyOf(await raw(head(who, length), { keepOpen: true })).status, status, who);
  const one = await socket();
  let text = '';
  const gone = new Promise<void>(
    (resolve) => void one.on('data', (chunk) => void (text += chunk.toString())).on('close', () => resolve()),
  );
  one.write(head('owner', 12));
  await until('the word to go on', () => text !== '');
  assert.equal(text, 'HTTP/1.1 100 Continue\r\n\r\n');
  one.write('{"name":"a"}');
  await gone;
  assert.equal(replyOf(text.slice(text.indexOf('\r\n\r\n') + 4)).status, 200);
  assert.deepEqual(done, ['a']);
});

test('a body that the server will not read ends the connection', async (t) => {
  const { raw } = await startThings(t);
  const { status, headers } = replyOf(
    await raw('POST /api/v1/things HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n', { keepOpen: true }),
  );
  assert.deepEqual([status, headers.get('connection')], [401, 'close']);
});

test('queries are strict, and ids are ids', async (t) => {
  const { send, as } = await startThings(t);
  for (const query of [
    '?limit=1&limit=1',
    '?limit=1&%6cimit=1',
    '?unknown=1',
    '?limit=0',
    '?limit=10',
    '?limit=1.5',
    '?limit=',
    '?limit=1e0',
    '?Limit=1',
    '?limit=+1',
    '?__proto__=1',
  ])
    assert.equal((await send(`${READ}${query}`, as('owner'))).status, 400, query);
  for (const query of ['', '?', '?limit=9'])
    assert.equal((await send(`${READ}${query}`, as('owner'))).status, 200, query);
  for (const id of ['A'.repeat(16), 'a'.repeat(15), 'a'.repeat(17), '..%2f..', '%00', 'a'.repeat(400)])
    assert.ok([400, 404].includes((await send(`GET /api/v1/things/${id}`, as('owner'))).status), id);
  const missing = await send(`GET /api/v1/things/${'0'.repeat(16)}`, as('owner'));
  assert.equal(missing.body, '{"error":"no such thing","reason":"no-such-item"}');
  for (const path of ['/api/v1/open/', '//api/v1/open', '/API/v1/open', '/api/v1/../v1/open', '/api/v1/open%2f'])
    assert.equal((await send(`GET ${path}`)).status, 404, path);
});

test('a query that is not UTF-8 is refused, and one that is arrives as it is', async (t) => {
  const text = endpoint({
    method: 'GET',
    path: '/api/v1/text',
    summary: 'Text',
    access: 'public',
    query: z.strictObject({ q: z.string().optional() }),
    result: z.strictObject({ q: z.string() }),
  });
  const { raw } = await startTestServer(t, [handle(text, ({ q }) => ({ q: q ?? 'none' }))]);
  const ask = async (query: string) =>
    replyOf(await raw(`GET /api/v1/text?${query} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`));
  for (const query of [
    'q=%ff',
    'q=%E9',
    'q=%C3',
    'q=%C3%28',
    'q=%C0%AF',
    'q=%ED%A0%80',
    'q=%ED%B0%80',
    'q=%F4%90%80%80',
    'q=%',
    'q=%4',
    'q=%zz',
    'q=%u0041',
    '%ff=1',
    '%zz',
    'q=a&%',
  ]) {
    const reply = await ask(query);
    assert.deepEqual(
      [reply.status, reply.body],
      [400, '{"error":"the query is not UTF-8","reason":"query-malformed"}'],
      query,
    );
  }
  for (const [query, q] of [
    ['q=Am%C3%A9lie', 'Amélie'],
    ['q=%F0%9F%8E%AC', '🎬'],
    ['q=a+b%2Bc%26d', 'a b+c&d'],
    ['q=a=b?c', 'a=b?c'],
    ['q', ''],
    ['&&q=x&', 'x'],
    ['', 'none'],
  ] as const)
    assert.deepEqual(JSON.parse(Buffer.from((await ask(query)).body, 'latin1').toString()), { q }, query);
});
