/**
 * PostgreSQL under Kysely, whoever carries the bytes: a server through `pg`, or PGlite in this process for tests.
 *
 * A source hands out sessions. There is one that writes, which also holds the lock against a second server, and
 * some that only read.
 */
import { CompiledQuery, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { plain } from './values.ts';
import type { BoundValue } from './values.ts';

export interface QueryResult {
  rows: unknown[];
  /** How many rows a write changed. */
  affected: number;
}

export interface PostgresSession {
  /** With `arrays`, each row is an array. Integers arrive as numbers, and fail rather than round. */
  query(sql: string, values: BoundValue[], arrays: boolean): Promise<QueryResult>;
}

export interface Lease {
  readonly session: PostgresSession;
  release(): void;
}

export interface PostgresSource {
  /** The session for writing. Asked for by one writer at a time. */
  writer(): Promise<Lease>;
  reader(): Promise<Lease>;
  close(): Promise<void>;
}

interface LeasedConnection extends DatabaseConnection {
  readonly lease: Lease;
  /** Whether a statement has failed: PostgreSQL then rolls the transaction back, even if it is committed. */
  isSpoiled: boolean;
}

function connection(lease: Lease): LeasedConnection {
  const held: LeasedConnection = {
    lease,
    isSpoiled: false,
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) => {
      try {
        const { rows, affected } = await lease.session.query(sql, plain(parameters), false);
        return { rows: rows as R[], numAffectedRows: BigInt(affected) };
      } catch (error) {
        held.isSpoiled = true;
        throw error;
      }
    },
    streamQuery: () => {
      throw new Error('page through a table by its key, or use rows(): a stream would hold the connection');
    },
  };
  return held;
}

const step = (of: DatabaseConnection, sql: string): Promise<QueryResult> =>
  (of as LeasedConnection).lease.session.query(sql, [], false);

const driver = (acquire: () => Promise<Lease>): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection(await acquire()),
  releaseConnection: async (held) => (held as LeasedConnection).lease.release(),
  beginTransaction: async (held) => void (await step(held, 'begin')),
  commitTransaction: async (held) => {
    // The server would answer the commit kindly, and undo.
    if ((held as LeasedConnection).isSpoiled)
      throw new Error(
        'a statement failed in this transaction, so it is undone; use `on conflict` rather than a caught error',
      );
    await step(held, 'commit');
  },
  rollbackTransaction: async (held) => void (await step(held, 'rollback')),
  destroy: async () => {},
});

export const postgresDialect = (acquire: () => Promise<Lease>): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(acquire),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
