/**
 * The tables of playlists.
 *
 * The place of an entry is a whole number; entries are `STEP` apart when they are added. An entry that moves gets a
 * number between its new neighbours. If there is none, the entries are numbered again in the same transaction, so a
 * crash leaves the old order or the new one.
 */
import type { Kysely } from 'kysely';
import { MAX_ENTRIES_OF_PROFILE, MAX_SHARED_PLAYLISTS } from '../../contract/lists/playlists.ts';
import { columns, type CommitCursor, type Database, type Engine, table, type Transaction } from '../../lib/db/index.ts';
import { collectionMigration, collectionPictureMigration } from './collections.ts';
import { deletedListMigration, deletedListStore } from './deleted.ts';
import { smartMigration } from './smart.ts';
import { crashPoint } from '../../lib/crash.ts';

/** Distance of the places of two entries: an entry can be moved 20 times to the same place before a renumbering. */
const STEP = 2 ** 20;
/** Rows of one statement, well within what both engines take. */
const ROWS_AT_ONCE = 500;

export interface PlaylistRow {
  id: string;
  profile: string;
  name: string;
  /** 0 or 1. */
  shared: number;
}
interface EntryTable {
  id: string;
  playlist: string;
  item: string;
  place: number;
  added: number;
  /** When a person removed it. */
  removed: number | null;
}
type CreateResult = 'created' | 'too-many-playlists' | 'too-many-shared' | 'too-many-entries';
export type StoredEntry = Pick<EntryTable, 'id' | 'item' | 'added'>;
interface ListTables {
  /** `deleted`: when its Profile deleted it. */
  lists_playlist: PlaylistRow & { deleted: number | null };
  lists_entry: EntryTable;
}
type ListTransaction = Transaction<ListTables>;

async function playlistTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'lists_playlist')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('profile', c.id, (col) => col.notNull())
    .addColumn('name', c.text, (col) => col.notNull())
    .addColumn('shared', c.flag, (col) => col.notNull())
    .execute();
  await db.schema.createIndex('lists_playlist_profile').on('lists_playlist').column('profile').execute();
  await table(db, engine, 'lists_entry')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('playlist', c.id, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('place', c.integer, (col) => col.notNull())
    .addColumn('added', c.time, (col) => col.notNull())
    .addColumn('removed', c.time)
    .execute();
  await db.schema.createIndex('lists_entry_place').on('lists_entry').columns(['playlist', 'place']).execute();
}

export const listMigrations = [
  { id: 'lists-001-playlists', up: playlistTables },
  smartMigration,
  collectionMigration,
  deletedListMigration,
  collectionPictureMigration,
] as const;

const present = (tx: ListTransaction, playlist: string) =>
  tx.selectFrom('lists_entry').where('playlist', '=', playlist).where('removed', 'is', null);

const countOf = async (tx: ListTransaction, playlist: string): Promise<number> =>
  Number(
    (
      await present(tx, playlist)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirst()
    )?.count ?? 0,
  );

/**
 * Makes room for entries among all of a Profile: if there is none, its removed entries and deleted playlists go.
 * Returns false if there is still none.
 */
async function makeRoom(
  tx: ListTransaction,
  profile: string,
  { count, most }: { count: number; most: number },
): Promise<boolean> {
  const own = () => tx.selectFrom('lists_playlist').select('id').where('profile', '=', profile);
  const hasRoom = async (): Promise<boolean> => {
    const all = await tx
      .selectFrom('lists_entry')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('playlist', 'in', own())
      .executeTakeFirst();
    return Number(all?.count ?? 0) + count <= most;
  };
  if (await hasRoom()) return true;
  const deleted = () => own().where('deleted', 'is not', null);
  await tx
    .deleteFrom('lists_entry')
    .where('playlist', 'in', own())
    .where((eb) => eb.or([eb('removed', 'is not', null), eb('playlist', 'in', deleted())]))
    .execute();
  await tx.deleteFrom('lists_playlist').where('profile', '=', profile).where('deleted', 'is not', null).execute();
  return hasRoom();
}

/** Returns whether a Profile may share one more playlist. */
async function canShare(tx: ListTransaction, profile: string): Promise<boolean> {
  const shared = await tx
    .selectFrom('lists_playlist')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('profile', '=', profile)
    .where('deleted', 'is', null)
    .where('shared', '=', 1)
    .executeTakeFirst();
  return Number(shared?.count ?? 0) < MAX_SHARED_PLAYLISTS;
}

