/** Tools of the stores that write many rows: prepared statements, numbers of changes, and lists cut into pieces. */
import { CompiledQuery, type Transaction } from 'kysely';
import { CHANGES, type CatalogTables } from './tables.ts';

export type CatalogTransaction = Transaction<CatalogTables>;

/**
 * Maximum number of rows of one statement: enough to save the work of building it, few enough to let others write in
 * between.
 */
const ROWS_AT_ONCE = 60;
/** Maximum number of values in a list of a condition. */
export const VALUES_AT_ONCE = 500;

export const chunks = <T>(all: readonly T[], size = ROWS_AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/** Runs a query for each piece of a long list of values, and returns all rows. */
export async function inChunks<V, R>(values: readonly V[], query: (some: V[]) => Promise<R[]>): Promise<R[]> {
  const all: R[] = [];
  for (const some of chunks(values, VALUES_AT_ONCE)) all.push(...(await query(some)));
  return all;
}

/** Reserves `count` numbers for changes. Returns the number before the first of them. */
export async function reserveChanges(tx: CatalogTransaction, count: number): Promise<number> {
  const row = await tx
    .updateTable('catalog_counter')
    .set((eb) => ({ change: eb('change', '+', count) }))
    .where('only', '=', CHANGES)
    .returning('change')
    .executeTakeFirstOrThrow();
  return row.change - count;
}

/**
 * Returns a function that inserts rows, or updates the columns of rows that exist. The statement is built once for each
 * engine and run for each row on one connection: building it and asking for a connection cost more than running it.
 */
export function upserter<N extends keyof CatalogTables & string>(
  table: N,
  keys: readonly (keyof CatalogTables[N] & string)[],
  kept: readonly string[] = [],
) {
  const built = new Map<string, { sql: string; columns: string[] }>();
  return async (tx: CatalogTransaction, rows: readonly CatalogTables[N][]): Promise<void> => {
    const [first] = rows as readonly unknown[] as readonly Record<string, unknown>[];
    if (!first) return;
    const executor = tx.getExecutor();
    const engine = executor.adapter.constructor.name;
    let statement = built.get(engine);
    if (!statement) {
      const columns = Object.keys(first);
      const changed = columns.filter(
        (column) => !(keys as readonly string[]).includes(column) && !kept.includes(column),
      );
      const query = (tx as unknown as Transaction<Record<string, Record<string, unknown>>>)
        .insertInto(table)
        .values(first)
        .onConflict((oc) =>
          oc
            .columns(keys)
            .doUpdateSet(
              (eb) => Object.fromEntries(changed.map((column) => [column, eb.ref(`excluded.${column}`)])) as never,
            ),
        );
      statement = { sql: query.compile().sql, columns };
      built.set(engine, statement);
    }
    const { sql, columns } = statement;
    await executor.provideConnection(async (connection) => {
      for (const row of rows as readonly unknown[] as readonly Record<string, unknown>[])
        await connection.executeQuery(
          CompiledQuery.raw(
            sql,
            columns.map((column) => row[column]),
          ),
        );
    });
  };
}
