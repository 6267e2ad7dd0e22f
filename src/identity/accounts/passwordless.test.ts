/** Viewers that are exempt from the second factor at home, and Profiles without a password. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOTP } from 'otpauth';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { addPasskey, signInWith } from '../passkeys/testing-ceremonies.ts';
import { GOOD, makeViewer, openIdentityWorld, OTHER, setUp, type World } from '../testing-world.ts';

const AWAY = '203.0.113.9';
const MINE = '/api/v1/me/password';
const LIST = '/api/v1/me/time';

const signIn = (w: World, name: string, more: object = {}) =>
  w.call('POST', '/api/v1/session', { body: { name, password: OTHER, ...more } });
const exempt = (w: World, owner: string, id: string, is = true) =>
  w.call('PUT', `/api/v1/profiles/${id}/second-factor`, { token: owner, body: { exempt: is } });
const heard = async (w: World, kind: string) =>
  (await w.identity.happened({ limit: 200 })).filter((row) => row.kind === kind && row.outcome === 'done');
const makePasswordless = async (w: World, owner: string, name = 'Kid'): Promise<string> => {
  const made = await w.call('POST', '/api/v1/profiles', {
    token: owner,
    body: { name, policy: { libraries: 'all', remote: true } },
  });
  assert.deepEqual([made.status, made.body['passwordless']], [201, true], JSON.stringify(made.body));
  return String(made.body['id']);
};
/** Signs a device in as a Viewer by Quick Connect, and returns its token. */
async function connect(w: World, owner: string, profile: string, where: { address?: string } = {}): Promise<string> {
  const begun = await w.call('POST', '/api/v1/quick-connect', { ...where, body: {} });
  const { code, secret } = begun.body as { code: string; secret: string };
  const approved = await w.call('POST', `/api/v1/quick-connect/${code}`, { token: owner, body: { profile } });
  assert.equal(approved.status, 204, JSON.stringify(approved.body));
  const made = await w.call('POST', '/api/v1/quick-connect/token', { ...where, body: { secret } });
  return String(made.body['token']);
}

/** A house whose Owner has a second factor, and with the setting on. */
async function openHouse(t: Parameters<typeof openIdentityWorld>[0], options: object = {}) {
  const w = await openIdentityWorld(t, options);
  const owner = await setUp(w);
  await addPasskey(w, owner);
  const viewer = await makeViewer(w, owner, { remote: true });
  w.settings.set('security.require_mfa', true);
  return { w, owner, ...viewer };
}

eachEngine(
  'an exempt Viewer needs no second factor at home, also after a restart',
  identityMigrations,
  async (t, db) => {
    const { w, owner, id, token } = await openHouse(t, { db });
    assert.equal((await w.call('GET', LIST, { token })).body['mfaEnrollmentRequired'], true);
    const made = await exempt(w, owner, id);
    assert.deepEqual([made.status, made.body['mfaExempt']], [200, true]);
    assert.equal((await w.call('GET', LIST, { token })).status, 200);
    assert.equal((await signIn(w, 'Vic')).body['mfaEnrollmentRequired'], false);
    const [row] = await heard(w, 'factor-exempted');
    assert.equal(row?.profile, id);
    const again = await w.again();
    assert.equal((await again.call('GET', LIST, { token })).status, 200);
    assert.equal((await exempt(again, owner, id, false)).body['mfaExempt'], false);
    assert.equal((await again.call('GET', LIST, { token })).status, 403, 'it counts from the next request on');
    assert.equal((await heard(again, 'factor-required')).length, 1);
  },
);

