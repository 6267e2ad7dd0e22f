/** Refused attempts: merged by the minute, bounded, and notified of when they are many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { activityMigrations, type ActivityEvent } from './index.ts';
import { MERGE_MS } from './attempts.ts';
import { ADA, HOUR_MS, openTestLog, VIC } from './testing-log.ts';

const attempt = (network: string, profile: string | undefined = VIC): ActivityEvent => ({
  kind: 'sign-in',
  outcome: 'refused',
  profile,
  details: { way: 'password' },
  place: { reach: 'public', network },
});

test('a flood of attempts is two entries a minute, and every attempt is counted', async (t) => {
  const log = await openTestLog(t, await openTemporaryDatabase(t, activityMigrations));
  for (let n = 0; n < 10_000; n++) await log.activity.refused(attempt('203.0.113.0/24'));
  const { entries, total } = await log.activity.reading.page({}, 10);
  assert.deepEqual([total, entries.map(({ count }) => count)], [2, [9_999, 1]]);
  log.clock.pass(MERGE_MS);
  await log.activity.refused(attempt('203.0.113.0/24'));
  assert.equal((await log.activity.reading.page({}, 10)).total, 3);
});

test('attempts from very many networks fill no table either', async (t) => {
  const log = await openTestLog(t, await openTemporaryDatabase(t, activityMigrations));
  for (let n = 0; n < 5_000; n++) await log.activity.refused(attempt(`2001:db8:${n.toString(16)}::/48`));
  const { entries, total } = await log.activity.reading.page({}, 1_000);
  assert.equal(total, 66);
  assert.equal(
    entries.reduce((sum, { count }) => sum + count, 0),
    5_000,
  );
  assert.deepEqual([entries[0]?.network, entries[0]?.profile], [undefined, undefined]);
});

test('several attempts within an hour are a notice for the person and Owners, and not again for a while', async (t) => {
  const log = await openTestLog(t, await openTemporaryDatabase(t, activityMigrations));
  log.activity.useProfiles(() => [
    { id: ADA, role: 'owner' },
    { id: VIC, role: 'viewer' },
    { id: 'dddddddddddddddd', role: 'viewer' },
  ]);
  const unseen = async (profile: string): Promise<number> =>
    (await log.activity.notices.newest(profile, { isUnseenOnly: true, except: undefined })).length;
  for (let n = 0; n < 4; n++) {
    await log.activity.refused(attempt('203.0.113.0/24'));
    log.clock.pass(MERGE_MS);
  }
  assert.equal(await unseen(VIC), 0);
  for (let n = 0; n < 60; n++) {
    await log.activity.refused(attempt('203.0.113.0/24'));
    log.clock.pass(MERGE_MS);
  }
  assert.deepEqual([await unseen(VIC), await unseen(ADA), await unseen('dddddddddddddddd')], [1, 1, 0]);
  log.clock.pass(13 * HOUR_MS);
  for (let n = 0; n < 5; n++) {
    await log.activity.refused(attempt('198.51.100.0/24'));
    log.clock.pass(MERGE_MS);
  }
  assert.equal(await unseen(VIC), 2);
});
