/** Back-channel logout of an identity provider, and rogue logout tokens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProbedWorld } from '../../testing-access.ts';
import { fakeIdentityClock, makeViewer, setUp } from '../../testing-world.ts';
import { cookieOf, linkAt, openOutsideWorld, profileOf, signInAt } from '../testing-flows.ts';
import { createTestIssuer, outsideSettings } from './testing-issuer.ts';

test('a logout at the provider ends that session, or all of that person, and their streams', async (t) => {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIssuer(clock);
  const w = await openProbedWorld(t, { clock, settings: outsideSettings(), net: issuer.net });
  const owner = await setUp(w);
  const viewer = await makeViewer(w, owner, { remote: true });
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const signIn = async (sid: string) => {
    issuer.person = { sub: 'vic-1', sid };
    const { session } = await signInAt(w, issuer);
    return { session, stream: await w.open('/api/v1/probe/events', { cookie: cookieOf(session) }) };
  };
  const [one, two] = [await signIn('sid-1'), await signIn('sid-2')];
  const logout = (token: string) => w.call('POST', '/oidc/backchannel-logout', { form: { logout_token: token } });
  const began = performance.now();
  const token = await issuer.logoutToken({ sid: 'sid-1' });
  const ended = await logout(token);
  assert.deepEqual([ended.status, ended.headers['cache-control']], [200, 'no-store']);
  assert.equal(one.stream.aborted, true);
  assert.ok(performance.now() - began < 1_000, 'within a second');
  assert.equal(two.stream.aborted, false);
  assert.deepEqual([await profileOf(w, one.session), await profileOf(w, two.session)], [undefined, 'Vic']);
  assert.deepEqual((await logout(token)).body['error'], 'invalid_request', 'the token a second time');
  assert.equal((await logout(await issuer.logoutToken({ sub: 'eve-1' }))).status, 200);
  assert.equal(await profileOf(w, two.session), 'Vic');
  assert.equal((await logout(await issuer.logoutToken({ sid: undefined }))).status, 200);
  assert.equal(two.stream.aborted, true);
  // The session by password is none of the provider's.
  assert.equal((await w.call('GET', '/api/v1/me', { token: viewer.token })).status, 200);
});

test('rogue logout tokens end nothing', async (t) => {
  const { w, issuer, viewer } = await openOutsideWorld(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const { session } = await signInAt(w, issuer);
  const at = Math.floor(w.clock.now() / 1000);
  const event = 'http://schemas.openid.net/event/backchannel-logout';
  const rogue: Record<string, Promise<string> | string> = {
    'an ID token': issuer.logoutToken({ events: undefined, nonce: 'n' }, { typ: 'JWT' }),
    'another type': issuer.logoutToken({}, { typ: 'at+jwt' }),
    'a nonce': issuer.logoutToken({ nonce: 'n' }),
    'no event': issuer.logoutToken({ events: undefined }),
    'another event': issuer.logoutToken({ events: { 'http://example.org': {} } }),
    'an event that is text': issuer.logoutToken({ events: { [event]: 'yes' } }),
    'no id': issuer.logoutToken({ jti: undefined }),
    'another issuer': issuer.logoutToken({ iss: 'https://rogue.example' }),
    'another audience': issuer.logoutToken({ aud: 'another' }),
    expired: issuer.logoutToken({ iat: at - 300, exp: at - 61 }),
    'no expiry': issuer.logoutToken({ exp: undefined }),
    'no time of issue': issuer.logoutToken({ iat: undefined }),
    'issued later': issuer.logoutToken({ iat: at + 120, exp: at + 300 }),
    'issued an hour ago': issuer.logoutToken({ iat: at - 3_600, exp: at + 300 }),
    'no person': issuer.logoutToken({ sub: undefined, sid: undefined }),
    'a person that is a list': issuer.logoutToken({ sub: ['vic-1'] }),
    'no signature': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ2aWMtMSJ9.',
    'no token': 'hello',
  };
  for (const [name, token] of Object.entries(rogue)) {
    const { status, body } = await w.call('POST', '/oidc/backchannel-logout', { form: { logout_token: await token } });
    assert.deepEqual([status, body['error']], [400, 'invalid_request'], name);
    assert.equal(await profileOf(w, session), 'Vic', name);
  }
  t.diagnostic(`${Object.keys(rogue).length} rogue logout tokens, 0 accepted`);
  assert.equal((await w.call('POST', '/oidc/backchannel-logout', { form: {} })).status, 400);
  const typeless = await issuer.logoutToken({}, { typ: undefined });
  assert.equal((await w.call('POST', '/oidc/backchannel-logout', { form: { logout_token: typeless } })).status, 200);
});
