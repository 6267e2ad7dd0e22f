/** Rows of saved settings, one for each, with the text of a secret sealed. The only SQL of the configuration. */
import { columns, table, type CommitCursor, type Database, type Migration, type Transaction } from '../lib/db/index.ts';

interface Tables {
  config_setting: { key: string; text: string; sealed: number; saved_at: number };
}

export interface OwnerRow {
  key: string;
  /** The accepted text; of a secret, what the sealer made of it. */
  text: string;
  sealed: boolean;
}

export const configMigrations: readonly Migration[] = [
  {
    id: 'config-001-settings',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'config_setting')
        .addColumn('key', c.text, (col) => col.primaryKey().notNull())
        .addColumn('text', c.text, (col) => col.notNull())
        .addColumn('sealed', c.flag, (col) => col.notNull())
        .addColumn('saved_at', c.time, (col) => col.notNull())
        .execute();
    },
  },
];

export type ConfigStore = ReturnType<typeof configStore>;

export const configStore = (db: Database) => ({
  /** Every row, in the order of the keys. */
  async all(): Promise<OwnerRow[]> {
    const rows = await db
      .tables<Tables>()
      .selectFrom('config_setting')
      .select(['key', 'text', 'sealed'])
      .orderBy('key')
      .execute();
    return rows.map(({ key, text, sealed }) => ({ key, text, sealed: sealed === 1 }));
  },

  /**
   * Writes all rows or none, durably, and what `also` writes with them. A row with a blank text is removed. `now` in
   * milliseconds.
   */
  write: (rows: readonly OwnerRow[], now: number, also?: CommitCursor): Promise<void> =>
    db.write('safe', async (tx: Transaction<Tables>) => {
      for (const { key, text, sealed } of rows) {
        if (text === '') {
          await tx.deleteFrom('config_setting').where('key', '=', key).execute();
          continue;
        }
        const row = { text, sealed: sealed ? 1 : 0, saved_at: now };
        await tx
          .insertInto('config_setting')
          .values({ key, ...row })
          .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
          .execute();
      }
      await also?.(tx);
    }),
});
