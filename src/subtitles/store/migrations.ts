/** The migrations of the subtitle tables, oldest first. */
import { columns, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { auditMigration, coveredMigration } from './audits.ts';
import { draftNotesMigration, draftsMigration } from './drafts.ts';
import { hidingMigration } from './hiding.ts';
import { languageRefusalMigration, rejectionMigration } from './installing.ts';
import { inventoryIndex } from './inventory-index.ts';
import { kindsMigration, titleKindsMigration } from './kinds.ts';
import { actorMigration, lineageMigration, notesMigration } from './lineage.ts';
import { partsMigration } from './parts.ts';
import { readabilityMigration } from './readability.ts';
import type { SubtitleTables } from './tables.ts';
import { dueMigration, upkeepMigration } from './upkeep.ts';

async function inventory(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_item')
    .addColumn('id', c.id, (col) => col.primaryKey().notNull())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('kind', c.text, (col) => col.notNull())
    .addColumn('title', c.text, (col) => col.notNull())
    .addColumn('sort', c.text, (col) => col.notNull())
    .addColumn('words', c.text, (col) => col.notNull())
    .addColumn('year', c.integer)
    .addColumn('context', c.text)
    .addColumn('file', c.text, (col) => col.notNull())
    .addColumn('size', c.integer, (col) => col.notNull())
    .addColumn('modified', c.time, (col) => col.notNull())
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('tracks', c.json, (col) => col.notNull())
    .addColumn('shape', c.id, (col) => col.notNull())
    .execute();
  // Both indexes contain the shape, so that a filtered page is found without reading the rows before it.
  await db.schema.createIndex('subtitle_item_sort').on('subtitle_item').columns(['sort', 'id', 'shape']).execute();
  await db.schema
    .createIndex('subtitle_item_modified')
    .on('subtitle_item')
    .columns(['modified', 'id', 'shape'])
    .execute();
  await table(db, engine, 'subtitle_shape')
    .addColumn('id', c.id, (col) => col.primaryKey().notNull())
    .addColumn('facts', c.json, (col) => col.notNull())
    .addColumn('items', c.integer, (col) => col.notNull())
    .execute();
  await table(db, engine, 'subtitle_cursor')
    .addColumn('only', c.integer, (col) => col.primaryKey().notNull())
    .addColumn('change', c.integer, (col) => col.notNull())
    .addColumn('gone', c.integer, (col) => col.notNull())
    .execute();
  await (db as Kysely<SubtitleTables>).insertInto('subtitle_cursor').values({ only: 1, change: 0, gone: 0 }).execute();
}

async function searches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_search')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addColumn('outcome', c.text, (col) => col.notNull())
    .addColumn('reason', c.text)
    .addPrimaryKeyConstraint('subtitle_search_key', ['item', 'language'])
    .execute();
  await table(db, engine, 'subtitle_pause')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('provider', c.text, (col) => col.notNull())
    .addColumn('failures', c.integer, (col) => col.notNull())
    .addColumn('until', c.time, (col) => col.notNull())
    .addColumn('kind', c.text, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_pause_key', ['item', 'language', 'provider'])
    .execute();
  await table(db, engine, 'subtitle_refusal')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('provider', c.text, (col) => col.notNull())
    .addColumn('candidate', c.text, (col) => col.notNull())
    .addColumn('content', c.text)
    .addColumn('reason', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_refusal_key', ['item', 'language', 'provider', 'candidate'])
    .execute();
  await table(db, engine, 'subtitle_provider')
    .addColumn('name', c.text, (col) => col.primaryKey().notNull())
    .addColumn('mark', c.text)
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('last_success', c.time)
    .addColumn('remaining', c.integer)
    .addColumn('reset_at', c.time)
    .addColumn('last_error', c.text)
    .addColumn('failures', c.integer, (col) => col.notNull())
    .addColumn('until', c.time, (col) => col.notNull())
    .addColumn('kind', c.text)
    .addColumn('memory', c.text)
    .execute();
  await table(db, engine, 'subtitle_budget')
    .addColumn('provider', c.text, (col) => col.primaryKey().notNull())
    .addColumn('day', c.text, (col) => col.notNull())
    .addColumn('used', c.integer, (col) => col.notNull())
    .execute();
}

/** Adds the reason of an unsuccessful search with its values. Rows of earlier versions have only its sentence. */
async function searchReasons(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('subtitle_search').addColumn('why', columns(engine).json).execute();
}

async function files(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_file')
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('relative', c.text, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('role', c.text, (col) => col.notNull())
    .addColumn('format', c.text, (col) => col.notNull())
    .addColumn('source', c.text, (col) => col.notNull())
    .addColumn('score', c.integer, (col) => col.notNull())
    .addColumn('match', c.text, (col) => col.notNull())
    .addColumn('evidence', c.json, (col) => col.notNull())
    .addColumn('content', c.text, (col) => col.notNull())
    .addColumn('size', c.integer)
    .addColumn('modified', c.time)
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_file_key', ['library', 'relative'])
    .execute();
  await db.schema.createIndex('subtitle_file_item').on('subtitle_file').column('item').execute();
  await table(db, engine, 'subtitle_frozen')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_frozen_key', ['item', 'language'])
    .execute();
}

export const subtitleMigrations: readonly Migration[] = [
  { id: 'subtitles-001-inventory', up: inventory },
  { id: 'subtitles-002-searches', up: searches },
  { id: 'subtitles-003-files', up: files },
  lineageMigration,
  hidingMigration,
  upkeepMigration,
  draftsMigration,
  inventoryIndex,
  actorMigration,
  dueMigration,
  rejectionMigration,
  languageRefusalMigration,
  kindsMigration,
  readabilityMigration,
  titleKindsMigration,
  auditMigration,
  coveredMigration,
  partsMigration,
  { id: 'subtitles-020-search-reasons', up: searchReasons },
  notesMigration,
  draftNotesMigration,
];
