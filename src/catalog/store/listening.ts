/**
 * Listening: the last places of Profiles in audiobooks, how they listen to each book, and the files that the places
 * are in.
 */
import { MAX_LAST_PLACES } from '../../contract/catalog/listened-books.ts';
import type { Database } from '../../lib/db/index.ts';
import { type FileLayout, type LayoutFile, placeAt, movedPosition } from './file-places.ts';
import { parseMediaInfo } from './records.ts';
import type { CatalogTables, ListeningTable, PlacesTable, WatchTable } from './tables.ts';
import { type CatalogTransaction, inChunks } from './writing.ts';

/** A report continues the last place of its session up to this far before it, and as far as can be heard since. */
const SAME_PLACE_S = 60;
const FASTEST_SPEED = 3;

/** A report of a player, as the last places keep it. */
export type ReportedPlace = Pick<PlacesTable, 'profile' | 'item' | 'session' | 'at' | 'position' | 'device'>;

/** Returns the files of an item that are there, in the order in which they are played. */
async function layoutOf(tx: CatalogTransaction, item: string): Promise<LayoutFile[]> {
  const rows = await tx
    .selectFrom('catalog_file')
    .leftJoin('catalog_info', 'catalog_info.file', 'catalog_file.id')
    .select(['catalog_file.id', 'catalog_file.folder', 'catalog_file.name', 'catalog_info.info'])
    .where('catalog_file.item', '=', item)
    .where('catalog_file.missing', 'is', null)
    .orderBy('catalog_file.part')
    .orderBy('catalog_file.folder')
    .orderBy('catalog_file.name')
    .execute();
  return rows.map(({ id, folder, name, info }) => ({
    id,
    stem: `${folder}/${name.replace(/\.[^.]+$/, '')}`,
    duration: info === null ? 0 : (parseMediaInfo(info).duration ?? 0),
  }));
}

async function storedLayout(tx: CatalogTransaction, item: string): Promise<FileLayout | undefined> {
  const row = await tx.selectFrom('catalog_layout').select('files').where('item', '=', item).executeTakeFirst();
  return row && (JSON.parse(row.files) as FileLayout);
}
async function storeLayout(tx: CatalogTransaction, item: string, layout: FileLayout): Promise<void> {
  const files = JSON.stringify(layout);
  await tx
    .insertInto('catalog_layout')
    .values({ item, files })
    .onConflict((oc) => oc.column('item').doUpdateSet({ files }))
    .execute();
}

/** Whether a report continues the place that its session reported last. After a jump it begins another one. */
const isSamePlace = (last: PlacesTable, { at, position }: ReportedPlace): boolean =>
  position >= last.position - SAME_PLACE_S &&
  position <= last.position + SAME_PLACE_S + ((at - last.at) / 1000) * FASTEST_SPEED;

/**
 * Adds the file to a row of what was watched, and its place to the last places of the Profile. Returns the row as it is
 * to be stored.
 */
export async function keepPlace(
  tx: CatalogTransaction,
  row: WatchTable,
  reported: ReportedPlace | undefined,
): Promise<WatchTable> {
  const layout = await layoutOf(tx, row.item);
  if (JSON.stringify(layout) !== JSON.stringify(await storedLayout(tx, row.item)))
    await storeLayout(tx, row.item, layout);
  if (reported) await keepLastPlace(tx, reported, layout);
  const place = placeAt(layout, row.position);
  return { ...row, file: place?.file ?? null, file_offset: place?.offset ?? null };
}

async function keepLastPlace(tx: CatalogTransaction, reported: ReportedPlace, layout: FileLayout): Promise<void> {
  const { profile, item, session } = reported;
  const own = () => tx.selectFrom('catalog_places').where('profile', '=', profile).where('item', '=', item);
  const last = await own().selectAll().where('session', '=', session).orderBy('at', 'desc').limit(1).executeTakeFirst();
  const began = last && isSamePlace(last, reported) ? last.began : reported.at;
  const place = placeAt(layout, reported.position);
  const values = { ...reported, began, file: place?.file ?? null, file_offset: place?.offset ?? null };
  await tx
    .insertInto('catalog_places')
    .values(values)
    .onConflict((oc) => oc.columns(['profile', 'item', 'began']).doUpdateSet(values))
    .execute();
  const oldest = await own().select('at').orderBy('at', 'desc').offset(MAX_LAST_PLACES).limit(1).executeTakeFirst();
  if (oldest)
    await tx
      .deleteFrom('catalog_places')
      .where('profile', '=', profile)
      .where('item', '=', item)
      .where('at', '<=', oldest.at)
      .execute();
}

/**
 * Computes positions again after files of items changed. Returns whether one changed. At the end of a scan
 * (`isSettled`) the files are those that the next change is compared with; before it, files that are gone are still
 * there.
 */
