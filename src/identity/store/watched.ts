/** Played time in the database: one row for each Profile and day. */
import type { Database } from '../../lib/db/index.ts';
import type { IdentityTables, IdentityTransaction } from './tables.ts';

export interface WatchedRow {
  profile: string;
  /** Day of the Profile, as `2026-11-20`. */
  day: string;
  ms: number;
}

export type WatchedStore = ReturnType<typeof watchedStore>;

export const watchedStore = (db: Database) => ({
  all: (): Promise<WatchedRow[]> => db.tables<IdentityTables>().selectFrom('identity_watched').selectAll().execute(),

  /** Writes the time of days. That of a Profile that was removed in the meantime is left out. */
  put: (rows: readonly WatchedRow[]): Promise<void> =>
    db.write('grouped', async (tx: IdentityTransaction) => {
      for (const { profile, day, ms } of rows) {
        const kept = await tx.selectFrom('identity_profile').select('id').where('id', '=', profile).executeTakeFirst();
        if (!kept) continue;
        await tx
          .insertInto('identity_watched')
          .values({ profile, day, ms })
          .onConflict((conflict) => conflict.columns(['profile', 'day']).doUpdateSet({ ms }))
          .execute();
      }
    }),

  /** Removes days before one. Days are compared as text. */
  forgetBefore: (day: string): Promise<void> =>
    db.write(
      'grouped',
      async (tx: IdentityTransaction) =>
        void (await tx.deleteFrom('identity_watched').where('day', '<', day).execute()),
    ),
});
