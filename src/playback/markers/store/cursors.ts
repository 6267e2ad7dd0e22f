/** How far each kind of background work has followed the catalogue. */
import type { Database, Transaction } from '../../../lib/db/index.ts';
import type { CursorTable, Follower, MarkerTables } from './tables.ts';

type Tx = Transaction<MarkerTables>;

export function cursorStore(db: Database) {
  const read = () => db.tables<MarkerTables>();
  return {
    cursor: async (follower: Follower): Promise<Pick<CursorTable, 'change' | 'gone'>> => {
      const row = await read()
        .selectFrom('playback_cursor')
        .selectAll()
        .where('follower', '=', follower)
        .executeTakeFirst();
      return { change: row?.change ?? 0, gone: row?.gone ?? 0 };
    },
    /** Moves a cursor, and forgets items that are gone for good in the same transaction. */
    follow: (
      follower: Follower,
      { change, gone }: Pick<CursorTable, 'change' | 'gone'>,
      ids: readonly string[],
    ): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        if (ids.length > 0) {
          await tx.deleteFrom('playback_marker').where('item', 'in', ids).execute();
          await tx.deleteFrom('playback_analysed').where('item', 'in', ids).execute();
        }
        await tx
          .insertInto('playback_cursor')
          .values({ follower, change, gone })
          .onConflict((on) => on.column('follower').doUpdateSet({ change, gone }))
          .execute();
      }),
  };
}
