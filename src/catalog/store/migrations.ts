/** The migrations of the catalogue's tables, oldest first. */
import { type Kysely, sql } from 'kysely';
import { columns, type Engine, type Migration, table } from '../../lib/db/index.ts';
import { loudness } from './loudness.ts';
import { CHANGES, type CatalogTables } from './tables.ts';
import { peopleMigration } from './people.ts';
import { textMigration } from './text-search.ts';

async function files(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_library')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('name', c.text, (col) => col.notNull())
    .addColumn('path', c.text, (col) => col.notNull().unique())
    .addColumn('kind', c.text, (col) => col.notNull())
    .addColumn('added', c.time, (col) => col.notNull())
    .addColumn('last_scan', c.time)
    .addColumn('last_full', c.time)
    .addColumn('removed', c.time)
    .execute();
  await table(db, engine, 'catalog_folder')
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('path', c.text, (col) => col.notNull())
    .addColumn('mtime', c.real, (col) => col.notNull())
    .addColumn('signature', c.text, (col) => col.notNull())
    .addColumn('aside', c.json, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_folder_key', ['library', 'path'])
    .execute();
  await table(db, engine, 'catalog_file')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('folder', c.text, (col) => col.notNull())
    .addColumn('name', c.text, (col) => col.notNull())
    .addColumn('size', c.integer, (col) => col.notNull())
    .addColumn('mtime', c.real, (col) => col.notNull())
    .addColumn('ino', c.text, (col) => col.notNull())
    .addColumn('item', c.id)
    .addColumn('version', c.id, (col) => col.notNull())
    .addColumn('label', c.text, (col) => col.notNull())
    .addColumn('part', c.integer, (col) => col.notNull())
    .addColumn('problem', c.text)
    .addColumn('evidence', c.json, (col) => col.notNull())
    .addColumn('probed', c.integer, (col) => col.notNull())
    .addColumn('missing', c.time)
    .addColumn('seen', c.time, (col) => col.notNull())
    .addUniqueConstraint('catalog_file_place', ['library', 'folder', 'name'])
    .execute();
  await db.schema.createIndex('catalog_file_item').on('catalog_file').column('item').execute();
  // A moved file is recognised by its size and time; its inode distinguishes it from copies.
  await db.schema.createIndex('catalog_file_same').on('catalog_file').columns(['size', 'mtime']).execute();
  await table(db, engine, 'catalog_info')
    .addColumn('file', c.id, (col) => col.primaryKey())
    .addColumn('info', c.json, (col) => col.notNull())
    .execute();
}

async function items(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_item')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('key', c.text, (col) => col.notNull())
    .addColumn('kind', c.text, (col) => col.notNull())
    .addColumn('title', c.text, (col) => col.notNull())
    .addColumn('sort_title', c.text, (col) => col.notNull())
    .addColumn('original_title', c.text)
    .addColumn('year', c.integer)
    .addColumn('released', c.integer)
    .addColumn('rating', c.text)
    .addColumn('rating_rank', c.integer, (col) => col.notNull())
    .addColumn('community_rating', c.real)
    .addColumn('added', c.time, (col) => col.notNull())
    .addColumn('duration', c.real)
    .addColumn('resolution', c.text)
    .addColumn('genres', c.json, (col) => col.notNull())
    .addColumn('languages', c.json, (col) => col.notNull())
    .addColumn('images', c.json, (col) => col.notNull())
    .addColumn('show', c.id)
    .addColumn('season', c.id)
    .addColumn('season_number', c.integer)
    .addColumn('episode_number', c.integer)
    .addColumn('episode_end', c.integer)
    .addColumn('confidence', c.real, (col) => col.notNull())
    .addColumn('detail', c.json, (col) => col.notNull())
    .addColumn('present', c.flag, (col) => col.notNull())
    .addColumn('missing', c.time)
    .addColumn('change', c.integer, (col) => col.notNull())
    .addUniqueConstraint('catalog_item_place', ['library', 'key'])
    .execute();
  await db.schema.createIndex('catalog_item_change').on('catalog_item').column('change').execute();
  await db.schema.createIndex('catalog_item_show').on('catalog_item').column('show').execute();
  await table(db, engine, 'catalog_gone')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('change', c.integer, (col) => col.notNull())
    .execute();
  await db.schema.createIndex('catalog_gone_change').on('catalog_gone').column('change').execute();
  await table(db, engine, 'catalog_counter')
    .addColumn('only', c.integer, (col) => col.primaryKey())
    .addColumn('change', c.integer, (col) => col.notNull())
    .execute();
  await (db as Kysely<CatalogTables>).insertInto('catalog_counter').values({ only: CHANGES, change: 0 }).execute();
}

async function watching(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_watch')
    .addColumn('profile', c.id, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('position', c.real, (col) => col.notNull())
    .addColumn('watched', c.flag, (col) => col.notNull())
    .addColumn('play_count', c.integer, (col) => col.notNull())
    .addColumn('listed', c.time)
    .addColumn('rating', c.real)
    .addColumn('last_played', c.time)
    .addColumn('dismissed', c.flag, (col) => col.notNull())
    .addColumn('session', c.text)
    .addColumn('sequence', c.integer)
    .addPrimaryKeyConstraint('catalog_watch_key', ['profile', 'item'])
    .execute();
  await table(db, engine, 'catalog_history')
    .addColumn('profile', c.id, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('session', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addColumn('position', c.real, (col) => col.notNull())
    .addColumn('watched', c.flag, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_history_key', ['profile', 'item', 'session'])
    .execute();
  await db.schema.createIndex('catalog_history_at').on('catalog_history').columns(['profile', 'at']).execute();
}

/** Keeps removed entries of the history for a while, so that a removal can be undone. */
async function removedHistory(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('catalog_history').addColumn('removed', columns(engine).time).execute();
}

async function extras(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_extra')
    .addColumn('item', c.id, (col) => col.primaryKey())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('owner', c.id)
    .addColumn('section', c.id)
    .execute();
  await db.schema.createIndex('catalog_extra_owner').on('catalog_extra').column('owner').execute();
}

async function ratings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  // Ages are read from the certification itself, so the rank that was stored for three words has no reader.
  await db.schema.alterTable('catalog_item').dropColumn('rating_rank').execute();
  await table(db, engine, 'catalog_rating')
    .addColumn('item', c.id, (col) => col.primaryKey())
    .addColumn('rating', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .execute();
}

async function layers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await db.schema
    .alterTable('catalog_item')
    .addColumn('layered', c.flag, (col) => col.notNull().defaultTo(0))
    .execute();
  await table(db, engine, 'catalog_layer')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('source', c.text, (col) => col.notNull())
    .addColumn('facts', c.json, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_layer_key', ['item', 'source'])
    .execute();
}

async function filmSets(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('catalog_item').addColumn('film_set', columns(engine).json).execute();
}

async function photos(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  for (const name of ['camera', 'folder']) await db.schema.alterTable('catalog_item').addColumn(name, c.text).execute();
  // Apart from all other facts of a file, because only the session of a Profile is shown a place.
  await table(db, engine, 'catalog_place')
    .addColumn('file', c.id, (col) => col.primaryKey())
    .addColumn('latitude', c.real, (col) => col.notNull())
    .addColumn('longitude', c.real, (col) => col.notNull())
    .execute();
}

async function artists(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('catalog_item')
    .addColumn('artists', columns(engine).json, (col) => col.notNull().defaultTo('[]'))
    .execute();
}

async function edits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_edit')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('at', c.time, (col) => col.notNull())
    .addColumn('items', c.json, (col) => col.notNull())
    .execute();
}

async function reading(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  const watch = () => db.schema.alterTable('catalog_watch');
  await watch().addColumn('part', c.integer).execute();
  await watch().addColumn('part_offset', c.real).execute();
  await watch().addColumn('percent', c.real).execute();
}

async function listening(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await db.schema.alterTable('catalog_watch').addColumn('file', c.id).execute();
  await db.schema.alterTable('catalog_watch').addColumn('file_offset', c.real).execute();
  await table(db, engine, 'catalog_places')
    .addColumn('profile', c.id, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('began', c.time, (col) => col.notNull())
    .addColumn('session', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addColumn('position', c.real, (col) => col.notNull())
    .addColumn('device', c.text)
    .addColumn('file', c.id)
    .addColumn('file_offset', c.real)
    .addPrimaryKeyConstraint('catalog_places_key', ['profile', 'item', 'began'])
    .execute();
  await db.schema.createIndex('catalog_places_item').on('catalog_places').column('item').execute();
  await table(db, engine, 'catalog_listening')
    .addColumn('profile', c.id, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('speed', c.real)
    .addColumn('skip_back', c.integer)
    .addColumn('skip_forward', c.integer)
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_listening_key', ['profile', 'item'])
    .execute();
  await table(db, engine, 'catalog_layout')
    .addColumn('item', c.id, (col) => col.primaryKey())
    .addColumn('files', c.json, (col) => col.notNull())
    .execute();
}

async function windows(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_window')
    .addColumn('file', c.id, (col) => col.notNull())
    .addColumn('number', c.integer, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('starts', c.real, (col) => col.notNull())
    .addColumn('ends', c.real, (col) => col.notNull())
    .addColumn('tags', c.json, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_window_key', ['file', 'number'])
    .execute();
  await db.schema.createIndex('catalog_window_item').on('catalog_window').column('item').execute();
}

async function libraryOptions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('catalog_library').addColumn('scan_options', columns(engine).text).execute();
}

/** Columns that rules of smart playlists test. The studios are known; the next scan fills in the others. */
async function ruleColumns(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await db.schema.alterTable('catalog_item').addColumn('hdr', c.text).execute();
  for (const name of ['codecs', 'studios'])
    await db.schema
      .alterTable('catalog_item')
      .addColumn(name, c.json, (col) => col.notNull().defaultTo('[]'))
      .execute();
  const studios =
    engine === 'sqlite'
      ? sql`coalesce(json_extract(detail, '$.studios'), '[]')`
      : sql`coalesce(detail::json -> 'studios', '[]'::json)::text`;
  await sql`update catalog_item set studios = ${studios}`.execute(db);
}

/** The series of audiobooks, for lists. They are known, so no scan is needed. */
async function audiobookSeries(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('catalog_item')
    .addColumn('series', columns(engine).json, (col) => col.notNull().defaultTo('[]'))
    .execute();
  const [name, position] =
    engine === 'sqlite'
      ? [sql`json_extract(detail, '$.audiobook.series.name')`, sql`json_extract(detail, '$.audiobook.series.position')`]
      : [sql`detail::json #>> '{audiobook,series,name}'`, sql`detail::json #>> '{audiobook,series,position}'`];
  const array = (...values: readonly unknown[]) =>
    engine === 'sqlite' ? sql`json_array(${sql.join(values)})` : sql`json_build_array(${sql.join(values)})::text`;
  await sql`update catalog_item
    set series = case when ${position} is null then ${array(name)} else ${array(name, position)} end
    where kind = 'audiobook' and ${name} is not null`.execute(db);
}

/** The place of specials among the regular episodes, which the next scan fills in. */
async function airsAt(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('catalog_item').addColumn('airs_at', columns(engine).integer).execute();
}

export const catalogMigrations: readonly Migration[] = [
  { id: 'catalog-001-files', up: files },
  { id: 'catalog-002-items', up: items },
  { id: 'catalog-003-watching', up: watching },
  textMigration,
  { id: 'catalog-005-removed-history', up: removedHistory },
  { id: 'catalog-006-extras', up: extras },
  { id: 'catalog-007-ratings', up: ratings },
  { id: 'catalog-008-layers', up: layers },
  { id: 'catalog-036-film-sets', up: filmSets },
  { id: 'catalog-012-photos', up: photos },
  { id: 'catalog-020-artists', up: artists },
  { id: 'catalog-021-edits', up: edits },
  { id: 'catalog-022-reading', up: reading },
  { id: 'catalog-030-listening', up: listening },
  { id: 'catalog-036-library-options', up: libraryOptions },
  peopleMigration,
  { id: 'catalog-031-windows', up: windows },
  { id: 'catalog-032-loudness', up: loudness },
  { id: 'catalog-044-rule-columns', up: ruleColumns },
  { id: 'catalog-047-audiobook-series', up: audiobookSeries },
  { id: 'catalog-048-airs-at', up: airsAt },
];
