/**
 * Users that leave: deactivated or removed by the directory, no sign-in method opens their Profile, what was open ends
 * at once, and a removed one comes back with the same external id or is deleted after 30 days.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { PLAYERS } from '../contract/kernel/access.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { eachEngine } from '../lib/db/testing.ts';
import { until } from '../../test/until.ts';
import { identityMigrations } from '../identity/index.ts';
import { createTestIssuer, outsideSettings } from '../identity/outside/oidc/testing-issuer.ts';
import { linkAt, profileOf, signInAt } from '../identity/outside/testing-flows.ts';
import { addPasskey, signInWith } from '../identity/passkeys/testing-ceremonies.ts';
import { fakeIdentityClock, makeViewer, mount, OTHER, type WorldOptions } from '../identity/testing-world.ts';
import { openDirectoryWorld, patchOf, type DirectoryWorld, userOf } from './testing-directory.ts';

const DAY_MS = 86_400_000;
const probes = {
  events: endpoint({
    method: 'GET',
    path: '/api/v1/probe/events',
    summary: 'Events',
    access: PLAYERS,
    result: { events: z.strictObject({}) },
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/v1/probe/link',
    summary: 'A link',
    access: PLAYERS,
    result: z.strictObject({ ticket: z.string() }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/probe/{id}',
    summary: 'An item',
    access: { ...PLAYERS, link: 'media' },
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ ticket: z.string().optional() }),
    result: z.strictObject({}),
  }),
};
const ITEM = 'a'.repeat(16);
/** Called when a stream of events is open. */
let streamOpened = (): void => {};
const more: NonNullable<WorldOptions['more']> = (identity) =>
  mount(probes, {
    events: async function* (_given: unknown, { signal }: { signal: AbortSignal }) {
      streamOpened();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      yield* [];
    },
    link: (_given: unknown, { by }: { by: Parameters<typeof identity.makeTicket>[0]['by'] }) => ({
      ticket: identity.makeTicket({ by, purpose: 'media', item: ITEM }).ticket,
    }),
    read: () => ({}),
  } as never);

/** Opens a server with an identity provider and a user with every sign-in method. */
async function openHouse(t: TestContext, db?: WorldOptions['db']) {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIssuer(clock);
  const world = await openDirectoryWorld(t, {
    clock,
    ...(db && { db }),
    net: issuer.net,
    more,
    settings: Object.fromEntries(outsideSettings()),
  });
  const { w, owner, make } = world;
  const id = await make('eve@example.org', { displayName: 'Eve', externalId: 'eve-sub' });
  // An Owner may give the Profile further sign-in methods.
  await w.call('PUT', `/api/v1/profiles/${id}/password`, { token: owner, body: { password: OTHER } });
  return { ...world, issuer, id };
}
type House = Awaited<ReturnType<typeof openHouse>>;

