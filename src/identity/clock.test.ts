/**
 * A clock that ran ahead for a year, and what was made in that future once it is right again: in the process and after
 * a restart.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { byId } from '../contract/kernel/common.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { MEDIA } from '../contract/kernel/surface.ts';
import { eachEngine } from '../lib/db/testing.ts';
import { identityMigrations } from './index.ts';
import { GOOD, mount, setUp, type World, openIdentityWorld, type WorldOptions } from './testing-world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const ITEM = 'a'.repeat(16);

const linked = {
  media: endpoint({
    method: 'GET',
    path: '/media/{id}',
    summary: 'bytes',
    surface: MEDIA,
    access: { role: 'viewer', via: 'stream', link: 'media' },
    params: byId,
    query: z.strictObject({ ticket: z.string().optional() }),
    result: z.strictObject({}),
  }),
  links: endpoint({
    method: 'POST',
    path: '/api/v1/probe/links',
    summary: 'a link',
    access: { role: 'viewer', via: 'library' },
    result: z.strictObject({ ticket: z.string(), expiresAt: z.number() }),
  }),
};
const more: WorldOptions['more'] = (identity) =>
  mount(linked, {
    media: () => ({}),
    links: (_given, { by }) => identity.makeTicket({ by, purpose: 'media', item: ITEM }),
  });

const signIn = async (w: World, body: object = {}) => {
  const reply = await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: GOOD, ...body } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return { token: String(reply.body['token']), cookie: `matinee=${reply.cookies['matinee'] ?? ''}` };
};
const status = async (w: World, path: string, asking: object, method = 'GET') =>
  (await w.call(method, path, asking)).status;
const makeKey = (w: World, token: string) =>
  w.call('POST', '/api/v1/api-keys', { token, body: { name: 'k', scopes: ['library'] } });

eachEngine(
  'what was made by a clock that ran ahead lives no longer than what is made now',
  identityMigrations,
  async (t, db) => {
    const before = await openIdentityWorld(t, { db, more });
    await setUp(before);
    before.clock.jump(YEAR);
    const { token } = await signIn(before);
    const { cookie } = await signIn(before, { transport: 'cookie' });
    const key = String((await makeKey(before, token)).body['secret']);
    const ticket = String((await before.call('POST', '/api/v1/probe/links', { token, body: {} })).body['ticket']);
    assert.equal(await status(before, `/media/${ITEM}?ticket=${ticket}`, {}), 200);
    before.clock.jump(-YEAR);

    // At once, in the same process: no proof of that future counts, and no link.
    assert.equal((await makeKey(before, token)).status, 403);
    assert.equal(await status(before, `/media/${ITEM}?ticket=${ticket}`, {}), 401);
    assert.equal(await status(before, '/api/v1/me', { token }), 200);

    const after = await before.again();
    const own = (await after.call('GET', '/api/v1/session', { token })).body as {
      createdAt: string;
      expiresAt: string;
      recentUntil?: string;
    };
    assert.equal(Date.parse(own.expiresAt), after.clock.now() + 30 * DAY);
    assert.ok(Date.parse(own.createdAt) <= after.clock.now());
    assert.equal(own.recentUntil, undefined);
    assert.equal((await makeKey(after, token)).status, 403);
    assert.equal(await status(after, `/media/${ITEM}?ticket=${ticket}`, {}), 401);
    assert.equal(await status(after, '/api/v1/session/step-up', { token, body: { password: GOOD } }, 'POST'), 200);
    assert.equal((await makeKey(after, token)).status, 201);
    const devices = (await after.call('GET', '/api/v1/devices', { token })).body['items'] as { lastSeenAt: string }[];
    for (const { lastSeenAt } of devices) assert.ok(Date.parse(lastSeenAt) <= after.clock.now());

    after.clock.pass(15 * MINUTE);
    assert.equal(await status(after, '/api/v1/me', { cookie }), 401, 'a cookie is idle after a quarter of an hour');
    after.clock.pass(30 * DAY - 15 * MINUTE - 1);
    assert.equal(await status(after, '/api/v1/me', { token: key }), 200);
    after.clock.pass(1);
    assert.deepEqual(
      [await status(after, '/api/v1/me', { token }), await status(after, '/api/v1/me', { token: key })],
      [401, 401],
    );
  },
);

test('a code spent in that future blocks none of now, and a step is still accepted once', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const secret = String((await w.call('POST', '/api/v1/me/mfa', { token, body: {} })).body['secret']);
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
      timestamp: w.clock.now(),
    });
  w.clock.jump(YEAR);
  // An enrolment waits by the monotonic clock: being set does not end it.
  assert.equal((await signIn(w)).token.startsWith('mat_ses_'), true);
  w.clock.jump(-YEAR);
  assert.equal(await status(w, '/api/v1/me/mfa', { token, body: { code: code() } }, 'PUT'), 204);
  w.clock.jump(YEAR);
  await signIn(w, { code: code() });
  w.clock.jump(-YEAR);
  w.clock.pass(MINUTE);
  await signIn(w, { code: code() });
  assert.equal(
    await status(w, '/api/v1/session', { body: { name: 'Ada', password: GOOD, code: code() } }, 'POST'),
    401,
  );
});

test('the throttle does not hold callers back until that future comes', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  w.clock.jump(YEAR);
  for (let n = 0; n < 12; n++)
    await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: 'a wrong password indeed' } });
  assert.equal(await status(w, '/api/v1/session', { body: { name: 'Ada', password: GOOD } }, 'POST'), 429);
  w.clock.jump(-YEAR);
  w.clock.pass(31 * MINUTE);
  await signIn(w);
});

test('a clock that does not know the time yet corrects nothing', async (t) => {
  const before = await openIdentityWorld(t);
  const token = await setUp(before);
  const key = String((await makeKey(before, token)).body['secret']);
  const right = before.clock.now();
  before.clock.jump(-right);
  const early = await before.again();
  early.clock.jump(right);
  assert.deepEqual(
    [await status(early, '/api/v1/me', { token }), await status(early, '/api/v1/me', { token: key })],
    [200, 200],
  );
});
