/** The row of a household that supports the project. */
import type { Kysely } from 'kysely';
import { columns, type CommitCursor, type Database, type Engine, table, type Transaction } from '../lib/db/index.ts';

export interface Support {
  since: number;
  until?: number | undefined;
  name?: string | undefined;
}

interface SupporterTables {
  supporter_household: { id: string; since: number; until: number | null; name: string | null };
}
/** The table has one row at most. */
const ID = 'household';

export const supporterMigrations = [
  {
    id: 'supporter-001-core',
    up: async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
      const c = columns(engine);
      await table(db, engine, 'supporter_household')
        .addColumn('id', c.text, (col) => col.primaryKey().notNull())
        .addColumn('since', c.time, (col) => col.notNull())
        .addColumn('until', c.time)
        .addColumn('name', c.text)
        .execute();
    },
  },
] as const;

export type SupporterStore = ReturnType<typeof supporterStore>;

export const supporterStore = (db: Database) => ({
  async read(): Promise<Support | undefined> {
    const row = await db.tables<SupporterTables>().selectFrom('supporter_household').selectAll().executeTakeFirst();
    return row && { since: row.since, until: row.until ?? undefined, name: row.name ?? undefined };
  },

  /** Keeps this one in place of another, with what records it. */
  replace: ({ since, until, name }: Support, recorded: CommitCursor): Promise<void> =>
    db.write('safe', async (tx: Transaction<SupporterTables>) => {
      await tx.deleteFrom('supporter_household').execute();
      await tx
        .insertInto('supporter_household')
        .values({ id: ID, since, until: until ?? null, name: name ?? null })
        .execute();
      await recorded(tx);
    }),
});
