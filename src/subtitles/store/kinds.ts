/**
 * Adds the kind of a subtitle to searches, pauses and upgrade times, which were about a language, and counts the shapes
 * of items by language and kind. Earlier rows describe regular subtitles.
 */
import { columns, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { type CoverageShape, shapeJson, type HeldText, shapeId } from './inventory.ts';
import { tracksFrom } from './rows.ts';
import type { SubtitleTables } from './tables.ts';

const ITEMS_PER_READ = 500;

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await withRole(db, 'subtitle_search', ['at', 'outcome', 'reason'], () =>
    table(db, engine, 'subtitle_search_by_kind')
      .addColumn('item', c.id, (col) => col.notNull())
      .addColumn('language', c.text, (col) => col.notNull())
      .addColumn('role', c.text, (col) => col.notNull())
      .addColumn('at', c.time, (col) => col.notNull())
      .addColumn('outcome', c.text, (col) => col.notNull())
      .addColumn('reason', c.text)
      .addPrimaryKeyConstraint('subtitle_search_kind_key', ['item', 'language', 'role'])
      .execute(),
  );
  await withRole(db, 'subtitle_pause', ['provider', 'failures', 'until', 'kind'], () =>
    table(db, engine, 'subtitle_pause_by_kind')
      .addColumn('item', c.id, (col) => col.notNull())
      .addColumn('language', c.text, (col) => col.notNull())
      .addColumn('role', c.text, (col) => col.notNull())
      .addColumn('provider', c.text, (col) => col.notNull())
      .addColumn('failures', c.integer, (col) => col.notNull())
      .addColumn('until', c.time, (col) => col.notNull())
      .addColumn('kind', c.text, (col) => col.notNull())
      .addPrimaryKeyConstraint('subtitle_pause_kind_key', ['item', 'language', 'role', 'provider'])
      .execute(),
  );
  await db.schema
    .createIndex('subtitle_pause_due')
    .on('subtitle_pause')
    .columns(['provider', 'language', 'role', 'until', 'item'])
    .execute();
  await withRole(db, 'subtitle_look', ['until'], () =>
    table(db, engine, 'subtitle_look_by_kind')
      .addColumn('item', c.id, (col) => col.notNull())
      .addColumn('language', c.text, (col) => col.notNull())
      .addColumn('role', c.text, (col) => col.notNull())
      .addColumn('until', c.time, (col) => col.notNull())
      .addPrimaryKeyConstraint('subtitle_look_kind_key', ['item', 'language', 'role'])
      .execute(),
  );
  await recountShapes(db as Kysely<SubtitleTables>);
}

/** Replaces a table by one with a role, because a primary key cannot be changed on SQLite. */
async function withRole(
  db: Kysely<unknown>,
  name: 'subtitle_search' | 'subtitle_pause' | 'subtitle_look',
  rest: readonly string[],
  create: () => Promise<void>,
): Promise<void> {
  await create();
  const from = db as Kysely<Record<string, Record<string, unknown>>>;
  await from
    .insertInto(`${name}_by_kind`)
    .columns(['item', 'language', 'role', ...rest])
    .expression(from.selectFrom(name).select((eb) => ['item', 'language', eb.val('normal').as('role'), ...rest]))
    .execute();
  await db.schema.dropTable(name).execute();
  await db.schema.alterTable(`${name}_by_kind`).renameTo(name).execute();
}

/** The shape of an item before this migration. */
type FormerShape = Pick<CoverageShape, 'library' | 'kind' | 'state'> & { unfound: readonly string[] };

async function recountShapes(db: Kysely<SubtitleTables>): Promise<void> {
  const former = new Map(
    (await db.selectFrom('subtitle_shape').select(['id', 'facts']).execute()).map(({ id, facts }) => [
      id,
      JSON.parse(facts) as FormerShape,
    ]),
  );
  const counts = new Map<string, { facts: string; items: number }>();
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('subtitle_item')
      .select(['id', 'library', 'kind', 'state', 'tracks', 'shape'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ITEMS_PER_READ)
      .execute();
    for (const { id, library, kind, state, tracks, shape } of rows) {
      const unfound = (former.get(shape)?.unfound ?? []).map((language) => ({ language, role: 'normal' as const }));
      const facts = shapeJson({ library, kind, state, held: heldIn(tracks), unfound });
      const next = shapeId(facts);
      counts.set(next, { facts, items: (counts.get(next)?.items ?? 0) + 1 });
      await db.updateTable('subtitle_item').set({ shape: next }).where('id', '=', id).execute();
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  await db.deleteFrom('subtitle_shape').execute();
  for (const [id, { facts, items }] of counts)
    await db.insertInto('subtitle_shape').values({ id, facts, items }).execute();
}

/** Returns the texts of an item as the tables count them since this migration. */
function heldIn(json: string): HeldText[] {
  const held = new Map<string, HeldText>();
  for (const { source, language, role, hidden, picture, commentary } of tracksFrom(json)) {
    if (hidden || picture || commentary || (language === undefined && source === 'embedded')) continue;
    held.set(`${language} ${role}`, { language: language ?? null, role });
  }
  return [...held.values()];
}

export const kindsMigration: Migration = { id: 'subtitles-012-kinds', up };

/** Reads every item of the catalogue again, because titles of tracks inside videos state kinds too. */
async function readAgain(db: Kysely<unknown>): Promise<void> {
  await (db as Kysely<SubtitleTables>).updateTable('subtitle_cursor').set({ change: 0 }).execute();
}
export const titleKindsMigration: Migration = { id: 'subtitles-014-title-kinds', up: readAgain };
