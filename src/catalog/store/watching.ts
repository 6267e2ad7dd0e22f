/** The items that each Profile has watched, is watching, and has put on its list. */
import type { ExpressionBuilder } from 'kysely';
import type { CommitCursor, Database } from '../../lib/db/index.ts';
import { forgetListener, keepPlace, listeningStore, type ReportedPlace } from './listening.ts';
import type { WatchHistoryTable, CatalogTables, WatchTable } from './tables.ts';
import { type CatalogTransaction, inChunks, upserter } from './writing.ts';

const FRESH: Omit<WatchTable, 'profile' | 'item'> = {
  position: 0,
  watched: 0,
  play_count: 0,
  listed: null,
  rating: null,
  last_played: null,
  dismissed: 0,
  session: null,
  sequence: null,
  part: null,
  part_offset: null,
  percent: null,
  file: null,
  file_offset: null,
};

/** A change of a row as its transaction saw it. */
export interface WatchChange {
  before: WatchTable;
  /** The session that it belongs to, and when that was reported last before; null for a new one. */
  session?: { id: string; at: number | null };
}

type HistoryRow = Omit<WatchHistoryTable, 'profile' | 'removed'>;
/** A row as a report of progress writes it. */
export type ReportedPlay = Omit<WatchHistoryTable, 'removed'>;
type HistoryKey = Pick<WatchHistoryTable, 'item' | 'session'>;

type HistoryFilter = ExpressionBuilder<CatalogTables, 'catalog_history'>;

/** Entries that were not removed, and those that a player has written again since. */
const isShown = (eb: HistoryFilter) => eb.or([eb('removed', 'is', null), eb('at', '>', eb.ref('removed'))]);
const isRemoved = (eb: HistoryFilter) => eb('at', '<=', eb.ref('removed'));

const putWatchRows = upserter('catalog_watch', ['profile', 'item']);
const putHistoryRows = upserter('catalog_history', ['profile', 'item', 'session']);

/**
 * Maximum number of entries of the history of a Profile, and how many of the latest a reply is read from. A session
 * that a player names itself is an entry, so that their number has no other limit than time.
 */
export const MAX_HISTORY = 20_000;
export const MAX_READ_HISTORY = 5_000;

