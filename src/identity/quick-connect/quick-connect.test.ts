/** Quick Connect: who may approve which device, what ends a code, races, and guesses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOOD, makeViewer, openIdentityWorld, OTHER, setUp, type World } from '../testing-world.ts';

const PATH = '/api/v1/quick-connect';
const AWAY = '203.0.113.9';
const MINUTE = 60_000;

interface Begun {
  code: string;
  secret: string;
  expiresAt: string;
}
async function begin(w: World, address?: string, device = 'Living room'): Promise<Begun> {
  const reply = await w.call('POST', PATH, { body: { device }, ...(address !== undefined && { address }) });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body as unknown as Begun;
}
const poll = (w: World, secret: string, address?: string) =>
  w.call('POST', `${PATH}/token`, { body: { secret }, ...(address !== undefined && { address }) });
const approve = (w: World, token: string, code: string, body: Record<string, unknown> = {}) =>
  w.call('POST', `${PATH}/${code}`, { token, body });
const idOf = async (w: World, token: string): Promise<string> =>
  ((await w.call('GET', '/api/v1/me', { token })).body['profile'] as { id: string }).id;
const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: false, download: false };

test('a code that is approved opens one session, as the Profile that approved it', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { code, secret, expiresAt } = await begin(w);
  assert.match(code, /^\d{6}$/);
  assert.match(secret, /^mat_qc_/);
  assert.equal(Date.parse(expiresAt), w.clock.now() + 5 * MINUTE);
  const waiting = await poll(w, secret);
  assert.deepEqual([waiting.status, waiting.body], [202, { state: 'waiting' }]);

  const preview = await w.call('GET', `${PATH}/${code}`, { token: owner });
  assert.deepEqual([preview.status, preview.body['device'], preview.body['network']], [200, 'Living room', 'local']);
  const list = await w.call('GET', PATH, { token: owner });
  assert.equal(list.body['total'], 1);
  assert.ok(!JSON.stringify(list.body).includes(code), 'a list with codes could be approved unseen');

  assert.equal((await approve(w, owner, code)).status, 204);
  assert.equal((await w.call('GET', PATH, { token: owner })).body['total'], 0);
  assert.equal((await approve(w, owner, code)).body['reason'], 'code-approved');
  const made = await poll(w, secret);
  assert.equal(made.status, 201);
  assert.equal((made.body['profile'] as { name: string }).name, 'Ada');
  const token = String(made.body['token']);
  const session = await w.call('GET', '/api/v1/session', { token });
  assert.deepEqual([session.body['way'], session.body['device']], ['quick-connect', 'Living room']);
  assert.equal(session.body['recentUntil'], undefined, 'nothing was proved on this device');
  assert.equal((await poll(w, secret)).body['reason'], 'no-such-code');
  assert.equal((await approve(w, owner, code)).body['reason'], 'no-such-code');
  const other = await begin(w);
  assert.equal((await approve(w, token, other.code)).status, 403, 'approving needs a recent proof');
  const kinds = (await w.identity.happened({ limit: 10 })).map(({ kind, outcome }) => `${kind} ${outcome}`);
  assert.ok(kinds.includes('quick-connect done') && kinds.includes('quick-connect refused'), kinds.join());
});

test('by cookie the reply has no token, and the browser is known as a device', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { code, secret } = await begin(w);
  await approve(w, owner, code);
  const made = await w.call('POST', `${PATH}/token`, { body: { secret, transport: 'cookie' } });
  assert.equal(made.body['token'], undefined);
  assert.ok(Object.keys(made.cookies).length >= 2, Object.keys(made.cookies).join());

  const cookieOf = ({ cookies }: { cookies: Record<string, string> }) =>
    Object.entries(cookies)
      .map((pair) => pair.join('='))
      .join('; ');
  const before = cookieOf(made);
  assert.equal((await w.call('GET', '/api/v1/me', { cookie: before })).status, 200);
  const second = await begin(w);
  await approve(w, owner, second.code);
  const body = { secret: second.secret, transport: 'cookie' };
  const again = await w.call('POST', `${PATH}/token`, { body, cookie: before });
  assert.equal((await w.call('GET', '/api/v1/me', { cookie: before })).status, 401, 'a sign-in begins a new session');
  const now = { cookies: { ...made.cookies, ...again.cookies } };
  assert.equal((await w.call('GET', '/api/v1/me', { cookie: cookieOf(now) })).status, 200);
});

test('who approves may let the browser stay signed in, at home and where an Owner allows it', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  /** Connects a browser, leaves it alone for an hour, and returns whether it is signed in still. */
  const isSignedInLater = async (remember: boolean, address?: string): Promise<boolean> => {
    const from = address === undefined ? {} : { address };
    const { code, secret } = await begin(w, address);
    const proved = await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: GOOD } });
    assert.equal((await approve(w, String(proved.body['token']), code, { remember })).status, 204);
    const made = await w.call('POST', `${PATH}/token`, { ...from, body: { secret, transport: 'cookie' } });
    const cookie = Object.entries(made.cookies)
      .map((pair) => pair.join('='))
      .join('; ');
    w.clock.pass(2_000);
    assert.equal((await w.call('GET', '/api/v1/me', { ...from, cookie })).status, 200);
    w.clock.pass(60 * MINUTE);
    return (await w.call('GET', '/api/v1/me', { ...from, cookie })).status === 200;
  };
  assert.equal(await isSignedInLater(false), false);
  assert.equal(await isSignedInLater(true), true);
  assert.equal(await isSignedInLater(true, AWAY), false, 'never outside');
  w.settings.set('security.stay_signed_in', false);
  assert.equal(await isSignedInLater(true), false);
});

