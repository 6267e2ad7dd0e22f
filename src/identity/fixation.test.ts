/**
 * Session fixation: a thief plants a session in a browser before another person signs in there. With every sign-in
 * method, that person gets a new session, and the planted one never becomes theirs.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { addPasskey, beginSigningIn, finishSigningIn } from './passkeys/testing-ceremonies.ts';
import { useTestPasskey } from './passkeys/testing-authenticator.ts';
import {
  beginAt,
  comeBack,
  cookieOf,
  linkAt,
  openOutsideWorld,
  openSamlWorld,
  totpOf,
} from './outside/testing-flows.ts';
import { GOOD, makeViewer, openIdentityWorld, OTHER, setUp, type Reply, type World } from './testing-world.ts';

const SESSION = '/api/v1/session';
const ME = '/api/v1/me';
const MADE_UP = `mat_ses_${'A'.repeat(43)}`;
/** Signs in with the planted session in the browser. Returns the reply that has the cookie of the new one. */
type SignIn = (planted: string) => Promise<Pick<Reply, 'cookies'>>;

const nameWith = async (w: World, cookie: string): Promise<string | undefined> =>
  ((await w.call('GET', ME, { cookie })).body['profile'] as { name: string } | undefined)?.name;
const nameOf = (w: World, session: string): Promise<string | undefined> => nameWith(w, cookieOf(session, w));
/** All cookies of a reply, as the browser sends them back. */
const allOf = (cookies: Record<string, string>): string =>
  Object.entries(cookies)
    .map((pair) => pair.join('='))
    .join('; ');

/** Opens a session of Vic, who is the thief. */
async function plantedSession(w: World): Promise<string> {
  const reply = await w.call('POST', SESSION, { body: { name: 'Vic', password: OTHER, transport: 'cookie' } });
  return reply.cookies[w.isSecure ? '__Host-matinee' : 'matinee'] ?? assert.fail('nothing to plant');
}

/** Signs in with each planted value. `ends`: whether the browser shows the planted session, which then ends. */
async function tryWay(w: World, name: string, signIn: SignIn, { ends }: { ends: boolean }): Promise<number> {
  let tried = 0;
  for (const planted of [await plantedSession(w), MADE_UP]) {
    tried += 1;
    const { cookies } = await signIn(planted);
    const session = cookies[w.isSecure ? '__Host-matinee' : 'matinee'] ?? '';
    assert.notEqual(session, planted, `${name}: the session is a new one`);
    assert.equal(await nameWith(w, allOf(cookies)), 'Ada', `${name}: and of the person who signed in`);
    const after = await nameOf(w, planted);
    assert.notEqual(after, 'Ada', `${name}: the thief is in`);
    if (ends || planted === MADE_UP) assert.equal(after, undefined, `${name}: the planted session is over`);
  }
  return tried;
}

/** Ways in that a page of ours asks for, so the browser sends the planted cookie along. */
async function openHouse(t: TestContext): Promise<{ w: World; ways: Record<string, SignIn> }> {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  await makeViewer(w, owner);
  const { passkey } = await addPasskey(w, owner);
  const { secret } = (await w.call('POST', '/api/v1/me/mfa', { token: owner, body: {} })).body as { secret: string };
  const posted = (path: string, body: object, planted: string) =>
    w.call('POST', path, { body: { ...body, transport: 'cookie' }, cookie: cookieOf(planted, w) });
  const ways: Record<string, SignIn> = {
    password: (planted) => posted(SESSION, { name: 'Ada', password: GOOD }, planted),
    'a remembered password': (planted) => posted(SESSION, { name: 'Ada', password: GOOD, remember: true }, planted),
    passkey: async (planted) => {
      const { ceremony, publicKey } = await beginSigningIn(w, { cookie: cookieOf(planted, w) });
      const body = { ceremony, credential: useTestPasskey(passkey, publicKey), transport: 'cookie' };
      return finishSigningIn(w, body, { cookie: cookieOf(planted, w) });
    },
    'Quick Connect': async (planted) => {
      const cookie = cookieOf(planted, w);
      const { code, secret: own } = (await w.call('POST', '/api/v1/quick-connect', { body: {}, cookie })).body;
      const approved = await w.call('POST', `/api/v1/quick-connect/${String(code)}`, { token: owner, body: {} });
      assert.equal(approved.status, 204);
      return posted('/api/v1/quick-connect/token', { secret: own }, planted);
    },
    'a password and a code': async (planted) => {
      // Last, because from here on every password needs a code.
      const enrolled = await w.call('PUT', '/api/v1/me/mfa', { token: owner, body: { code: totpOf(secret, w) } });
      assert.ok([204, 409].includes(enrolled.status));
      w.clock.pass(60_000);
      return posted(SESSION, { name: 'Ada', password: GOOD, code: totpOf(secret, w) }, planted);
    },
  };
  return { w, ways };
}

test('a planted session is not the one that signing in opens', async (t) => {
  const { w, ways } = await openHouse(t);
  let tried = 0;
  for (const [name, signIn] of Object.entries(ways)) tried += await tryWay(w, name, signIn, { ends: true });
  assert.equal(tried, 10);
  t.diagnostic(`${tried} planted sessions, 0 taken over`);
});

test('a planted session is not the one that the set-up opens', async (t) => {
  const w = await openIdentityWorld(t);
  const made = await w.call('POST', '/api/v1/setup', {
    body: { name: 'Ada', password: GOOD, transport: 'cookie' },
    cookie: cookieOf(MADE_UP),
  });
  assert.equal(await nameOf(w, made.cookies['matinee'] ?? ''), 'Ada');
  assert.equal(await nameOf(w, MADE_UP), undefined);
});

// The browser comes back from the site of the provider, so it sends no session, and the planted one stays the thief’s.
for (const [protocol, openWorld] of [
  ['oidc', openOutsideWorld],
  ['saml', openSamlWorld],
] as const)
  test(`a planted session is not the one that a provider opens (${protocol})`, async (t) => {
    const { w, issuer, owner } = await openWorld(t);
    issuer.signs({ as: 'ada-1' });
    assert.equal(await linkAt(w, issuer, owner), 204);
    const signIn: SignIn = async () => {
      const { address, flow } = await beginAt(w, `/api/v1/session/${protocol}`);
      const { session } = await comeBack(w, issuer.authorize(address), flow);
      return { cookies: { [w.isSecure ? '__Host-matinee' : 'matinee']: session ?? '' } };
    };
    assert.equal(await tryWay(w, protocol, signIn, { ends: false }), 2);
    // The cookie of a flow that the thief began brings the owner of the browser nothing but the thief’s own sign-in.
    const planted = await beginAt(w, `/api/v1/session/${protocol}`);
    const own = await beginAt(w, `/api/v1/session/${protocol}`);
    const crossed = await comeBack(w, issuer.authorize(own.address), planted.flow);
    assert.equal(crossed.session, undefined);
  });
