/** Profiles, sessions, devices and the throttle on signing in, through the whole server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../../lib/db/testing.ts';
import type { Role } from '../../contract/kernel/endpoint.ts';
import { NEW_VIEWER, OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { identityMigrations } from '../index.ts';
import { GOOD, OTHER, setUp, makeViewer, openIdentityWorld, type World } from '../testing-world.ts';

const PROFILES = '/api/v1/profiles';
const SESSION = '/api/v1/session';
const SHUT = [{ days: ['monday'], start: '10:00', end: '12:00', timeZone: 'UTC' }];

const idOf = async (w: World, token: string): Promise<string> =>
  ((await w.call('GET', '/api/v1/me', { token })).body['profile'] as { id: string }).id;
const make = (w: World, token: string, name: string, role: Role = 'viewer') =>
  w.call('POST', PROFILES, { token, body: { name, password: OTHER, role } });

test('a new viewer starts with nothing, a new owner with everything', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const vic = await make(w, token, 'Vic');
  assert.equal(vic.status, 201);
  assert.deepEqual(vic.body['policy'], NEW_VIEWER);
  assert.deepEqual((await make(w, token, 'Olga', 'owner')).body['policy'], OWNER_POLICY);
  assert.equal((await w.call('GET', PROFILES, { token })).body['total'], 3);
  assert.equal((await w.call('GET', `${PROFILES}/${String(vic.body['id'])}`, { token })).body['name'], 'Vic');
  assert.equal((await w.call('GET', `${PROFILES}/aaaaaaaaaaaaaaaa`, { token })).status, 404);
});

test('another role begins with what that role begins with, and with nothing proved', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const as = (role: Role) => w.call('PUT', `${PROFILES}/${id}`, { token: owner, body: { role } });
  assert.deepEqual((await as('owner')).body['policy'], OWNER_POLICY);
  const refused = await make(w, token, 'Una');
  assert.deepEqual([refused.status, refused.body['stepUpRequired']], [403, true]);
  assert.deepEqual((await as('viewer')).body['policy'], NEW_VIEWER);
  assert.equal((await w.call('GET', PROFILES, { token })).status, 403);
});

eachEngine('a name is taken once, whatever its case, also at the same time', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const token = await setUp(w);
  const replies = await Promise.all(['Vic', 'VIC', ' vic ', 'Vic'].map((name) => make(w, token, name)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const una = await make(w, token, 'Una');
  const rename = (name: string) => w.call('PUT', `${PROFILES}/${String(una.body['id'])}`, { token, body: { name } });
  assert.equal((await rename('aDa')).status, 409);
  assert.equal((await rename('UNA')).status, 200);
  assert.equal((await rename('Vera')).status, 200);
  assert.equal((await make(w, token, 'una')).status, 201, 'a name that was given up is free');
});

eachEngine('the last two owners demote each other at the same time: one remains', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const ada = await setUp(w);
  const bob = await make(w, ada, 'Bob', 'owner');
  const token = String((await w.call('POST', SESSION, { body: { name: 'Bob', password: OTHER } })).body['token']);
  const [adaId, bobId] = [await idOf(w, ada), String(bob.body['id'])];
  const replies = await Promise.all([
    w.call('PUT', `${PROFILES}/${bobId}`, { token: ada, body: { role: 'viewer' } }),
    w.call('PUT', `${PROFILES}/${adaId}`, { token, body: { role: 'viewer' } }),
    w.call('DELETE', `${PROFILES}/${adaId}`, { token }),
    w.call('DELETE', `${PROFILES}/${bobId}`, { token: ada }),
  ]);
  assert.ok(replies.some(({ status }) => status < 300));
  for (const { identity } of [w, await w.again()])
    assert.equal(identity.profiles().filter(({ role }) => role === 'owner').length, 1);
});

test('the last owner can neither be demoted, removed nor shut out by the hour', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  await makeViewer(w, token);
  const id = await idOf(w, token);
  assert.equal((await w.call('PUT', `${PROFILES}/${id}`, { token, body: { role: 'viewer' } })).status, 409);
  assert.equal((await w.call('DELETE', `${PROFILES}/${id}`, { token })).status, 409);
  assert.equal(
    (await w.call('PUT', `${PROFILES}/${id}`, { token, body: { policy: { ...OWNER_POLICY, windows: SHUT } } })).status,
    409,
  );
  assert.equal(
    (await w.call('PUT', `${PROFILES}/${id}`, { token, body: { policy: { ...OWNER_POLICY, download: false } } }))
      .status,
    200,
  );
});

test('a policy that cannot be evaluated is refused', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id } = await makeViewer(w, owner);
  const put = (policy: object) =>
    w.call('PUT', `${PROFILES}/${id}`, { token: owner, body: { policy: { ...NEW_VIEWER, ...policy } } });
  assert.equal(
    (await put({ windows: [{ days: ['monday'], start: '10:00', end: '12:00', timeZone: 'Mars/Olympus' }] })).status,
    400,
  );
  assert.equal(
    (await put({ windows: [{ days: ['monday'], start: '24:00', end: '12:00', timeZone: 'UTC' }] })).status,
    400,
  );
  assert.equal((await put({ libraries: ['../etc'] })).status, 400);
  assert.equal((await put({ libraries: ['0123456789abcdef'] })).status, 200);
});

eachEngine(
  'a removed profile takes all that is its own along, and the domains above learn of it',
  identityMigrations,
  async (t, db) => {
    const w = await openIdentityWorld(t, { db });
    const owner = await setUp(w);
    const [vic, una] = [await makeViewer(w, owner), await makeViewer(w, owner, {}, 'Una')];
    for (const { id } of [vic, una])
      assert.equal((await w.call('DELETE', `${PROFILES}/${id}`, { token: owner })).status, 204);
    assert.equal((await w.call('GET', SESSION, { token: vic.token })).status, 401);
    assert.equal((await w.call('POST', SESSION, { body: { name: 'Vic', password: OTHER } })).status, 401);
    assert.equal(w.identity.policyOf(vic.id), undefined);
    const removedFor = async (domain: string) => (await w.identity.removedFor(domain)).map(({ profile }) => profile);
    assert.deepEqual(await removedFor('catalog'), [vic.id, una.id]);
    const [first] = await w.identity.removedFor('catalog');
    await assert.rejects(
      db.write('safe', async (tx) => {
        await first?.commitCursor(tx);
        throw new Error('undone');
      }),
    );
    assert.deepEqual(await removedFor('catalog'), [vic.id, una.id], 'the cursor is undone with the work');
    await db.write('safe', async (tx) => first?.commitCursor(tx));
    assert.deepEqual([await removedFor('catalog'), await removedFor('playback')], [[una.id], [vic.id, una.id]]);
    for (const table of ['identity_session', 'identity_device']) {
      const rows = await db.tables<Record<string, { profile: string }>>().selectFrom(table).select('profile').execute();
      assert.equal(
        rows.some(({ profile }) => profile === vic.id || profile === una.id),
        false,
      );
    }
  },
);

test('an owner sets a password: that profile is signed out, the owner is not', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const set = (of: string, password: string) =>
    w.call('PUT', `${PROFILES}/${of}/password`, { token: owner, body: { password } });
  assert.equal((await set(id, 'vic-vic-vic-vic')).status, 400);
  assert.equal((await set(id, 'nine slow green garden snails')).status, 204);
  assert.equal((await w.call('GET', SESSION, { token })).status, 401);
  assert.equal(
    (await w.call('POST', SESSION, { body: { name: 'Vic', password: 'nine slow green garden snails' } })).status,
    201,
  );
  assert.equal((await set(await idOf(w, owner), 'nine slow green garden snails')).status, 204);
  assert.equal((await w.call('GET', SESSION, { token: owner })).status, 200);
  assert.equal((await set('aaaaaaaaaaaaaaaa', 'nine slow green garden snails')).status, 404);
});

test('sessions and devices are listed with what is known of them', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await makeViewer(w, owner);
  const signed = await w.call('POST', SESSION, {
    body: { name: 'Vic', password: OTHER, transport: 'cookie' },
    headers: agent,
  });
  const device = `matinee-device=${signed.cookies['matinee-device']}`;
  await w.call('POST', SESSION, {
    body: { name: 'Vic', password: OTHER, transport: 'cookie' },
    cookie: device,
    headers: agent,
  });
  const shared = await w.call('POST', SESSION, {
    body: { name: 'Ada', password: GOOD, device: 'Sofa' },
    cookie: device,
  });
  assert.equal('matinee-device' in shared.cookies, false, 'one browser, one token, two profiles');
  const sessions = (await w.call('GET', '/api/v1/sessions', { token: owner })).body['items'] as {
    device: string;
    current: boolean;
    profile: { name: string };
  }[];
  assert.equal(sessions.length, 5);
  assert.deepEqual(sessions.filter(({ current }) => current).length, 1);
  assert.deepEqual(sessions.map((one) => `${one.profile.name} ${one.device}`).sort(), [
    'Ada Sofa',
    'Ada Unnamed device',
    'Vic Firefox on Linux',
    'Vic Firefox on Linux',
    'Vic Unnamed device',
  ]);
  const devices = (await w.call('GET', '/api/v1/devices', { token: owner })).body['items'] as {
    name: string;
    sessions: number;
    profile: string;
  }[];
  assert.deepEqual(devices.map((one) => `${one.profile} ${one.name} ${one.sessions}`).sort(), [
    'Ada Sofa 1',
    'Ada Unnamed device 1',
    'Vic Firefox on Linux 2',
    'Vic Unnamed device 1',
  ]);
  assert.equal((await w.call('DELETE', '/api/v1/devices/aaaaaaaaaaaaaaaa', { token: owner })).status, 404);
  assert.equal((await w.call('DELETE', '/api/v1/sessions', { token: owner })).status, 204);
  assert.equal((await w.call('GET', '/api/v1/sessions', { token: owner })).body['total'], 1);
});

test('ten failures hold a network back, with Retry-After, and a success does not clear them', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const sign = (password: string, address = '192.168.1.20') =>
    w.call('POST', SESSION, { address, body: { name: 'Ada', password } });
  for (let i = 0; i < 9; i++) assert.equal((await sign(OTHER, `192.168.1.${i}`)).status, 401);
  assert.equal((await sign(GOOD)).status, 201);
  assert.equal((await sign(OTHER)).status, 401);
  const held = await sign(GOOD);
  assert.deepEqual([held.status, held.body['retryAfterSeconds'], held.headers['retry-after']], [429, 60, '60']);
  w.clock.pass(60_000);
  assert.equal((await sign(GOOD)).status, 201);
});

test('a forwarded address is not believed', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const sign = (i: number) =>
    w.call('POST', SESSION, {
      body: { name: 'Ada', password: OTHER },
      headers: { 'x-forwarded-for': `192.168.${i}.1`, forwarded: `for=10.0.${i}.1`, 'x-real-ip': `10.1.${i}.1` },
    });
  for (let i = 0; i < 10; i++) assert.equal((await sign(i)).status, 401);
  assert.equal((await sign(11)).status, 429);
});

test('guesses from everywhere hold an account back for strangers, and not for its own devices', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const own = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, transport: 'cookie' } });
  const cookie = `matinee-device=${own.cookies['matinee-device']}`;
  for (let i = 0; i < 10; i++)
    assert.equal(
      (await w.call('POST', SESSION, { address: `10.0.${i}.1`, body: { name: 'ADA', password: OTHER } })).status,
      401,
    );
  const stranger = (address: string) => w.call('POST', SESSION, { address, body: { name: 'Ada', password: GOOD } });
  assert.equal((await stranger('10.9.9.9')).status, 429);
  assert.equal(
    (await w.call('POST', SESSION, { address: '10.0.1.1', cookie, body: { name: 'Ada', password: GOOD } })).status,
    201,
  );
  // Another account from another network is not held back.
  assert.equal(
    (await w.call('POST', SESSION, { address: '10.9.9.9', body: { name: 'Nobody', password: OTHER } })).status,
    401,
  );
  // A device that another profile knows, or a made-up one, is a stranger's.
  assert.equal(
    (
      await w.call('POST', SESSION, {
        address: '10.8.8.8',
        cookie: `matinee-device=mat_dev_${'A'.repeat(43)}`,
        body: { name: 'Ada', password: GOOD },
      })
    ).status,
    429,
  );
});

test('unknown names are held back like those of accounts', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const statuses = async (name: string) => {
    const out: unknown[] = [];
    for (let i = 0; i < 12; i++) {
      const { status, body } = await w.call('POST', SESSION, {
        address: `10.${name.length}.${i}.1`,
        body: { name, password: OTHER },
      });
      out.push(status, body);
    }
    return out;
  };
  assert.deepEqual(await statuses('Ada'), await statuses('Nobody'));
});

test('a planted device token is not taken over as a device of the one who signs in', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const planted = `mat_dev_${'B'.repeat(43)}`;
  const signed = await w.call('POST', SESSION, {
    cookie: `matinee-device=${planted}`,
    body: { name: 'Ada', password: GOOD },
  });
  assert.match(String(signed.cookies['matinee-device']), /^mat_dev_/);
  assert.notEqual(signed.cookies['matinee-device'], planted);
});

eachEngine(
  'what happened is recorded, without names or secrets, and forgotten in time',
  identityMigrations,
  async (t, db) => {
    const w = await openIdentityWorld(t, { db });
    const owner = await setUp(w);
    await w.call('POST', SESSION, { body: { name: 'Ada', password: OTHER } });
    w.clock.pass(1_000);
    const { id } = await makeViewer(w, owner);
    await w.call('DELETE', `${PROFILES}/${id}`, { token: owner });
    const all = await w.identity.happened({ limit: 50 });
    assert.deepEqual(all.map(({ kind, outcome }) => `${kind} ${outcome}`).sort(), [
      'device-added done',
      'device-added done',
      'profile-created done',
      'profile-removed done',
      'set-up done',
      'sign-in done',
      'sign-in refused',
    ]);
    for (const secret of ['Ada', 'Vic', GOOD, OTHER, owner]) assert.equal(JSON.stringify(all).includes(secret), false);
    w.clock.pass(365 * 86_400_000);
    const again = await w.again();
    assert.deepEqual(await again.identity.happened({ limit: 50 }).then((rows) => rows.map(({ kind }) => kind).sort()), [
      'device-added',
      'profile-created',
      'profile-removed',
      'sign-in',
    ]);
    w.clock.pass(1_001);
    assert.deepEqual(await (await w.again()).identity.happened({ limit: 50 }), []);
  },
);

eachEngine('last uses are written on the way out', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const owner = await setUp(w);
  const key = (await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes: ['library'] } }))
    .body as { secret: string };
  w.clock.pass(5_000);
  for (const token of [key.secret, owner]) assert.equal((await w.call('GET', '/api/v1/me', { token })).status, 200);
  await w.identity.close();
  const again = await w.again();
  const [shown] = (await again.call('GET', '/api/v1/api-keys', { token: owner })).body['items'] as {
    lastUsedAt: string;
  }[];
  assert.equal(shown?.lastUsedAt, '2026-11-20T12:00:05.000Z');
  const [device] = (await again.call('GET', '/api/v1/devices', { token: owner })).body['items'] as {
    lastSeenAt: string;
  }[];
  assert.equal(device?.lastSeenAt, '2026-11-20T12:00:05.000Z');
});

test('what an owner should know is found', async (t) => {
  const w = await openIdentityWorld(t);
  assert.match(String(w.identity.findings()[0]?.sentence), /There is no Owner yet/);
  await setUp(w);
  assert.deepEqual(
    w.identity.findings().map(({ setting }) => setting),
    ['security.require_mfa'],
  );
  for (let i = 0; i < 11; i++) await w.call('POST', SESSION, { body: { name: 'Ada', password: OTHER } });
  assert.equal(w.identity.findings().length, 2);
});
