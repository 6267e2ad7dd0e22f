/** The token of the directory: guesses, its end, what is announced before, and how an Owner makes and ends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWorld, makeHousehold, DIRECTORY_SETTINGS, type World } from '../../test/world.ts';
import { openDirectoryWorld, TEST_TOKEN } from './testing-directory.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TOKEN = '/api/v1/directory/token';

test('ten wrong tokens stop a network, and neither the household nor another network', async (t) => {
  const { ask, w } = await openDirectoryWorld(t);
  const guess = (token: string, address?: string) =>
    ask('GET', '/Users', undefined, { token, ...(address && { address }) });
  for (let n = 0; n < 10; n++) assert.equal((await guess(`${TEST_TOKEN}${n}`)).status, 401);
  const stopped = await guess(TEST_TOKEN);
  assert.equal(stopped.status, 429);
  assert.equal(stopped.body['status'], '429');
  assert.ok(Number(stopped.headers['retry-after']) > 0);
  assert.equal((await guess(TEST_TOKEN, '192.168.2.20')).status, 200);
  assert.equal(
    (await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: 'x'.repeat(12) } })).status,
    401,
  );
  w.clock.pass(MINUTE_MS);
  assert.equal((await guess(TEST_TOKEN)).status, 200);
  const refused = (await w.identity.happened({ limit: 100 })).filter(({ kind }) => kind === 'directory-refused');
  assert.equal(
    refused.reduce((sum, { count }) => sum + count, 0),
    10,
  );
  assert.partialDeepStrictEqual(refused[0], { outcome: 'refused', reach: 'local', network: '192.168.1.0/24' });
});

test('a right token costs nothing, also when it has expired', async (t) => {
  const { ask, w } = await openDirectoryWorld(t);
  for (let n = 0; n < 30; n++) assert.equal((await ask('GET', '/Users?count=0')).status, 200);
  w.clock.pass(90 * DAY_MS - 1);
  assert.equal((await ask('GET', '/Users')).status, 200);
  w.clock.pass(1);
  for (let n = 0; n < 30; n++) {
    const { status, body } = await ask('GET', '/Users');
    assert.deepEqual([status, body['detail']], [401, 'this token has expired']);
  }
});

test('the token of the directory opens nothing else, and no other token opens SCIM', async (t) => {
  const { ask, w, owner } = await openDirectoryWorld(t);
  for (const path of ['/api/v1/me', '/api/v1/profiles', '/api/v1/session'])
    assert.equal((await w.call('GET', path, { token: TEST_TOKEN })).status, 401, path);
  assert.equal((await ask('GET', '/Users', undefined, { token: owner })).status, 401);
  w.settings.delete('integrations.scim.token');
  assert.equal((await ask('GET', '/Users')).status, 401);
});

test('the end of the token is announced 14, 7 and 1 days before, once each', async (t) => {
  const { w } = await openDirectoryWorld(t);
  const settle = () => w.identity.operations.directory.settle();
  const announced = async () =>
    (await w.identity.happened({ limit: 100 }))
      .filter(({ kind }) => kind === 'expiring')
      .map(({ details }) => details['finding']);
  const codes = () =>
    w.identity.findings().flatMap(({ code, values }) => (code.startsWith('directory') ? [[code, values]] : []));
  await settle();
  assert.deepEqual([await announced(), codes()], [[], []]);
  const seen: [days: number, announcements: number][] = [];
  for (const [pass, left] of [
    [75, 15],
    [1, 14],
    [1, 13],
    [6, 7],
    [5, 2],
    [1, 1],
  ] as const) {
    w.clock.pass(pass * DAY_MS);
    await settle();
    await settle();
    seen.push([left, (await announced()).length]);
    assert.deepEqual(codes(), left > 14 ? [] : [['directory-token-expiring', { days: left }]]);
  }
  assert.deepEqual(seen, [
    [15, 0],
    [14, 1],
    [13, 1],
    [7, 2],
    [2, 2],
    [1, 3],
  ]);
  // A restart announces nothing again.
  await w.again();
  assert.equal((await announced()).length, 3);
  w.clock.pass(DAY_MS);
  await settle();
  assert.deepEqual([(await announced())[0], codes()], ['directory-token-expired', [['directory-token-expired', {}]]]);
});

async function openHouse(t: Parameters<typeof startWorld>[0], env: Record<string, string> = {}) {
  const world = await startWorld(t, { env });
  return { world, callers: await makeHousehold(world) };
}
const users = (world: World, token: string) => world.call({ token }, 'GET', '/scim/v2/Users');

test('an Owner makes, replaces and ends the token, in force at once', async (t) => {
  const { world, callers } = await openHouse(t);
  const { call, clock } = world;
  assert.deepEqual((await call(callers.owner, 'GET', '/api/v1/directory')).body, { path: '/scim/v2', managed: false });
  const made = await call(callers.owner, 'POST', TOKEN, { days: 30 });
  assert.equal(made.status, 201, made.text);
  const secret = String(made.body['secret']);
  assert.equal(Date.parse(String(made.body['expiresAt'])) - clock.now(), 30 * DAY_MS);
  assert.equal((await users(world, secret)).status, 200);
  const { body } = await call(callers.owner, 'GET', '/api/v1/directory');
  assert.partialDeepStrictEqual(body, { token: { expired: false, lastUsedAt: new Date(clock.now()).toISOString() } });
  assert.equal(JSON.stringify(body).includes(secret), false);
  // Nothing waits for a restart.
  const settings = (await call(callers.owner, 'GET', '/api/v1/configuration')).body['settings'] as {
    key: string;
    pending: boolean;
  }[];
  assert.deepEqual(
    settings.filter(({ pending }) => pending),
    [],
  );

  const second = String((await call(callers.owner, 'POST', TOKEN, { days: 90 })).body['secret']);
  assert.deepEqual([(await users(world, secret)).status, (await users(world, second)).status], [401, 200]);
  assert.equal((await call(callers.owner, 'DELETE', TOKEN)).status, 204);
  assert.equal((await users(world, second)).status, 401);
  assert.deepEqual((await call(callers.owner, 'GET', '/api/v1/directory')).body, { path: '/scim/v2', managed: false });
  for (const line of world.lines) assert.equal(line.includes(secret) || line.includes(second), false);
});

test('the token is kept over a restart, and sealed', async (t) => {
  const { world, callers } = await openHouse(t);
  const secret = String((await world.call(callers.owner, 'POST', TOKEN, { days: 90 })).body['secret']);
  await world.close();
  const again = await startWorld(t, { after: world });
  assert.equal((await users(again, secret)).status, 200);
});

test('no other caller makes a token, and none for longer than 90 days', async (t) => {
  const { world, callers } = await openHouse(t);
  for (const days of [0, 91, 1.5, '90', null]) {
    const { status } = await world.call(callers.owner, 'POST', TOKEN, { days });
    assert.equal(status, 400, String(days));
  }
  for (const [who, status] of [
    ['viewer', 403],
    ['owner stale', 403],
    ['key all', 403],
    ['nobody', 401],
  ] as const) {
    assert.equal((await world.call(callers[who], 'POST', TOKEN, { days: 30 })).status, status, who);
    assert.equal((await world.call(callers[who], 'DELETE', TOKEN)).status, status, who);
  }
});

test('a token from the environment is read-only here', async (t) => {
  const { world, callers } = await openHouse(t, DIRECTORY_SETTINGS);
  assert.partialDeepStrictEqual((await world.call(callers.owner, 'GET', '/api/v1/directory')).body, { managed: true });
  assert.equal((await world.call(callers.owner, 'POST', TOKEN, { days: 30 })).body['reason'], 'setting-managed');
  assert.equal((await users(world, DIRECTORY_SETTINGS.SERVICE_SCIM_TOKEN)).status, 200);
});
