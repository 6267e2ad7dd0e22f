/** Proofs by an identity provider: how recent and how strong they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beginAt,
  comeBack,
  cookieOf,
  linkAt,
  openEnrolledWorld,
  openOutsideWorld,
  profileOf,
  signInAt,
  totpOf,
} from './testing-flows.ts';

const MINUTE = 60_000;
const STEP_UP = '/api/v1/session/oidc/step-up';

test('an Owner owes the code of this server, unless the provider has asked for a second factor', async (t) => {
  const { w, issuer, secret } = await openEnrolledWorld(t);
  const owed = await signInAt(w, issuer, '/api/v1/session/oidc?to=%2Fsettings');
  assert.deepEqual([owed.session, owed.location], [undefined, '/sign-in?owes=code&through=oidc&next=%2Fsettings']);
  const { address, flow } = await beginAt(w);
  const back = await comeBack(w, issuer.authorize(address), flow);
  assert.equal(back.session, undefined);
  const finish = (code: string, cookie = `matinee-flow=${flow}`) =>
    w.call('POST', '/api/v1/session/oidc', { cookie, body: { code } });
  assert.equal((await finish(totpOf(secret, w), 'matinee-flow=x')).status, 404);
  assert.equal((await finish('000000')).body['reason'], 'code-wrong');
  const done = await finish(totpOf(secret, w));
  assert.equal(done.status, 201);
  assert.equal(done.body['token'], undefined);
  assert.equal(await profileOf(w, done.cookies['matinee']), 'Ada');
  assert.equal((await finish(totpOf(secret, w))).status, 404, 'the flow is over');
  for (const amr of [['pwd', 'mfa'], ['pwd', 'otp'], ['mfa']]) {
    issuer.person = { sub: 'ada-1', amr };
    assert.equal(await profileOf(w, (await signInAt(w, issuer)).session), 'Ada', amr.join());
  }
  for (const amr of [['pwd'], [], 'mfa', ['pwd', 'pwd'], [7, 8]]) {
    issuer.person = { sub: 'ada-1', amr };
    assert.equal((await signInAt(w, issuer)).session, undefined, String(amr));
  }
});

test('codes of a flow cannot be guessed', async (t) => {
  const { w, issuer } = await openEnrolledWorld(t);
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const { address, flow } = await beginAt(w);
    await comeBack(w, issuer.authorize(address), flow);
    for (let n = 0; n < 6; n++)
      statuses.push(
        (
          await w.call('POST', '/api/v1/session/oidc', {
            cookie: `matinee-flow=${flow}`,
            body: { code: `00000${n}` },
          })
        ).status,
      );
  }
  assert.deepEqual(statuses.slice(0, 6), [401, 401, 401, 401, 401, 404], 'a flow ends after five wrong codes');
  assert.equal(statuses.filter((status) => status === 401).length, 10, 'and the network and the account wait');
});

test('a proof at the provider is as recent as the authentication there', async (t) => {
  const { w, issuer, viewer } = await openOutsideWorld(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const recent = async (session: string | undefined) =>
    'recentUntil' in (await w.call('GET', '/api/v1/session', { cookie: cookieOf(session) })).body;
  const at = (minutes: number) => Math.floor((w.clock.now() - minutes * MINUTE) / 1000);
  for (const [auth, is] of [
    [at(0), true],
    [at(9), true],
    [at(10.5), false],
    [undefined, false],
  ] as const) {
    issuer.person = { sub: 'vic-1', auth_time: auth };
    assert.equal(await recent((await signInAt(w, issuer)).session), is, String(auth));
  }
});

test('a session is proved again by the same identity that authenticates again', async (t) => {
  const { w, issuer, owner, viewer } = await openOutsideWorld(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const stepUp = async (token: string, person: Record<string, unknown>) => {
    const begun = await w.call('POST', STEP_UP, { token, body: { to: '/account' } });
    if (begun.status !== 200) return begun.body['reason'];
    const address = new URL(String(begun.body['url']));
    assert.deepEqual([address.searchParams.get('max_age'), address.searchParams.get('prompt')], ['0', 'login']);
    issuer.person = person;
    return (await comeBack(w, issuer.authorize(address), begun.cookies['matinee-flow'])).location;
  };
  const isRecent = async () => 'recentUntil' in (await w.call('GET', '/api/v1/session', { token: viewer.token })).body;
  const now = () => Math.floor(w.clock.now() / 1000);
  w.clock.pass(11 * MINUTE);
  assert.equal(await isRecent(), false);
  assert.equal(await stepUp(owner, { sub: 'vic-1' }), 'outside-not-linked');
  assert.equal(await stepUp(viewer.token, { sub: 'eve-1', auth_time: now() }), '/account?reason=outside-unknown');
  assert.equal(await stepUp(viewer.token, { sub: 'vic-1', auth_time: now() - 61 }), '/account?reason=outside-refused');
  assert.equal(await stepUp(viewer.token, { sub: 'vic-1', auth_time: undefined }), '/account?reason=outside-refused');
  assert.equal(await isRecent(), false);
  assert.equal(await stepUp(viewer.token, { sub: 'vic-1', auth_time: now() - 30 }), '/account');
  assert.equal(await isRecent(), true);
  // A session that has ended meanwhile is not proved.
  const begun = await w.call('POST', STEP_UP, { token: viewer.token, body: {} });
  await w.call('DELETE', '/api/v1/session', { token: viewer.token });
  const back = await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), begun.cookies['matinee-flow']);
  assert.equal(back.location, '/?reason=outside-unknown');
});

test('an Owner who owes the code proves a session with it', async (t) => {
  const { w, issuer, owner, secret } = await openEnrolledWorld(t);
  w.clock.pass(11 * MINUTE);
  issuer.person = { sub: 'ada-1', auth_time: Math.floor(w.clock.now() / 1000) };
  const begun = await w.call('POST', STEP_UP, { token: owner, body: { to: '/settings' } });
  const flow = begun.cookies['matinee-flow'];
  const back = await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), flow);
  assert.equal(back.location, '/settings?owes=code&through=oidc');
  const headers = { cookie: `matinee-flow=${flow ?? ''}` };
  const finish = (code: string) => w.call('PUT', STEP_UP, { token: owner, headers, body: { code } });
  assert.equal((await w.call('DELETE', '/api/v1/me/oidc', { token: owner })).status, 403);
  assert.equal((await w.call('POST', '/api/v1/session/oidc', { headers, body: { code: '000000' } })).status, 404);
  assert.equal((await finish(totpOf(secret, w))).status, 404, 'that took the flow of another purpose out');
  const second = await w.call('POST', STEP_UP, { token: owner, body: {} });
  headers.cookie = `matinee-flow=${second.cookies['matinee-flow'] ?? ''}`;
  await comeBack(w, issuer.authorize(new URL(String(second.body['url']))), second.cookies['matinee-flow']);
  assert.equal((await finish('000000')).status, 401);
  assert.equal((await finish(totpOf(secret, w))).status, 200);
  assert.equal((await w.call('DELETE', '/api/v1/me/oidc', { token: owner })).status, 204);
});
