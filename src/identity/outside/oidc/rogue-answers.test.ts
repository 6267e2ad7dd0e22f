/** Rogue replies of an identity provider: none of them opens a session. */
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { test } from 'node:test';
import * as jose from 'jose';
import { fakeIdentityClock, makeViewer, openIdentityWorld, setUp } from '../../testing-world.ts';
import { beginAt, comeBack, linkAt, type SignInEnd, signInAt } from '../testing-flows.ts';
import { CLIENT, createTestIssuer, ISSUER, outsideSettings, type TestIssuer, type Twist } from './testing-issuer.ts';

type Json = Record<string, unknown>;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (claims: Json, header: Json, signature = ''): string =>
  `${base64(header)}.${base64(claims)}.${signature}`;
/** Returns the claims with some changed; undefined removes one. */
const withClaims =
  (change: (claims: Json) => Json): NonNullable<Twist['claims']> =>
  (claims) =>
    JSON.parse(JSON.stringify({ ...claims, ...change(claims) })) as Json;
const claims = (change: (claims: Json) => Json): Twist => ({ claims: withClaims(change) });
const now = (at: Json): number => Number(at['iat']);
const other = await jose.generateKeyPair('RS256', { extractable: true });
const sharedSecret = (secret: Uint8Array, header: Json): Twist => ({
  sign: (given) =>
    new jose.SignJWT(given).setProtectedHeader({ alg: 'HS256', ...header } as jose.JWTHeaderParameters).sign(secret),
});
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });

