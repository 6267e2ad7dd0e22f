/**
 * Migrations of the tables of installed subtitle files: their locations and sources, what they replaced, writes in
 * progress, and the history of each item.
 *
 * `subtitle_writing` is the journal. A row lists everything that is about to be done before any file changes, and is
 * deleted in the transaction that records the result. A row found at start was left by a killed process.
 */
import { columns, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import type { StoredIntent } from './rows.ts';
import type { InstalledTable, SubtitleTables } from './tables.ts';

async function lineage(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  const files = (name: string) =>
    table(db, engine, name)
      .addColumn('library', c.id, (col) => col.notNull())
      .addColumn('relative', c.text, (col) => col.notNull())
      .addColumn('item', c.id, (col) => col.notNull())
      .addColumn('language', c.text, (col) => col.notNull())
      .addColumn('role', c.text, (col) => col.notNull())
      .addColumn('format', c.text, (col) => col.notNull())
      .addColumn('source', c.text, (col) => col.notNull())
      .addColumn('score', c.integer)
      .addColumn('match', c.text, (col) => col.notNull())
      .addColumn('evidence', c.json, (col) => col.notNull())
      .addColumn('content', c.text, (col) => col.notNull())
      .addColumn('size', c.integer, (col) => col.notNull())
      .addColumn('modified', c.time, (col) => col.notNull())
      .addColumn('origin', c.text, (col) => col.notNull())
      .addColumn('delivered', c.text)
      .addColumn('candidate', c.text)
      .addColumn('preserved', c.json, (col) => col.notNull())
      .addColumn('at', c.time, (col) => col.notNull());
  await files('subtitle_installed')
    .addPrimaryKeyConstraint('subtitle_installed_key', ['library', 'relative'])
    .execute();
  await table(db, engine, 'subtitle_writing')
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('relative', c.text, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addColumn('intent', c.json, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_writing_key', ['library', 'relative'])
    .execute();
  await table(db, engine, 'subtitle_history')
    .addColumn('n', c.integer, (col) => col.primaryKey().notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('role', c.text, (col) => col.notNull())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('relative', c.text, (col) => col.notNull())
    .addColumn('before', c.text)
    .addColumn('after', c.text)
    .addColumn('source', c.text, (col) => col.notNull())
    .addColumn('score', c.integer)
    .addColumn('match', c.text, (col) => col.notNull())
    .addColumn('evidence', c.json, (col) => col.notNull())
    .addColumn('act', c.text, (col) => col.notNull())
    .addColumn('detail', c.text)
    .addColumn('at', c.time, (col) => col.notNull())
    .execute();
  await carryOver(db as Kysely<SubtitleTables & { subtitle_file: OldFile }>);
  await db.schema.dropTable('subtitle_file').execute();
  await db.schema.createIndex('subtitle_installed_item').on('subtitle_installed').column('item').execute();
  await db.schema.createIndex('subtitle_history_item').on('subtitle_history').columns(['item', 'n']).execute();
}

interface OldFile extends Omit<
  InstalledTable,
  'origin' | 'delivered' | 'candidate' | 'preserved' | 'size' | 'modified'
> {
  size: number | null;
  modified: number | null;
  state: 'intent' | 'done';
}

/** Copies files of versions that stored no lineage. They replaced nothing. */
async function carryOver(db: Kysely<SubtitleTables & { subtitle_file: OldFile }>): Promise<void> {
  for (const { state, size, modified, ...row } of await db.selectFrom('subtitle_file').selectAll().execute()) {
    const file = { ...row, origin: 'fetched' as const, delivered: null, candidate: null, preserved: '{}' };
    if (state === 'done' && size !== null && modified !== null)
      await db
        .insertInto('subtitle_installed')
        .values({ ...file, size, modified })
        .execute();
    else {
      const { library, relative, item, at } = row;
      const intent: StoredIntent = { file, act: 'fetched' };
      await db
        .insertInto('subtitle_writing')
        .values({ library, relative, item, at, intent: JSON.stringify(intent) })
        .execute();
    }
  }
}

export const lineageMigration: Migration = { id: 'subtitles-004-lineage', up: lineage };

async function actors(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const name of ['subtitle_history', 'subtitle_hiding'])
    await db.schema.alterTable(name).addColumn('actor', columns(engine).json).execute();
}
export const actorMigration: Migration = { id: 'subtitles-008-actors', up: actors };

async function notes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('subtitle_history').addColumn('notes', columns(engine).json).execute();
}
export const notesMigration: Migration = { id: 'subtitles-021-notes', up: notes };