test('who may approve: oneself at home, an Owner for a Viewer, and only an Owner for a device outside', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const home = await makeViewer(w, owner, {}, 'Vic');
  const away = await makeViewer(w, owner, { ...policy }, 'Una');
  const bob = await w.call('POST', '/api/v1/profiles', {
    token: owner,
    body: { name: 'Bob', password: OTHER, role: 'owner' },
  });
  const tries: [who: string, by: string, address: string | undefined, profile: string | undefined, reply: string][] = [
    ['an owner for themselves', owner, undefined, undefined, '204 201 Ada'],
    ['an owner for a viewer', owner, undefined, home.id, '204 201 Vic'],
    ['an owner for another owner', owner, undefined, String(bob.body['id']), '403 quick-connect-own-profile'],
    ['an owner for a stranger', owner, undefined, 'f'.repeat(16), '404 no-such-profile'],
    ['a viewer for themselves', home.token, undefined, undefined, '204 201 Vic'],
    ['a viewer who names themselves', home.token, undefined, home.id, '204 201 Vic'],
    ['a viewer for another viewer', home.token, undefined, away.id, '403 quick-connect-own-profile'],
    ['a viewer for an owner', home.token, undefined, await idOf(w, owner), '403 quick-connect-own-profile'],
    ['from outside, an owner for a viewer who may', owner, AWAY, away.id, '204 201 Una'],
    ['from outside, an owner for a viewer who may not', owner, AWAY, home.id, '403 quick-connect-not-away'],
    ['from outside, an owner for themselves', owner, AWAY, undefined, '204 201 Ada'],
    ['from outside, an owner for another owner', owner, AWAY, String(bob.body['id']), '403 quick-connect-own-profile'],
    ['from outside, a viewer who may', away.token, AWAY, undefined, '403 quick-connect-by-owner'],
  ];
  for (const [who, by, address, profile, expected] of tries) {
    const { code, secret } = await begin(w, address);
    const approved = await approve(w, by, code, profile === undefined ? {} : { profile });
    if (approved.status !== 204) {
      assert.equal(`${approved.status} ${String(approved.body['reason'])}`, expected, who);
      assert.equal((await poll(w, secret, address)).status, 202, who);
    } else {
      const made = await poll(w, secret, address);
      const { name } = (made.body['profile'] ?? {}) as { name?: string };
      assert.equal(`204 ${made.status} ${name}`, expected, who);
    }
    await w.call('DELETE', PATH, { body: { secret }, ...(address !== undefined && { address }) });
  }
  const { code } = await begin(w);
  const outside = await w.call('POST', `${PATH}/${code}`, { token: owner, body: {}, address: AWAY });
  assert.equal(outside.status, 404, 'nothing is approved from outside');
  const key = await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'Key', scopes: ['admin'] } });
  assert.equal((await approve(w, String(key.body['secret']), code)).status, 403, 'no API key approves');
});

