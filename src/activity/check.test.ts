/** The result of the last check is kept over a restart, and is written as a whole or not at all. */
import assert from 'node:assert/strict';
import type { Database, Durability, Transaction } from '../lib/db/index.ts';
import { eachEngine } from '../lib/db/testing.ts';
import { activityMigrations, type Activity } from './index.ts';
import type { ActivityTables } from './store/tables.ts';
import { HOUR_MS, openTestLog, sampleEvents } from './testing-log.ts';

const check = (activity: Activity): Promise<void> | undefined => activity.upkeep.tasks[0]?.run({} as never);

/** Wraps a database whose writes can be made to fail at their end, as on a full disk. */
function fullAtTimes(db: Database): { db: Database; setFull(is: boolean): void } {
  let isFull = false;
  const write = <T, R>(durability: Durability, work: (tx: Transaction<T>) => Promise<R>): Promise<R> =>
    db.write(durability, async (tx: Transaction<T>) => {
      const result = await work(tx);
      if (isFull) throw new Error('the disk is full');
      return result;
    });
  return { db: { ...db, write }, setFull: (is) => void (isFull = is) };
}

eachEngine('a check is kept over a restart, with what it found', activityMigrations, async (t, db) => {
  const log = await openTestLog(t, db);
  assert.deepEqual(log.activity.upkeep.lastCheck(), { state: 'unchecked' });
  for (const event of sampleEvents(4)) await log.activity.record(event);
  await check(log.activity);
  const whole = { state: 'whole', checkedAt: '2026-11-20T12:00:00.000Z', entries: 4 };
  assert.deepEqual(log.activity.upkeep.lastCheck(), whole);
  const second = await log.again();
  assert.deepEqual(second.activity.upkeep.lastCheck(), whole);
  assert.deepEqual(second.activity.upkeep.findings(), []);

  await db.write('grouped', async (tx: Transaction<ActivityTables>) => {
    await tx.updateTable('activity_entry').set({ count: 7 }).where('number', '=', 2).execute();
  });
  log.clock.pass(HOUR_MS);
  await check(second.activity);
  const checkedAt = '2026-11-20T13:00:00.000Z';
  const broken = { state: 'broken', checkedAt, entries: 4, brokenAt: { number: 2, at: '2026-11-20T12:00:00.000Z' } };
  const third = await second.again();
  for (const { activity } of [second, third]) {
    assert.deepEqual(activity.upkeep.lastCheck(), broken);
    assert.deepEqual(
      activity.upkeep.findings().map(({ code, values }) => [code, values]),
      [['activity-log-broken', { number: 2, checkedAt }]],
    );
  }

  await db.write('grouped', async (tx: Transaction<ActivityTables>) => {
    await tx.updateTable('activity_entry').set({ count: 1 }).where('number', '=', 2).execute();
  });
  log.clock.pass(HOUR_MS);
  await check(third.activity);
  const mended = { state: 'whole', checkedAt: '2026-11-20T14:00:00.000Z', entries: 4 };
  assert.deepEqual((await third.again()).activity.upkeep.lastCheck(), mended, 'nothing of the break is left');
});

eachEngine('a check whose result cannot be written changes nothing', activityMigrations, async (t, real) => {
  const { db, setFull } = fullAtTimes(real);
  const log = await openTestLog(t, db);
  for (const event of sampleEvents(2)) await log.activity.record(event);
  setFull(true);
  await assert.rejects(async () => check(log.activity), /full/);
  assert.deepEqual(log.activity.upkeep.lastCheck(), { state: 'unchecked' });
  setFull(false);
  await check(log.activity);
  const before = log.activity.upkeep.lastCheck();
  await log.activity.record(sampleEvents(1)[0] ?? assert.fail());
  log.clock.pass(HOUR_MS);
  setFull(true);
  await assert.rejects(async () => check(log.activity), /full/);
  setFull(false);
  assert.deepEqual(log.activity.upkeep.lastCheck(), before);
  assert.deepEqual((await log.again()).activity.upkeep.lastCheck(), before, 'the result before is still there');
});
