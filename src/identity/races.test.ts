/**
 * Rules that must hold when things happen at the same time. Each race is run as things are, and once more without the
 * lock on changes: then it must be lost, or the test proves nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { GOOD, OTHER, setUp, makeViewer, openIdentityWorld, type World } from './testing-world.ts';

const PROFILES = '/api/v1/profiles';
const SESSION = '/api/v1/session';

const RACES: [name: string, holds: (w: World) => Promise<boolean>][] = [
  [
    'the last two owners demote each other',
    async (w) => {
      const ada = await setUp(w);
      const bob = await w.call('POST', PROFILES, { token: ada, body: { name: 'Bob', password: OTHER, role: 'owner' } });
      const token = String((await w.call('POST', SESSION, { body: { name: 'Bob', password: OTHER } })).body['token']);
      const own = (await w.call('GET', '/api/v1/me', { token: ada })).body['profile'] as { id: string };
      const demote = (id: string, by: string) =>
        w.call('PUT', `${PROFILES}/${id}`, { token: by, body: { role: 'viewer' } });
      w.meet(2);
      await Promise.all([demote(String(bob.body['id']), ada), demote(own.id, token)]);
      return w.identity.profiles().some(({ role }) => role === 'owner');
    },
  ],
  [
    'one code opens two sessions',
    async (w) => {
      const token = await setUp(w);
      const secret = String((await w.call('POST', '/api/v1/me/mfa', { token, body: {} })).body['secret']);
      const code = () =>
        new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
          timestamp: w.clock.now(),
        });
      await w.call('PUT', '/api/v1/me/mfa', { token, body: { code: code() } });
      w.clock.pass(30_000);
      const body = { name: 'Ada', password: GOOD, code: code() };
      w.meet(4);
      const replies = await Promise.all(Array.from({ length: 4 }, () => w.call('POST', SESSION, { body })));
      return replies.filter(({ status }) => status === 201).length === 1;
    },
  ],
  [
    'two profiles take one name',
    async (w) => {
      const token = await setUp(w);
      const vic = await makeViewer(w, token);
      const una = await makeViewer(w, token, {}, 'Una');
      w.meet(2);
      const replies = await Promise.all(
        [vic, una].map(({ id }) => w.call('PUT', `${PROFILES}/${id}`, { token, body: { name: 'Max' } })),
      );
      return (
        replies
          .map(({ status }) => status)
          .sort()
          .join() === '200,409'
      );
    },
  ],
];
for (const [name, holds] of RACES) {
  test(`at the same time: ${name} — refused`, async (t) => assert.equal(await holds(await openIdentityWorld(t)), true));
  test(`at the same time: ${name} — and would be without the lock`, async (t) =>
    assert.equal(await holds(await openIdentityWorld(t, { isUnlocked: true })), false));
}

test('a sign-in with an unknown name hashes like one with the name of an account', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  // Eighteen are admitted at a time; further callers are refused, which shows that the others were really hashing.
  const turnedAway = async (name: (i: number) => string) => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        w.call('POST', SESSION, { address: `10.${name(0).length}.${i}.1`, body: { name: name(i), password: OTHER } }),
      ),
    );
    return replies.filter(({ status, body }) => status === 429 && body['retryAfterSeconds'] === 2).length;
  };
  assert.ok((await turnedAway((i) => `Nobody ${i}`)) > 0);
  w.clock.pass(3_600_000);
  assert.equal((await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).status, 201);
});