const signIn = ({ w }: House) => w.call('POST', '/api/v1/session', { body: { name: 'Eve', password: OTHER } });
const tokenOf = async (house: House): Promise<string> => String((await signIn(house)).body['token']);
const deactivate = ({ ask, id }: House) =>
  ask('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }));
const remove = ({ ask, id }: House) => ask('DELETE', `/Users/${id}`);

/** Prepares a sign-in method while the user is active, and returns whether it opens the Profile. */
type WayIn = (house: House) => Promise<() => Promise<boolean>>;

const WAYS: Readonly<Record<string, WayIn>> = {
  'the password': async (house) => async () => (await signIn(house)).status === 201,
  'a session': async (house) => {
    const token = await tokenOf(house);
    return async () => (await house.w.call('GET', '/api/v1/me', { token })).status === 200;
  },
  'a signed link': async (house) => {
    const token = await tokenOf(house);
    const { body } = await house.w.call('POST', '/api/v1/probe/link', { token, body: {} });
    const path = `/api/v1/probe/${ITEM}?ticket=${encodeURIComponent(String(body['ticket']))}`;
    return async () => (await house.w.call('GET', path)).status === 200;
  },
  'the external id at the identity provider': async (house) => {
    house.issuer.person = { sub: 'eve-sub', name: 'Eve' };
    return async () => (await profileOf(house.w, (await signInAt(house.w, house.issuer)).session)) === 'Eve';
  },
  'a passkey': async (house) => {
    const { passkey } = await addPasskey(house.w, await tokenOf(house));
    return async () => (await signInWith(house.w, passkey)).status === 201;
  },
  'Quick Connect that an Owner approves': async (house) => {
    const { w, owner, id } = house;
    return async () => {
      const { body } = await w.call('POST', '/api/v1/quick-connect', { body: {} });
      await w.call('POST', `/api/v1/quick-connect/${String(body['code'])}`, { token: owner, body: { profile: id } });
      return (await w.call('POST', '/api/v1/quick-connect/token', { body: { secret: body['secret'] } })).status === 201;
    };
  },
  'Quick Connect that was approved before': async ({ w, owner, id }) => {
    const { body } = await w.call('POST', '/api/v1/quick-connect', { body: {} });
    await w.call('POST', `/api/v1/quick-connect/${String(body['code'])}`, { token: owner, body: { profile: id } });
    return async () =>
      (await w.call('POST', '/api/v1/quick-connect/token', { body: { secret: body['secret'] } })).status === 201;
  },
  'a household device': async ({ w, owner, id }) => {
    const approved = await w.call('POST', '/api/v1/household/devices', {
      token: owner,
      body: { name: 'Tablet', profiles: [{ id, opens: 'nothing' }] },
    });
    assert.equal(approved.status, 201, JSON.stringify(approved.body));
    const cookie = `matinee-household=${approved.cookies['matinee-household'] ?? ''}`;
    return async () => (await w.call('POST', '/api/v1/household/open', { cookie, body: { id } })).status === 201;
  },
};

for (const [way, prepare] of Object.entries(WAYS))
  for (const [says, leave] of [
    ['deactivated', deactivate],
    ['removed', remove],
  ] as const)
    test(`${way} opens a user, and not one that is ${says}`, async (t) => {
      for (const isLeaving of [false, true]) {
        const house = await openHouse(t);
        const opens = await prepare(house);
        if (isLeaving) assert.ok((await leave(house)).status < 300);
        assert.equal(await opens(), !isLeaving);
      }
    });

eachEngine(
  'a deactivated user has no session left after the same transaction, and none after a restart',
  identityMigrations,
  async (t, db) => {
    const house = await openHouse(t, db);
    const { w, ask, id } = house;
    const token = await tokenOf(house);
    const revoked = w.revoked();
    assert.equal((await deactivate(house)).status, 200);
    assert.ok(w.revoked() > revoked, 'open replies were not looked at');
    const from = db.tables<{ identity_session: { profile: string } }>();
    assert.deepEqual(await from.selectFrom('identity_session').selectAll().where('profile', '=', id).execute(), []);
    const again = await w.again();
    assert.equal((await again.call('GET', '/api/v1/me', { token })).status, 401);
    assert.equal((await again.call('POST', '/api/v1/session', { body: { name: 'Eve', password: OTHER } })).status, 401);
    // Active again, it signs in, and nothing of before is open.
    assert.equal((await ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }))).status, 200);
    assert.equal((await signIn(house)).status, 201);
    assert.equal((await w.call('GET', '/api/v1/me', { token })).status, 401);
  },
);

test('an open stream ends when its user is deactivated', async (t) => {
  const house = await openHouse(t);
  const token = await tokenOf(house);
  let state: 'asked' | 'open' | 'ended' = 'asked';
  streamOpened = () => void (state = 'open');
  const stream = house.w.call('GET', '/api/v1/probe/events', { token }).catch(() => {});
  void stream.then(() => (state = 'ended'));
  await until('the stream is open', () => state === 'open');
  await deactivate(house);
  await until('the stream has ended', () => state === 'ended');
});

test('an identity is linked by the external id, and by no other', async (t) => {
  const house = await openHouse(t);
  const { w, issuer, ask, id, owner } = house;
  const who = async (sub: string) => {
    issuer.person = { sub, name: 'Somebody', email: 'eve@example.org' };
    return profileOf(w, (await signInAt(w, issuer)).session);
  };
  assert.equal(await who('eve-sub'), 'Eve');
  for (const sub of ['EVE-SUB', 'eve@example.org', 'Eve', id, 'other']) assert.equal(await who(sub), undefined, sub);
  // A link that a person has confirmed comes first, and its identity is no other user's.
  const { token } = await makeViewer(w, owner);
  issuer.person = { sub: 'vic-1' };
  assert.equal(await linkAt(w, issuer, token), 204);
  assert.equal((await ask('POST', '/Users', userOf('v', { externalId: 'vic-1' }))).status, 409);
  assert.equal(await who('vic-1'), 'Vic');
  // Nor can the identity of a user be linked to another Profile.
  issuer.person = { sub: 'eve-sub' };
  const second = await makeViewer(w, owner, {}, 'Una');
  assert.equal(await linkAt(w, issuer, second.token), 409);
  // A user that became an Owner is no longer opened by it.
  await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
  assert.equal(await who('eve-sub'), undefined);
});

