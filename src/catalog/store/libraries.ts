/** The rows of the libraries themselves. */
import type { Database } from '../../lib/db/index.ts';
import { type LibraryTable, SNAPSHOT_KEY, type CatalogTables } from './tables.ts';

export const libraryStore = (db: Database) => ({
  libraries: (): Promise<LibraryTable[]> =>
    db.tables<CatalogTables>().selectFrom('catalog_library').selectAll().orderBy('added').orderBy('id').execute(),
  putLibrary: (library: LibraryTable) =>
    db.write<CatalogTables, unknown>('safe', (tx) =>
      tx
        .insertInto('catalog_library')
        .values(library)
        .onConflict((oc) =>
          oc.column('id').doUpdateSet({
            name: library.name,
            path: library.path,
            kind: library.kind,
            removed: library.removed,
            scan_options: library.scan_options,
          }),
        )
        .execute(),
    ),
  scanned: (library: string, at: number, isFull: boolean) =>
    db.write<CatalogTables, unknown>('grouped', (tx) =>
      tx
        .updateTable('catalog_library')
        .set({ last_scan: at, ...(isFull && { last_full: at }) })
        .where('id', '=', library)
        .execute(),
    ),
  /** Stores which saved index belongs to this database. */
  setSnapshotKey: (key: number) =>
    db.write<CatalogTables, unknown>('grouped', (tx) =>
      tx
        .insertInto('catalog_counter')
        .values({ only: SNAPSHOT_KEY, change: key })
        .onConflict((oc) => oc.column('only').doUpdateSet({ change: key }))
        .execute(),
    ),
});
