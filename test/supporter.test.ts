/** Supporters through the whole server: a key is recognised or not, is sent alone, and unlocks nothing. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { isForProfiles } from '../src/contract/kernel/endpoint.ts';
import { createNet } from '../src/lib/net.ts';
import { PASSWORD, type Reply, startWorld, type World } from './world.ts';

const DAY = 86_400_000;
const KEY = 'MATINEE-7F3K-92QD-LM41';

interface Heard {
  method: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}
const heard: Heard[] = [];
let answer: (reply: ServerResponse) => void;
/** The service that recognises supporters, as it behaves and misbehaves. */
const service = createServer((request, reply) => {
  let body = '';
  request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
  request.on('end', () => {
    heard.push({ method: request.method, headers: request.headers, body });
    answer(reply);
  });
});
const replies = (status: number, body: unknown) => (reply: ServerResponse) =>
  void reply
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));

let house: World;
let url: string;
let owner: string;
let viewer: string;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;
const open = (before?: World) =>
  startWorld(together, {
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SUPPORTER_ACTIVATION_URL: url, SERVICE_SUPPORT_URL: `${url}/support` },
    net: createNet({ version: '0' }),
    ...(before && { after: before }),
  });
const read = async (token = owner) => (await house.call({ token }, 'GET', '/api/v1/supporter')).body;
const activate = (body: object, token = owner): Promise<Reply> =>
  house.call({ token }, 'POST', '/api/v1/supporter/activate', body);
const signIn = async (name: string) =>
  String((await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD })).body['token']);

before(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  house = await open();
  const setUp = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = String(setUp.body['token']);
  await house.call({ token: owner }, 'POST', '/api/v1/profiles', { name: 'Ben', password: PASSWORD });
  viewer = await signIn('Ben');
});
after(async () => {
  for (const close of closing.toReversed()) await close();
  service.closeAllConnections();
  service.close();
});

test('a key that is not recognised, and a service that misbehaves, change nothing', async () => {
  const none = { active: false, url: `${url}/support` };
  assert.deepEqual(await read(), none);
  for (const status of [400, 403, 404, 409, 410, 422]) {
    answer = replies(status, { until: '2030-01-01T00:00:00Z' });
    const reply = await activate({ key: KEY });
    assert.deepEqual([reply.status, reply.body['reason']], [400, 'supporter-key-unknown'], String(status));
  }
  const misbehaving: Record<string, (reply: ServerResponse) => void> = {
    'an error': replies(500, {}),
    'a redirect': (reply) => void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'no content': (reply) => void reply.writeHead(204).end(),
    'a page': replies(200, '<p>Thank you'),
    'an end that is no time': replies(200, { until: 'soon' }),
    'an end that is far away': replies(200, { until: '9999-01-01T00:00:00Z' }),
    'an end that is a number': replies(200, { until: 5 }),
    'a reply without an end': replies(200, `{"a":"${'x'.repeat(64 * 1024)}"}`),
    'a cut connection': (reply) => void reply.socket?.destroy(),
  };
  for (const [name, how] of Object.entries(misbehaving)) {
    answer = how;
    const reply = await activate({ key: KEY });
    assert.deepEqual([reply.status, reply.body['reason']], [503, 'supporter-unreachable'], name);
  }
  answer = replies(200, { until: new Date(house.clock.now() - DAY).toISOString() });
  assert.equal((await activate({ key: KEY })).body['reason'], 'supporter-key-unknown', 'one that has ended');
  assert.deepEqual(await read(), none);

  const before = heard.length;
  for (const key of ['short', 'x'.repeat(129), 'with a space in it', 'ümläute-sind-keine']) {
    assert.equal((await activate({ key })).status, 400, key);
  }
  assert.equal((await activate({ key: KEY, name: 'two\nlines' })).status, 400);
  assert.equal((await activate({ key: KEY }, viewer)).status, 403, 'only an Owner enters a key');
  assert.equal(heard.length, before, 'the service is not asked');
});

test('a key that is recognised is thanked for, is sent alone and kept nowhere, and outlives a restart', async () => {
  const until = new Date(house.clock.now() + 40 * DAY).toISOString();
  answer = replies(200, { until, welcome: true });
  const since = new Date(house.clock.now()).toISOString();
  const shown = { active: true, since, name: 'The Lovelaces', until, url: `${url}/support` };
  const reply = await activate({ key: KEY, name: 'The Lovelaces' });
  assert.deepEqual([reply.status, reply.body], [200, shown]);
  assert.deepEqual(await read(viewer), shown);
  const { method, headers, body } = heard.at(-1) ?? assert.fail();
  assert.deepEqual([method, body], ['POST', JSON.stringify({ key: KEY })]);
  assert.deepEqual(
    Object.keys(headers).filter((name) => /cookie|authorization|referer|origin/.test(name)),
    [],
  );
  assert.ok(!house.lines.some((line) => line.includes(KEY)), 'the log does not have the key');
  const said = await house.call({ token: owner }, 'GET', '/api/v1/activity?kind=supporter-activated');
  assert.deepEqual([said.status, said.body['total']], [200, 1], 'nor do refused keys leave an entry of this kind');
  assert.ok(!said.text.includes(KEY));

  const closed = house;
  await closed.close();
  house = await open(closed);
  assert.deepEqual(await read(), shown);
  house.clock.pass(10 * DAY);
  owner = await signIn('Ada');
  answer = replies(200, '');
  assert.equal((await activate({ key: KEY })).body['since'], since, 'a renewal keeps when it began');
  assert.equal((await read())['until'], undefined);
});

/** Figures of the machine, which other tests change too: two replies may have the same by chance. */
const MEASURED = /"(?:memoryBytes|freeBytes)":\d+|"sentence":"\d+ \w+ are free there\."/g;

/** Replies to every other read that needs no id, by caller and path. */
async function otherReplies(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [who, token] of Object.entries({ owner, viewer }))
    for (const { endpoint } of house.mounted) {
      const { method, path, access, result } = endpoint;
      // The activity log says who entered a key, as of every act of an Owner.
      const isOfSupport = /^\/api\/v1\/(supporter|activity)/.test(path);
      const isOther = path.startsWith('/api/v1/') && !isOfSupport && !path.includes('{');
      if (method !== 'GET' || !isOther || !isForProfiles(access) || 'events' in result || 'socket' in result) continue;
      const { status, text } = await house.call({ token }, 'GET', path);
      found.set(`${who} ${path}`, `${status} ${text.replaceAll(MEASURED, '')}`);
    }
  return found;
}

test('support changes no byte of other replies, and ends by itself', async () => {
  house.clock.pass(400 * DAY);
  owner = await signIn('Ada');
  viewer = await signIn('Ben');
  answer = replies(200, { until: new Date(house.clock.now() + 1).toISOString() });
  assert.equal((await activate({ key: KEY })).status, 200);
  house.clock.pass(1);
  assert.equal((await read())['active'], false);
  const [first, second] = [await otherReplies(), await otherReplies()];
  answer = replies(200, {});
  assert.equal((await activate({ key: KEY, name: 'The Lovelaces' })).status, 200);
  assert.equal((await read())['active'], true);
  const supported = await otherReplies();
  // Some replies differ each time.
  const steady = [...first].filter(([name, reply]) => second.get(name) === reply).map(([name]) => name);
  assert.ok(steady.length > 60, `${steady.length} replies are compared`);
  for (const name of steady) assert.equal(supported.get(name), first.get(name), name);
});
