/**
 * Interface of the database for the rest of the server: concurrent reads, serialized writes.
 *
 * Two engines implement it: SQLite in one file (the default) and PostgreSQL. Stores speak the SQL
 * that both understand. What differs is evened out here: flags are integers 0 and 1, times and counts
 * arrive as JavaScript numbers, text sorts by code point, `like` is case-sensitive.
 * What stays different: nulls sort first in SQLite and last in PostgreSQL (say `nulls last`), and
 * PostgreSQL refuses U+0000 in text.
 */
import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';

export type { Kysely, Transaction } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/**
 * How long a write may be at risk once it is acknowledged. Both survive the death of the process at any moment.
 * `safe` also survives a power cut: the promise settles only when the disk has it.
 * `grouped` may lose the last 100 ms or so to a power cut, and is for what is written often and cheaply repeated.
 */
export type Durability = 'safe' | 'grouped';

/** The reading half of Kysely. A transaction is one too, so a function over `Reader<T>` serves both. */
export type DatabaseReader<T> = Pick<
  Kysely<T>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'dynamic' | 'case' | 'executeQuery' | 'getExecutor'
>;

/** Writes a cursor. Called in the transaction that writes what was done up to it, so that both are kept or neither. */
export type CommitCursor = <T>(tx: Transaction<T>) => Promise<void>;

/** One step of the schema. Its id is recorded for good once it has run, so a released one never changes. */
export interface Migration {
  /** The owning domain, a number, and what it does: `catalog-001-items`. */
  readonly id: string;
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
}

/** Makes the tables of the new SQLite database `file`: `run` runs its migrations. */
export type MakeNew = (needs: {
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  run(): Promise<void>;
}) => Promise<void>;

export interface Database {
  readonly engine: Engine;
  /** Reads what is committed. Never waits behind a write, and refuses to write. */
  tables<T>(): DatabaseReader<T>;
  /**
   * Runs `work` as one transaction, alone: writers take turns in the order they asked. It is undone when `work` throws.
   * Name the tables on the parameter and both types are inferred: `db.write('safe', async (tx: Transaction<Tables>) =>
   * …)`. Never wait for the network, a file or another `write` inside.
   */
  write<T, R>(durability: Durability, work: (tx: Transaction<T>) => Promise<R>): Promise<R>;
  /**
   * Runs a reading query compiled before (`.compile()`), with other values in place of those it was compiled with, in
   * their order. Spares the hot readers the work of building the query again.
   */
  run<R>(query: CompiledQuery<R>, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Hands over every row of a reading query as an array in the order of its columns, and returns how many there were.
   * For loading a whole table at start: it does not give way to other work while it runs.
   */
  rows<R extends readonly unknown[]>(query: CompiledQuery<unknown>, each: (row: R) => void): Promise<number>;
  /**
   * Writes a consistent copy of everything to the new file `to`, checked and synced. Writers are not held up. Fails as
   * `check` does. SQLite only: PostgreSQL has its own tools, and fails here as `conflict`.
   */
  snapshot(to: string): Promise<void>;
  /**
   * Reads every page in a thread and fails as DatabaseUnusable (`corrupt`) when they are damaged. SQLite only;
   * elsewhere it does nothing.
   */
  check(): Promise<void>;
  /** Calls `listener` for each statement that met a damaged page. SQLite only. */
  onDamage(listener: () => void): void;
  /** Whether it was opened on a full disk, so that every write is refused as `unavailable` until a restart. */
  readonly isReadOnly: boolean;
  /** Whether the process that used the file last was killed, or lost its power. */
  readonly wasCutOff: boolean;
  /** Lets the engine look after itself: statistics, and the write-ahead log folded in. Cheap; for a quiet moment. */
  tidy(): Promise<void>;
  /** Waits for the writes under way, makes them durable, and lets go of the file. */
  close(): Promise<void>;
}

export type Unusable = 'in-use' | 'newer' | 'corrupt' | 'foreign' | 'unwritable' | 'unreachable' | 'upgrade' | 'lost';

/** Why the database could not be opened, as one line for the person who starts the server. Nothing was changed. */
export class DatabaseUnusable extends Error {
  readonly reason: Unusable;
  constructor(reason: Unusable, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnusable';
    this.reason = reason;
  }
}
