/** How far each kind of background work has followed the catalogue. */
import type { Database, Transaction } from '../../../lib/db/index.ts';
import type { FollowedPosition } from '../../../catalog/index.ts';
import type { Follower, MarkerTables } from './tables.ts';

type Tx = Transaction<MarkerTables>;

/** `gone` is the last deletion that was looked at. */
export type FollowedCursor = FollowedPosition & { gone: number };

export function cursorStore(db: Database) {
  const read = () => db.tables<MarkerTables>();
  return {
    cursor: async (follower: Follower): Promise<FollowedCursor> => {
      const row = await read()
        .selectFrom('playback_cursor')
        .selectAll()
        .where('follower', '=', follower)
        .executeTakeFirst();
      return {
        change: row?.change ?? 0,
        gone: row?.gone ?? 0,
        away: JSON.parse(row?.away ?? '{}') as FollowedPosition['away'],
      };
    },
    /** Moves a cursor, and forgets items that are gone for good in the same transaction. */
    follow: (
      follower: Follower,
      { change, away, gone = 0 }: FollowedPosition & { gone?: number },
      ids: readonly string[] = [],
    ): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        const row = { change, gone, away: JSON.stringify(away) };
        if (ids.length > 0) {
          await tx.deleteFrom('playback_marker').where('item', 'in', ids).execute();
          await tx.deleteFrom('playback_analysed').where('item', 'in', ids).execute();
        }
        await tx
          .insertInto('playback_cursor')
          .values({ follower, ...row })
          .onConflict((on) => on.column('follower').doUpdateSet(row))
          .execute();
      }),
  };
}
