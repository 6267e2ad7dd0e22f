/** The second factor through the whole server: enrolment, codes, recovery, step-up and the throttle on guesses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { eachEngine } from '../lib/db/testing.ts';
import { identityMigrations } from './index.ts';
import { timeStepOf } from './proof/second-factor.ts';
import { GOOD, OTHER, setUp, makeViewer, openIdentityWorld, type World } from './testing-world.ts';

const SESSION = '/api/v1/session';
const MFA = '/api/v1/me/mfa';
const MINUTE = 60_000;

const codeOf = (w: World, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: w.clock.now() + steps * 30_000,
  });

/** Enrols and moves on to the next step, so that a code is free again. */
async function enrol(w: World, token: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await w.call('POST', MFA, { token, body: {} });
  const { secret, recoveryCodes } = begun.body as { secret: string; recoveryCodes: string[] };
  const done = await w.call('PUT', MFA, { token, body: { code: codeOf(w, secret) } });
  assert.equal(done.status, 204);
  w.clock.pass(30_000);
  return { secret, recoveryCodes };
}

test('the codes are those of RFC 6238', () => {
  // Appendix B, SHA-1: the last six of its eight digits.
  const secret = Secret.fromUTF8('12345678901234567890').base32;
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
  ] as const) {
    assert.equal(timeStepOf(secret, code, seconds * 1_000), Math.floor(seconds / 30));
    assert.equal(timeStepOf(secret, code, (seconds + 30) * 1_000), Math.floor(seconds / 30));
    assert.equal(timeStepOf(secret, code, (seconds + 60) * 1_000), undefined);
  }
});

eachEngine('enrol, sign in with a code, use a recovery code once, remove', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const token = await setUp(w);
  const begun = await w.call('POST', MFA, { token, body: {} });
  const { secret, uri, recoveryCodes } = begun.body as { secret: string; uri: string; recoveryCodes: string[] };
  assert.match(uri, /^otpauth:\/\/totp\/Home:Ada\?issuer=Home&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/);
  assert.equal(new Set(recoveryCodes).size, 10);
  for (const code of recoveryCodes) assert.match(code, /^[a-z0-9]{5}-[a-z0-9]{5}$/);
  // Begun is not enrolled.
  assert.equal((await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).status, 201);
  assert.equal((await w.call('PUT', MFA, { token, body: { code: codeOf(w, secret, 5) } })).status, 401);
  assert.equal((await w.call('PUT', MFA, { token, body: { code: codeOf(w, secret) } })).status, 204);
  assert.equal((await w.call('POST', MFA, { token, body: {} })).status, 409);

  const sign = (code?: string, world_ = w) =>
    world_.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, ...(code !== undefined && { code }) } });
  const asked = await sign();
  assert.deepEqual([asked.status, asked.body['mfaRequired']], [401, true]);
  assert.equal((await sign(codeOf(w, secret))).status, 401, 'the step was spent on enrolment');
  w.clock.pass(30_000);
  assert.equal((await sign(codeOf(w, secret))).status, 201);
  assert.equal((await sign(codeOf(w, secret))).status, 401, 'a step is accepted once');
  assert.equal((await sign(codeOf(w, secret, -1))).status, 401, 'nor an earlier one after it');
  assert.equal((await sign(codeOf(w, secret, 1))).status, 201, 'one step early is accepted');
  assert.equal((await sign(codeOf(w, secret, 2))).status, 401, 'two are not');

  const again = await w.again();
  const [recovery = ''] = recoveryCodes;
  assert.equal((await sign(recovery, again)).status, 201);
  assert.equal((await sign(recovery, again)).status, 401);
  assert.equal((await again.call('GET', '/api/v1/me', { token })).body['recoveryCodesLeft'], 9);
  const text = JSON.stringify(
    await db.tables<{ identity_profile: object }>().selectFrom('identity_profile').selectAll().execute(),
  );
  for (const plain of [secret, ...recoveryCodes]) assert.equal(text.includes(plain), false);

  assert.equal((await again.call('DELETE', MFA, { token, body: { code: '000000' } })).status, 401);
  assert.equal((await again.call('DELETE', MFA, { token, body: { code: recoveryCodes[1] } })).status, 204);
  assert.equal((await again.call('DELETE', MFA, { token, body: { code: recoveryCodes[2] } })).status, 409);
  assert.equal((await sign(undefined, again)).status, 201);
});

