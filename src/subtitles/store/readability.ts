/** Store of which files were read, to see whether they are subtitles: items with files to read, and the results. */
import { columns, type Database, type Engine, type Kysely, type Migration } from '../../lib/db/index.ts';
import { type NewItem, putRows, rowFrom } from './inventory.ts';
import { type InventoryRow, tracksJson } from './rows.ts';
import type { SubtitleTables, SubtitleTx } from './tables.ts';

/** Adds the mark of items with files that were not read yet. */

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await db.schema
    .alterTable('subtitle_item')
    .addColumn('unchecked', c.integer, (col) => col.notNull().defaultTo(0))
    .execute();
  // Items without files need no reading.
  await (db as Kysely<SubtitleTables>)
    .updateTable('subtitle_item')
    .set({ unchecked: 1 })
    .where('tracks', 'like', '%"sidecar"%')
    .execute();
  await db.schema.createIndex('subtitle_item_unchecked').on('subtitle_item').columns(['unchecked', 'id']).execute();
}
export const readabilityMigration: Migration = { id: 'subtitles-013-readability', up };

export const readabilityStore = (db: Database) => ({
  /** Returns items with files that were not read yet, by id from `after` on. */
  unchecked: async (after: string, limit: number): Promise<InventoryRow[]> => {
    const rows = await db
      .tables<SubtitleTables>()
      .selectFrom('subtitle_item')
      .selectAll()
      .where('unchecked', '=', 1)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(rowFrom);
  },
  /**
   * Records what the files of an item are. Returns false if its tracks changed since they were read, which are then
   * read again.
   */
  checked: (before: InventoryRow, after: Pick<NewItem, 'tracks' | 'held'>): Promise<boolean> =>
    db.write('grouped', async (tx: SubtitleTx) => {
      const row = await tx.selectFrom('subtitle_item').selectAll().where('id', '=', before.id).executeTakeFirst();
      if (row?.tracks !== tracksJson(before.tracks)) return false;
      await putRows(tx, [{ ...row, ...after }]);
      return true;
    }),
});
export type ReadabilityStore = ReturnType<typeof readabilityStore>;
