/** Set-up, sign-in, cookies, idleness and restarts, through the whole server. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownCertificate } from '../http/certificate.ts';
import { systemClock } from '../lib/clock.ts';
import { eachEngine } from '../lib/db/testing.ts';
import type { Database, Transaction } from '../lib/db/index.ts';
import { identityMigrations } from './index.ts';
import { HASHING_COST } from './passwords/hashing.ts';
import { GOOD, OTHER, setUp, makeViewer, openIdentityWorld, signInOutside, type World } from './testing-world.ts';

const SETUP = '/api/v1/setup';
const SESSION = '/api/v1/session';
const MINUTE = 60_000;

eachEngine('set-up makes the first owner once and is closed for good', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  assert.deepEqual((await w.call('GET', SETUP)).body, { required: true, staySignedIn: true });
  const made = await w.call('POST', SETUP, { body: { name: 'Ada', password: GOOD } });
  assert.equal(made.status, 201);
  assert.match(String(made.body['token']), /^mat_ses_[\w-]{43}$/);
  assert.equal((made.body['profile'] as { role: string }).role, 'owner');
  const token = String(made.body['token']);
  assert.equal((await w.call('GET', '/api/v1/me', { token })).status, 200);
  const again = await w.again();
  for (const { call } of [w, again]) {
    assert.deepEqual((await call('GET', SETUP)).body, { required: false, staySignedIn: true });
    assert.equal((await call('POST', SETUP, { body: { name: 'Eve', password: GOOD } })).status, 409);
    assert.equal((await call('GET', '/api/v1/me', { token })).status, 200);
  }
});

eachEngine('of set-ups at the same time exactly one wins', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const replies = await Promise.all(
    ['Ada', 'Eve', 'Mallory', 'Ada'].map((name) => w.call('POST', SETUP, { body: { name, password: GOOD } })),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  assert.equal(w.identity.profiles().length, 1);
  assert.equal((await (await w.again()).call('GET', SETUP)).body['required'], false);
});

eachEngine('two servers on one database: the mark lets only one set up', identityMigrations, async (t, db) => {
  const [one, two] = [await openIdentityWorld(t, { db }), await openIdentityWorld(t, { db })];
  const replies = await Promise.all(
    [one, two].map(({ call }, i) => call('POST', SETUP, { body: { name: `Owner ${i}`, password: GOOD } })),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
  assert.equal((await openIdentityWorld(t, { db })).identity.profiles().length, 1);
});

const emptied = async (db: Database): Promise<void> =>
  db.write('safe', async (tx) => {
    for (const table of ['identity_profile', 'identity_session', 'identity_device'])
      await tx.deleteFrom(table as never).execute();
  });
eachEngine('set-up stays closed when the profiles were removed by hand', identityMigrations, async (t, db) => {
  await setUp(await openIdentityWorld(t, { db }));
  await emptied(db);
  const w = await openIdentityWorld(t, { db });
  assert.deepEqual((await w.call('GET', SETUP)).body, { required: false, staySignedIn: true });
  assert.equal((await w.call('POST', SETUP, { body: { name: 'Eve', password: GOOD } })).status, 409);
  assert.equal(w.identity.findings()[0]?.level, 'error');
});

test('set-up is refused through a name that a stranger could point here, and from outside', async (t) => {
  const w = await openIdentityWorld(t);
  const body = { name: 'Eve', password: GOOD };
  for (const host of ['evil.example', 'rebind.evil.example:38128', '127.0.0.1.evil.example']) {
    assert.equal((await w.call('POST', SETUP, { body, host })).status, 403);
    assert.equal(
      (
        await w.call('POST', SETUP, {
          body,
          host,
          headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
        })
      ).status,
      403,
    );
  }
  assert.equal((await w.call('POST', SETUP, { body, address: '198.51.100.7' })).status, 404);
  w.settings.set('tls.hosts', ['media.example']);
  assert.equal((await w.call('POST', SETUP, { body, host: 'media.example' })).status, 201);
});

eachEngine(
  'the first run of the dashboard resumes where it was left, and no other',
  identityMigrations,
  async (t, db) => {
    const w = await openIdentityWorld(t, { db });
    const made = await w.call('POST', SETUP, { body: { name: 'Ada', password: GOOD, welcome: true } });
    const token = String(made.body['token']);
    const stepIn = async (world: World) =>
      ((await world.call('GET', '/api/v1/me', { token })).body['preferences'] as { welcome?: string }).welcome;
    assert.equal(await stepIn(w), 'libraries');
    const put = async (welcome: unknown) =>
      (await w.call('PUT', '/api/v1/me/preferences', { token, body: { welcome } })).status;
    // Minutes later, when no proof is recent any more.
    w.clock.pass(20 * 60_000);
    assert.equal(await put('scan'), 200);
    assert.equal(await stepIn(await w.again()), 'scan');
    assert.equal(await put('factor'), 400);
    assert.equal(await put(null), 200);
    assert.equal(await stepIn(await w.again()), undefined);
  },
);

test('set-up by a program begins no first run', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  const { preferences } = (await w.call('GET', '/api/v1/me', { token })).body as { preferences: object };
  assert.equal('welcome' in preferences, false);
});

test('set-up refuses weak passwords and stays open', async (t) => {
  const w = await openIdentityWorld(t);
  for (const password of ['password1234', 'Ada-2026-2026', '🦊🐻🐼🐨🐯🦁'])
    assert.equal((await w.call('POST', SETUP, { body: { name: 'Ada', password } })).status, 400);
  assert.deepEqual((await w.call('GET', SETUP)).body, { required: true, staySignedIn: true });
});

test('sign in, see oneself, sign out', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const signed = await w.call('POST', SESSION, { body: { name: ' aDA ', password: GOOD, device: 'Sofa' } });
  assert.equal(signed.status, 201);
  const token = String(signed.body['token']);
  const session = await w.call('GET', SESSION, { token });
  assert.equal(session.body['device'], 'Sofa');
  assert.equal(session.body['current'], true);
  assert.equal(session.body['expiresAt'], '2026-12-20T12:00:00.000Z');
  assert.equal((await w.call('DELETE', SESSION, { token })).status, 204);
  assert.equal((await w.call('GET', SESSION, { token })).status, 401);
  const [wrong, unknown] = [
    await w.call('POST', SESSION, { body: { name: 'Ada', password: OTHER } }),
    await w.call('POST', SESSION, { body: { name: 'Nobody', password: OTHER } }),
  ];
  assert.deepEqual([wrong.status, unknown.status], [401, 401]);
  assert.deepEqual(wrong.body, unknown.body);
});

test('a password is refused from outside the home', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  assert.equal(
    (await w.call('POST', SESSION, { address: '203.0.113.5', body: { name: 'Ada', password: GOOD } })).status,
    403,
  );
  assert.equal(
    (await w.call('POST', `${SESSION}/step-up`, { token, address: '203.0.113.5', body: { password: GOOD } })).status,
    401,
    'and a session from home is none there',
  );
  const { id } = await makeViewer(w, token, { remote: true });
  const away = await signInOutside(w, { owner: token, profile: id, address: '203.0.113.5' });
  const step = { token: away, address: '203.0.113.5', body: { password: OTHER } };
  assert.equal((await w.call('POST', `${SESSION}/step-up`, step)).body['reason'], 'password-at-home-only');
  assert.equal((await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).status, 201);
});

test('by cookie there is no token in the reply, and the cookie says who it is', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const signed = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, transport: 'cookie' } });
  assert.equal('token' in signed.body, false);
  const [device, session] = [signed.headers['set-cookie']]
    .flat()
    .map(String)
    .sort((a, b) => b.length - a.length);
  assert.match(
    String(device),
    /^matinee-device=mat_dev_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
  );
  assert.match(String(session), /^matinee=mat_ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/);
  const cookie = `matinee=${signed.cookies['matinee']}`;
  assert.equal((await w.call('GET', SESSION, { cookie })).body['kind'], 'cookie');
  // The cookie's token is no Bearer, and a Bearer is no cookie.
  assert.equal((await w.call('GET', SESSION, { token: String(signed.cookies['matinee']) })).status, 401);
  const token = String((await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).body['token']);
  assert.equal((await w.call('GET', SESSION, { cookie: `matinee=${token}` })).status, 401);
  // A request that another site sends is not the owner's.
  assert.equal((await w.call('DELETE', SESSION, { cookie, headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  const out = await w.call('DELETE', SESSION, { cookie });
  assert.equal(out.status, 204);
  assert.match(String(out.headers['set-cookie']), /^matinee=; .*Max-Age=0$/);
  assert.equal((await w.call('GET', SESSION, { cookie })).status, 401);
});

test('over TLS the cookies are bound to this host', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-identity-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const w = await openIdentityWorld(t, {
    tls: { own: await ownCertificate({ folder, hosts: [], clock: systemClock }) },
  });
  await setUp(w);
  const signed = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, transport: 'cookie' } });
  const set = [signed.headers['set-cookie']].flat().map(String).sort();
  assert.match(
    String(set[0]),
    /^__Host-matinee-device=mat_dev_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure$/,
  );
  assert.match(
    String(set[1]),
    /^__Host-matinee=mat_ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800; Secure$/,
  );
  const token = signed.cookies['__Host-matinee'];
  assert.equal((await w.call('GET', SESSION, { cookie: `__Host-matinee=${token}` })).status, 200);
  // A plain cookie could have been set by a neighbour on the same name without TLS.
  assert.equal((await w.call('GET', SESSION, { cookie: `matinee=${token}` })).status, 401);
});

test('a stale cookie counts as none on public endpoints, a wrong bearer is refused everywhere', async (t) => {
  const w = await openIdentityWorld(t);
  assert.equal((await w.call('GET', SETUP, { cookie: `matinee=mat_ses_${'A'.repeat(43)}` })).status, 200);
  for (const token of [
    `mat_ses_${'A'.repeat(43)}`,
    `mat_key_${'A'.repeat(43)}`,
    'x',
    'mat_ses_',
    `mat_tkt_${'A'.repeat(75)}`,
  ])
    assert.equal((await w.call('GET', SETUP, { token })).status, 401);
});

test('signing in again in a browser ends the session it came with', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const body = { name: 'Ada', password: GOOD, transport: 'cookie' };
  const first = await w.call('POST', SESSION, { body });
  const cookie = `matinee=${first.cookies['matinee']}; matinee-device=${first.cookies['matinee-device']}`;
  const second = await w.call('POST', SESSION, { body, cookie });
  assert.equal(second.status, 201);
  assert.equal('matinee-device' in second.cookies, false, 'a device keeps its token');
  assert.notEqual(second.cookies['matinee'], first.cookies['matinee']);
  assert.equal((await w.call('GET', SESSION, { cookie })).status, 401);
  assert.equal((await w.call('GET', SESSION, { cookie: `matinee=${second.cookies['matinee']}` })).status, 200);
});

test('a browser session ends after a quarter of an hour of silence and after eight hours in any case', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const sign = async () => {
    const { cookies } = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, transport: 'cookie' } });
    return `matinee=${cookies['matinee']}`;
  };
  const idle = await sign();
  w.clock.pass(15 * MINUTE - 1);
  assert.equal((await w.call('GET', SESSION, { cookie: idle })).status, 200);
  w.clock.pass(15 * MINUTE);
  assert.equal((await w.call('GET', SESSION, { cookie: idle })).status, 401);
  const busy = await sign();
  for (let i = 1; i < 48; i++) {
    w.clock.pass(10 * MINUTE);
    assert.equal((await w.call('GET', SESSION, { cookie: busy })).status, 200);
  }
  w.clock.pass(10 * MINUTE);
  assert.equal((await w.call('GET', SESSION, { cookie: busy })).status, 401);
});

test('a token lasts thirty days, idle or not', async (t) => {
  const w = await openIdentityWorld(t);
  const token = await setUp(w);
  w.clock.pass(30 * 86_400_000 - 1);
  assert.equal((await w.call('GET', SESSION, { token })).status, 200);
  w.clock.pass(1);
  assert.equal((await w.call('GET', SESSION, { token })).status, 401);
});

eachEngine(
  'after a restart everybody is who they were, and no secret is in the database',
  identityMigrations,
  async (t, db) => {
    const w = await openIdentityWorld(t, { db });
    const owner = await setUp(w);
    const { token } = await makeViewer(w, owner, {
      windows: [{ days: ['monday'], start: '10:00', end: '12:00', timeZone: 'UTC' }],
    });
    const key = String(
      (
        await w.call('POST', '/api/v1/api-keys', {
          token: owner,
          body: { name: 'scripts', scopes: ['library', 'admin'] },
        })
      ).body['secret'],
    );
    await w.call('PUT', '/api/v1/me/preferences', { token: owner, body: { subtitles: ['GER', 'eng'], theme: 'dark' } });
    // A language is removed by null, and kept by a change of something else.
    for (const [body, expected] of [
      [{ language: 'de' }, 'de'],
      [{ theme: 'dark' }, 'de'],
      [{ language: null }, undefined],
    ] as const)
      assert.equal((await w.call('PUT', '/api/v1/me/preferences', { token: owner, body })).body['language'], expected);
    assert.equal(
      (await w.call('PUT', '/api/v1/me/preferences', { token: owner, body: { audio: ['zz'] } })).status,
      400,
    );
    const again = await w.again();
    assert.equal((await again.call('GET', SESSION, { token: owner })).status, 200);
    assert.equal((await again.call('GET', '/api/v1/profiles', { token: key })).body['total'], 2);
    assert.equal((await again.call('GET', SESSION, { token })).status, 200);
    assert.deepEqual((await again.call('GET', '/api/v1/me', { token: owner })).body['preferences'], {
      audio: [],
      subtitles: ['de', 'en'],
      subtitleMode: 'automatic',
      theme: 'dark',
    });
    const rows: unknown[] = [];
    for (const table of [
      'identity_profile',
      'identity_session',
      'identity_key',
      'identity_device',
      'identity_mark',
      'activity_entry',
      'identity_removed',
    ]) {
      rows.push(
        ...(await db.tables<Record<string, Record<string, unknown>>>().selectFrom(table).selectAll().execute()),
      );
    }
    const text = JSON.stringify(rows);
    for (const secret of [GOOD, OTHER, owner, token, key]) assert.equal(text.includes(secret), false);
  },
);

test('names are one whatever their case, spacing and composition', async (t) => {
  const w = await openIdentityWorld(t);
  await w.call('POST', SETUP, { body: { name: 'Zoë  Straße'.normalize('NFD'), password: GOOD } });
  for (const name of ['zoë straße', 'ZOË STRASSE', 'Zoë Straße'.normalize('NFC')])
    assert.equal((await w.call('POST', SESSION, { body: { name, password: GOOD } })).status, 201, name);
});

test('a hash made at a lower cost is made again at the next sign-in', async (t) => {
  const w = await openIdentityWorld(t, { hashingCost: HASHING_COST });
  await setUp(w);
  // GOOD with m=64, t=1, p=1.
  const { argon2Sync } = await import('node:crypto');
  const tag = argon2Sync('argon2id', {
    message: GOOD,
    nonce: Buffer.alloc(16, 7),
    parallelism: 1,
    tagLength: 32,
    memory: 64,
    passes: 1,
  });
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const old = `$argon2id$v=19$m=64,t=1,p=1$${bare(Buffer.alloc(16, 7))}$${bare(tag)}`;
  const kept = () =>
    w.db
      .tables<{ identity_profile: { password: string } }>()
      .selectFrom('identity_profile')
      .select('password')
      .executeTakeFirstOrThrow();
  await w.db.write(
    'safe',
    async (tx: Transaction<{ identity_profile: { password: string } }>) =>
      void (await tx.updateTable('identity_profile').set({ password: old }).execute()),
  );
  const again = await w.again();
  assert.equal((await again.call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).status, 201);
  assert.match((await kept()).password, /m=19456,t=2,p=1/);
  assert.equal((await (await w.again()).call('POST', SESSION, { body: { name: 'Ada', password: GOOD } })).status, 201);
});