/** Replies that a linked person brings back, each wrong in one respect. */
const ANSWERS: Record<string, Twist> = {
  'a token without a signature': { sign: (given) => unsigned(given, { alg: 'none' }) },
  'a token without a signature that names the key': { sign: (given) => unsigned(given, { alg: 'none', kid: 'RS256' }) },
  'none in capitals': { sign: (given) => unsigned(given, { alg: 'NONE', kid: 'RS256' }) },
  'an empty signature': { sign: (given, header) => unsigned(given, header) },
  'a signature by the client secret': sharedSecret(Buffer.from('a secret of the client'.padEnd(32)), {}),
  'a signature by the public key as a secret': {
    sign: async (given, _, { keys }) =>
      new jose.SignJWT(given)
        .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
        .sign(Buffer.from(await jose.exportSPKI(keys.RS256.publicKey))),
  },
  'a signature by the modulus as a secret': {
    sign: async (given, _, { keys }) =>
      new jose.SignJWT(given)
        .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
        .sign(Buffer.from((await jose.exportJWK(keys.RS256.publicKey)).n ?? '', 'base64url')),
  },
  'a signature by another key of the same name': {
    sign: (given, header) =>
      new jose.SignJWT(given).setProtectedHeader(header as jose.JWTHeaderParameters).sign(other.privateKey),
  },
  'a key that is not the issuer’s': {
    sign: (given) => new jose.SignJWT(given).setProtectedHeader({ alg: 'RS256', kid: 'mine' }).sign(other.privateKey),
  },
  'a token that brings its own key': {
    sign: async (given) =>
      new jose.SignJWT(given)
        .setProtectedHeader({ alg: 'RS256', jwk: await jose.exportJWK(other.publicKey) })
        .sign(other.privateKey),
  },
  'a token that says where its key is': {
    sign: (given) =>
      new jose.SignJWT(given)
        .setProtectedHeader({ alg: 'RS256', kid: 'RS256', jku: 'https://rogue.example/keys' })
        .sign(other.privateKey),
  },
  'claims changed after signing': {
    sign: async (given, header, issuer) => {
      const [head, , signature] = (await issuer.sign({ ...given, sub: 'someone' }, header)).split('.');
      return `${head}.${base64(given)}.${signature}`;
    },
  },
  'a header changed after signing': {
    sign: async (given, header, issuer) => {
      const [, body, signature] = (await issuer.sign(given, header)).split('.');
      return `${base64({ ...header, typ: 'JWT' })}.${body}.${signature}`;
    },
  },
  'a signature cut short': {
    sign: async (given, header, issuer) => (await issuer.sign(given, header)).slice(0, -8),
  },
  'a signature of another algorithm than the header says': {
    sign: async (given, _, { keys }) => {
      const input = `${base64({ alg: 'RS256', kid: 'RS256' })}.${base64(given)}`;
      const der = signBytes('sha512', Buffer.from(input), await jose.exportPKCS8(keys.RS256.privateKey));
      return `${input}.${der.toString('base64url')}`;
    },
  },
  'an algorithm of one key with another': {
    sign: async (given, _, issuer) => issuer.sign(given, { alg: 'ES256', kid: 'RS256' }),
  },
  'a critical extension': {
    sign: (given, _, { keys }) =>
      new jose.SignJWT(given)
        .setProtectedHeader({ alg: 'RS256', kid: 'RS256', crit: ['b64'], b64: true })
        .sign(keys.RS256.privateKey),
  },
  'five parts': { sign: (given) => `${unsigned(given, { alg: 'RSA-OAEP', enc: 'A256GCM' }, 'a')}.b.c` },
  'two parts': { sign: (given, header) => `${base64(header)}.${base64(given)}` },
  'a token of JSON': { sign: (given) => JSON.stringify({ payload: base64(given), signatures: [] }) },
  'a token that is no text': { token: () => ({ json: { access_token: 'a', token_type: 'Bearer', id_token: 7 } }) },
  'another issuer': claims(() => ({ iss: 'https://rogue.example' })),
  'the issuer with a slash': claims(() => ({ iss: `${ISSUER}/` })),
  'the issuer in capitals': claims(() => ({ iss: ISSUER.toUpperCase() })),
  'no issuer': claims(() => ({ iss: undefined })),
  'a list of issuers': claims(() => ({ iss: [ISSUER] })),
  'another audience': claims(() => ({ aud: 'another' })),
  'no audience': claims(() => ({ aud: undefined })),
  'an empty list of audiences': claims(() => ({ aud: [] })),
  'several audiences without azp': claims(() => ({ aud: [CLIENT, 'another'] })),
  'several audiences with another azp': claims(() => ({ aud: [CLIENT, 'another'], azp: 'another' })),
  'an audience that only begins like ours': claims(() => ({ aud: `${CLIENT}2` })),
  'a token that has expired': claims((at) => ({ exp: now(at) - 61, iat: now(at) - 361 })),
  'no expiry': claims(() => ({ exp: undefined })),
  'an expiry that is text': claims((at) => ({ exp: String(now(at) + 300) })),
  'a token of later': claims((at) => ({ nbf: now(at) + 120 })),
  'a token issued later': claims((at) => ({ iat: now(at) + 120 })),
  'no time of issue': claims(() => ({ iat: undefined })),
  'a time of issue that is text': claims((at) => ({ iat: String(at['iat']) })),
  'another nonce': claims(() => ({ nonce: 'n'.repeat(43) })),
  'no nonce': claims(() => ({ nonce: undefined })),
  'a nonce that is a list': claims(({ nonce }) => ({ nonce: [nonce] })),
  'no subject': claims(() => ({ sub: undefined })),
  'an empty subject': claims(() => ({ sub: '' })),
  'a subject that is a list': claims(() => ({ sub: ['vic-1'] })),
  'a subject of 256 characters': claims(() => ({ sub: 'v'.repeat(256) })),
  'a subject with a control character': claims(() => ({ sub: 'vic-1\u0000' })),
  'a subject in capitals': claims(() => ({ sub: 'VIC-1' })),
  'a subject with a space': claims(() => ({ sub: 'vic-1 ' })),
  'a stranger': claims(() => ({ sub: 'eve-1' })),
  'a stranger with the name and e-mail address of a Profile': claims(() => ({
    sub: 'eve-1',
    name: 'Vic',
    preferred_username: 'Vic',
    email: 'vic@example.org',
    email_verified: true,
  })),
  'an authentication in the future': claims((at) => ({ auth_time: now(at) + 120 })),
  'an authentication time that is text': claims(() => ({ auth_time: 'now' })),
  'a session id that is a number': claims(() => ({ sid: 7 })),
  'a logout token': claims(() => ({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })),
  'another state': { callback: (answer) => answer.set('state', 's'.repeat(43)) },
  'no state': { callback: (answer) => answer.delete('state') },
  'another iss next to the code': { callback: (answer) => answer.set('iss', 'https://rogue.example') },
  'no iss next to the code, though it is promised': { callback: (answer) => answer.delete('iss') },
  'no code': { callback: (answer) => answer.delete('code') },
  'a code that the issuer never gave': { callback: (answer) => answer.set('code', 'f'.repeat(16)) },
  'an error next to the code': { callback: (answer) => answer.set('error', 'access_denied') },
  'a person who declines': {
    callback: (answer) => {
      answer.delete('code');
      answer.set('error', 'access_denied');
    },
  },
  'an error in place of a token': { token: () => ({ status: 400, json: { error: 'invalid_grant' } }) },
  'a token with the status of an error': { token: () => ({ status: 500 }) },
  'a redirect in place of a token': { token: () => ({ status: 302, headers: { location: `${ISSUER}/x` } }) },
  'a page in place of a token': {
    token: () => ({ headers: { 'content-type': 'text/html' }, bytes: Buffer.from('<p>hello</p>') }),
  },
  'a reply without an ID token': { token: () => ({ json: { access_token: 'a', token_type: 'Bearer' } }) },
  'a reply without a token type': { token: (idToken) => ({ json: { access_token: 'a', id_token: idToken } }) },
  'an empty reply': { token: () => ({ json: {} }) },
};

