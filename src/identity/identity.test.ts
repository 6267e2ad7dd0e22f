/** Set-up, sign-in, sessions and cookies, through the whole server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOOD, OTHER, setUp, viewer, world } from './testing-world.ts';

test('set-up makes the first owner once and is closed for good', async (t) => {
  const w = await world(t);
  assert.deepEqual((await w.call('GET', '/api/v1/setup')).body, { required: true });
  const made = await w.call('POST', '/api/v1/setup', { body: { name: 'Ada', password: GOOD } });
  assert.equal(made.status, 201);
  assert.match(String(made.body['token']), /^mat_ses_[\w-]{43}$/);
  assert.equal((await w.call('GET', '/api/v1/me', { token: String(made.body['token']) })).status, 200);
  assert.deepEqual((await w.call('GET', '/api/v1/setup')).body, { required: false });
  assert.equal((await w.call('POST', '/api/v1/setup', { body: { name: 'Eve', password: GOOD } })).status, 409);
});

test('sign in, see oneself, sign out', async (t) => {
  const w = await world(t);
  await setUp(w);
  const signed = await w.call('POST', '/api/v1/session', { body: { name: ' aDA', password: GOOD, device: 'Sofa' } });
  assert.equal(signed.status, 201);
  const token = String(signed.body['token']);
  const session = await w.call('GET', '/api/v1/session', { token });
  assert.equal(session.body['device'], 'Sofa');
  assert.equal(session.body['current'], true);
  assert.equal((await w.call('DELETE', '/api/v1/session', { token })).status, 204);
  assert.equal((await w.call('GET', '/api/v1/session', { token })).status, 401);
  assert.equal((await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: OTHER } })).status, 401);
});

test('a viewer is made, signs in, and may not manage', async (t) => {
  const w = await world(t);
  const owner = await setUp(w);
  const { token } = await viewer(w, owner);
  assert.equal((await w.call('GET', '/api/v1/me', { token })).status, 200);
  assert.equal((await w.call('GET', '/api/v1/profiles', { token })).status, 403);
});
