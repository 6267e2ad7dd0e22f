/** Sign-in through an identity provider: where it may begin and lead, and how many may have begun. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIdentityWorld, setUp, type World } from '../../testing-world.ts';
import { beginAt, comeBack, openOutsideWorld } from '../testing-flows.ts';
import { ISSUER, outsideSettings, type TestIssuer } from './testing-issuer.ts';

const MINUTE = 60_000;
const OUTSIDE = '203.0.113.9';

test('without a provider, and away from home, there is none', async (t) => {
  const { w, issuer } = await openOutsideWorld(t);
  const bare = await openIdentityWorld(t);
  const routes: [method: string, url: string, asking: Parameters<World['call']>[2]][] = [
    ['GET', '/api/v1/session/oidc', {}],
    ['POST', '/api/v1/session/oidc', { body: { code: '123456' } }],
    ['GET', '/oidc/callback?code=a&state=b', {}],
    ['POST', '/oidc/backchannel-logout', { form: { logout_token: await issuer.logoutToken() } }],
  ];
  for (const [method, url, asking] of routes) {
    assert.equal((await bare.call(method, url, asking)).status, 404, url);
    assert.equal((await w.call(method, url, { ...asking, address: OUTSIDE })).status, 404, url);
  }
  assert.deepEqual((await bare.call('GET', '/api/v1/session/ways')).body, { network: 'local', password: true });
  assert.deepEqual((await w.call('GET', '/api/v1/session/ways', { address: OUTSIDE })).body, {
    network: 'public',
    password: false,
  });
  assert.deepEqual((await w.call('GET', '/api/v1/session/ways')).body, {
    network: 'local',
    password: true,
    oidc: { name: 'id.example.org', origin: 'https://media.example.org' },
  });
  // An incomplete set is none, until it is complete and the server has started with it.
  const settings = outsideSettings();
  settings.delete('integrations.oidc.redirect_url');
  const half = await openIdentityWorld(t, { settings });
  assert.equal((await half.call('GET', '/api/v1/session/oidc')).status, 404);
});

test('a sign-in leads to our own pages only', async (t) => {
  const { w } = await openOutsideWorld(t);
  for (const to of [
    'https://rogue.example/',
    '//rogue.example',
    '/\\rogue.example',
    'search',
    '/nowhere',
    '',
    '/..//x',
  ])
    assert.equal((await w.call('GET', `/api/v1/session/oidc?to=${encodeURIComponent(to)}`)).status, 400, to);
});

test('the address at the provider has PKCE, state and nonce, new each time', async (t) => {
  const { w } = await openOutsideWorld(t);
  const [one, two] = [await w.call('GET', '/api/v1/session/oidc'), await beginAt(w)];
  const { searchParams, origin, pathname } = new URL(String(one.headers['location']));
  assert.deepEqual([origin, pathname, searchParams.get('tenant')], [ISSUER, '/authorize', 'home']);
  assert.deepEqual(
    ['response_type', 'client_id', 'redirect_uri', 'scope', 'code_challenge_method', 'max_age'].map((name) =>
      searchParams.get(name),
    ),
    ['code', 'matinee', 'https://media.example.org/oidc/callback', 'openid profile email', 'S256', null],
  );
  for (const name of ['state', 'nonce', 'code_challenge']) {
    assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/, name);
    assert.notEqual(searchParams.get(name), two.address.searchParams.get(name), name);
  }
  assert.match(
    String(one.headers['set-cookie']),
    /^matinee-flow=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  );
  const tls = await w.call('GET', '/api/v1/session/ways');
  assert.equal(tls.headers['cache-control'], 'no-store');
});

test('flows are bounded for each network and in all, and a browser has one', async (t) => {
  const { w, issuer } = await openOutsideWorld(t);
  const begin = async (address: string, cookie?: string) =>
    (await w.call('GET', '/api/v1/session/oidc', { address, ...(cookie !== undefined && { cookie }) })).status;
  const { flow } = await beginAt(w);
  for (let i = 0; i < 30; i++) assert.equal(await begin('192.168.1.20', `matinee-flow=${flow}`), i < 20 ? 303 : 429);
  assert.equal(await begin('192.168.1.99'), 429, 'the same network');
  assert.equal(await begin('192.168.2.20'), 303, 'another network');
  w.clock.pass(10 * MINUTE);
  assert.equal(await begin('192.168.1.20'), 303, 'after they have ended');
  const early = await beginAt(w);
  for (let net = 0; net < 60; net++)
    for (let i = 0; i < 18; i++) assert.equal(await begin(`10.0.${net}.1`), 303, 'nobody else is refused');
  const late = await comeBack(w, issuer.authorize(early.address), early.flow);
  assert.match(late.location, /outside-expired/, 'the oldest of more than a thousand gave way');
});

test('a provider that is away is said to be, and asked again soon', async (t) => {
  const { w, issuer } = await openOutsideWorld(t);
  const { request } = issuer.net;
  issuer.net.request = () => Promise.reject(new Error('no such host'));
  const away = await w.call('GET', '/api/v1/session/oidc');
  assert.deepEqual([away.status, away.body['reason']], [503, 'issuer-broken']);
  issuer.net.request = request;
  assert.equal((await w.call('GET', '/api/v1/session/oidc')).status, 503, 'a failure is believed for some seconds');
  w.clock.pass(5_001);
  assert.equal((await w.call('GET', '/api/v1/session/oidc')).status, 303);
});

test('the test of a provider says what is wrong in one reason', async (t) => {
  const { w, issuer, owner, viewer } = await openOutsideWorld(t);
  const check = async (token = owner, world = w) => {
    const { status, body } = await world.call('POST', '/api/v1/identity-provider/test', { token });
    return status === 200 ? (body['reason'] ?? body['connected']) : status;
  };
  assert.equal(await check(viewer.token), 403);
  assert.equal(await check(), true);
  const cases: [twist: TestIssuer['twist'], reason: string][] = [
    [{ discovery: (all) => ({ ...all, issuer: `${ISSUER}/` }) }, 'issuer-renamed'],
    [{ discovery: () => ({}) }, 'issuer-broken'],
    [{ discovery: (all) => ({ ...all, response_types_supported: ['token'] }) }, 'issuer-unsupported'],
    [{ keys: () => 'none' }, 'issuer-broken'],
  ];
  for (const [twist, reason] of cases) {
    issuer.twist = twist;
    assert.equal(await check(), reason);
  }
  issuer.twist = {};
  assert.equal(await check(), true);
  w.settings.set('integrations.oidc.client_secret', 'another secret');
  const wrong = await w.again();
  assert.equal(await check(owner, wrong), 'issuer-client-refused');
  const bare = await openIdentityWorld(t);
  assert.deepEqual((await bare.call('POST', '/api/v1/identity-provider/test', { token: await setUp(bare) })).body, {
    configured: false,
    connected: false,
  });
});