test('an exemption counts at home only: 0 of 4 requests from outside are admitted', async (t) => {
  const { w, owner, id, token } = await openHouse(t);
  await exempt(w, owner, id);
  const away = await connect(w, owner, id, { address: AWAY });
  const asked: [method: string, path: string, credential: string, body?: object][] = [
    ['GET', LIST, away],
    ['PUT', '/api/v1/me/preferences', away, { theme: 'dark' }],
    // The session that the password opened at home.
    ['GET', LIST, token],
    ['PUT', '/api/v1/me/preferences', token, { theme: 'dark' }],
  ];
  const admitted = [];
  for (const [method, path, credential, body] of asked) {
    const reply = await w.call(method, path, { token: credential, address: AWAY, body });
    const isOwing = reply.status === 403 && reply.body['mfaEnrollmentRequired'] === true;
    if (credential === away ? !isOwing : reply.status !== 401) admitted.push(`${method} ${path}: ${reply.status}`);
  }
  assert.deepEqual(admitted, []);
  assert.equal((await w.call('GET', '/api/v1/me', { token: away, address: AWAY })).body['mfaEnrollmentRequired'], true);
  const body = { name: 'Vic', password: OTHER };
  assert.ok([403, 404].includes((await w.call('POST', '/api/v1/session', { address: AWAY, body })).status));
});

test('Owners are never exempt, and another role ends it for good', async (t) => {
  const { w, owner, id, token } = await openHouse(t);
  const { id: ada } = (await w.call('GET', '/api/v1/me', { token: owner })).body['profile'] as { id: string };
  assert.equal((await exempt(w, owner, ada)).body['reason'], 'exempt-viewers-only');
  assert.equal((await exempt(w, token, id)).status, 403, 'a Viewer does not exempt itself');
  await exempt(w, owner, id);
  const put = (role: string) => w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role } });
  assert.equal((await put('owner')).body['mfaExempt'], false);
  assert.equal((await w.call('GET', LIST, { token })).status, 403);
  const back = await put('viewer');
  assert.equal(back.body['mfaExempt'], false);
  assert.equal((await w.call('GET', LIST, { token })).status, 403);
  // Any other change keeps it.
  await exempt(w, owner, id);
  const renamed = await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { name: 'Vera' } });
  assert.equal(renamed.body['mfaExempt'], true);
});

test('a second factor that an exempt Viewer has enrolled is asked for; its passkey alone owes nothing', async (t) => {
  const { w, owner, id, token } = await openHouse(t);
  await exempt(w, owner, id);
  const { body } = await w.call('POST', '/api/v1/me/mfa', { token, body: {} });
  const code = () => new TOTP({ secret: String(body['secret']) }).generate({ timestamp: w.clock.now() });
  assert.equal((await w.call('PUT', '/api/v1/me/mfa', { token, body: { code: code() } })).status, 204);
  assert.equal((await signIn(w, 'Vic')).body['mfaRequired'], true);
  w.clock.pass(60_000);
  assert.equal((await w.call('DELETE', '/api/v1/me/mfa', { token, body: { code: code() } })).status, 204);
  await addPasskey(w, token);
  assert.equal((await signIn(w, 'Vic')).status, 201);
  await exempt(w, owner, id, false);
  assert.equal((await signIn(w, 'Vic')).body['mfaRequired'], true);
});

eachEngine('a Viewer is made without a password, and gets and loses one later', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const owner = await setUp(w);
  const id = await makePasswordless(w, owner);
  assert.equal((await signIn(w, 'Kid')).status, 401);
  const token = await connect(w, owner, id);
  assert.equal((await w.call('GET', '/api/v1/me', { token })).status, 200);
  assert.equal((await w.call('POST', MINE, { token, body: { newPassword: OTHER } })).status, 403, 'nothing is proved');
  const path = `/api/v1/profiles/${id}/password`;
  assert.equal((await w.call('DELETE', path, { token: owner })).body['reason'], 'no-password');
  assert.equal((await w.call('PUT', path, { token: owner, body: { password: OTHER } })).status, 204);
  const signed = String((await signIn(w, 'Kid')).body['token']);
  assert.equal(
    (await w.call('POST', MINE, { token: signed, body: { newPassword: GOOD } })).body['reason'],
    'password-set',
  );
  assert.equal((await w.call('DELETE', MINE, { token: signed })).body['reason'], 'last-way-in');
  const removed = await w.call('DELETE', path, { token: owner });
  assert.deepEqual([removed.status, removed.body['passwordless']], [200, true]);
  assert.equal((await w.call('GET', '/api/v1/me', { token: signed })).status, 401, 'its sessions end');
  assert.equal((await signIn(await w.again(), 'Kid')).status, 401);
  assert.equal((await heard(w, 'password-removed')).length, 1);
});

