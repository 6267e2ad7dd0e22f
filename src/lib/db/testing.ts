/**
 * For the tests of stores: the same test on both engines, each on its own empty database.
 *
 * `eachEngine('an item is found by its path', migrations, async (t, db) => { … })` makes two tests. PostgreSQL's
 * dialect runs in this process (PGlite), on one session: a read made while a write is open waits for it, and one made
 * inside that write would wait for itself, so it fails.
 */
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { openPostgres } from './postgres.ts';
import { openPglite } from './testing-pglite.ts';
import { openTemporaryDatabase } from './testing-sqlite.ts';
import type { Database, Migration } from './types.ts';

export { openTemporaryDatabase } from './testing-sqlite.ts';

export type StoreTest = (t: TestContext, db: Database) => Promise<void> | void;

/** Runs `work` as a test on SQLite and as one on PostgreSQL's dialect. */
export function eachEngine(name: string, migrations: readonly Migration[], work: StoreTest): void {
  void test(`${name} (sqlite)`, async (t) => work(t, await openTemporaryDatabase(t, migrations)));
  void test(`${name} (postgres)`, async (t) => work(t, await openTemporaryPostgres(t, migrations)));
}

/** A database of PostgreSQL's dialect in memory, gone after the test. */
export async function openTemporaryPostgres(t: TestContext, migrations: readonly Migration[]): Promise<Database> {
  const pglite = await openPglite(migrations);
  const db = await openPostgres(pglite, { migrations });
  await pglite.keepMigrated();
  t.after(() => db.close());
  return db;
}