test('one code in many requests at the same time is accepted once', async (t) => {
  const w = await openIdentityWorld(t);
  const { secret, recoveryCodes } = await enrol(w, await setUp(w));
  const many = async (code: string) => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, code } })),
    );
    return replies.map(({ status }) => status).sort();
  };
  assert.deepEqual(await many(codeOf(w, secret)), [201, 401, 401, 401, 401, 401]);
  w.clock.pass(10 * MINUTE);
  assert.deepEqual(await many(recoveryCodes[0] ?? ''), [201, 401, 401, 401, 401, 401]);
});

test('enrolling ends other sessions and gives a browser another token', async (t) => {
  const w = await openIdentityWorld(t);
  const other = await setUp(w);
  const signed = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, transport: 'cookie' } });
  const cookie = `matinee=${signed.cookies['matinee']}`;
  const begun = await w.call('POST', MFA, { cookie, body: {} });
  // Another session cannot finish what this one began.
  assert.equal(
    (await w.call('PUT', MFA, { token: other, body: { code: codeOf(w, String(begun.body['secret'])) } })).status,
    409,
  );
  const done = await w.call('PUT', MFA, { cookie, body: { code: codeOf(w, String(begun.body['secret'])) } });
  assert.equal(done.status, 204);
  assert.equal((await w.call('GET', SESSION, { cookie })).status, 401);
  assert.equal((await w.call('GET', SESSION, { cookie: `matinee=${done.cookies['matinee']}` })).status, 200);
  assert.equal((await w.call('GET', SESSION, { token: other })).status, 401);
});

test('a reload shows the same secret to the session that began it, for as long as it lives', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const begin = async (body = {}, who = token) => (await w.call('POST', MFA, { token: who, body })).body;
  const first = await begin();
  assert.equal(first['expiresAt'], new Date(w.clock.now() + 15 * MINUTE).toISOString());
  w.clock.pass(9 * MINUTE);
  assert.deepEqual(await begin(), first, 'nothing changed, and its end neither');

  const other = String((await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).body['token']);
  assert.notEqual((await begin({}, other))['secret'], first['secret'], 'another session has another one');
  assert.deepEqual(await begin(), first, 'and does not take its place');

  const fresh = await begin({ fresh: true });
  assert.notEqual(fresh['secret'], first['secret']);
  const confirm = (secret: unknown) => w.call('PUT', MFA, { token, body: { code: codeOf(w, String(secret)) } });
  assert.equal((await confirm(first['secret'])).status, 401, 'the one before no longer works');
  w.clock.pass(9 * MINUTE);
  assert.equal((await w.call('POST', MFA, { token, body: {} })).status, 403, 'only a recent proof shows it again');
  assert.equal((await w.call('POST', `${SESSION}/step-up`, { token, body: { password: GOOD } })).status, 200);
  assert.deepEqual(await begin(), fresh);
  w.clock.pass(6 * MINUTE);
  const late = await begin();
  assert.notEqual(late['secret'], fresh['secret'], 'it has expired');
  assert.equal((await confirm(late['secret'])).status, 204);
});

test('a begun enrolment is forgotten after a quarter of an hour', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const begun = await w.call('POST', MFA, { token, body: {} });
  w.clock.pass(15 * MINUTE);
  assert.equal(
    (await w.call('PUT', MFA, { token, body: { code: codeOf(w, String(begun.body['secret'])) } })).status,
    409,
  );
});

test('where a second factor is required, a profile without one can only enrol', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const key = String(
    (await w.call('POST', '/api/v1/api-keys', { token, body: { name: 'k', scopes: ['library', 'admin'] } })).body[
      'secret'
    ],
  );
  w.settings.set('security.require_mfa', true);
  const refused = await w.call('GET', '/api/v1/profiles', { token });
  assert.deepEqual([refused.status, refused.body['mfaEnrollmentRequired']], [403, true]);
  assert.equal((await w.call('GET', '/api/v1/profiles', { token: key })).status, 403);
  assert.equal((await w.call('PUT', '/api/v1/me/preferences', { token, body: {} })).status, 403);
  for (const path of [SESSION, '/api/v1/me'])
    assert.deepEqual((await w.call('GET', path, { token })).body['mfaEnrollmentRequired'], true);
  const signed = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } });
  assert.deepEqual([signed.status, signed.body['mfaEnrollmentRequired']], [201, true]);
  await enrol(w, token);
  assert.equal((await w.call('GET', '/api/v1/profiles', { token })).status, 200);
  assert.equal((await w.call('GET', '/api/v1/profiles', { token: key })).status, 200);
});

