/**
 * For the tests of stores: the same test on both engines, each on its own empty database.
 *
 * `eachEngine('an item is found by its path', migrations, async (t, db) => { … })` makes two tests. PostgreSQL's
 * dialect runs in this process (PGlite), on one session: a read made while a write is open waits for it, and one made
 * inside that write would wait for itself, so it fails.
 */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Clock } from '../clock.ts';
import { createLock } from '../lock.ts';
import { holdSession, openPostgres } from './postgres.ts';
import type { Lease, PostgresSource, PostgresSession } from './postgres-driver.ts';
import { openSqlite } from './sqlite.ts';
import type { Database, Migration } from './types.ts';
import { PARSERS } from './values.ts';

/**
 * A limit for a read within a write, which waits for ever, and no measure of speed: thirty writes in line take a slow
 * machine its time.
 */
const LONGEST_WAIT_MS = 60_000;

export type StoreTest = (t: TestContext, db: Database) => Promise<void> | void;

/** Runs `work` as a test on SQLite and as one on PostgreSQL's dialect. */
export function eachEngine(name: string, migrations: readonly Migration[], work: StoreTest): void {
  void test(`${name} (sqlite)`, async (t) => work(t, await openTemporaryDatabase(t, migrations)));
  void test(`${name} (postgres)`, async (t) => work(t, await openTemporaryPostgres(t, migrations)));
}

/** An SQLite database in a temporary folder, gone after the test. */
export async function openTemporaryDatabase(
  t: TestContext,
  migrations: readonly Migration[],
  clock?: Clock,
): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-db-'));
  const db = await openSqlite({ file: join(folder, 'test.db'), migrations, ...(clock && { clock }) });
  t.after(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  return db;
}

/** A database of PostgreSQL's dialect in memory, gone after the test. */
export async function openTemporaryPostgres(t: TestContext, migrations: readonly Migration[]): Promise<Database> {
  const db = await openPostgres(await openPglite(), { migrations });
  t.after(() => db.close());
  return db;
}

type Engine = Awaited<ReturnType<typeof startPglite>>;

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/pglite', import.meta.url));

/**
 * An empty database as its files, made once for each version of PGlite: that takes four times as long as reading them.
 */
async function emptyDatabase(): Promise<Blob> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { version } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')), 'utf8'),
  ) as { version: string };
  const path = join(CACHE, `empty-${version}.tar`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept) return new Blob([kept]);
  const fresh = await PGlite.create();
  const made = await fresh.dumpDataDir('none');
  await fresh.close();
  // Whole or not at all: another test file may be at it, too.
  await mkdir(CACHE, { recursive: true });
  const part = join(CACHE, `part-${process.pid}`);
  await writeFile(part, new Uint8Array(await made.arrayBuffer()));
  await rename(part, path);
  return made;
}

async function startPglite() {
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({ parsers: PARSERS, loadDataDir: await emptyDatabase() });
}

/** Starting one takes a second, so those that a test is done with are emptied and used again. */
const idle: Engine[] = [];
// An idle one keeps a timer of ten seconds, and with it the process of the test.
after(() => Promise.all(idle.splice(0).map((pglite) => pglite.close())));

async function handBack(pglite: Engine): Promise<void> {
  for (const step of ['rollback', 'discard all', 'drop schema public cascade', 'create schema public'])
    await pglite.query(step);
  idle.push(pglite);
}

export async function openPglite(): Promise<PostgresSource> {
  const pglite = idle.pop() ?? (await startPglite());
  const turns = createLock({
    longestWaitMs: LONGEST_WAIT_MS,
    sentence: 'a read waited for a write that never ended: is it made inside that write?',
  });
  const session: PostgresSession = {
    query: async (sql, values, arrays) => {
      const found = await pglite.query(sql, values, { rowMode: arrays ? 'array' : 'object' });
      return { rows: found.rows, affected: found.affectedRows ?? 0 };
    },
  };
  let isWriting: boolean | undefined;
  const lease = async (writes: boolean): Promise<Lease> => {
    const release = await turns.acquire();
    if (writes !== isWriting)
      await session.query(`set default_transaction_read_only = ${writes ? 'off' : 'on'}`, [], false);
    isWriting = writes;
    return { session, release };
  };
  await holdSession(session);
  return { writer: () => lease(true), reader: () => lease(false), close: () => handBack(pglite) };
}