export async function movePlaces(
  tx: CatalogTransaction,
  items: readonly string[],
  { isSettled }: { isSettled: boolean },
): Promise<boolean> {
  let isMoved = false;
  const kept = await inChunks([...new Set(items)], (some) =>
    tx.selectFrom('catalog_layout').select('item').where('item', 'in', some).execute(),
  );
  for (const { item } of kept) {
    const now = await layoutOf(tx, item);
    const before = (await storedLayout(tx, item)) ?? [];
    // A book without files is offline or gone, and keeps its places for when it returns.
    if (now.length === 0 || JSON.stringify(now) === JSON.stringify(before)) continue;
    for (const table of ['catalog_watch', 'catalog_places'] as const) {
      const rows = await tx
        .selectFrom(table)
        .select(['file', 'file_offset', 'position'])
        .distinct()
        .where('item', '=', item)
        .where('position', '>', 0)
        .where('file', 'is not', null)
        .execute();
      for (const { file, file_offset: offset, position } of rows) {
        const to = movedPosition({ file: file ?? '', offset: offset ?? 0 }, now, before);
        if (to === undefined) continue;
        const place = placeAt(now, to);
        isMoved ||= to !== position;
        await tx
          .updateTable(table)
          .set({ position: to, file: place?.file ?? null, file_offset: place?.offset ?? null })
          .where('item', '=', item)
          .where('file', '=', file)
          .where('file_offset', '=', offset)
          .where('position', '=', position)
          .execute();
      }
    }
    if (isSettled) await storeLayout(tx, item, now);
  }
  return isMoved;
}

/** Deletes what a Profile keeps about listening, in the transaction that forgets it. */
export async function forgetListener(tx: CatalogTransaction, profile: string): Promise<void> {
  await tx.deleteFrom('catalog_places').where('profile', '=', profile).execute();
  await tx.deleteFrom('catalog_listening').where('profile', '=', profile).execute();
}

/** Deletes what is kept about items that no longer exist. */
export async function forgetListened(tx: CatalogTransaction, items: readonly string[]): Promise<void> {
  for (const name of ['catalog_layout', 'catalog_places', 'catalog_listening'] as const)
    await tx.deleteFrom(name).where('item', 'in', items).execute();
}

export const listeningStore = (db: Database) => {
  const read = () => db.tables<CatalogTables>();
  return {
    /** Returns the last places of a Profile in an item, the latest first, without those of removed history. */
    places: (profile: string, item: string): Promise<Pick<PlacesTable, 'at' | 'position' | 'device'>[]> =>
      read()
        .selectFrom('catalog_places as p')
        .select(['p.at', 'p.position', 'p.device'])
        .where('p.profile', '=', profile)
        .where('p.item', '=', item)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('catalog_history as h')
                .select('h.session')
                .whereRef('h.profile', '=', 'p.profile')
                .whereRef('h.item', '=', 'p.item')
                .whereRef('h.session', '=', 'p.session')
                .whereRef('h.removed', '>=', 'p.at'),
            ),
          ),
        )
        .orderBy('p.at', 'desc')
        .limit(MAX_LAST_PLACES)
        .execute(),
    /** Returns how a Profile listens to an item. */
    listening: (profile: string, item: string): Promise<ListeningTable | undefined> =>
      read()
        .selectFrom('catalog_listening')
        .selectAll()
        .where('profile', '=', profile)
        .where('item', '=', item)
        .executeTakeFirst(),
    /** Returns how far a Profile skips in the item for which it chose that last; undefined if it never did. */
    latestSkip: async (profile: string, column: 'skip_back' | 'skip_forward'): Promise<number | undefined> => {
      const row = await read()
        .selectFrom('catalog_listening')
        .select(`${column} as seconds`)
        .where('profile', '=', profile)
        .where(column, 'is not', null)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.seconds ?? undefined;
    },
    /** Changes how a Profile listens to an item, seeing the row as it is inside the transaction. */
    listen: (row: Pick<ListeningTable, 'profile' | 'item' | 'at'> & Partial<ListeningTable>) =>
      db.write('safe', async (tx: CatalogTransaction) => {
        await tx
          .insertInto('catalog_listening')
          .values({ speed: null, skip_back: null, skip_forward: null, ...row })
          .onConflict((oc) => oc.columns(['profile', 'item']).doUpdateSet(row))
          .execute();
      }),
    forgetPlacesBefore: (at: number) =>
      db.write('grouped', (tx: CatalogTransaction) => tx.deleteFrom('catalog_places').where('at', '<', at).execute()),
  };
};
export type ListeningStore = ReturnType<typeof listeningStore>;
