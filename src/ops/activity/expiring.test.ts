/** Owners are notified of what expires once for each of its days, and again for another end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityMigrations } from '../../activity/index.ts';
import { ADA, HOUR_MS, openTestLog, START_MS, VIC } from '../../activity/testing-log.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { createExpiring } from './expiring.ts';

const DAY_MS = 24 * HOUR_MS;

test('each of its days is recorded once, for Owners alone', async (t) => {
  const log = await openTestLog(t, await openTemporaryDatabase(t, activityMigrations), { audit: 1_000 * DAY_MS });
  log.activity.useProfiles(() => [
    { id: ADA, role: 'owner' },
    { id: VIC, role: 'viewer' },
  ]);
  const certificate = { code: 'certificate', values: { until: new Date(START_MS + 20 * DAY_MS).toISOString() } };
  const expiring = createExpiring({
    findings: async () => [certificate, { code: 'other', values: {} }, { code: 'foreign', values: { until: 'x' } }],
    daysOf: (code) => (code === 'certificate' ? [14, 7, 1, 0] : undefined),
    activity: log.activity,
    clock: log.clock,
    failed: (error) => assert.fail(String(error)),
  });
  const days = async () =>
    (await log.activity.reading.page({}, 100)).entries.map(({ details }) => details['days']).toReversed();
  for (let day = 0; day < 24; day++) {
    for (let look = 0; look < 3; look++) await expiring.look();
    log.clock.pass(DAY_MS);
  }
  assert.deepEqual(await days(), [14, 7, 1, 0]);
  certificate.values.until = new Date(log.clock.now() + 5 * DAY_MS).toISOString();
  await expiring.look();
  assert.deepEqual(await days(), [14, 7, 1, 0, 7]);
  const unseen = async (profile: string) =>
    (await log.activity.notices.newest(profile, { isUnseenOnly: true, except: undefined })).length;
  assert.deepEqual([await unseen(ADA), await unseen(VIC)], [5, 0]);
});