test('a person with a passkey is without a password by choice, and sets one again with a proof', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const { passkey } = await addPasskey(w, token);
  assert.equal((await w.call('DELETE', MINE, { token })).status, 204);
  assert.equal((await signIn(w, 'Vic')).status, 401);
  const { items } = (await w.call('GET', '/api/v1/passkeys', { token })).body as { items: { id: string }[] };
  const last = await w.call('DELETE', `/api/v1/passkeys/${items[0]?.id}`, { token });
  assert.equal(last.body['reason'], 'last-way-in', 'and the passkey is now the last one');
  w.clock.pass(11 * 60_000);
  assert.equal((await w.call('POST', MINE, { token, body: { newPassword: OTHER } })).body['stepUpRequired'], true);
  const proved = String((await signInWith(w, passkey)).body['token']);
  assert.equal((await w.call('POST', MINE, { token: proved, body: { newPassword: 'short' } })).status, 400);
  assert.equal((await w.call('POST', MINE, { token: proved, body: { newPassword: OTHER } })).status, 204);
  assert.equal((await signIn(w, 'Vic')).status, 201);
  assert.equal((await w.call('GET', `/api/v1/profiles/${id}`, { token: owner })).body['passwordless'], false);
});

test('Owners keep a password or a passkey, and one of them a password', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const post = (body: object) => w.call('POST', '/api/v1/profiles', { token: owner, body });
  assert.equal((await post({ name: 'Bo', role: 'owner' })).body['reason'], 'owner-needs-way-in');
  const id = await makePasswordless(w, owner);
  const promote = () => w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
  assert.equal((await promote()).body['reason'], 'owner-needs-way-in');
  await addPasskey(w, owner);
  assert.equal((await w.call('DELETE', MINE, { token: owner })).body['reason'], 'last-owner-always');
  await w.call('PUT', `/api/v1/profiles/${id}/password`, { token: owner, body: { password: OTHER } });
  assert.equal((await promote()).status, 200);
  const other = await w.call('DELETE', `/api/v1/profiles/${id}/password`, { token: owner });
  assert.equal(other.body['reason'], 'owner-needs-way-in', 'no Owner removes that of another');
  assert.equal((await w.call('DELETE', MINE, { token: owner })).status, 204);
});

test('a password that opens the Profile on a household device stays until that is changed', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  await addPasskey(w, token);
  const profiles = [{ id, opens: 'password' }];
  const made = await w.call('POST', '/api/v1/household/devices', { token: owner, body: { name: 'TV', profiles } });
  assert.equal(made.status, 201);
  const remove = () => w.call('DELETE', `/api/v1/profiles/${id}/password`, { token: owner });
  assert.equal((await w.call('GET', `/api/v1/profiles/${id}`, { token: owner })).body['households'], 1);
  assert.equal((await remove()).body['reason'], 'password-in-use');
  assert.equal((await w.call('DELETE', MINE, { token })).body['reason'], 'password-in-use');
  const device = `/api/v1/household/devices/${String(made.body['id'])}`;
  await w.call('PUT', device, { token: owner, body: { profiles: [{ id, opens: 'nothing' }] } });
  assert.equal((await remove()).status, 200);
});

test('the last two sign-in methods are not both removed side by side', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { token } = await makeViewer(w, owner);
  const { id } = await addPasskey(w, token);
  const replies = await Promise.all([
    w.call('DELETE', MINE, { token }),
    w.call('DELETE', `/api/v1/passkeys/${id}`, { token }),
  ]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 409]);
});