test('a proof is recent for ten minutes, and step-up renews it with everything that is enrolled', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const make = (name: string) => w.call('POST', '/api/v1/profiles', { token, body: { name, password: OTHER } });
  w.clock.pass(10 * MINUTE - 1);
  assert.equal((await make('One')).status, 201);
  w.clock.pass(1);
  const refused = await make('Two');
  assert.deepEqual([refused.status, refused.body['stepUpRequired']], [403, true]);
  assert.equal(
    (await w.call('POST', MFA, { token, body: {} })).status,
    403,
    'a session left open is not enough to take the second factor over',
  );
  const step = (body: object) => w.call('POST', `${SESSION}/step-up`, { token, body });
  assert.equal((await step({})).status, 400);
  assert.equal((await step({ password: OTHER })).status, 401);
  const until = await step({ password: GOOD });
  assert.deepEqual([until.status, until.body['until']], [200, '2026-11-20T12:20:00.000Z']);
  assert.equal((await make('Two')).status, 201);
  const { secret } = await enrol(w, token);
  w.clock.pass(11 * MINUTE);
  const half = await step({ password: GOOD });
  assert.deepEqual([half.status, half.body['mfaRequired']], [401, true]);
  assert.equal((await step({ code: codeOf(w, secret) })).status, 400);
  assert.equal((await step({ password: GOOD, code: codeOf(w, secret) })).status, 200);
  assert.equal((await make('Three')).status, 201);
});

test('guesses at a code of an open session are held back, for that session only', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const { secret } = await enrol(w, token);
  const remove = (code: string) => w.call('DELETE', MFA, { token, body: { code } });
  const taken = new Set([codeOf(w, secret, -1), codeOf(w, secret), codeOf(w, secret, 1)]);
  const wrong = ['111111', '222222', '333333', '444444'].find((code) => !taken.has(code)) ?? '';
  for (let i = 0; i < 10; i++) assert.equal((await remove(wrong)).status, 401);
  const held = await remove(codeOf(w, secret));
  assert.deepEqual([held.status, held.headers['retry-after']], [429, '30']);
  assert.equal(
    (await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, code: codeOf(w, secret) } })).status,
    201,
  );
});

test('guesses at codes while signing in count like guesses at passwords', async (t) => {
  const w = await openIdentityWorld(t);
  const { secret } = await enrol(w, await setUp(w));
  const sign = (code: string) => w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, code } });
  const taken = new Set([codeOf(w, secret, -1), codeOf(w, secret), codeOf(w, secret, 1)]);
  const wrong = ['111111', '222222', '333333', '444444'].find((code) => !taken.has(code)) ?? '';
  for (let i = 0; i < 10; i++) assert.equal((await sign(wrong)).status, 401);
  assert.equal((await sign(codeOf(w, secret))).status, 429);
});

test('your own password: the old one is asked for, and other sessions end', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { token } = await makeViewer(w, owner);
  const other = String((await w.call('POST', SESSION, { body: { name: 'Vic', password: OTHER } })).body['token']);
  const change = (password: string, newPassword: string) =>
    w.call('PUT', '/api/v1/me/password', { token, body: { password, newPassword } });
  assert.equal((await change(GOOD, 'nine slow green garden snails')).status, 401);
  assert.equal((await change(OTHER, 'password1234')).status, 400);
  assert.equal((await change(OTHER, 'nine slow green garden snails')).status, 204);
  assert.equal((await w.call('GET', SESSION, { token })).status, 200);
  assert.equal((await w.call('GET', SESSION, { token: other })).status, 401);
  assert.equal((await w.call('POST', SESSION, { body: { name: 'Vic', password: OTHER } })).status, 401);
  assert.equal(
    (await w.call('POST', SESSION, { body: { name: 'Vic', password: 'nine slow green garden snails' } })).status,
    201,
  );
});
