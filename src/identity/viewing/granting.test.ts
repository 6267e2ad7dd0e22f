/** Permissions for a while: items, open hours and minutes, until when, and for whom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAYERS, READERS_AT_ANY_HOUR } from '../../contract/kernel/access.ts';
import { endpoint, NOTHING } from '../../contract/kernel/endpoint.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { makeViewer, mount, openIdentityWorld, setUp, type World, type WorldOptions } from '../testing-world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OWN = '/api/v1/me/time';
const PLAY = '/api/v1/probe/play';
const ITEM = 'a'.repeat(16);
const ID = 'd'.repeat(16);
// The tests begin on Friday 2026-11-20 at 12:00 UTC.
const AFTERNOON = [{ days: ['friday'], start: '14:00', end: '16:00', timeZone: 'UTC' }];
const DAILY = { minutes: 60, timeZone: 'UTC', resetsAt: '04:00' };

/** Callers of a probe, by the last request. */
const callers: Principal[] = [];
const probes = {
  play: endpoint({ method: 'GET', path: PLAY, summary: 'plays', access: PLAYERS, result: NOTHING }),
  ask: endpoint({
    method: 'GET',
    path: '/api/v1/probe/ask',
    summary: 'asks',
    access: READERS_AT_ANY_HOUR,
    result: NOTHING,
  }),
};
const more: NonNullable<WorldOptions['more']> = () =>
  mount(probes, { play: (_given, { by }) => void callers.unshift(by), ask: () => {} });

interface OwnTime {
  limit?: { seconds: number; used: number; left: number; granted: number };
  hours?: { open: boolean; changesAt?: string };
}
const timeOf = async (w: World, token: string): Promise<OwnTime> => (await w.call('GET', OWN, { token })).body;

async function openHouse(
  t: Parameters<typeof openIdentityWorld>[0],
  policy: Record<string, unknown>,
  options: WorldOptions = {},
) {
  const w = await openIdentityWorld(t, { more, ...options });
  const owner = await setUp(w);
  const viewer = await makeViewer(w, owner, policy);
  const by = (await w.identity.identify({
    bearer: owner,
    cookie: undefined,
    ticket: undefined,
    from: {
      address: '192.168.1.2',
      network: 'local',
      isSecure: true,
      host: '',
      userAgent: undefined,
      device: undefined,
    },
  })) as Principal;
  return { w, owner, by, ...viewer };
}
const give = ({ identity }: World) => identity.operations.granting;

test('outside its hours a Profile may only ask and read its time; away from home not even that', async (t) => {
  const { w, owner, id, token } = await openHouse(t, { windows: AFTERNOON, remote: true });
  const AWAY = { address: '203.0.113.4' };
  const begun = (await w.call('POST', '/api/v1/quick-connect', { ...AWAY, body: {} })).body as Record<string, string>;
  await w.call('POST', `/api/v1/quick-connect/${begun['code']}`, { token: owner, body: { profile: id } });
  const taken = await w.call('POST', '/api/v1/quick-connect/token', { ...AWAY, body: { secret: begun['secret'] } });
  const away = String(taken.body['token']);
  const statuses = async () => {
    const out = [];
    for (const path of [PLAY, OWN, '/api/v1/probe/ask']) out.push((await w.call('GET', path, { token })).status);
    return out;
  };
  assert.deepEqual(await statuses(), [403, 200, 204]);
  assert.deepEqual(await timeOf(w, token), { hours: { open: false, changesAt: '2026-11-20T14:00:00.000Z' } });
  assert.equal((await w.call('GET', OWN, { token: away, ...AWAY })).status, 200);
  const policy = { windows: AFTERNOON, remote: false };
  assert.equal((await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy } })).status, 200);
  const refused = await w.call('GET', OWN, { token: away, ...AWAY });
  assert.deepEqual([refused.status, refused.body['reason']], [403, 'away-from-home']);
  w.clock.pass(2 * HOUR);
  assert.deepEqual(await statuses(), [204, 200, 204]);
  assert.deepEqual(await timeOf(w, token), { hours: { open: true, changesAt: '2026-11-20T16:00:00.000Z' } });
});

eachEngine(
  'granted minutes open the hours at once and for so long, also after a restart',
  identityMigrations,
  async (t, db) => {
    const { w, by, id, token } = await openHouse(t, { windows: AFTERNOON }, { db });
    const given = await give(w).grantTime({ profile: id, id: ID, minutes: 30 }, by);
    assert.equal(given.until, w.clock.now() + 30 * MINUTE);
    const again = await w.again();
    assert.equal((await again.call('GET', PLAY, { token })).status, 204);
    assert.deepEqual((await timeOf(again, token)).hours, { open: true, changesAt: '2026-11-20T12:30:00.000Z' });
    w.clock.pass(30 * MINUTE);
    assert.equal((await again.call('GET', PLAY, { token })).status, 403);
    w.clock.pass(3 * HOUR + 20 * MINUTE);
    // Five minutes before the end of its hours, they last longer than those.
    await give(again).grantTime({ profile: id, id: ID, minutes: 30 }, by);
    assert.deepEqual((await timeOf(again, token)).hours, { open: true, changesAt: '2026-11-20T16:20:00.000Z' });
  },
);

