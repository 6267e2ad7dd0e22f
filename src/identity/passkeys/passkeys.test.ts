/** Passkeys: added, used to sign in and as a second factor, and removed unless one is the last sign-in method. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOTP } from 'otpauth';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { GOOD, makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';
import { useTestPasskey } from './testing-authenticator.ts';
import {
  addPasskey,
  beginAdding,
  beginProving,
  beginSigningIn,
  finishSigningIn,
  signInWith,
} from './testing-ceremonies.ts';

const OUTSIDE = '203.0.113.5';
interface Listed {
  id: string;
  name: string;
  usable: boolean;
  host: string;
}
const listed = async (w: World, token: string, more: object = {}) => {
  const { body } = await w.call('GET', '/api/v1/passkeys', { token, ...more });
  return body as unknown as { items: Listed[]; total: number; at?: { host: string; origin: string } };
};
const signIn = (w: World, code?: string) =>
  w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: GOOD, ...(code !== undefined && { code }) } });

eachEngine('passkeys survive a restart with everything that is known of them', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const owner = await setUp(w);
  const { passkey, id } = await addPasskey(w, owner, { name: 'Phone', isSyncable: true, counter: 5 });
  passkey.counter = 5;
  const reply = await signInWith(w, passkey);
  assert.equal(reply.status, 201);
  const token = String(reply.body['token']);
  const session = await w.call('GET', '/api/v1/session', { token });
  assert.deepEqual([session.body['way'], session.body['recentUntil'] !== undefined], ['passkey', true]);
  const before = await listed(w, owner);
  const after = await w.again();
  assert.deepEqual(await listed(after, owner), before);
  assert.equal(before.items[0]?.id, id);
  const renamed = await after.call('PUT', `/api/v1/passkeys/${id}`, { token: owner, body: { name: 'Old phone' } });
  assert.equal(renamed.body['name'], 'Old phone');
  const [said] = await after.identity.happened({ limit: 1 });
  assert.deepEqual([said?.kind, said?.target], ['passkey-renamed', id]);
  assert.equal((await signInWith(after, passkey)).status, 201);
  assert.equal((await after.call('DELETE', `/api/v1/passkeys/${id}`, { token: owner })).status, 204);
  assert.equal((await signInWith(after, passkey)).status, 401);
  // The session that it opened is over.
  assert.equal((await after.call('GET', '/api/v1/session', { token })).status, 401);
});

test('a passkey is the second factor: the password alone owes a recovery code', async (t) => {
  const w = await openIdentityWorld(t);
  w.settings.set('security.require_mfa', true);
  const owner = await setUp(w);
  const other = String((await signIn(w)).body['token']);
  assert.equal((await w.call('GET', '/api/v1/profiles', { token: owner })).status, 403);
  const { passkey, id, body } = await addPasskey(w, owner);
  const codes = body['recoveryCodes'] as string[];
  assert.equal(codes.length, 10);
  assert.equal((await w.call('GET', '/api/v1/profiles', { token: owner })).status, 200);
  // Another person who knew the password is out.
  assert.equal((await w.call('GET', '/api/v1/session', { token: other })).status, 401);
  const owing = await signIn(w);
  assert.deepEqual([owing.status, owing.body['mfaRequired']], [401, true]);
  assert.equal((await signIn(w, '123456')).status, 401);
  const signed = await signIn(w, codes[0]);
  assert.deepEqual([signed.status, signed.body['mfaEnrollmentRequired']], [201, false]);
  assert.equal((await signIn(w, codes[0])).status, 401);
  assert.equal((await signInWith(w, passkey)).body['mfaEnrollmentRequired'], false);
  // The codes go with it, and then this session can only enrol again.
  const token = String((await signInWith(w, passkey)).body['token']);
  assert.equal((await w.call('DELETE', `/api/v1/passkeys/${id}`, { token })).status, 204);
  const me = await w.call('GET', '/api/v1/me', { token });
  assert.deepEqual([me.body['recoveryCodesLeft'], me.body['mfaEnrollmentRequired']], [0, true]);
});

test('recovery codes stay as long as a passkey or an app is a second factor', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id } = await addPasskey(w, owner);
  const left = async () => (await w.call('GET', '/api/v1/me', { token: owner })).body['recoveryCodesLeft'];
  assert.equal(await left(), 10);
  const begun = await w.call('POST', '/api/v1/me/mfa', { token: owner, body: {} });
  const app = new TOTP({ secret: String(begun.body['secret']) });
  const code = () => app.generate({ timestamp: w.clock.now() });
  assert.equal((await w.call('PUT', '/api/v1/me/mfa', { token: owner, body: { code: code() } })).status, 204);
  assert.equal((await w.call('DELETE', `/api/v1/passkeys/${id}`, { token: owner })).status, 204);
  assert.equal(await left(), 10);
  await addPasskey(w, owner);
  w.clock.pass(60_000);
  assert.equal((await w.call('DELETE', '/api/v1/me/mfa', { token: owner, body: { code: code() } })).status, 204);
  assert.equal(await left(), 10);
});

test('a passkey proves again that it is the same person, and takes no other', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { passkey } = await addPasskey(w, owner);
  const { passkey: theirs } = await addPasskey(w, (await makeViewer(w, owner)).token);
  w.clock.pass(11 * 60_000);
  const change = () => w.call('POST', '/api/v1/profiles', { token: owner, body: { name: 'Bo', password: GOOD } });
  assert.equal((await change()).status, 403);
  const prove = async (which: typeof passkey) => {
    const { ceremony, publicKey } = await beginProving(w, { token: owner });
    const credential = useTestPasskey(which, publicKey, which === passkey ? { handle: undefined } : {});
    return (await w.call('POST', '/api/v1/session/step-up', { token: owner, body: { ceremony, credential } })).status;
  };
  assert.equal(await prove(theirs), 401);
  assert.equal((await change()).status, 403);
  assert.equal(await prove(passkey), 200);
  assert.notEqual((await change()).status, 403);
});

test('the last sign-in method stays, also when two are removed at the same time', async (t) => {
  for (const isUnlocked of [false, true]) {
    const w = await openIdentityWorld(t, { isUnlocked });
    const owner = await setUp(w);
    const viewer = await makeViewer(w, owner);
    const [a, b] = [await addPasskey(w, viewer.token), await addPasskey(w, viewer.token)];
    // A Profile that signs in with passkeys only.
    await w.db.write('safe', async (tx) => {
      await (
        tx as never as {
          updateTable(name: string): { set(row: object): { where(...a: string[]): { execute(): Promise<unknown> } } };
        }
      )
        .updateTable('identity_profile')
        .set({ password: null })
        .where('id', '=', viewer.id)
        .execute();
    });
    const again = await w.again();
    again.meet(2);
    const statuses = await Promise.all(
      [a, b].map(({ id }) => again.call('DELETE', `/api/v1/passkeys/${id}`, { token: viewer.token })),
    );
    const sorted = statuses.map(({ status }) => status).toSorted();
    // Both are removed without the lock, by which the rule is kept.
    assert.deepEqual(sorted, isUnlocked ? [204, 204] : [204, 409]);
  }
});

test('a passkey is for the name of this server, and says so where it is for another', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  await addPasskey(w, owner);
  assert.deepEqual((await listed(w, owner)).at, { host: 'localhost', origin: 'http://localhost' });
  const byNumber = { token: owner, host: '192.168.1.5:38128' };
  assert.equal((await listed(w, owner, byNumber)).at, undefined);
  assert.equal((await w.call('POST', '/api/v1/passkeys/register/begin', { ...byNumber, body: {} })).status, 409);
  w.settings.set('auth.url', 'https://media.example.org');
  const moved = await listed(w, owner);
  assert.deepEqual(moved.at, { host: 'media.example.org', origin: 'https://media.example.org' });
  assert.deepEqual(
    moved.items.map(({ usable, host }) => [usable, host]),
    [[false, 'localhost']],
  );
  const origin = 'https://media.example.org';
  const { passkey } = await addPasskey(w, owner, { origin });
  assert.equal((await signInWith(w, passkey, { origin })).status, 201);
  w.settings.set('auth.url', 'https://192.168.1.5');
  assert.equal((await listed(w, owner)).at, undefined);
});

test('without a public address, a passkey is for the name of trusted HTTPS, with the port of the home', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const local = await addPasskey(w, owner);
  w.settings.set('listen', { host: '', port: 38128 });
  w.settings.set('tls.dns_a', { provider: 'dns_a', domain: 'film' });
  const origin = 'https://film.duckdns.org:38128';
  assert.deepEqual((await listed(w, owner)).at, { host: 'film.duckdns.org', origin });
  const { passkey } = await addPasskey(w, owner, { origin });
  assert.equal((await signInWith(w, passkey, { origin })).status, 201);
  assert.equal((await signInWith(w, passkey, { origin: 'https://film.duckdns.org' })).status, 401, 'another port');
  assert.equal((await signInWith(w, local.passkey, {})).status, 401, 'one of before opens nothing');
  w.settings.set('tls.dns_a', { provider: 'dns_b', domain: 'film.example.dedyn.io' });
  w.settings.set('listen', { host: '', port: 443 });
  assert.deepEqual((await listed(w, owner)).at, {
    ...{ host: 'film.example.dedyn.io', origin: 'https://film.example.dedyn.io' },
  });
  w.settings.set('auth.url', 'https://media.example.org');
  assert.equal((await listed(w, owner)).at?.host, 'media.example.org', 'the public address goes first');
});

test('from outside a passkey signs in who may be away, and only a passkey or an approval adds one', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const [away, home] = [
    await makeViewer(w, owner, { remote: true }, 'Away'),
    await makeViewer(w, owner, { remote: false }, 'Home'),
  ];
  const where = { address: OUTSIDE };
  const mobile = await addPasskey(w, away.token);
  const fixed = await addPasskey(w, home.token);
  assert.equal((await signInWith(w, fixed.passkey, {}, where)).status, 401);
  const signed = await signInWith(w, mobile.passkey, {}, where);
  assert.equal(signed.status, 201);
  const token = String(signed.body['token']);
  await addPasskey(w, token, where);
  const add = async (given: string) =>
    (await w.call('POST', '/api/v1/passkeys/register/begin', { token: given, body: {}, ...where })).status;
  assert.equal(await add(token), 200);

  const connect = async (more: object, by = owner) => {
    const begun = await w.call('POST', '/api/v1/quick-connect', { body: {}, ...where });
    const path = `/api/v1/quick-connect/${String(begun.body['code'])}`;
    const approved = await w.call('POST', path, { token: by, body: more });
    const taken = await w.call('POST', '/api/v1/quick-connect/token', {
      body: { secret: begun.body['secret'] },
      ...where,
    });
    w.clock.pass(1_000);
    return { status: approved.status, token: String(taken.body['token']) };
  };
  const plain = await connect({ profile: away.id });
  assert.deepEqual([plain.status, await add(plain.token)], [204, 403]);
  // Recent by a passkey, and still opened by a code that its person may have been talked into.
  const proof = await beginProving(w, { token: plain.token, ...where });
  const proved = await w.call('POST', '/api/v1/session/step-up', {
    token: plain.token,
    body: { ceremony: proof.ceremony, credential: useTestPasskey(mobile.passkey, proof.publicKey) },
    ...where,
  });
  const refused = await w.call('POST', '/api/v1/passkeys/register/begin', { token: plain.token, body: {}, ...where });
  assert.deepEqual([proved.status, refused.status, refused.body['reason']], [200, 403, 'passkey-from-outside']);
  const meant = await connect({ profile: away.id, passkey: true });
  assert.deepEqual([meant.status, await add(meant.token)], [204, 200]);
  await addPasskey(w, meant.token, where);
  const begun = await w.call('POST', '/api/v1/quick-connect', { body: {} });
  const path = `/api/v1/quick-connect/${String(begun.body['code'])}`;
  const byViewer = await w.call('POST', path, { token: away.token, body: { passkey: true } });
  assert.deepEqual([byViewer.status, byViewer.body['reason']], [403, 'quick-connect-passkey-by-owner']);
  // The leave ends with the recent proof, and a Viewer cannot give it.
  w.clock.pass(11 * 60_000);
  assert.equal(await add(meant.token), 403);
});

test('twenty passkeys are enough, and a used name is only a name', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  for (let at = 0; at < 19; at++) await addPasskey(w, owner, { name: 'Same' });
  const last = await beginAdding(w, { token: owner });
  await addPasskey(w, owner, { name: 'Same' });
  const full = await w.call('POST', '/api/v1/passkeys/register/begin', { token: owner, body: {} });
  assert.equal(full.status, 409);
  const late = await w.call('POST', '/api/v1/passkeys/register/finish', {
    token: owner,
    body: {
      ceremony: last.ceremony,
      credential: { id: 'AAAA', type: 'public-key', response: { clientDataJSON: 'AA', attestationObject: 'AA' } },
    },
  });
  assert.equal(late.status, 404);
  assert.equal((await listed(w, owner)).total, 20);
});

test('wrong passkeys cost the network that sends them', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { passkey } = await addPasskey(w, owner);
  const statuses: number[] = [];
  for (let at = 0; at < 11; at++) {
    const { ceremony, publicKey } = await beginSigningIn(w);
    const credential = useTestPasskey(passkey, publicKey, { origin: 'http://evil.example' });
    statuses.push((await finishSigningIn(w, { ceremony, credential })).status);
  }
  assert.deepEqual([new Set(statuses.slice(0, 10)), statuses[10]], [new Set([401]), 429]);
});