test('a code ends: cancelled, after five minutes, on another network, and with the session unused', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const cancelled = await begin(w);
  assert.equal((await w.call('DELETE', PATH, { body: { secret: cancelled.secret } })).status, 204);
  assert.equal((await poll(w, cancelled.secret)).status, 404);
  assert.equal((await approve(w, owner, cancelled.code)).status, 404);

  const late = await begin(w);
  await approve(w, owner, late.code);
  w.clock.pass(5 * MINUTE);
  assert.equal((await poll(w, late.secret)).status, 404, 'approved and not fetched in time');
  const set = await begin(w);
  w.clock.jump(-86_400_000);
  w.clock.pass(5 * MINUTE - 1);
  assert.equal((await poll(w, set.secret)).status, 202, 'the clock of the machine does not matter');
  w.clock.pass(1);
  assert.equal((await poll(w, set.secret)).status, 404);
  w.clock.jump(86_400_000);

  const elsewhere = await begin(w, AWAY);
  await w.call('POST', '/api/v1/session/step-up', { token: owner, body: { password: GOOD } });
  await approve(w, owner, elsewhere.code);
  assert.equal((await poll(w, elsewhere.secret)).status, 404, 'begun outside, asked for at home');
  assert.equal((await poll(w, elsewhere.secret, AWAY)).status, 201);

  const [lost, used] = [await begin(w), await begin(w)];
  const tokens: string[] = [];
  for (const { code, secret } of [lost, used]) {
    await approve(w, owner, code);
    tokens.push(String((await poll(w, secret)).body['token']));
  }
  w.clock.pass(1_000);
  assert.equal((await w.call('GET', '/api/v1/session', { token: tokens[1] })).status, 200);
  w.clock.pass(10 * MINUTE);
  const after = await Promise.all(tokens.map((token) => w.call('GET', '/api/v1/session', { token })));
  assert.deepEqual(
    after.map(({ status }) => status),
    [401, 200],
    'a session that nobody fetched ends',
  );
});

test('what waits is bounded: eight of a network, and 256 of the home and of the outside each', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const total = async () => (await w.call('GET', PATH, { token: owner })).body['total'];
  const tablet = await begin(w, '192.168.7.1');
  for (let i = 1; i < 8; i++) await begin(w, `192.168.7.${i + 1}`);
  const ninth = await w.call('POST', PATH, { body: {}, address: '192.168.7.99' });
  assert.deepEqual([ninth.status, ninth.body['reason']], [429, 'too-many-codes']);

  const abroad = await begin(w, AWAY);
  for (let i = 0; i < 300; i++) await begin(w, `198.51.${i % 200}.${Math.floor(i / 200) + 1}`);
  assert.equal(await total(), 8 + 256);
  assert.equal((await poll(w, abroad.secret, AWAY)).body['reason'], 'no-such-code', 'the oldest from outside gave way');
  assert.equal((await poll(w, tablet.secret, '192.168.7.1')).status, 202, 'nobody at home did');
  assert.equal((await approve(w, owner, tablet.code)).status, 204);

  for (let i = 0; i < 31; i++) for (let n = 0; n < 8; n++) await begin(w, `10.0.${i}.${n + 1}`);
  await begin(w, '10.1.0.1');
  assert.equal(await total(), 256 + 256 - 1);
  assert.equal((await poll(w, tablet.secret, '192.168.7.1')).status, 201, 'an approved code does not give way');
  w.clock.pass(5 * MINUTE);
  assert.equal((await w.call('POST', PATH, { body: {}, address: '192.168.7.99' })).status, 201);
});

