/** Time of a day: where days begin, what is kept, and who may read and change it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { watchedStore } from '../store/watched.ts';
import { makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';
import { profileDayAt } from './days.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAILY = { minutes: 60, timeZone: 'Europe/Zurich', resetsAt: '04:00' };
const OWN = '/api/v1/me/time';
const at = (text: string) => Date.parse(text);

const limitOf = (body: Record<string, unknown>) =>
  body['limit'] as { seconds: number; used: number; left: number; nextDayAt: string } | undefined;
const setDaily = async (w: World, owner: string, id: string, daily: unknown) =>
  w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { libraries: 'all', daily } } });

test('a day begins at the chosen time in the zone of the Profile, also when the clocks change', () => {
  const day = (text: string, resetsAt = '04:00') => {
    const { day: name, endsAt } = profileDayAt({ ...DAILY, resetsAt }, at(text));
    return [name, new Date(endsAt).toISOString()];
  };
  assert.deepEqual(day('2026-11-20T02:59:59Z'), ['2026-11-19', '2026-11-20T03:00:00.000Z']);
  assert.deepEqual(day('2026-11-20T03:00:00Z'), ['2026-11-20', '2026-11-21T03:00:00.000Z']);
  assert.deepEqual(day('2026-07-01T22:00:00Z', '00:00'), ['2026-07-02', '2026-07-02T22:00:00.000Z']);
  // 29 March 2026 has no 02:30 there, and 25 October has it twice.
  assert.deepEqual(day('2026-03-29T01:29:00Z', '02:30'), ['2026-03-28', '2026-03-29T01:30:00.000Z']);
  assert.deepEqual(day('2026-03-29T01:30:00Z', '02:30'), ['2026-03-29', '2026-03-30T00:30:00.000Z']);
  assert.deepEqual(day('2026-10-25T00:29:00Z', '02:30'), ['2026-10-24', '2026-10-25T00:30:00.000Z']);
  assert.deepEqual(day('2026-10-25T01:30:00Z', '02:30'), ['2026-10-25', '2026-10-26T01:30:00.000Z']);
});

eachEngine(
  'time is kept over a restart and a wrong clock, and begins again with the day',
  identityMigrations,
  async (t, db) => {
    const w = await openIdentityWorld(t, { db });
    const owner = await setUp(w);
    const { id, token } = await makeViewer(w, owner);
    assert.deepEqual((await w.call('GET', OWN, { token })).body, {}, 'no limit, and nothing is counted');
    w.identity.operations.viewing.watched(id, 30 * MINUTE);
    assert.equal((await setDaily(w, owner, id, DAILY)).status, 200);
    const read = async (world: World) => limitOf((await world.call('GET', OWN, { token })).body);
    assert.deepEqual(await read(w), {
      seconds: 3600,
      used: 0,
      left: 3600,
      granted: 0,
      nextDayAt: '2026-11-21T03:00:00.000Z',
    });

    w.identity.operations.viewing.watched(id, 45 * MINUTE);
    await w.identity.operations.viewing.flush();
    const again = await w.again();
    assert.equal((await read(again))?.used, 45 * 60);
    const { viewing } = again.identity.operations;
    viewing.watched(id, 15 * MINUTE);
    assert.equal(viewing.timeOf(id)?.isOver, true);
    assert.equal((await read(again))?.left, 0);

    w.clock.jump(24 * HOUR);
    assert.equal(viewing.timeOf(id)?.isOver, false);
    await viewing.tidy();
    w.clock.jump(-24 * HOUR);
    assert.equal(viewing.timeOf(id)?.isOver, true, 'a clock that is set right again gives no time back');
    assert.equal((await read(await w.again()))?.used, 60 * 60);

    w.clock.pass(15 * HOUR);
    assert.equal(viewing.timeOf(id)?.isOver, false);
    w.clock.pass(40 * 24 * HOUR);
    await viewing.tidy();
    const rows = () =>
      db.tables<{ identity_watched: { day: string } }>().selectFrom('identity_watched').selectAll().execute();
    assert.deepEqual(await rows(), []);
    viewing.watched(id, MINUTE);
    await viewing.flush();
    assert.equal((await rows()).length, 1);
  },
);

eachEngine('a removed Profile leaves no time behind', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const owner = await setUp(w);
  const { id } = await makeViewer(w, owner);
  await setDaily(w, owner, id, DAILY);
  const { viewing } = w.identity.operations;
  viewing.watched(id, MINUTE);
  await viewing.flush();
  assert.equal((await w.call('DELETE', `/api/v1/profiles/${id}`, { token: owner })).status, 204);
  // A write that was on its way when the Profile was removed.
  await watchedStore(db).put([{ profile: id, day: '2026-11-20', ms: MINUTE }]);
  const rows = await db
    .tables<{ identity_watched: { day: string } }>()
    .selectFrom('identity_watched')
    .selectAll()
    .execute();
  assert.deepEqual(rows, []);
});

test('only Owners set the time, for Viewers, and it stays when a client leaves it out', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const other = await makeViewer(w, owner, {}, 'Vera');
  for (const daily of [
    { ...DAILY, minutes: 0 },
    { ...DAILY, minutes: 1_441 },
    { ...DAILY, minutes: 1.5 },
    { ...DAILY, timeZone: 'Mars/Base' },
    { ...DAILY, timeZone: '+01:00' },
    { ...DAILY, resetsAt: '24:00' },
    { minutes: 60 },
  ])
    assert.equal((await setDaily(w, owner, id, daily)).status, 400, JSON.stringify(daily));
  assert.equal((await setDaily(w, token, id, { ...DAILY, minutes: 600 })).status, 403);
  assert.equal((await setDaily(w, owner, id, DAILY)).status, 200);
  const put = (policy: object) => w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy } });
  assert.deepEqual(((await put({ rating: 12 })).body['policy'] as { daily: unknown }).daily, DAILY);

  assert.equal((await w.call('GET', `/api/v1/profiles/${id}/time`, { token: owner })).status, 200);
  for (const someone of [token, other.token])
    assert.equal((await w.call('GET', `/api/v1/profiles/${id}/time`, { token: someone })).status, 403);
  assert.deepEqual((await w.call('GET', OWN, { token: other.token })).body, {});
  assert.equal((await w.call('GET', `/api/v1/profiles/${'f'.repeat(16)}/time`, { token: owner })).status, 404);

  const { id: ada } = (await w.call('GET', '/api/v1/me', { token: owner })).body['profile'] as { id: string };
  assert.equal((await setDaily(w, owner, ada, DAILY)).body['reason'], 'daily-viewers-only');
  const made = await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
  assert.equal((made.body['policy'] as { daily?: unknown }).daily, undefined);
  assert.equal(w.identity.operations.viewing.timeOf(id), undefined);
  await w.call('PUT', `/api/v1/profiles/${other.id}`, { token: owner, body: { policy: { daily: DAILY } } });
  assert.equal(((await setDaily(w, owner, other.id, null)).body['policy'] as { daily?: unknown }).daily, undefined);
});