test('another external id is another identity: what the one before has opened ends', async (t) => {
  const house = await openHouse(t);
  const { w, issuer, ask, id } = house;
  issuer.person = { sub: 'eve-sub', name: 'Eve' };
  const { session } = await signInAt(w, issuer);
  const own = await tokenOf(house);
  await ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'externalId', value: 'eve-2' }));
  assert.equal(await profileOf(w, session), undefined);
  assert.equal((await w.call('GET', '/api/v1/me', { token: own })).status, 200);
});

eachEngine(
  'a removed user comes back with its external id, and is deleted after 30 days',
  identityMigrations,
  async (t, db) => {
    const house = await openHouse(t, db);
    const { w, ask, owner, id } = house;
    const read = () => w.call('GET', `/api/v1/profiles/${id}`, { token: owner });
    await w.call('PUT', `/api/v1/profiles/${id}`, {
      token: owner,
      body: { policy: { libraries: 'all', download: true } },
    });
    assert.equal((await remove(house)).status, 204);
    assert.equal((await ask('GET', `/Users/${id}`)).status, 404);
    assert.equal((await ask('GET', '/Users')).body['totalResults'], 0);
    const mark = (await read()).body['directory'] as { state: string; deletedAt: string };
    assert.deepEqual([mark.state, Date.parse(mark.deletedAt) - w.clock.now()], ['removed', 30 * DAY_MS]);
    const promoted = await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
    assert.equal(promoted.body['reason'], 'directory-managed');

    w.clock.pass(29 * DAY_MS);
    const restored = await ask(
      'POST',
      '/Users',
      userOf('eve.new@example.org', { displayName: 'Eve', externalId: 'eve-sub' }),
    );
    assert.deepEqual([restored.status, restored.body['id']], [201, id]);
    assert.notEqual(restored.etag, 'W/"1"');
    const back = (await (await w.again()).call('POST', '/api/v1/session', { body: { name: 'Eve', password: OTHER } }))
      .body;
    assert.partialDeepStrictEqual(back, { profile: { id, policy: { libraries: 'all', download: true } } });

    assert.equal((await remove(house)).status, 204);
    w.clock.pass(30 * DAY_MS - 1);
    assert.ok((await w.again()).identity.profiles().some((one) => one.id === id));
    w.clock.pass(1);
    const later = await w.again();
    assert.equal(
      later.identity.profiles().some((one) => one.id === id),
      false,
    );
    assert.deepEqual(
      (await later.identity.removedFor('lists')).map(({ profile }) => profile),
      [id],
    );
    const rows = await db
      .tables<{ identity_directory_user: object }>()
      .selectFrom('identity_directory_user')
      .selectAll()
      .execute();
    assert.deepEqual(rows, []);
  },
);

test('the name of a removed user is free, and its external id is not another user’s', async (t) => {
  const house = await openHouse(t);
  const { ask, make } = house;
  await remove(house);
  const other = await make('EVE@example.org', { displayName: 'Eve' });
  assert.equal(
    (await ask('PATCH', `/Users/${other}`, patchOf({ op: 'add', path: 'externalId', value: 'eve-sub' }))).status,
    409,
  );
  // The one that comes back would have the name of another user.
  assert.equal((await ask('POST', '/Users', userOf('eve@example.org', { externalId: 'eve-sub' }))).status, 409);
});

test('a token that ends while a change waits for its turn changes nothing', async (t) => {
  const change = async (world: DirectoryWorld) => {
    const id = await world.make('bob');
    const { directory } = world.w.identity.operations;
    const by = { service: 'directory', credential: 'f'.repeat(64) } as const;
    const from = {
      address: '192.168.1.20',
      network: 'local',
      isSecure: false,
      host: 'localhost',
      userAgent: undefined,
      device: undefined,
    } as const;
    await directory.remove({ id, by, from, check: () => {} });
  };
  const world = await openDirectoryWorld(t);
  await assert.rejects(change(world), { reason: 'credentials-invalid' });
  assert.equal((await world.ask('GET', '/Users')).body['totalResults'], 1);
});
