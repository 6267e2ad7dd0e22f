/** Result of the last check of the activity log in the database. */
import type { Database } from '../../lib/db/index.ts';
import type { ActivityTables, ActivityTransaction } from './tables.ts';

export interface LogCheckResult {
  checkedAt: number;
  /** Entries that were checked. */
  entries: number;
  /** The first entry that does not fit; undefined if the log is whole. */
  broken: { number: number; at: number | undefined } | undefined;
}

/** The table has one row at most. */
const ID = 'last';

export type CheckStore = ReturnType<typeof checkStore>;

export const checkStore = (db: Database) => ({
  /** Returns the last result; undefined if the log was never checked. */
  async read(): Promise<LogCheckResult | undefined> {
    const row = await db.tables<ActivityTables>().selectFrom('activity_check').selectAll().executeTakeFirst();
    if (!row) return undefined;
    const { checked_at: checkedAt, entries, broken_number: number, broken_at: at } = row;
    return { checkedAt, entries, broken: number === null ? undefined : { number, at: at ?? undefined } };
  },

  /** Puts a result in the place of the one before. */
  replace: ({ checkedAt, entries, broken }: LogCheckResult): Promise<void> =>
    db.write('safe', async (tx: ActivityTransaction) => {
      const found = {
        checked_at: checkedAt,
        entries,
        broken_number: broken?.number ?? null,
        broken_at: broken?.at ?? null,
      };
      await tx
        .insertInto('activity_check')
        .values({ id: ID, ...found })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
        .execute();
    }),
});
