/**
 * PostgreSQL as the engine, for those who outgrow one machine.
 *
 * One server at a time: the session that writes holds an advisory lock for as long as it lives. Migrations run in one
 * transaction, so an upgrade happens whole or not at all; copies before it are the business of the operator's own
 * tools. Writers take turns as they do on SQLite, so that a store which reads and then writes means the same on both.
 */
import { Kysely, sql } from 'kysely';
import type { Transaction } from 'kysely';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { createLock } from '../lock.ts';
import { postgresDialect } from './postgres-driver.ts';
import type { PostgresSource, PostgresSession } from './postgres-driver.ts';
import { DatabaseUnusable } from './types.ts';
import type { Database, Durability, Migration } from './types.ts';
import { pendingOf } from './upgrade.ts';
import { plain } from './values.ts';

/** The key of our advisory lock: 'MTNE' in ASCII. */
const OURS = 0x4d54_4e45;
const LONGEST_WAIT_MS = 30_000;

/** Takes the lock that keeps a second server out, for the life of the session. */
export async function holdSession(session: PostgresSession): Promise<void> {
  const { rows } = await session.query('select pg_try_advisory_lock($1) as held', [OURS], true);
  if (!(rows[0] as unknown[])[0])
    throw new DatabaseUnusable('in-use', 'another running server uses this database: stop it first');
}

/** Opens the database behind `source`, whose writing session holds the lock, and brings it up to date. */
export async function openPostgres(
  source: PostgresSource,
  options: {
    migrations: readonly Migration[];
    clock?: Clock;
    mayCreate?: (() => Promise<void>) | undefined;
    longestWaitMs?: number;
  },
): Promise<Database> {
  const writing = new Kysely<unknown>({ dialect: postgresDialect(source.writer) });
  try {
    await upgrade(writing, options.migrations, options.clock ?? systemClock, options.mayCreate);
  } catch (error) {
    await source.close();
    throw error;
  }
  return database(source, writing, options.longestWaitMs ?? LONGEST_WAIT_MS);
}

async function upgrade(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  clock: Clock,
  mayCreate?: () => Promise<void>,
): Promise<void> {
  const { rows: encoding } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  if (encoding[0]?.server_encoding !== 'UTF8')
    throw new DatabaseUnusable('foreign', 'the PostgreSQL database must be made with the encoding UTF8');
  await db.transaction().execute(async (tx) => {
    await sql`
      create table if not exists migration (number integer primary key, id text not null unique, at bigint not null)
    `.execute(tx);
    const { rows } = await sql<{ id: string }>`select id from migration order by number`.execute(tx);
    if (rows.length === 0) await mayCreate?.();
    let number = rows.length;
    for (const migration of pendingOf(
      migrations,
      rows.map((row) => row.id),
    )) {
      try {
        await migration.up(tx, 'postgres');
        await sql`insert into migration (number, id, at) values (${++number}, ${migration.id}, ${clock.now()})`.execute(
          tx,
        );
      } catch (cause) {
        throw new DatabaseUnusable(
          'upgrade',
          `the database could not be upgraded (${migration.id}); nothing was changed`,
          { cause },
        );
      }
    }
  });
}

function database(source: PostgresSource, writing: Kysely<unknown>, longestWaitMs: number): Database {
  const turns = createLock({ longestWaitMs, sentence: 'the store is too busy to write' });
  const reading = new Kysely<unknown>({ dialect: postgresDialect(source.reader) });
  let isClosed = false;
  const check = (): void => {
    if (isClosed) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
  };
  const read = async (
    query: { sql: string; parameters: readonly unknown[] },
    values: readonly unknown[] | undefined,
    arrays: boolean,
  ): Promise<unknown[]> => {
    const { session, release } = await source.reader();
    try {
      return (await session.query(query.sql, plain(values ?? query.parameters), arrays)).rows;
    } finally {
      release();
    }
  };

  return {
    engine: 'postgres',
    tables: <T>() => reading as Kysely<T>,
    write: async <T, R>(durability: Durability, work: (tx: Transaction<T>) => Promise<R>): Promise<R> => {
      check();
      return turns.run(() => {
        check();
        return writing.transaction().execute(async (tx) => {
          await sql`set local synchronous_commit = ${sql.lit(durability === 'safe' ? 'on' : 'off')}`.execute(tx);
          return work(tx as Transaction<T>);
        });
      });
    },
    run: async <R>(query: { sql: string; parameters: readonly unknown[] }, values?: readonly unknown[]) =>
      (await read(query, values, false)) as R[],
    rows: async (query, each) => {
      const found = await read(query, undefined, true);
      for (const row of found) each(row as never);
      return found.length;
    },
    snapshot: async () => {
      throw new Failure('conflict', 'a copy of this database is made with the tools of PostgreSQL', {
        reason: 'copy-by-postgres',
      });
    },
    check: async () => {},
    onDamage: () => {},
    isReadOnly: false,
    wasCutOff: false,
    // The server looks after itself.
    tidy: async () => check(),
    close: async () => {
      if (isClosed) return;
      await turns.run(async () => {
        isClosed = true;
        await source.close();
      });
    },
  };
}
