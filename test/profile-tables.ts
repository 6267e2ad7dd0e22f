/** The tables of a migrated database that hold the id of a Profile, found by the names of their columns. */
import { sql } from 'kysely';
import type { Database, Transaction } from '../src/lib/db/index.ts';

const HOLDS_PROFILE = /(^|_)profile(_id)?$/;

export interface TableColumn {
  name: string;
  type: string;
  notnull: number;
}

/** Runs a statement, in which each question mark is one of the values. */
export const queryRows = <R>(db: Database, text: string, ...values: unknown[]): Promise<R[]> =>
  db.write('grouped', async (tx: Transaction<unknown>) => {
    const parts = text.split('?');
    const built = sql.join(
      parts.flatMap((part, n) => (n === 0 ? [sql.raw(part)] : [sql`${values[n - 1]}`, sql.raw(part)])),
      sql``,
    );
    return (await sql<R>`${built}`.execute(tx)).rows;
  });

/** Returns each table with a column for a Profile, and the name of that column. */
export async function profileTables(db: Database): Promise<{ name: string; column: string; all: TableColumn[] }[]> {
  const tables = await queryRows<{ name: string }>(
    db,
    `select name from sqlite_master where type = 'table' order by name`,
  );
  const found = [];
  for (const { name } of tables) {
    const all = await queryRows<TableColumn>(db, `select name, type, "notnull" from pragma_table_info('${name}')`);
    for (const { name: column } of all) if (HOLDS_PROFILE.test(column)) found.push({ name, column, all });
  }
  return found;
}