async function linkedWorld(t: Parameters<typeof openIdentityWorld>[0], more: Json = {}) {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIssuer(clock);
  const w = await openIdentityWorld(t, { clock, settings: outsideSettings(more), net: issuer.net });
  const owner = await setUp(w);
  const viewer = await makeViewer(w, owner);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  return { w, issuer, owner, viewer };
}
const isIn = ({ session }: SignInEnd): boolean => session !== undefined && session !== '';

test('of the rogue answers none opens a session', async (t) => {
  const { w, issuer } = await linkedWorld(t);
  const accepted: string[] = [];
  assert.ok(isIn(await signInAt(w, issuer)), 'the right answer was refused');
  for (const [name, twist] of Object.entries(ANSWERS)) {
    issuer.twist = twist;
    const ended = await signInAt(w, issuer);
    if (isIn(ended)) accepted.push(name);
    assert.match(ended.location, /^\/sign-in\?reason=outside-(refused|unknown)$/, name);
  }
  assert.deepEqual(accepted, []);
  const count = Object.keys(ANSWERS).length;
  assert.ok(count >= 60, `${count} answers are fewer than 60`);
  t.diagnostic(`${count} rogue answers, ${accepted.length} accepted`);
  issuer.twist = {};
  assert.ok(isIn(await signInAt(w, issuer)), 'the right answer is refused afterwards');
});

test('right answers in other forms are accepted', async (t) => {
  const { w, issuer } = await linkedWorld(t);
  const forms: Record<string, Twist> = {
    'an elliptic curve': { header: () => ({ alg: 'ES256', kid: 'ES256' }) },
    'an Edwards curve': { header: () => ({ alg: 'EdDSA', kid: 'EdDSA' }) },
    'several audiences, the authorised of which we are': claims(() => ({ aud: [CLIENT, 'another'], azp: CLIENT })),
    'a clock that is a minute behind': claims((at) => ({ exp: now(at) - 50, iat: now(at) - 350 })),
    'a clock that is a minute ahead': claims((at) => ({ iat: now(at) + 50, auth_time: now(at) + 50 })),
    'no time of authentication': claims(() => ({ auth_time: undefined })),
    'no session id': claims(() => ({ sid: undefined })),
  };
  for (const [name, twist] of Object.entries(forms)) {
    issuer.twist = twist;
    assert.ok(isIn(await signInAt(w, issuer)), name);
  }
});

/** Rogue answers that are about the flow rather than the token. */
test('a flow is judged once, in the browser that began it, and for ten minutes', async (t) => {
  const { w, issuer } = await linkedWorld(t);
  const expired = '/sign-in?reason=outside-expired';
  const first = await beginAt(w);
  const answer = issuer.authorize(first.address);
  assert.equal((await comeBack(w, answer, undefined)).location, expired, 'without the cookie');
  assert.equal((await comeBack(w, answer, 'x'.repeat(43))).location, expired, 'with a made-up cookie');
  const second = await beginAt(w);
  assert.equal(
    (await comeBack(w, answer, second.flow)).location,
    '/sign-in?reason=outside-refused',
    'in the flow of another browser',
  );
  assert.ok(isIn(await comeBack(w, answer, first.flow)));
  assert.equal((await comeBack(w, answer, first.flow)).location, expired, 'a second time');
  const late = await beginAt(w);
  w.clock.pass(10 * 60_000);
  assert.equal((await comeBack(w, issuer.authorize(late.address), late.flow)).location, expired, 'too late');
  const planted = await beginAt(w);
  const wrong = issuer.authorize(planted.address);
  wrong.set('state', 'x'.repeat(43));
  await comeBack(w, wrong, planted.flow);
  assert.equal(
    (await comeBack(w, issuer.authorize(planted.address), planted.flow)).location,
    expired,
    'after a wrong one',
  );
});

