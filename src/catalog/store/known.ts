/** Reads the results of earlier scans: folders, files, and the items that they belong to. */
import type { Database } from '../../lib/db/index.ts';
import { kindsWith } from '../../contract/catalog/kinds.ts';
import type { MediaInfo } from '../probe/types.ts';
import {
  type CompanionFile,
  type FileRecord,
  type FolderRecord,
  parseCompanions,
  parseFile,
  parseFolder,
  parseItem,
  type FileWindows,
  parseMediaInfo,
  parseWindow,
  parseWindowedFile,
} from './records.ts';
import { asScanned, type KnownItem } from './layers/index.ts';
import type { CatalogItemTable, CatalogTables } from './tables.ts';
import { windowedFiles } from './windows.ts';
import { inChunks } from './writing.ts';

const SECTIONS = kindsWith({ role: 'section' });
/** Maximum number of files that are compared with one new file. */
const MAX_SAME_SIZE = 5_000;

export const knownFolders = (db: Database) => {
  const read = () => db.tables<CatalogTables>();
  return {
    /** Returns every folder of a library, parents before their children. */
    folders: (library: string) =>
      read()
        .selectFrom('catalog_folder')
        .select(['path', 'mtime', 'signature'])
        .where('library', '=', library)
        .orderBy('path')
        .execute(),
    /** Returns the companions of folders, by path. */
    companions: async (library: string, paths: readonly string[]): Promise<Map<string, readonly CompanionFile[]>> => {
      if (paths.length === 0) return new Map();
      const rows = await read()
        .selectFrom('catalog_folder')
        .select(['path', 'aside'])
        .where('library', '=', library)
        .where('path', 'in', paths)
        .execute();
      return new Map(rows.map((row) => [row.path, parseCompanions(row.aside)]));
    },
    /** Returns all folders below these. */
    foldersBelow: async (library: string, paths: readonly string[]): Promise<FolderRecord[]> => {
      const all = new Map<string, FolderRecord>();
      for (const path of paths) {
        const rows = await read()
          .selectFrom('catalog_folder')
          .selectAll()
          .where('library', '=', library)
          .where('path', '>', `${path}/`)
          .where('path', '<', `${path}0`)
          .execute();
        for (const row of rows) all.set(row.path, parseFolder(row));
      }
      return [...all.values()];
    },
    /**
     * Returns folders with a file whose header has to be read again, because it did not answer or an older reader read
     * it.
     */
    foldersToRead: async (library: string, version: number): Promise<Set<string>> => {
      const rows = await read()
        .selectFrom('catalog_file')
        .select('folder')
        .distinct()
        .where('library', '=', library)
        .where('missing', 'is', null)
        .where('probed', '>=', 0)
        .where('probed', '<', version)
        .execute();
      return new Set(rows.map(({ folder }) => folder));
    },
  };
};

export const knownFiles = (db: Database) => {
  const read = () => db.tables<CatalogTables>();
  const files = () => read().selectFrom('catalog_file').selectAll('catalog_file');
  return {
    filesIn: async (library: string, folders: readonly string[]): Promise<FileRecord[]> =>
      (
        await inChunks(folders, (some) => files().where('library', '=', library).where('folder', 'in', some).execute())
      ).map(parseFile),
    /** Returns files of these sizes in any library: a new file may have been one of them. */
    ofSizes: async (sizes: readonly number[]): Promise<FileRecord[]> =>
      (await inChunks(sizes, (some) => files().where('size', 'in', some).limit(MAX_SAME_SIZE).execute())).map(
        parseFile,
      ),
    /** Returns the files of items, and for an item that is a window of a file, the file with that window. */
    filesOfItems: async (ids: readonly string[]): Promise<FileRecord[]> => [
      ...(await inChunks(ids, (some) => files().where('item', 'in', some).execute())).map(parseFile),
      ...(await inChunks(ids, (some) => windowedFiles(read()).where('catalog_window.item', 'in', some).execute())).map(
        parseWindowedFile,
      ),
    ],
    /** Returns the windows of files, each with its item. Files without windows are left out. */
    windowsOf: async (ids: readonly string[]): Promise<Map<string, FileWindows['windows']>> => {
      const rows = await inChunks(ids, (some) =>
        read().selectFrom('catalog_window').selectAll().where('file', 'in', some).orderBy('number').execute(),
      );
      const byFile = Map.groupBy(rows, ({ file }) => file);
      return new Map(
        [...byFile].map(([file, own]) => [file, own.map((row) => ({ ...parseWindow(row), item: row.item }))]),
      );
    },
    /** Returns the files of all items of a group. */
    filesOfGroup: async (group: string): Promise<FileRecord[]> => [
      ...(
        await files()
          .innerJoin('catalog_item', 'catalog_item.id', 'catalog_file.item')
          .where('catalog_item.show', '=', group)
          .execute()
      ).map(parseFile),
      ...(
        await windowedFiles(read())
          .innerJoin('catalog_item', 'catalog_item.id', 'catalog_window.item')
          .where('catalog_item.show', '=', group)
          .execute()
      ).map(parseWindowedFile),
    ],
    /** Returns whether a library, or any library, had a file when it was last scanned. */
    hasFiles: async (library?: string): Promise<boolean> =>
      (await read()
        .selectFrom('catalog_file')
        .select('id')
        .$if(library !== undefined, (q) => q.where('library', '=', library ?? '').where('missing', 'is', null))
        .limit(1)
        .executeTakeFirst()) !== undefined,
    infosOf: async (ids: readonly string[]): Promise<Map<string, MediaInfo>> => {
      const rows = await inChunks(ids, (some) =>
        read().selectFrom('catalog_info').selectAll().where('file', 'in', some).execute(),
      );
      return new Map(rows.map(({ file, info }) => [file, parseMediaInfo(info)]));
    },
  };
};

/** Reads items as scans made them, whatever was written over them. */
export const knownItems = (db: Database) => {
  const tables = () => db.tables<CatalogTables>();
  const items = () => tables().selectFrom('catalog_item').selectAll();
  const known = async (rows: readonly CatalogItemTable[]): Promise<KnownItem[]> =>
    asScanned(tables(), rows.map(parseItem));
  return {
    itemsByKey: async (library: string, keys: readonly string[]): Promise<KnownItem[]> =>
      known(await inChunks(keys, (some) => items().where('library', '=', library).where('key', 'in', some).execute())),
    itemsById: async (ids: readonly string[]): Promise<KnownItem[]> =>
      known(await inChunks(ids, (some) => items().where('id', 'in', some).execute())),
    /** Returns a section of a group by its number. */
    sectionOf: async (group: string, number: number): Promise<KnownItem | undefined> => {
      const rows = await items()
        .where('show', '=', group)
        .where('kind', 'in', SECTIONS)
        .where('season_number', '=', number)
        .limit(1)
        .execute();
      return (await known(rows))[0];
    },
  };
};
