/**
 * Writes the results of a scan: folders, files and the items that they make. A batch is written completely or not at
 * all.
 */
import { PLACEMENT_CLUES } from '../../contract/catalog/clues.ts';
import type { Database } from '../../lib/db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { IndexChange } from '../core/library-index/types.ts';
import type { MediaInfo } from '../probe/types.ts';
import { markEmpty, renumber } from './emptied.ts';
import { indexChange } from './index-rows.ts';
import { extraScanStore } from './extras.ts';
import { knownFiles, knownFolders, knownItems } from './known.ts';
import { libraryStore } from './libraries.ts';
import { foldScanned, upsertItems } from './layers/index.ts';
import { movePlaces } from './listening.ts';
import { purgingStore } from './purging.ts';
import {
  type CompanionFile,
  type FileRecord,
  type FileWindows,
  type FolderRecord,
  formatFile,
  formatFolder,
  formatItem,
  type ItemToStore,
} from './records.ts';
import type { CatalogItemTable, CatalogTables } from './tables.ts';
import { putWindows, windowItemsOf } from './windows.ts';
import { chunks, reserveChanges, type CatalogTransaction, upserter, VALUES_AT_ONCE } from './writing.ts';

/** One batch of a scan. */
export interface ScanBatch {
  folders: readonly FolderRecord[];
  files: readonly FileRecord[];
  /** Headers of files that were read. */
  infos: readonly { file: string; info: MediaInfo }[];
  /** Files whose stored header is no longer valid. */
  noInfos: readonly string[];
  items: readonly ItemToStore[];
  /** Files whose windows changed. */
  windows?: readonly FileWindows[];
  /** Items that lost a file, and may have none left. */
  left: readonly string[];
  /** Sections and groups that lost an item, and may have none left. */
  vacated?: readonly string[];
  now: number;
}
/** Files and folders that a scan did not find again. */
export interface MissingFiles {
  library: string;
  files: readonly FileRecord[];
  /** Folders that no longer exist. */
  gone: readonly string[];
  /** Folders that are now scanned completely. */
  folders: readonly FolderRecord[];
  now: number;
}

const upsertFolders = upserter('catalog_folder', ['library', 'path']);
const upsertFiles = upserter('catalog_file', ['id']);
const upsertInfos = upserter('catalog_info', ['file']);
const upsertPlaces = upserter('catalog_place', ['file']);

/** Writes headers, and the places in them to their own table. A file that has no place any more loses the old one. */
async function putInfos(tx: CatalogTransaction, { infos, noInfos }: ScanBatch): Promise<void> {
  const placed = infos.map(({ file, info }) => {
    const { place, ...capture } = info.capture ?? {};
    const isBare = Object.keys(capture).length === 0;
    const { capture: _, ...rest } = info;
    return { file, place, info: JSON.stringify(isBare ? rest : { ...rest, capture }) };
  });
  await upsertInfos(
    tx,
    placed.map(({ file, info }) => ({ file, info })),
  );
  await upsertPlaces(
    tx,
    placed.flatMap(({ file, place }) => (place ? [{ file, ...place }] : [])),
  );
  if (noInfos.length > 0) await tx.deleteFrom('catalog_info').where('file', 'in', noInfos).execute();
  const bare = [...noInfos, ...placed.flatMap(({ file, place }) => (place ? [] : [file]))];
  for (const some of chunks(bare, VALUES_AT_ONCE))
    await tx.deleteFrom('catalog_place').where('file', 'in', some).execute();
}

/** Returns the rows that changed, and the groups that edited items left. */
async function putItems(
  tx: CatalogTransaction,
  { items, now }: Pick<ScanBatch, 'items' | 'now'>,
): Promise<{ rows: CatalogItemTable[]; vacated: string[] }> {
  if (items.length === 0) return { rows: [], vacated: [] };
  let change = await reserveChanges(tx, items.length);
  const { shown, series, vacated } = await foldScanned(tx, items, now);
  const rows = shown.map((item) => formatItem(item, ++change));
  await upsertItems(tx, rows);
  return { rows: [...rows, ...series], vacated };
}

/** Returns the row that says that a folder could not be read. */
export function unreadableFolder(folder: {
  library: string;
  folder: string;
  now: number;
  had: FileRecord | undefined;
}): FileRecord {
  const id = folder.had?.id ?? newId();
  return {
    id,
    library: folder.library,
    folder: folder.folder,
    name: '',
    size: 0,
    mtime: 0,
    ino: '',
    item: null,
    version: id,
    label: '',
    part: 1,
    problem: PLACEMENT_CLUES.folderNotReadable,
    evidence: [],
    probed: -1,
    missing: null,
    seen: folder.now,
  };
}