eachEngine('extra minutes count for the day on which they are given only', identityMigrations, async (t, db) => {
  const { w, by, id, token } = await openHouse(t, { daily: DAILY }, { db });
  const { viewing } = w.identity.operations;
  viewing.watched(id, 60 * MINUTE);
  assert.equal(viewing.timeOf(id)?.isOver, true);
  await give(w).grantTime({ profile: id, id: ID, minutes: 20 }, by);
  assert.equal(viewing.timeOf(id)?.isOver, false);
  assert.deepEqual((await timeOf(await w.again(), token)).limit, {
    seconds: 4800,
    used: 3600,
    left: 1200,
    granted: 1200,
    nextDayAt: '2026-11-21T04:00:00.000Z',
  });
  // The same answer again, as after a crash, counts once.
  await give(w).grantTime({ profile: id, id: ID, minutes: 20 }, by);
  assert.equal((await timeOf(w, token)).limit?.granted, 1200);
  await give(w).grantTime({ profile: id, id: 'e'.repeat(16), minutes: 10 }, by);
  assert.equal((await timeOf(w, token)).limit?.granted, 1800);
  w.clock.pass(16 * HOUR);
  assert.deepEqual((await timeOf(w, token)).limit, {
    seconds: 3600,
    used: 0,
    left: 3600,
    granted: 0,
    nextDayAt: '2026-11-22T04:00:00.000Z',
  });
  await give(w).setDailyMinutes({ profile: id, minutes: 90 }, by);
  assert.equal((await timeOf(await w.again(), token)).limit?.seconds, 5400);
});

test('a granted item is allowed until its moment, and a decision by hand goes before it', async (t) => {
  const { w, owner, by, id, token } = await openHouse(t, { rating: 7, unrated: false });
  const itemsOf = async () => {
    await w.call('GET', PLAY, { token });
    return callers[0]?.policy.items;
  };
  const grant = () => give(w).grantItem({ profile: id, id: ID, item: ITEM, until: w.clock.now() + HOUR }, by);
  await w.identity.operations.profiles.ruleItem({ id, item: ITEM, access: 'hidden' }, by);
  await grant();
  assert.deepEqual(await itemsOf(), { allowed: [ITEM], hidden: [] });
  const policy = callers[0]?.policy;
  await itemsOf();
  assert.equal(callers[0]?.policy, policy, 'the same object, by which the catalogue remembers');
  assert.equal(w.identity.policyOf(id), policy);
  const kept = (await w.call('GET', `/api/v1/profiles/${id}`, { token: owner })).body['policy'] as object;
  assert.deepEqual((kept as { items: unknown }).items, { allowed: [], hidden: [ITEM] }, 'the policy is as it was');
  const revoked = w.revoked();
  w.clock.pass(HOUR);
  assert.deepEqual(await itemsOf(), { allowed: [], hidden: [ITEM] });
  await grant();
  await w.identity.operations.profiles.ruleItem({ id, item: ITEM, access: 'hidden' }, by);
  assert.deepEqual(await itemsOf(), { allowed: [], hidden: [ITEM] }, 'hidden meanwhile');
  assert.ok(w.revoked() > revoked, 'open streams are looked at again');
  await grant();
  await give(w).revokeGrant({ profile: id, id: ID }, by);
  assert.deepEqual((await itemsOf())?.allowed, []);
});

test('only Viewers are given more, by Owners, and another role ends it', async (t) => {
  const { w, owner, by, id, token } = await openHouse(t, { windows: AFTERNOON, daily: DAILY });
  const granted = { profile: id, id: ID, minutes: 30 };
  await assert.rejects(give(w).grantTime({ ...granted, profile: by.profile }, by), { reason: 'grant-viewers-only' });
  await assert.rejects(give(w).grantTime(granted, { ...by, profile: id, role: 'viewer' }), { reason: 'owner-only' });
  await give(w).grantTime(granted, by);
  const put = (role: string) => w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role } });
  await put('owner');
  await put('viewer');
  await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { windows: AFTERNOON } } });
  assert.equal((await w.call('GET', PLAY, { token })).status, 403);
  await assert.rejects(give(w).setDailyMinutes({ profile: id, minutes: 30 }, by), { reason: 'no-daily-time' });
  const kinds = (await w.identity.happened({ limit: 20 })).map(({ kind }) => kind);
  assert.ok(kinds.includes('time-granted'));
  for (let n = 0; n < 100; n += 1) await give(w).grantTime({ ...granted, id: n.toString(16).padStart(16, '0') }, by);
  await assert.rejects(give(w).grantTime(granted, by), { reason: 'too-many-grants' });
});

test('grants that are over are cleared away, and streams looked at again', async (t) => {
  const { w, by, id } = await openHouse(t, { windows: AFTERNOON });
  await give(w).grantItem({ profile: id, id: ID, item: ITEM, until: w.clock.now() + HOUR }, by);
  w.clock.pass(2 * HOUR);
  // As the minute does it.
  const again = await w.again();
  const rows = await w.db
    .tables<{ identity_profile: { id: string; grants: string | null } }>()
    .selectFrom('identity_profile')
    .select(['id', 'grants'])
    .where('id', '=', id)
    .execute();
  assert.deepEqual(rows, [{ id, grants: null }]);
  assert.ok(again);
});