test('an e-mail address names a person only if the issuer has verified it', async (t) => {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIssuer(clock);
  const settings = outsideSettings({ 'integrations.oidc.identity_claim': 'email' });
  const w = await openIdentityWorld(t, { clock, settings, net: issuer.net });
  const owner = await setUp(w);
  issuer.person = { sub: 'vic-1', email: 'vic@example.org', email_verified: true };
  assert.equal(await linkAt(w, issuer, owner), 204);
  assert.ok(isIn(await signInAt(w, issuer)));
  for (const verified of [false, 'true', 1, undefined]) {
    issuer.person = { sub: 'vic-1', email: 'vic@example.org', email_verified: verified };
    assert.ok(!isIn(await signInAt(w, issuer)), String(verified));
  }
  assert.deepEqual(
    w.identity
      .findings()
      .map(({ code }) => code)
      .filter((code) => code.startsWith('outside')),
    ['outside-identity-email'],
  );
  // The same value of another claim is another identity.
  settings.set('integrations.oidc.identity_claim', 'sub');
  const again = await w.again();
  issuer.person = { sub: 'vic@example.org' };
  assert.equal((await signInAt(again, issuer)).location, '/sign-in?reason=outside-unknown');
});

const ISSUERS: Record<string, [twist: Twist, reason: string]> = {
  'another issuer': [{ discovery: (all) => ({ ...all, issuer: 'https://rogue.example' }) }, 'issuer-renamed'],
  'the issuer with a slash': [{ discovery: (all) => ({ ...all, issuer: `${ISSUER}/` }) }, 'issuer-renamed'],
  'the issuer in capitals': [{ discovery: (all) => ({ ...all, issuer: 'https://ID.example.org' }) }, 'issuer-renamed'],
  'no code flow': [{ discovery: (all) => ({ ...all, response_types_supported: ['id_token'] }) }, 'issuer-unsupported'],
  'no S256': [{ discovery: (all) => ({ ...all, code_challenge_methods_supported: ['plain'] }) }, 'issuer-unsupported'],
  'shared secrets only': [
    { discovery: (all) => ({ ...all, id_token_signing_alg_values_supported: ['HS256', 'none'] }) },
    'issuer-unsupported',
  ],
  'a token endpoint without TLS': [
    { discovery: (all) => ({ ...all, token_endpoint: 'http://id.example.org/token' }) },
    'issuer-unsupported',
  ],
  'a page of another kind': [{ discovery: () => ({ hello: 'world' }) }, 'issuer-broken'],
};
for (const [name, [twist, reason]] of Object.entries(ISSUERS))
  test(`discovery is refused: ${name}`, async (t) => {
    const clock = fakeIdentityClock(Date.now());
    const issuer = await createTestIssuer(clock);
    issuer.twist = twist;
    const w = await openIdentityWorld(t, { clock, settings: outsideSettings(), net: issuer.net });
    const { status, body } = await w.call('GET', '/api/v1/session/oidc');
    assert.deepEqual([status, body['reason']], [503, reason]);
  });

const KEYS: Record<string, NonNullable<Twist['keys']>> = {
  'no keys': () => ({ keys: [] }),
  'keys for encryption': (keys) => ({ keys: keys.map((key) => ({ ...key, use: 'enc' })) }),
  'keys of another use': (keys) => ({ keys: keys.map((key) => ({ ...key, key_ops: ['sign'] })) }),
  'a key that is too short': (keys) => ({
    keys: keys.map((key) =>
      key.kty === 'RSA' ? { ...key, ...createPublicKey(weak.publicKey).export({ format: 'jwk' }) } : key,
    ),
  }),
  'no document': () => 'nothing',
};
for (const [name, keys] of Object.entries(KEYS))
  test(`keys are refused: ${name}`, async (t) => {
    const clock = fakeIdentityClock(Date.now());
    const issuer: TestIssuer = await createTestIssuer(clock);
    issuer.twist = { keys };
    const w = await openIdentityWorld(t, { clock, settings: outsideSettings(), net: issuer.net });
    const owner = await setUp(w);
    assert.equal(await linkAt(w, issuer, owner), 404, 'nothing was proved, so there is nothing to confirm');
  });
