/** Windows of files: the tables joined, and the writes of a scan. */
import type { DatabaseReader } from '../../lib/db/index.ts';
import { type FileWindows, formatWindow } from './records.ts';
import type { CatalogTables } from './tables.ts';
import { chunks, type CatalogTransaction, VALUES_AT_ONCE } from './writing.ts';

/** Columns of a file without its item: that of the window is selected instead. */
const FILE_COLUMNS = [
  'catalog_file.id',
  'catalog_file.library',
  'catalog_file.folder',
  'catalog_file.name',
  'catalog_file.size',
  'catalog_file.mtime',
  'catalog_file.ino',
  'catalog_file.version',
  'catalog_file.label',
  'catalog_file.part',
  'catalog_file.problem',
  'catalog_file.evidence',
  'catalog_file.probed',
  'catalog_file.missing',
  'catalog_file.seen',
] as const;

/** Files with each of their windows. `item` is that of the window. */
export const windowedFiles = (tables: DatabaseReader<CatalogTables>) =>
  tables
    .selectFrom('catalog_window')
    .innerJoin('catalog_file', 'catalog_file.id', 'catalog_window.file')
    .select(FILE_COLUMNS)
    .select([
      'catalog_window.item',
      'catalog_window.number',
      'catalog_window.starts',
      'catalog_window.ends',
      'catalog_window.tags',
    ]);

/** Replaces the windows of files. */
export async function putWindows(tx: CatalogTransaction, all: readonly FileWindows[]): Promise<void> {
  for (const some of chunks(all, VALUES_AT_ONCE))
    await tx
      .deleteFrom('catalog_window')
      .where(
        'file',
        'in',
        some.map(({ file }) => file),
      )
      .execute();
  const rows = all.flatMap(({ file, windows }) => windows.map((window) => formatWindow(file, window)));
  for (const some of chunks(rows)) await tx.insertInto('catalog_window').values(some).execute();
}

/** Returns the items that the windows of a file are. */
export const windowItemsOf = async (tx: CatalogTransaction, file: string): Promise<string[]> =>
  (await tx.selectFrom('catalog_window').select('item').where('file', '=', file).execute()).map(({ item }) => item);