test('twenty races have one winner or none', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const ada = await idOf(w, owner);
  let races = 0;
  const race = async (given: {
    expected: readonly number[];
    address?: string;
    by?: string;
    profile?: string;
    meanwhile?: (secret: string, address: string) => Promise<unknown>;
  }) => {
    races++;
    // A network each: polls with a secret that is worth nothing count as guesses of their network.
    const { address = `10.9.${races}.1`, by = owner, profile, meanwhile, expected } = given;
    const { code, secret } = await begin(w, address);
    const approved = await approve(w, by, code, profile === undefined ? {} : { profile });
    assert.equal(approved.status, 204, JSON.stringify(approved.body));
    await meanwhile?.(secret, address);
    const replies = await Promise.all([poll(w, secret, address), poll(w, secret, address)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), expected, `race ${races}`);
  };
  for (let i = 0; i < 4; i++) await race({ expected: [201, 404] });
  for (let i = 0; i < 3; i++) {
    await race({ expected: [404, 404], meanwhile: async () => w.clock.pass(5 * MINUTE) });
    await w.call('POST', '/api/v1/session/step-up', { token: owner, body: { password: GOOD } });
  }
  for (let i = 0; i < 3; i++)
    await race({
      expected: [404, 404],
      meanwhile: (secret, address) => w.call('DELETE', PATH, { body: { secret }, address }),
    });
  for (let i = 0; i < 3; i++) {
    const { id, token } = await makeViewer(w, owner, {}, `Vic ${i}`);
    const remove = () => w.call('DELETE', `/api/v1/profiles/${id}`, { token: owner, body: {} });
    await race({ expected: [404, 404], by: token, meanwhile: remove });
  }
  for (let i = 0; i < 3; i++) {
    const { id } = await makeViewer(w, owner, { ...policy }, `Una ${i}`);
    const withdraw = () =>
      w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { ...policy, remote: false } } });
    await race({ expected: [404, 404], address: AWAY, profile: id, meanwhile: withdraw });
  }
  for (let i = 0; i < 2; i++) {
    // The session that approved is ended: it may have been a stolen one.
    const token = String(
      (await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: GOOD } })).body['token'],
    );
    await race({ expected: [404, 404], by: token, meanwhile: () => w.call('DELETE', '/api/v1/session', { token }) });
  }
  for (let i = 0; i < 2; i++) {
    races++;
    const { code, secret } = await begin(w);
    const twice = await Promise.all([approve(w, owner, code), approve(w, owner, code, { profile: ada })]);
    assert.equal(twice.filter(({ status }) => status === 204).length, 1, 'one approval counts');
    assert.equal((await poll(w, secret)).status, 201);
  }
  assert.equal(races, 20);
  t.diagnostic(`${races} races, each with the number of sessions that it should have`);
});

test('a thousand guesses of codes and of secrets open nothing, and are held back', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { token } = await makeViewer(w, owner);
  const { code, secret } = await begin(w);
  const guesses = Array.from({ length: 1000 }, (_, i) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'));
  const codes = await Promise.all(guesses.map((one) => approve(w, token, one)));
  const approved = codes.filter(({ status }) => status === 204).length;
  assert.deepEqual([codes.length, approved], [1_000, 0]);
  assert.ok(codes.filter(({ status }) => status === 429).length >= 985, 'guesses of codes are held back');
  assert.equal((await w.call('GET', `${PATH}/${code}`, { token })).status, 429, 'the guesser waits');
  assert.equal((await approve(w, owner, code)).status, 204, 'and only the guesser');
  const wrong = await Promise.all(guesses.map((one) => poll(w, `mat_qc_${one.padEnd(43, 'x')}`, '192.168.1.77')));
  const known = wrong.filter(({ status }) => status === 201 || status === 202).length;
  assert.deepEqual([wrong.length, known], [1_000, 0]);
  assert.ok(wrong.filter(({ status }) => status === 429).length >= 985, 'guesses of secrets are held back');
  assert.equal((await poll(w, secret, '192.168.1.77')).status, 201, 'a right secret is no guess');
  t.diagnostic(`${codes.length} guesses of codes, ${approved} accepted; ${wrong.length} of secrets, ${known} accepted`);
});
