/**
 * Kysely's dialect for SQLite: one connection of the built-in module that keeps its prepared statements.
 *
 * Statements are synchronous and end in the turn in which they begin, so callers can share a connection that only
 * reads. Transactions await between statements; `write` lets one at a time open.
 */
import type { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { refusedByDamage } from './sqlite-file.ts';
import { plain } from './values.ts';

/**
 * Prepared statements that a connection keeps, a few kilobytes each. The least recently used one is dropped.
 */
const MAX_STATEMENTS = 256;

type Row = Record<string, unknown>;

export interface PreparedStatement {
  /** Runs it to its end. `changes` is 0 for a statement that returns rows. */
  run(values: readonly unknown[]): { rows: Row[]; changes: number };
}

export interface Statements {
  get(sql: string): PreparedStatement;
  readonly size: number;
  /** How often a statement had to be prepared. */
  readonly misses: number;
  clear(): void;
}

/**
 * Rows come as arrays and become objects here: that is three times as fast as the module's own objects, and uses
 * the ordinary prototype, as the other engine does.
 */
function prepare(db: DatabaseSync, sql: string): PreparedStatement {
  const statement = db.prepare(sql);
  let names = statement.columns().map((column) => column.name);
  if (names.length === 0)
    return { run: (values) => ({ rows: [], changes: Number(statement.run(...plain(values)).changes) }) };
  statement.setReturnArrays(true);
  const named = (cells: readonly unknown[]): Row => {
    const row: Row = {};
    for (let i = 0; i < cells.length; i++) row[names[i] as string] = cells[i];
    return row;
  };
  return {
    run: (values) => {
      const found = statement.all(...plain(values)) as unknown as unknown[][];
      // `select *` grows with its table.
      if (found[0] && found[0].length !== names.length) names = statement.columns().map((column) => column.name);
      return { rows: found.map(named), changes: 0 };
    },
  };
}

/**
 * Keeps the prepared statements of one connection. SQLite itself prepares them again when the schema changes.
 * `explained` returns what is thrown in place of an error of the engine.
 */
export function createStatements(
  db: DatabaseSync,
  most = MAX_STATEMENTS,
  explained: (error: unknown) => unknown = (error) => error,
): Statements {
  const kept = new Map<string, PreparedStatement>();
  let misses = 0;
  const explaining = (make: () => PreparedStatement): PreparedStatement => {
    try {
      const { run } = make();
      return {
        run: (values) => {
          try {
            return run(values);
          } catch (error) {
            throw explained(error);
          }
        },
      };
    } catch (error) {
      throw explained(error);
    }
  };
  return {
    get: (sql) => {
      let found = kept.get(sql);
      if (found) kept.delete(sql);
      else {
        misses++;
        found = explaining(() => prepare(db, sql));
      }
      kept.set(sql, found);
      if (kept.size > most) {
        const [oldest] = kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
      }
      return found;
    },
    get size() {
      return kept.size;
    },
    get misses() {
      return misses;
    },
    clear: () => kept.clear(),
  };
}

export interface SqliteConnection extends DatabaseConnection {
  readonly db: DatabaseSync;
  readonly statements: Statements;
  /**
   * Whether a statement has failed in the transaction under way. PostgreSQL then undoes it all, so it is undone here
   * too.
   */
  isSpoiled: boolean;
  /** Called for each statement that met a damaged page. */
  damageMet: () => void;
  /** Returns an error of the engine as callers get it. */
  explained(error: unknown): unknown;
}

const spoiled = (): Error =>
  new Error('a statement failed in this transaction, so it is undone; use `on conflict` rather than a caught error');

export function connect(db: DatabaseSync, most?: number): SqliteConnection {
  const explained = (error: unknown): unknown => {
    const refusal = refusedByDamage(error);
    if (refusal !== error) connection.damageMet();
    return refusal;
  };
  const statements = createStatements(db, most, explained);
  const connection: SqliteConnection = {
    db,
    statements,
    isSpoiled: false,
    damageMet: () => {},
    explained,
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      if (connection.isSpoiled) throw spoiled();
      try {
        const { rows, changes } = statements.get(sql).run(parameters);
        return { rows: rows as R[], numAffectedRows: BigInt(changes) };
      } catch (error) {
        connection.isSpoiled = db.isTransaction;
        throw error;
      }
    },
    streamQuery: () => {
      throw new Error('page through a table by its key, or use rows(): a stream would hold the connection');
    },
  };
  return connection;
}

const step = async (connection: DatabaseConnection, sql: string): Promise<void> =>
  void (await connection.executeQuery(CompiledQuery.raw(sql)));

/** A driver over one connection. `write` lets one transaction at a time open. */
const driver = (connection: SqliteConnection): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection,
  releaseConnection: async () => {},
  // Immediate: the write lock is taken at the start, where waiting for it is harmless, not in the middle.
  beginTransaction: () => step(connection, 'begin immediate'),
  commitTransaction: async () => {
    if (connection.isSpoiled) throw spoiled();
    await step(connection, 'commit');
  },
  rollbackTransaction: async () => {
    connection.isSpoiled = false;
    // A full disk may have undone it already.
    if (connection.db.isTransaction) await step(connection, 'rollback');
  },
  destroy: async () => {},
});

/** Spares the lock that Kysely would put around the one connection: reads need none. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export const sqliteDialect = (connection: SqliteConnection): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => driver(connection),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
