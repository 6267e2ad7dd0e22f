/** Sessions and what they open hold on the network that they were opened on; the switch ends those from outside. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../lib/db/testing.ts';
import { identityMigrations } from './index.ts';
import { ITEM, makeHousehold, openProbedWorld, OUTSIDE } from './testing-access.ts';
import { makeViewer, openIdentityWorld, OTHER, setUp, signInOutside, type World } from './testing-world.ts';

const SESSION = '/api/v1/session';
const HOUR = 3_600_000;
const statusOf = async (w: World, token: string, address?: string): Promise<number> =>
  (await w.call('GET', SESSION, { token, ...(address !== undefined && { address }) })).status;

/** The caller that pressed the switch, as its endpoint has it. */
const owner = (w: World) => {
  const { id = '', name = '' } = w.identity.profiles().find(({ role }) => role === 'owner') ?? {};
  return { profile: id, name } as Parameters<typeof w.identity.operations.killSwitch.cut>[0];
};

test('a session holds only on the network that it was opened on, as a token, as a cookie and as a link', async (t) => {
  const w = await openProbedWorld(t);
  const { owner: ada, id, token: home } = await makeHousehold(w);
  const away = await signInOutside(w, { owner: ada, profile: id, address: OUTSIDE });
  assert.deepEqual([await statusOf(w, home), await statusOf(w, home, OUTSIDE)], [200, 401]);
  assert.deepEqual([await statusOf(w, away, OUTSIDE), await statusOf(w, away)], [200, 401]);
  const [ofHome, ofAway] = [await w.link(home), await w.link(away, ITEM, OUTSIDE)];
  assert.deepEqual([await w.media(ofHome), await w.media(ofHome, { address: OUTSIDE })], [200, 401]);
  assert.deepEqual([await w.media(ofAway, { address: OUTSIDE }), await w.media(ofAway)], [200, 401]);
  const signed = await w.call('POST', SESSION, { body: { name: 'Vic', password: OTHER, transport: 'cookie' } });
  const cookie = `matinee=${signed.cookies['matinee']}; matinee-device=${signed.cookies['matinee-device']}`;
  assert.equal((await w.call('GET', SESSION, { cookie })).status, 200);
  assert.equal((await w.call('GET', SESSION, { cookie, address: OUTSIDE })).status, 401);
  assert.equal((await w.call('GET', SESSION, { cookie })).status, 200, 'and is not ended by it');
});

test('a browser that stays signed in is not taken for a copied one when it comes from the other network', async (t) => {
  const w = await openIdentityWorld(t);
  await makeViewer(w, await setUp(w), { remote: true });
  const body = { name: 'Vic', password: OTHER, transport: 'cookie', remember: true };
  const signed = await w.call('POST', SESSION, { body });
  const jar = (set: Record<string, string>) =>
    `matinee=${set['matinee']}; matinee-device=${signed.cookies['matinee-device']}`;
  w.clock.pass(2 * HOUR);
  const renewed = await w.call('GET', '/api/v1/me', { cookie: jar(signed.cookies) });
  assert.ok(renewed.cookies['matinee'], 'its token is replaced');
  await w.call('GET', '/api/v1/me', { cookie: jar(renewed.cookies) });
  w.clock.pass(HOUR / 2);
  // The replaced token at home would end the session; from outside it means nothing.
  assert.equal((await w.call('GET', '/api/v1/me', { cookie: jar(signed.cookies), address: OUTSIDE })).status, 401);
  assert.equal((await w.call('GET', '/api/v1/me', { cookie: jar(renewed.cookies) })).status, 200);
});

test('an API key is refused outside, and its links are none there', async (t) => {
  const w = await openProbedWorld(t);
  const { key } = await makeHousehold(w);
  const { secret } = await key(['library', 'stream']);
  assert.equal((await w.call('GET', `/media/${ITEM}`, { token: secret })).status, 200);
  for (const path of [`/media/${ITEM}`, '/api/v1/me', '/api/v1/session/ways']) {
    const reply = await w.call('GET', path, { token: secret, address: OUTSIDE });
    assert.deepEqual([reply.status, reply.body['reason']], [403, 'key-at-home-only'], path);
  }
  assert.equal((await w.call('GET', '/api/v1/me', { token: `${secret}x`, address: OUTSIDE })).status, 401);
  const link = await w.link(secret);
  assert.deepEqual([await w.media(link), await w.media(link, { address: OUTSIDE })], [200, 401]);
});

test('from outside an Owner is a Viewer who sees everything', async (t) => {
  const w = await openProbedWorld(t);
  const { owner: ada } = await makeHousehold(w);
  const { profile } = (await w.call('GET', SESSION, { token: ada })).body as { profile: { id: string } };
  const token = await signInOutside(w, { owner: ada, profile: profile.id, address: OUTSIDE });
  const seen = await w.call('GET', `/media/${ITEM}`, { token, address: OUTSIDE });
  assert.deepEqual([seen.status, seen.body['libraries']], [200, 'all']);
  const by = await w.identity.identify({
    ...{ bearer: token, cookie: undefined, ticket: undefined },
    from: { address: OUTSIDE, network: 'public', isSecure: true, host: '', userAgent: undefined, device: undefined },
  });
  assert.equal(by && 'role' in by && by.role, 'viewer');
  assert.equal((await w.call('GET', '/api/v1/profiles', { token, address: OUTSIDE })).status, 404);
});