const scanWrites = (db: Database, written: () => void, placesMoved: () => void) => {
  // Called after a write that failed, too: it may have been committed.
  const write = <R>(work: (tx: CatalogTransaction) => Promise<R>) =>
    db.write<CatalogTables, R>('grouped', work).finally(written);
  /** As `write`, for changes of files. Positions that are cached are read again once the new ones are committed. */
  const writeFiles = async <R>(work: (tx: CatalogTransaction, moved: (isMoved: boolean) => void) => Promise<R>) => {
    let isAnyMoved = false;
    const done = await write((tx) => work(tx, (isMoved) => void (isAnyMoved ||= isMoved)));
    if (isAnyMoved) placesMoved();
    return done;
  };
  return {
    put: (batch: ScanBatch): Promise<IndexChange[]> =>
      writeFiles(async (tx, moved) => {
        await upsertFolders(tx, batch.folders.map(formatFolder));
        const items = await putItems(tx, batch);
        await upsertFiles(tx, batch.files.map(formatFile));
        await putWindows(tx, batch.windows ?? []);
        await putInfos(tx, batch);
        const touched = [...batch.files.flatMap(({ item }) => item ?? []), ...batch.left];
        moved(await movePlaces(tx, touched, { isSettled: false }));
        const vacated = [...(batch.vacated ?? []), ...items.vacated];
        return [...items.rows, ...(await markEmpty(tx, batch.left, batch.now, vacated))].map(indexChange);
      }),
    /** Stores the times of folders whose content did not change. */
    touchFolders: async (library: string, folders: readonly { path: string; mtime: number }[]): Promise<void> => {
      if (folders.length === 0) return;
      await write(async (tx) => {
        for (const { path, mtime } of folders)
          await tx
            .updateTable('catalog_folder')
            .set({ mtime })
            .where('library', '=', library)
            .where('path', '=', path)
            .execute();
      });
    },
    /** Makes the next scan read every folder of a library as if it had changed. */
    forgetSignatures: (library: string) =>
      write((tx) =>
        tx.updateTable('catalog_folder').set({ signature: '', mtime: -1 }).where('library', '=', library).execute(),
      ),
    /** Stores the companions of folders that were read between two scans. The next scan still reads these folders. */
    putCompanions: (
      library: string,
      folders: readonly { path: string; companions: readonly CompanionFile[] }[],
      changed: readonly string[],
    ): Promise<IndexChange[]> =>
      write(async (tx) => {
        for (const { path, companions } of folders) {
          // The old signature would call a folder unchanged in which a sidecar was hidden and then restored.
          const row = { aside: JSON.stringify(companions), mtime: -1, signature: '' };
          await tx
            .insertInto('catalog_folder')
            .values({ library, path, ...row })
            .onConflict((oc) => oc.columns(['library', 'path']).doUpdateSet(row))
            .execute();
        }
        return (await renumber(tx, changed)).map(indexChange);
      }),
    /**
     * Marks what a scan did not find again, in one transaction. Returns the items that changed and the number of
     * missing files.
     */
    drop: ({ library, files, gone, folders, now }: MissingFiles): Promise<{ changes: IndexChange[]; count: number }> =>
      writeFiles(async (tx, moved) => {
        const items = new Set<string>();
        let count = 0;
        for (const { id, folder, name } of files) {
          // The scan of another library may have found it at another path in the meantime.
          const row = await tx
            .updateTable('catalog_file')
            .set({ missing: now })
            .where('id', '=', id)
            .where('library', '=', library)
            .where('folder', '=', folder)
            .where('name', '=', name)
            .where('missing', 'is', null)
            .returning('item')
            .executeTakeFirst();
          if (!row) continue;
          if (name !== '') count++;
          for (const item of row.item === null ? await windowItemsOf(tx, id) : [row.item]) items.add(item);
        }
        for (const some of chunks(gone, VALUES_AT_ONCE))
          await tx.deleteFrom('catalog_folder').where('library', '=', library).where('path', 'in', some).execute();
        await upsertFolders(tx, folders.map(formatFolder));
        moved(await movePlaces(tx, [...items], { isSettled: true }));
        const empty = await markEmpty(tx, [...items], now);
        const known = new Set(empty.map(({ id }) => id));
        const rest = await renumber(
          tx,
          [...items].filter((id) => !known.has(id)),
        );
        return { changes: [...empty, ...rest].map(indexChange), count };
      }),
  };
};

/**
 * Everything that scans read and write. `written` is called after each write of files, `placesMoved` after one that
 * computed positions of Profiles again.
 */
export const scanningStore = (db: Database, written: () => void = () => {}, placesMoved: () => void = () => {}) => ({
  ...libraryStore(db),
  ...knownFolders(db),
  ...knownFiles(db),
  ...knownItems(db),
  ...extraScanStore(db),
  ...scanWrites(db, written, placesMoved),
  ...purgingStore(db, written),
});
export type ScanningStore = ReturnType<typeof scanningStore>;
