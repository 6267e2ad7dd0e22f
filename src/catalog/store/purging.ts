/** Deletes what has been missing for long, and corrects times that a wrong clock wrote. */
import type { Database } from '../../lib/db/index.ts';
import type { CatalogTables } from './tables.ts';
import { forgetListened } from './listening.ts';
import { dropLayers } from './layers/index.ts';
import { chunks, reserveChanges, type CatalogTransaction, VALUES_AT_ONCE } from './writing.ts';

export const purgingStore = (db: Database, written: () => void) => {
  const write = <R>(work: (tx: CatalogTransaction) => Promise<R>) =>
    db.write<CatalogTables, R>('grouped', work).finally(written);
  return {
    /**
     * Sets files and items that went missing later than `latest`, by a clock that ran ahead, to missing since `now`.
     */
    correctMissing: (latest: number, now: number) =>
      write(async (tx) => {
        for (const name of ['catalog_file', 'catalog_item'] as const)
          await tx.updateTable(name).set({ missing: now }).where('missing', '>', latest).execute();
      }),
    /**
     * Deletes files of these libraries that have been missing since before `before`, then items without any file.
     * Returns the ids of those items.
     */
    purge: (libraries: readonly string[], before: number) =>
      write(async (tx) => {
        if (libraries.length === 0) return [];
        const files = await tx
          .deleteFrom('catalog_file')
          .where('library', 'in', libraries)
          .where('missing', '<', before)
          .returning('id')
          .execute();
        for (const some of chunks(
          files.map(({ id }) => id),
          VALUES_AT_ONCE,
        ))
          for (const name of ['catalog_info', 'catalog_place', 'catalog_window'] as const)
            await tx.deleteFrom(name).where('file', 'in', some).execute();
        const items = await tx
          .deleteFrom('catalog_item')
          .where('library', 'in', libraries)
          .where('present', '=', 0)
          .where('missing', '<', before)
          .returning('id')
          .execute();
        for (const some of chunks(
          items.map(({ id }) => id),
          VALUES_AT_ONCE,
        )) {
          for (const name of ['catalog_rating', 'catalog_loudness'] as const)
            await tx.deleteFrom(name).where('item', 'in', some).execute();
          await forgetListened(tx, some);
        }
        await dropLayers(
          tx,
          items.map(({ id }) => id),
        );
        let change = await reserveChanges(tx, items.length);
        for (const some of chunks(items))
          await tx
            .insertInto('catalog_gone')
            .values(some.map(({ id }) => ({ id, change: ++change })))
            .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ change: eb.ref('excluded.change') })))
            .execute();
        return items.map(({ id }) => id);
      }),
  };
};
