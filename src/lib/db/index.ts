/** The door of the database floor: open one, declare migrations, name column types. */
import type { Clock } from '../clock.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Database, MakeNew, Migration } from './types.ts';

export { DatabaseUnusable } from './types.ts';
export type {
  CommitCursor,
  Database,
  Durability,
  Engine,
  Kysely,
  MakeNew,
  Migration,
  DatabaseReader,
  Transaction,
  Unusable,
} from './types.ts';
export { columns, table } from './columns.ts';
export { explainDamage } from './sqlite-file.ts';
export { keepCopy, listCopies, moveAllAside, restoreCopy } from './upkeep/copies.ts';

/** Location of the database: an SQLite file, or the address of a PostgreSQL server. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };

/**
 * Opens the database and brings it up to date, in the order in which the migrations are given.
 * Fails as DatabaseUnusable, with one line for the person who starts the server; nothing was changed then.
 * `mayCreate` is called before tables are made in a database that is missing or empty, and refuses by throwing.
 * `report` is called for what fails later outside any call: a sync or a connection.
 * `makeNew` is only for tests, and only of SQLite.
 */
export async function openDatabase(
  options: DatabaseLocation & {
    migrations: readonly Migration[];
    clock?: Clock;
    mayCreate?: () => Promise<void>;
    makeNew?: MakeNew | undefined;
    report?: (error: unknown) => void;
    /** Returns the bytes that are free in a folder. */
    room?: (folder: string) => Promise<number>;
  },
): Promise<Database> {
  if ('file' in options) return openSqlite(options);
  const { pgSource } = await import('./pg.ts');
  return openPostgres(await pgSource(options.url, options.report), options);
}
