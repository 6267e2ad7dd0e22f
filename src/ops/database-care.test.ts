/**
 * The check of the whole database: when it runs, what is said of it, and what happens where there is no room for a
 * copy.
 */
import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { type Database, openDatabase, restoreCopy } from '../lib/db/index.ts';
import { silentLog } from '../lib/log.ts';
import { identityMigrations } from '../identity/index.ts';
import { until } from '../../test/until.ts';
import { createDatabaseCare, type DatabaseCareNeeds } from './database-care.ts';

const DAY_MS = 86_400_000;

async function house(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-care-'));
  const file = join(folder, 'matinee.db');
  let at = Date.parse('2026-11-20T12:00:00Z');
  const clock = { now: () => at, monotonic: () => 0 };
  let db: Database = await openDatabase({ file, migrations: identityMigrations });
  t.after(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  const care = (more: Partial<DatabaseCareNeeds> = {}) =>
    createDatabaseCare({ db, file, folder, clock, log: silentLog, ...more });
  return {
    file,
    folder,
    clock,
    care,
    pass: (ms: number) => void (at += ms),
    check: async (one: Awaited<ReturnType<typeof care>>) => one.tasks[0]?.run({} as never),
    copies: () => readdir(join(folder, 'verified')).catch(() => []),
    reopen: async () => {
      await db.close();
      db = await openDatabase({ file, migrations: identityMigrations });
    },
    stop: () => db.close(),
    /** Reads all tables of the database. */
    read: async () => {
      const names = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(
        db.tables(),
      );
      for (const { name } of names.rows) await sql`select * from ${sql.table(name)}`.execute(db.tables());
    },
    damage: async () => {
      const handle = await open(file, 'r+');
      await handle.write(Buffer.alloc(4096, 0xab), 0, 4096, 3 * 4096);
      await handle.close();
    },
  };
}

test('damage is an error finding that survives restarts until the database is restored and checked', async (t) => {
  const at = await house(t);
  const care = await at.care();
  assert.deepEqual(
    (await care.findings()).map(({ level }) => level),
    ['ok'],
  );
  await at.check(care);
  assert.match(
    (await care.findings())[0]?.sentence ?? '',
    /intact on 2026-11-20 12:00 UTC.*verified copy of 2026-11-20 12:00/,
  );
  await at.reopen();
  await at.damage();
  at.pass(DAY_MS);
  const second = await at.care();
  await at.check(second);
  const [found] = await second.findings();
  assert.deepEqual([found?.level, found?.subject], ['error', 'Database']);
  assert.match(found?.sentence ?? '', /damaged.*npm start -- restore.*2026-11-20 12:00/);
  assert.deepEqual(await at.copies(), ['20261120T120000000Z.db']);
  assert.equal((await (await at.care()).findings())[0]?.level, 'error');

  await at.stop();
  await restoreCopy({ file: at.file, clock: at.clock });
  await at.reopen();
  const third = await at.care();
  const ran: string[] = [];
  await at.check(third);
  assert.equal((await third.findings())[0]?.level, 'ok');
  third.start((name) => void ran.push(name));
  third.close();
});

test(
  'without room for a copy the file itself is checked, once a week, and damage without a copy is said to need a ' +
    'backup',
  async (t) => {
    const at = await house(t);
    const care = await at.care({ freeBytes: async () => 1_000_000 });
    await at.check(care);
    assert.deepEqual(await at.copies(), []);
    assert.deepEqual(
      (await care.findings()).map(({ level, setting }) => [level, setting]),
      [['warning', 'paths.data']],
    );
    await at.reopen();
    await at.damage();
    const next = await at.care({ freeBytes: async () => 1_000_000 });
    at.pass(3 * DAY_MS);
    await at.check(next);
    assert.equal((await next.findings())[0]?.level, 'warning');
    at.pass(4 * DAY_MS);
    await at.check(next);
    assert.match(
      (await next.findings())[0]?.sentence ?? '',
      /There is no verified copy, so stop the server and restore a backup/,
    );
  },
);

test('it runs soon after an unclean stop, and not after a clean one', async (t) => {
  const at = await house(t);
  await at.check(await at.care());
  const ran: string[] = [];
  const clean = await at.care({ soonMs: 0 });
  clean.start((name) => void ran.push(name));
  const killed = await at.care({ soonMs: 0, db: { wasCutOff: true, onDamage: () => {} } as unknown as Database });
  killed.start(() => void ran.push('after a kill'));
  await until('it to run', () => ran.length > 0);
  assert.deepEqual(ran, ['after a kill']);
  clean.close();
});

test('it runs once when statements meet damage, however recent the last check is', async (t) => {
  const at = await house(t);
  const few = { freeBytes: async () => 1_000_000 };
  await at.check(await at.care(few));
  await at.reopen();
  const care = await at.care(few);
  const ran: string[] = [];
  care.start((name) => void ran.push(name));
  await at.damage();
  const read = () => at.read();
  await assert.rejects(read(), { reason: 'database-damaged' });
  await assert.rejects(read(), { reason: 'database-damaged' });
  assert.deepEqual(ran, ['check-database']);
  await at.check(care);
  assert.equal((await care.findings())[0]?.level, 'error');
  care.close();
});

test('a database that is only read is a finding before all others', async (t) => {
  const at = await house(t);
  const codes = async (isReadOnly: boolean) => {
    const db = { isReadOnly, wasCutOff: false, onDamage: () => {} } as unknown as Database;
    return (await (await at.care({ db })).findings()).map(({ code }) => code);
  };
  assert.deepEqual(await codes(false), ['database-unchecked']);
  assert.deepEqual(await codes(true), ['database-read-only', 'database-unchecked']);
});

test('PostgreSQL is left to its own tools', async (t) => {
  const at = await house(t);
  const care = await at.care({ file: undefined });
  assert.deepEqual([care.tasks, await care.findings()], [[], []]);
});
