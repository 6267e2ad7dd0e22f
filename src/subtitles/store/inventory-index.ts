/**
 * The words beside the order: a search walks an index and leaves the rows alone, which are ten times as large.
 *
 * Only where the embedded engine is used: PostgreSQL refuses an entry of more than a third of a page, and a title
 * may be longer.
 */
import type { Engine, Kysely, Migration } from '../../lib/db/index.ts';

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'sqlite') return;
  for (const order of ['sort', 'modified']) {
    await db.schema.dropIndex(`subtitle_item_${order}`).execute();
    await db.schema.createIndex(`subtitle_item_${order}`).on('subtitle_item').columns([order, 'id', 'shape', 'words']).execute();
  }
}

export const inventoryIndex: Migration = { id: 'subtitles-007-inventory-index', up };
