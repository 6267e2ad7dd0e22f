/**
 * Migration to rows for each part of a film. Until then an item had one row, about its first file.
 *
 * The catalogue is read once more from its beginning, so that films in several files get their rows.
 */
import { columns, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import type { SubtitleTables } from './tables.ts';

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await db.schema.alterTable('subtitle_item').addColumn('part', c.integer).execute();
  await table(db, engine, 'subtitle_part')
    .addColumn('id', c.id, (col) => col.primaryKey().notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .execute();
  await db.schema.createIndex('subtitle_part_item').on('subtitle_part').column('item').execute();
  const tables = db as Kysely<SubtitleTables>;
  await tables.updateTable('subtitle_cursor').set({ change: 0 }).execute();
  // Texts of films in several files were not judged.
  const unjudged = tables.selectFrom('subtitle_audit').select('item').where('facts', 'like', '%"in-parts"%');
  await tables.updateTable('subtitle_item').set({ unaudited: 1 }).where('id', 'in', unjudged).execute();
  await tables.deleteFrom('subtitle_audit').where('facts', 'like', '%"in-parts"%').execute();
}
export const partsMigration: Migration = { id: 'subtitles-019-parts', up };