/** Deletes the oldest entries beyond `most`, after new ones were added. Those of one moment stay together. */
async function trimHistory(tx: CatalogTransaction, profile: string, most: number): Promise<void> {
  const last = await tx
    .selectFrom('catalog_history')
    .select('at')
    .where('profile', '=', profile)
    .orderBy('at', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  if (last) await tx.deleteFrom('catalog_history').where('profile', '=', profile).where('at', '<', last.at).execute();
}

/** Returns changing many rows in one transaction: all of them or none. */
const manyOf = (db: Database, mostHistory: number) => ({
  /**
   * Changes the rows of items as `change` says, seeing them as they are inside the transaction; undefined leaves a row
   * as it is. Its `added` becomes an entry of the history, and the entry of the session `removed` is removed.
   * `changing` is called before a change can be seen.
   */
  changeMany: (
    profile: string,
    items: readonly string[],
    {
      change,
      changing,
    }: {
      change(now: WatchTable): { next: WatchTable; added?: ReportedPlay; removed?: string } | undefined;
      changing(change: WatchChange): void;
    },
  ) =>
    db.write('safe', async (tx: CatalogTransaction) => {
      const known = await inChunks(items, (some) =>
        tx.selectFrom('catalog_watch').selectAll().where('profile', '=', profile).where('item', 'in', some).execute(),
      );
      const rows = new Map(known.map((row) => [row.item, row]));
      const changed = items.flatMap((item) => {
        const before = rows.get(item) ?? { profile, item, ...FRESH };
        const found = change(before);
        return found ? [{ before, ...found }] : [];
      });
      for (const { before, added } of changed)
        changing({ before, ...(added && { session: { id: added.session, at: null } }) });
      await putWatchRows(
        tx,
        changed.map(({ next }) => next),
      );
      await putHistoryRows(
        tx,
        changed.flatMap(({ added }) => (added ? [{ ...added, removed: null }] : [])),
      );
      if (changed.some(({ added }) => added)) await trimHistory(tx, profile, mostHistory);
      for (const { before, removed } of changed)
        if (removed !== undefined)
          await tx
            .deleteFrom('catalog_history')
            .where('profile', '=', profile)
            .where('item', '=', before.item)
            .where('session', '=', removed)
            .execute();
      return changed;
    }),
});

/** Returns reading and changing single entries of the history. */
const historyOf = (db: Database) => ({
  /** The latest first, one row for each session of an item. */
  history: async (profile: string): Promise<HistoryRow[]> =>
    db
      .tables<CatalogTables>()
      .selectFrom('catalog_history')
      .select(['item', 'session', 'at', 'position', 'watched'])
      .where('profile', '=', profile)
      .where(isShown)
      .orderBy('at', 'desc')
      .orderBy('item')
      .orderBy('session')
      .limit(MAX_READ_HISTORY)
      .execute(),
  /**
   * Marks an entry as removed, or every entry of an item; false if there is none. Deletes removed ones beyond `most`,
   * the oldest first.
   */
  removeHistory: (
    profile: string,
    { item, session }: Pick<HistoryKey, 'item'> & Partial<HistoryKey>,
    { at, most }: { at: number; most: number },
  ) =>
    db.write('safe', async (tx: CatalogTransaction): Promise<boolean> => {
      const { numUpdatedRows } = await tx
        .updateTable('catalog_history')
        .set({ removed: at })
        .where('profile', '=', profile)
        .where('item', '=', item)
        .$if(session !== undefined, (q) => q.where('session', '=', session ?? ''))
        .where(isShown)
        .executeTakeFirst();
      const last = await tx
        .selectFrom('catalog_history')
        .select('removed')
        .where('profile', '=', profile)
        .where(isRemoved)
        .orderBy('removed', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst();
      if (last)
        await tx
          .deleteFrom('catalog_history')
          .where('profile', '=', profile)
          .where('removed', '<=', last.removed)
          .where(isRemoved)
          .execute();
      return numUpdatedRows > 0n;
    }),
  /** Returns entries that were removed after `since`, and can be brought back. */
  removedHistory: (profile: string, since: number): Promise<(HistoryKey & { removed: number | null })[]> =>
    db
      .tables<CatalogTables>()
      .selectFrom('catalog_history')
      .select(['item', 'session', 'removed'])
      .where('profile', '=', profile)
      .where('removed', '>', since)
      .execute(),
  /** Brings an entry back as it was. One that a player has written again stays as it is. */
  restoreHistory: (profile: string, { item, session }: HistoryKey) =>
    db.write('safe', (tx: CatalogTransaction) =>
      tx
        .updateTable('catalog_history')
        .set({ removed: null })
        .where('profile', '=', profile)
        .where('item', '=', item)
        .where('session', '=', session)
        .execute(),
    ),
  /** Deletes entries that were removed up to a time. */
  forgetRemoved: (until: number) =>
    db.write('grouped', (tx: CatalogTransaction) =>
      tx.deleteFrom('catalog_history').where('removed', '<=', until).where(isRemoved).execute(),
    ),
});

export const watchingStore = (db: Database, mostHistory = MAX_HISTORY) => {
  const read = () => db.tables<CatalogTables>();
  return {
    of: async (profile: string, items: readonly string[]): Promise<Map<string, WatchTable>> => {
      if (items.length === 0) return new Map();
      const rows = await read()
        .selectFrom('catalog_watch')
        .selectAll()
        .where('profile', '=', profile)
        .where('item', 'in', items)
        .execute();
      return new Map(rows.map((row) => [row.item, row]));
    },
    /** Everything of a Profile: who watches has watched some thousand things, not a hundred thousand. */
    all: (profile: string): Promise<WatchTable[]> =>
      read().selectFrom('catalog_watch').selectAll().where('profile', '=', profile).execute(),
    /**
     * Changes a row as `change` says, seeing it as it is inside the transaction, and keeps the session that did it.
     * Progress is written often and lost cheaply; it is grouped. `change` may throw, and then nothing is written.
     * `changing` is called before the change can be seen.
     */
    change: (
      profile: string,
      item: string,
      {
        change,
        session = () => undefined,
        place,
        changing,
      }: {
        change(now: WatchTable): WatchTable;
        session?: ((next: WatchTable) => ReportedPlay | undefined) | undefined;
        /** Only of items whose place is kept: the report, if it is one of a player that moved the place. */
        place?: ((isMoved: boolean) => ReportedPlace | undefined) | undefined;
        changing?(change: WatchChange): void;
      },
    ) =>
      db.write('grouped', async (tx: CatalogTransaction) => {
        const now = await tx
          .selectFrom('catalog_watch')
          .selectAll()
          .where('profile', '=', profile)
          .where('item', '=', item)
          .executeTakeFirst();
        const before = now ?? { profile, item, ...FRESH };
        const changed = change(before);
        const next = place ? await keepPlace(tx, changed, place(changed !== before)) : changed;
        const row = session(next);
        const had =
          row &&
          (await tx
            .selectFrom('catalog_history')
            .select('at')
            .where('profile', '=', profile)
            .where('item', '=', item)
            .where('session', '=', row.session)
            .where(isShown)
            .executeTakeFirst());
        changing?.({ before, ...(row && { session: { id: row.session, at: had?.at ?? null } }) });
        await tx
          .insertInto('catalog_watch')
          .values(next)
          .onConflict((oc) => oc.columns(['profile', 'item']).doUpdateSet(next))
          .execute();
        if (row)
          await tx
            .insertInto('catalog_history')
            .values({ ...row, removed: null })
            .onConflict((oc) =>
              oc
                .columns(['profile', 'item', 'session'])
                .doUpdateSet({ at: row.at, position: row.position, watched: row.watched }),
            )
            .execute();
        if (row && !had) await trimHistory(tx, profile, mostHistory);
        return next;
      }),
    ...historyOf(db),
    ...listeningStore(db),
    ...manyOf(db, mostHistory),
    /** Removes what a Profile watched, and commits the cursor of that work. */
    forgetProfile: (profile: string, commitCursor: CommitCursor) =>
      db.write('safe', async (tx: CatalogTransaction) => {
        await tx.deleteFrom('catalog_watch').where('profile', '=', profile).execute();
        await tx.deleteFrom('catalog_history').where('profile', '=', profile).execute();
        await forgetListener(tx, profile);
        await commitCursor(tx);
      }),
    /** History older than its retention. */
    forgetBefore: (at: number) =>
      db.write('grouped', (tx: CatalogTransaction) => tx.deleteFrom('catalog_history').where('at', '<', at).execute()),
  };
};
export type WatchingStore = ReturnType<typeof watchingStore>;
