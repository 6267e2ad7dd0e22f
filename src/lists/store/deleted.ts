/**
 * Deleted playlists and smart playlists. A deleted list keeps its row, and a playlist its entries, so that its Profile
 * can bring it back as it was. Rows that are too old, or too many, go with the next deletion of that Profile.
 */
import type { Kysely } from 'kysely';
import { columns, type Database, type Engine, type Transaction } from '../../lib/db/index.ts';

/** Tables of lists that belong to a Profile. */
interface OwnedListTables {
  lists_playlist: { id: string; profile: string; name: string; deleted: number | null };
  lists_smart: { id: string; profile: string; name: string; deleted: number | null };
}
type OwnedListTable = keyof OwnedListTables;
type OwnedListTransaction = Transaction<OwnedListTables>;

export interface DeletedListRow {
  id: string;
  name: string;
}
/** Which deleted lists are kept: those that were deleted after `since`, and the last `most` of them. */
interface KeptLists {
  since: number;
  most: number;
}

const TABLES: readonly OwnedListTable[] = ['lists_playlist', 'lists_smart'];

export const deletedListMigration = {
  id: 'lists-004-deleted',
  up: async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
    for (const name of TABLES) await db.schema.alterTable(name).addColumn('deleted', columns(engine).time).execute();
  },
} as const;

interface DeletionRules {
  /** Removes what other tables hold of these lists, in the same transaction. */
  dropOthers?(tx: OwnedListTransaction, ids: readonly string[]): Promise<unknown>;
  /** Returns what keeps a list from coming back, such as the size of all lists together; undefined if nothing does. */
  obstacle?(tx: OwnedListTransaction, list: { id: string; profile: string }): Promise<RestoreObstacle | undefined>;
}
type RestoreObstacle = 'too-many-rules' | 'too-many-shared';

export const deletedListStore = (
  db: Database,
  name: OwnedListTable,
  { dropOthers = async () => {}, obstacle = async () => undefined }: DeletionRules = {},
) => {
  const deletedIn = (tx: Pick<OwnedListTransaction, 'selectFrom'>, profile: string) =>
    tx
      .selectFrom(name)
      .select(['id', 'name'])
      .where('profile', '=', profile)
      .where('deleted', 'is not', null)
      .orderBy('deleted', 'desc')
      .orderBy('id');
  return {
    /** Marks a list as deleted; false if the Profile has none with this id. */
    remove: ({ profile, id, at, since, most }: KeptLists & { profile: string; id: string; at: number }) =>
      db.write('safe', async (tx: OwnedListTransaction): Promise<boolean> => {
        const { numUpdatedRows } = await tx
          .updateTable(name)
          .set({ deleted: at })
          .where('id', '=', id)
          .where('profile', '=', profile)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        const kept = await deletedIn(tx, profile).where('deleted', '>', since).limit(most).execute();
        const gone = await deletedIn(tx, profile)
          .where('id', 'not in', [id, ...kept.map((one) => one.id)])
          .execute();
        const ids = gone.map((one) => one.id);
        if (ids.length > 0) {
          await dropOthers(tx, ids);
          await tx.deleteFrom(name).where('id', 'in', ids).execute();
        }
        return numUpdatedRows > 0n;
      }),
    /** Brings back a list that was deleted after `since`, unless the Profile would have more than `mostLists`. */
    restore: ({ profile, id, since, mostLists }: { profile: string; id: string; since: number; mostLists: number }) =>
      db.write('safe', async (tx: OwnedListTransaction): Promise<'restored' | 'missing' | 'full' | RestoreObstacle> => {
        const row = await tx
          .selectFrom(name)
          .select('deleted')
          .where('id', '=', id)
          .where('profile', '=', profile)
          .executeTakeFirst();
        if (row === undefined || (row.deleted !== null && row.deleted <= since)) return 'missing';
        if (row.deleted === null) return 'restored';
        const own = await tx
          .selectFrom(name)
          .select((eb) => eb.fn.countAll().as('count'))
          .where('profile', '=', profile)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (Number(own?.count ?? 0) >= mostLists) return 'full';
        const found = await obstacle(tx, { id, profile });
        if (found !== undefined) return found;
        await tx.updateTable(name).set({ deleted: null }).where('id', '=', id).execute();
        return 'restored';
      }),
    /** Returns the lists of a Profile that it can bring back, the last one first. */
    deleted: (profile: string, since: number): Promise<DeletedListRow[]> =>
      deletedIn(db.tables<OwnedListTables>(), profile).where('deleted', '>', since).execute(),
  };
};
export type DeletedListStore = ReturnType<typeof deletedListStore>;
