/** Proofs by an identity provider: how recent and how strong they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beginAt,
  comeBack,
  cookieOf,
  eachProtocol,
  flowCookie,
  flowIn,
  linkAt,
  openEnrolledWorld,
  profileOf,
  signInAt,
  totpOf,
} from './testing-flows.ts';
import { requestIn } from './saml/testing-idp.ts';

const MINUTE = 60_000;
const cookiesOf = ({ cookies }: { cookies: Record<string, string> }): string =>
  Object.entries(cookies)
    .map((pair) => pair.join('='))
    .join('; ');

eachProtocol(
  'an Owner owes the code of this server, unless the provider has asked for more',
  async (t, open, protocol) => {
    const { w, issuer, secret } = await openEnrolledWorld(t, open);
    const signIn = `/api/v1/session/${protocol}`;
    const owed = await signInAt(w, issuer, '?to=%2Fsettings');
    assert.deepEqual(
      [owed.session, owed.location],
      [undefined, `/sign-in?owes=code&through=${protocol}&next=%2Fsettings`],
    );
    const { address, flow } = await beginAt(w, signIn);
    const back = await comeBack(w, issuer.authorize(address), flow);
    assert.equal(back.session, undefined);
    const finish = (code: string, held = flow) =>
      w.call('POST', signIn, { cookie: flowCookie(w, held), body: { code } });
    assert.equal((await finish(totpOf(secret, w), 'x')).status, 404);
    assert.equal((await finish('000000')).body['reason'], 'code-wrong');
    const done = await finish(totpOf(secret, w));
    assert.equal(done.status, 201);
    assert.equal(done.body['token'], undefined);
    assert.equal((await w.call('GET', '/api/v1/me', { cookie: cookiesOf(done) })).status, 200);
    assert.equal((await finish(totpOf(secret, w))).status, 404, 'the flow is over');
    issuer.signs({ as: 'ada-1', isStrong: true });
    assert.equal(await profileOf(w, (await signInAt(w, issuer)).session), 'Ada');
  },
);

test('methods of OpenID Connect that are a second factor', async (t) => {
  const world = await openEnrolledWorld(t);
  const { w, issuer } = world;
  assert.ok(issuer.protocol === 'oidc');
  for (const amr of [['pwd', 'mfa'], ['pwd', 'otp'], ['mfa']]) {
    issuer.person = { sub: 'ada-1', amr };
    assert.equal(await profileOf(w, (await signInAt(w, issuer)).session), 'Ada', amr.join());
  }
  for (const amr of [['pwd'], [], 'mfa', ['pwd', 'pwd'], [7, 8]]) {
    issuer.person = { sub: 'ada-1', amr };
    assert.equal((await signInAt(w, issuer)).session, undefined, String(amr));
  }
});

eachProtocol('codes of a flow cannot be guessed', async (t, open, protocol) => {
  const { w, issuer } = await openEnrolledWorld(t, open);
  const signIn = `/api/v1/session/${protocol}`;
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const { address, flow } = await beginAt(w, signIn);
    await comeBack(w, issuer.authorize(address), flow);
    for (let n = 0; n < 6; n++)
      statuses.push(
        (await w.call('POST', signIn, { cookie: flowCookie(w, flow), body: { code: `00000${n}` } })).status,
      );
  }
  assert.deepEqual(statuses.slice(0, 6), [401, 401, 401, 401, 401, 404], 'a flow ends after five wrong codes');
  assert.equal(statuses.filter((status) => status === 401).length, 10, 'and the network and the account wait');
});

eachProtocol('a proof at the provider is as recent as the authentication there', async (t, open) => {
  const { w, issuer, viewer } = await open(t);
  issuer.signs({ as: 'vic-1' });
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const recent = async (session: string | undefined) =>
    'recentUntil' in (await w.call('GET', '/api/v1/session', { cookie: cookieOf(session, w) })).body;
  const at = (minutes: number) => w.clock.now() - minutes * MINUTE;
  for (const [auth, is] of [
    [at(0), true],
    [at(9), true],
    [at(10.5), false],
  ] as const) {
    issuer.signs({ as: 'vic-1', at: auth });
    assert.equal(await recent((await signInAt(w, issuer)).session), is, String(auth));
  }
  // SAML always says when.
  if (issuer.protocol === 'saml') return;
  issuer.person = { sub: 'vic-1', auth_time: undefined };
  assert.equal(await recent((await signInAt(w, issuer)).session), false);
});

eachProtocol('a session is proved again by the same identity that authenticates again', async (t, open, protocol) => {
  const { w, issuer, owner, viewer } = await open(t);
  const path = `/api/v1/session/${protocol}/step-up`;
  issuer.signs({ as: 'vic-1' });
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const stepUp = async (token: string, as: string, at?: number) => {
    const begun = await w.call('POST', path, { token, body: { to: '/account' } });
    if (begun.status !== 200) return begun.body['reason'];
    const address = new URL(String(begun.body['url']));
    const asked =
      issuer.protocol === 'saml'
        ? requestIn(address).isForced
        : [address.searchParams.get('max_age'), address.searchParams.get('prompt')].join() === '0,login';
    assert.ok(asked, 'a new authentication is asked for');
    issuer.signs({ as, ...(at !== undefined && { at }) });
    return (await comeBack(w, issuer.authorize(address), flowIn(w, begun))).location;
  };
  const isRecent = async () => 'recentUntil' in (await w.call('GET', '/api/v1/session', { token: viewer.token })).body;
  const now = () => Math.floor(w.clock.now() / 1000) * 1000;
  w.clock.pass(11 * MINUTE);
  assert.equal(await isRecent(), false);
  assert.equal(await stepUp(owner, 'vic-1'), 'outside-not-linked');
  assert.equal(await stepUp(viewer.token, 'eve-1', now()), '/account?reason=outside-unknown');
  assert.equal(await stepUp(viewer.token, 'vic-1', now() - 61_000), '/account?reason=outside-refused');
  if (issuer.protocol === 'oidc') {
    const begun = await w.call('POST', path, { token: viewer.token, body: { to: '/account' } });
    issuer.person = { sub: 'vic-1', auth_time: undefined };
    const back = await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), flowIn(w, begun));
    assert.equal(back.location, '/account?reason=outside-refused');
  }
  assert.equal(await isRecent(), false);
  assert.equal(await stepUp(viewer.token, 'vic-1', now() - 30_000), '/account');
  assert.equal(await isRecent(), true);
  // A session that has ended in the meantime is not proved.
  const begun = await w.call('POST', path, { token: viewer.token, body: {} });
  await w.call('DELETE', '/api/v1/session', { token: viewer.token });
  const back = await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), flowIn(w, begun));
  assert.equal(back.location, '/?reason=outside-unknown');
});

eachProtocol('an Owner who owes the code proves a session with it', async (t, open, protocol) => {
  const { w, issuer, owner, secret } = await openEnrolledWorld(t, open);
  const signIn = `/api/v1/session/${protocol}`;
  w.clock.pass(11 * MINUTE);
  issuer.signs({ as: 'ada-1', at: w.clock.now() });
  const begun = await w.call('POST', `${signIn}/step-up`, { token: owner, body: { to: '/settings' } });
  const back = await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), flowIn(w, begun));
  assert.equal(back.location, `/settings?owes=code&through=${protocol}`);
  const headers = { cookie: flowCookie(w, flowIn(w, begun)), 'sec-fetch-site': 'same-origin' };
  const finish = (code: string) => w.call('PUT', `${signIn}/step-up`, { token: owner, headers, body: { code } });
  assert.equal((await w.call('DELETE', `/api/v1/me/${protocol}`, { token: owner })).status, 403);
  assert.equal((await w.call('POST', signIn, { headers, body: { code: '000000' } })).status, 404);
  assert.equal((await finish(totpOf(secret, w))).status, 404, 'that took the flow of another purpose out');
  const second = await w.call('POST', `${signIn}/step-up`, { token: owner, body: {} });
  headers.cookie = flowCookie(w, flowIn(w, second));
  await comeBack(w, issuer.authorize(new URL(String(second.body['url']))), flowIn(w, second));
  assert.equal((await finish('000000')).status, 401);
  assert.equal((await finish(totpOf(secret, w))).status, 200);
  assert.equal((await w.call('DELETE', `/api/v1/me/${protocol}`, { token: owner })).status, 204);
});
