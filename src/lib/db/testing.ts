/**
 * For the tests of stores: the same test on both engines, each on an empty database of its own.
 *
 * `eachEngine('an item is found by its path', migrations, async (t, db) => { … })` makes two tests. PostgreSQL's dialect
 * runs in this process (PGlite), on one session: a read made while a write is open waits for it, and one made inside
 * that write would wait for itself, so it fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Clock } from '../clock.ts';
import { createLock } from '../lock.ts';
import { holdSession, openPostgres } from './postgres.ts';
import type { Lease, PostgresSource, Session } from './postgres-driver.ts';
import { openSqlite } from './sqlite.ts';
import type { Database, Migration } from './types.ts';
import { PARSERS } from './values.ts';

/** Long enough for a slow machine, short enough to tell a read within a write. */
const LONGEST_WAIT_MS = 10_000;

export type StoreTest = (t: TestContext, db: Database) => Promise<void> | void;

/** Runs `work` as a test on SQLite and as one on PostgreSQL's dialect. */
export function eachEngine(name: string, migrations: readonly Migration[], work: StoreTest): void {
  void test(`${name} (sqlite)`, async (t) => work(t, await temporaryDatabase(t, migrations)));
  void test(`${name} (postgres)`, async (t) => work(t, await temporaryPostgres(t, migrations)));
}

/** An SQLite database in a temporary folder, gone after the test. */
export async function temporaryDatabase(t: TestContext, migrations: readonly Migration[], clock?: Clock): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-db-'));
  const db = await openSqlite({ file: join(folder, 'test.db'), migrations, ...(clock && { clock }) });
  t.after(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  return db;
}

/** A database of PostgreSQL's dialect in memory, gone after the test. */
export async function temporaryPostgres(t: TestContext, migrations: readonly Migration[]): Promise<Database> {
  const db = await openPostgres(await pgliteSource(), { migrations });
  t.after(() => db.close());
  return db;
}

type Engine = Awaited<ReturnType<typeof startPglite>>;

async function startPglite() {
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({ parsers: PARSERS });
}

/** Starting one takes a second, so those that a test is done with are emptied and used again. */
const idle: Engine[] = [];
// An idle one keeps a timer of ten seconds, and with it the process of the test.
after(() => Promise.all(idle.splice(0).map((pglite) => pglite.close())));

async function handBack(pglite: Engine): Promise<void> {
  for (const step of ['rollback', 'discard all', 'drop schema public cascade', 'create schema public']) await pglite.query(step);
  idle.push(pglite);
}

async function pgliteSource(): Promise<PostgresSource> {
  const pglite = idle.pop() ?? (await startPglite());
  const turns = createLock({ longestWaitMs: LONGEST_WAIT_MS, sentence: 'a read waited for a write that never ended: is it made inside that write?' });
  const session: Session = {
    query: async (sql, values, arrays) => {
      const found = await pglite.query(sql, values, { rowMode: arrays ? 'array' : 'object' });
      return { rows: found.rows, affected: found.affectedRows ?? 0 };
    },
  };
  let isWriting: boolean | undefined;
  const lease = async (writes: boolean): Promise<Lease> => {
    const release = await turns.acquire();
    if (writes !== isWriting) await session.query(`set default_transaction_read_only = ${writes ? 'off' : 'on'}`, [], false);
    isWriting = writes;
    return { session, release };
  };
  await holdSession(session);
  return { writer: () => lease(true), reader: () => lease(false), close: () => handBack(pglite) };
}