async function append(tx: ListTransaction, playlist: string, rows: readonly StoredEntry[]): Promise<void> {
  const last = await tx
    .selectFrom('lists_entry')
    .select('place')
    .where('playlist', '=', playlist)
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst();
  const start = last?.place ?? 0;
  const all = rows.map((row, at) => ({ ...row, playlist, place: start + (at + 1) * STEP, removed: null }));
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('lists_entry')
      .values(all.slice(from, from + ROWS_AT_ONCE))
      .execute();
}

/** Returns a place in front of an entry, or behind all; undefined if there is no number between its neighbours. */
async function placeBefore(
  tx: ListTransaction,
  playlist: string,
  { entry, before }: { entry: string; before: string | null },
): Promise<number | undefined> {
  const others = () => tx.selectFrom('lists_entry').where('playlist', '=', playlist).where('id', '!=', entry);
  const next = before === null ? undefined : await others().select('place').where('id', '=', before).executeTakeFirst();
  const previous = await others()
    .select('place')
    .$if(next !== undefined, (q) => q.where('place', '<', next?.place ?? 0))
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return (previous?.place ?? 0) + STEP;
  const place = Math.floor(((previous?.place ?? next.place - 2 * STEP) + next.place) / 2);
  return previous !== undefined && place <= previous.place ? undefined : place;
}

/** Numbers all entries of a playlist again, with room between them. */
async function renumber(tx: ListTransaction, playlist: string): Promise<void> {
  const rows = await tx
    .selectFrom('lists_entry')
    .select('id')
    .where('playlist', '=', playlist)
    .orderBy('place')
    .orderBy('id')
    .execute();
  for (const [at, { id }] of rows.entries()) {
    await tx
      .updateTable('lists_entry')
      .set({ place: (at + 1) * STEP })
      .where('id', '=', id)
      .execute();
    if (at === 0) crashPoint('lists.order.renumbering');
  }
}

