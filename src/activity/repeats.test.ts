/** Frequent actions of a Viewer are merged by the minute; those of an Owner, and the first of each hour, are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { activityMigrations, type ActivityEvent, verifyActivity } from './index.ts';
import { MERGE_MS } from './attempts.ts';
import { ONE_BY_ONE } from './repeats.ts';
import { ADA, HOUR_MS, openTestLog, VIC } from './testing-log.ts';

const signIn = (profile: string, session = 'c'.repeat(16)): ActivityEvent => ({
  kind: 'sign-in',
  outcome: 'done',
  profile,
  session,
  target: session,
  details: { way: 'password' },
});

test('a Viewer that signs in ten thousand times has some entries, and every time is counted', async (t) => {
  const db = await openTemporaryDatabase(t, activityMigrations);
  const log = await openTestLog(t, db);
  log.activity.useProfiles(() => [
    { id: ADA, role: 'owner' },
    { id: VIC, role: 'viewer' },
  ]);
  const totals = async (profile: string) => {
    const { entries, total } = await log.activity.reading.page({ profile }, 1_000);
    return [total, entries.reduce((sum, { count }) => sum + count, 0)];
  };
  for (let n = 0; n < 10_000; n++) await log.activity.record(signIn(VIC, String(n).padStart(16, '0')));
  assert.deepEqual(await totals(VIC), [ONE_BY_ONE.record + 1, 10_000]);
  const [newest] = (await log.activity.reading.page({ profile: VIC }, 1)).entries;
  assert.deepEqual(
    [newest?.kind, newest?.outcome, newest?.count, newest?.target],
    ['sign-in', 'done', 9_970, undefined],
  );
  // Another kind, and another person, are recorded as before.
  await log.activity.record({ kind: 'sign-out', outcome: 'done', profile: VIC });
  for (let n = 0; n < 50; n++) await log.activity.record(signIn(ADA));
  assert.deepEqual(await totals(ADA), [50, 50]);
  assert.deepEqual(await totals(VIC), [ONE_BY_ONE.record + 2, 10_001]);
  log.clock.pass(MERGE_MS);
  await log.activity.record(signIn(VIC));
  log.clock.pass(HOUR_MS);
  await log.activity.record(signIn(VIC));
  assert.deepEqual(await totals(VIC), [ONE_BY_ONE.record + 4, 10_003]);
  assert.equal((await verifyActivity(db)).broken, undefined);
});