test('sessions from outside last eight hours, and of eleven the oldest ends', async (t) => {
  const w = await openIdentityWorld(t);
  const ada = await setUp(w);
  const { id, token: home } = await makeViewer(w, ada, { remote: true });
  const opened: string[] = [];
  for (let n = 0; n < 11; n++) {
    w.clock.pass(1_000);
    opened.push(await signInOutside(w, { owner: ada, profile: id, address: OUTSIDE }));
    // The first is used most, and ends all the same.
    await statusOf(w, opened[0] ?? '', OUTSIDE);
  }
  w.clock.pass(1_000);
  const statuses = await Promise.all(opened.map((token) => statusOf(w, token, OUTSIDE)));
  assert.deepEqual(statuses, [401, ...Array.from({ length: 10 }, () => 200)]);
  assert.equal(await statusOf(w, home), 200, 'those from home are not counted');
  w.clock.pass(8 * HOUR - 2_000);
  assert.equal(await statusOf(w, opened[10] ?? '', OUTSIDE), 200);
  w.clock.pass(1_000);
  assert.equal(await statusOf(w, opened[10] ?? '', OUTSIDE), 401);
});

eachEngine(
  'the switch is one transaction, holds over restarts, and revives nothing',
  identityMigrations,
  async (t, db) => {
    const w = await openIdentityWorld(t, { db });
    const ada = await setUp(w);
    const { id, token: home } = await makeViewer(w, ada, { remote: true });
    const away = await signInOutside(w, { owner: ada, profile: id, address: OUTSIDE });
    const waiting = await w.call('POST', '/api/v1/quick-connect', { body: {}, address: OUTSIDE });
    const approved = await w.call('POST', '/api/v1/quick-connect', { body: {}, address: OUTSIDE });
    await w.call('POST', `/api/v1/quick-connect/${String(approved.body['code'])}`, {
      token: ada,
      body: { profile: id },
    });
    const atHome = await w.call('POST', '/api/v1/quick-connect', { body: {} });
    const { killSwitch } = w.identity.operations;
    assert.equal(killSwitch.cutAt(), undefined);
    await killSwitch.cut(owner(w));
    assert.equal(killSwitch.cutAt(), w.clock.now());
    assert.deepEqual([await statusOf(w, away, OUTSIDE), await statusOf(w, home)], [401, 200]);
    const take = async (begun: Record<string, unknown>, address?: string) =>
      (
        await w.call('POST', '/api/v1/quick-connect/token', {
          body: { secret: begun['secret'] },
          ...(address !== undefined && { address }),
        })
      ).status;
    assert.deepEqual(
      [await take(waiting.body, OUTSIDE), await take(approved.body, OUTSIDE), await take(atHome.body)],
      [404, 404, 202],
    );
    const again = await w.again();
    assert.ok(again.identity.operations.killSwitch.cutAt());
    assert.equal(await statusOf(again, away, OUTSIDE), 401);
    await again.identity.operations.killSwitch.allow(owner(again));
    assert.equal(again.identity.operations.killSwitch.cutAt(), undefined);
    assert.equal(await statusOf(again, away, OUTSIDE), 401);
    assert.equal((await w.again()).identity.operations.killSwitch.cutAt(), undefined);
  },
);

test('a sign-in from outside that is under way when access is cut opens nothing', async (t) => {
  const w = await openIdentityWorld(t);
  const ada = await setUp(w);
  const { id } = await makeViewer(w, ada, { remote: true });
  const begun = await w.call('POST', '/api/v1/quick-connect', { body: {}, address: OUTSIDE });
  await w.call('POST', `/api/v1/quick-connect/${String(begun.body['code'])}`, { token: ada, body: { profile: id } });
  // Both are asked for at once; whichever is first, there is no session from outside afterwards.
  const [taken] = await Promise.all([
    w.call('POST', '/api/v1/quick-connect/token', { body: { secret: begun.body['secret'] }, address: OUTSIDE }),
    w.identity.operations.killSwitch.cut(owner(w)),
  ]);
  await w.identity.operations.killSwitch.allow(owner(w));
  assert.equal(await statusOf(w, String(taken.body['token']), OUTSIDE), 401);
});

test('while access is cut, a forwarded home port opens no session either', async (t) => {
  const w = await openIdentityWorld(t);
  const ada = await setUp(w);
  const { id } = await makeViewer(w, ada, { remote: true });
  await w.identity.operations.killSwitch.cut(owner(w));
  const begun = await w.call('POST', '/api/v1/quick-connect', { body: {}, address: OUTSIDE });
  await w.call('POST', `/api/v1/quick-connect/${String(begun.body['code'])}`, { token: ada, body: { profile: id } });
  const taken = await w.call('POST', '/api/v1/quick-connect/token', {
    body: { secret: begun.body['secret'] },
    address: OUTSIDE,
  });
  assert.deepEqual([taken.status, taken.body['reason']], [403, 'remote-cut']);
});