/** Deletes removed entries of a playlist that are too old, and the oldest beyond `most`. */
async function forgetRemoved(
  tx: ListTransaction,
  playlist: string,
  { since, most }: { since: number; most: number },
): Promise<void> {
  const last = await tx
    .selectFrom('lists_entry')
    .select('removed')
    .where('playlist', '=', playlist)
    .where('removed', 'is not', null)
    .orderBy('removed', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  await tx
    .deleteFrom('lists_entry')
    .where('playlist', '=', playlist)
    .where('removed', '<=', Math.max(since, last?.removed ?? 0))
    .execute();
}

const entriesOf = (db: Database, mostOfProfile: number) => ({
  entries: (playlist: string): Promise<StoredEntry[]> =>
    db
      .tables<ListTables>()
      .selectFrom('lists_entry')
      .select(['id', 'item', 'added'])
      .where('playlist', '=', playlist)
      .where('removed', 'is', null)
      .orderBy('place')
      .orderBy('id')
      .execute(),
  /** Adds entries at the end, all or none, unless the playlist or its Profile would have too many. */
  add: ({ id, profile }: Pick<PlaylistRow, 'id' | 'profile'>, rows: readonly StoredEntry[], most: number) =>
    db.write('safe', async (tx: ListTransaction): Promise<'added' | 'full' | 'too-many-entries'> => {
      if ((await countOf(tx, id)) + rows.length > most) return 'full';
      if (!(await makeRoom(tx, profile, { count: rows.length, most: mostOfProfile }))) return 'too-many-entries';
      await append(tx, id, rows);
      return 'added';
    }),
  /** Moves an entry in front of another one; null moves it to the end. Returns false if one of them is not there. */
  move: (playlist: string, { entry, before }: { entry: string; before: string | null }) =>
    db.write('safe', async (tx: ListTransaction): Promise<boolean> => {
      const named = [entry, ...(before === null ? [] : [before])];
      const known = await present(tx, playlist).select('id').where('id', 'in', named).execute();
      if (known.length !== new Set(named).size) return false;
      if (before === entry) return true;
      let place = await placeBefore(tx, playlist, { entry, before });
      if (place === undefined) {
        await renumber(tx, playlist);
        place = await placeBefore(tx, playlist, { entry, before });
      }
      await tx
        .updateTable('lists_entry')
        .set({ place: place ?? 0 })
        .where('id', '=', entry)
        .execute();
      crashPoint('lists.order.moved');
      return true;
    }),
  /** Marks an entry as removed; false if it is not there. */
  remove: (playlist: string, { entry, at, since, most }: { entry: string; at: number; since: number; most: number }) =>
    db.write('safe', async (tx: ListTransaction): Promise<boolean> => {
      const { numUpdatedRows } = await tx
        .updateTable('lists_entry')
        .set({ removed: at })
        .where('playlist', '=', playlist)
        .where('id', '=', entry)
        .where('removed', 'is', null)
        .executeTakeFirst();
      await forgetRemoved(tx, playlist, { since, most });
      return numUpdatedRows > 0n;
    }),
  /** Brings back an entry that was removed after `since`, unless there would be more than `most`. */
  restore: (playlist: string, { entry, since, most }: { entry: string; since: number; most: number }) =>
    db.write('safe', async (tx: ListTransaction): Promise<'restored' | 'missing' | 'full'> => {
      const row = await tx
        .selectFrom('lists_entry')
        .select('removed')
        .where('playlist', '=', playlist)
        .where('id', '=', entry)
        .executeTakeFirst();
      if (row === undefined || (row.removed !== null && row.removed <= since)) return 'missing';
      if (row.removed === null) return 'restored';
      if ((await countOf(tx, playlist)) >= most) return 'full';
      await tx.updateTable('lists_entry').set({ removed: null }).where('id', '=', entry).execute();
      return 'restored';
    }),
});

const PLAYLIST_COLUMNS = ['id', 'profile', 'name', 'shared'] as const;

/** `mostOfProfile`: maximum number of entries of all playlists of a Profile together. */
export const listStore = (db: Database, mostOfProfile = MAX_ENTRIES_OF_PROFILE) => {
  const read = () =>
    db.tables<ListTables>().selectFrom('lists_playlist').select(PLAYLIST_COLUMNS).where('deleted', 'is', null);
  return {
    ...entriesOf(db, mostOfProfile),
    /** Returns the playlists of a Profile, and those that others share. */
    playlists: (profile: string): Promise<PlaylistRow[]> =>
      read()
        .where((eb) => eb.or([eb('profile', '=', profile), eb('shared', '=', 1)]))
        .execute(),
    playlist: (id: string): Promise<PlaylistRow | undefined> => read().where('id', '=', id).executeTakeFirst(),
    /** Playlists that were deleted, with their entries. */
    deletion: deletedListStore(db, 'lists_playlist', {
      dropOthers: (tx, ids) =>
        (tx as unknown as ListTransaction).deleteFrom('lists_entry').where('playlist', 'in', ids).execute(),
      obstacle: async (owned, { id, profile }) => {
        const tx = owned as unknown as ListTransaction;
        const row = await tx.selectFrom('lists_playlist').select('shared').where('id', '=', id).executeTakeFirst();
        return row?.shared === 1 && !(await canShare(tx, profile)) ? 'too-many-shared' : undefined;
      },
    }),
    /** Creates a playlist with its entries, unless the Profile has `most` playlists, or too many of something else. */
    create: (row: PlaylistRow, entries: readonly StoredEntry[], most: number) =>
      db.write('safe', async (tx: ListTransaction): Promise<CreateResult> => {
        const own = await tx
          .selectFrom('lists_playlist')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('profile', '=', row.profile)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (Number(own?.count ?? 0) >= most) return 'too-many-playlists';
        if (row.shared === 1 && !(await canShare(tx, row.profile))) return 'too-many-shared';
        if (!(await makeRoom(tx, row.profile, { count: entries.length, most: mostOfProfile })))
          return 'too-many-entries';
        await tx
          .insertInto('lists_playlist')
          .values({ ...row, deleted: null })
          .execute();
        await append(tx, row.id, entries);
        return 'created';
      }),
    /** Changes a playlist; false if its Profile would share too many. */
    update: (row: PlaylistRow, change: Partial<Pick<PlaylistRow, 'name' | 'shared'>>) =>
      db.write('safe', async (tx: ListTransaction): Promise<boolean> => {
        if (change.shared === 1 && row.shared === 0 && !(await canShare(tx, row.profile))) return false;
        await tx.updateTable('lists_playlist').set(change).where('id', '=', row.id).execute();
        return true;
      }),
    /** Removes the playlists of a Profile, runs `alsoForget`, and commits the cursor of that work. */
    forgetProfile: (
      profile: string,
      commitCursor: CommitCursor,
      alsoForget: (tx: ListTransaction) => Promise<unknown> = async () => {},
    ) =>
      db.write('safe', async (tx: ListTransaction) => {
        await tx
          .deleteFrom('lists_entry')
          .where('playlist', 'in', (eb) => eb.selectFrom('lists_playlist').select('id').where('profile', '=', profile))
          .execute();
        await tx.deleteFrom('lists_playlist').where('profile', '=', profile).execute();
        await alsoForget(tx);
        await commitCursor(tx);
      }),
  };
};
export type ListStore = ReturnType<typeof listStore>;
