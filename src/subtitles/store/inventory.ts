/**
 * The inventory in the database: rows that follow the catalogue, counted by shape, and pages of them.
 *
 * Promises: rows, counts and cursor change in one transaction; the counts always equal the rows.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../lib/db/index.ts';
import { UNWANTED } from './installing.ts';
import { type InventoryRow, tracksFrom, tracksJson } from './rows.ts';
import type { ItemTable, SearchOutcome, Tables, Tx } from './tables.ts';

/** Everything that decides about coverage. Items of equal shape have equal coverage in every language. */
export interface Shape {
  library: string;
  kind: ItemTable['kind'];
  state: ItemTable['state'];
  /** Tags of the languages in which there is text to read, sorted; not forced, not hidden. */
  held: readonly string[];
  /** A sidecar without a language is there. */
  hasDefault: boolean;
  /** Languages whose last search brought nothing that could be taken, sorted. */
  unfound: readonly string[];
}
export interface CountedShape extends Shape {
  id: string;
  items: number;
}

/** A row as it is written: the shape but for what the searches say. */
export type NewItem = Omit<InventoryRow, 'shape' | 'searched'> & { held: readonly string[]; hasDefault: boolean };
export interface Cursor {
  change: number;
  gone: number;
}

export interface PageQuery {
  /** Only items of these shapes; left out: of any. */
  shapes?: readonly string[];
  /** Every one of these folded words is in the item's. */
  words: readonly string[];
  sort: 'title' | 'modified' | 'searched';
  offset: number;
  limit: number;
}

const CHUNK = 200;
const NOTHING: readonly SearchOutcome[] = ['nothing', 'refused'];
const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, n) => all.slice(n * CHUNK, (n + 1) * CHUNK));

export const shapeId = (facts: string): string => createHash('sha256').update(facts).digest('hex').slice(0, 16);
const factsOf = ({ library, kind, state, held, hasDefault, unfound }: Shape): string =>
  JSON.stringify({
    library,
    kind,
    state,
    held: [...new Set(held)].sort(),
    hasDefault,
    unfound: [...new Set(unfound)].sort(),
  });

export const inventoryStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  return {
    cursor: async (): Promise<Cursor> => {
      const { change, gone } = await read()
        .selectFrom('subtitle_cursor')
        .select(['change', 'gone'])
        .where('only', '=', 1)
        .executeTakeFirstOrThrow();
      return { change, gone };
    },
    /**
     * Takes rows as they are now, takes others out, and moves the cursor, all or nothing. What a power cut takes is
     * read again. Of what is `gone` for good everything is forgotten; what is `away` may come back to what was done to
     * it.
     */
    follow: (
      rows: readonly NewItem[],
      gone: readonly string[],
      cursor: Cursor,
      away: readonly string[] = [],
    ): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        for (const some of chunks(rows)) await put(tx, some);
        for (const some of chunks([...gone, ...away])) await takeOut(tx, some);
        for (const some of chunks(gone)) await forgetLineage(tx, some);
        await tx
          .updateTable('subtitle_cursor')
          .set({ ...cursor })
          .where('only', '=', 1)
          .execute();
      }),
    /** Writes down how a search ended; what it says about coverage counts at once. */
    searched: (
      item: string,
      language: string,
      ended: { at: number; outcome: SearchOutcome; reason: string | null },
    ): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const [row] = await tx.selectFrom('subtitle_item').selectAll().where('id', '=', item).execute();
        if (!row) return;
        await tx
          .insertInto('subtitle_search')
          .values({ item, language, ...ended })
          .onConflict((oc) => oc.columns(['item', 'language']).doUpdateSet(ended))
          .execute();
        const { held, hasDefault } = JSON.parse(
          (await tx.selectFrom('subtitle_shape').select('facts').where('id', '=', row.shape).executeTakeFirstOrThrow())
            .facts,
        ) as Shape;
        await put(tx, [{ ...row, tracks: tracksFrom(row.tracks), held, hasDefault }]);
      }),

    shapes: async (): Promise<CountedShape[]> => {
      const rows = await read().selectFrom('subtitle_shape').selectAll().where('items', '>', 0).execute();
      return rows.map(({ id, facts, items }) => ({ id, items, ...(JSON.parse(facts) as Shape) }));
    },
    /** How many items of each shape have these words. */
    countWords: async (words: readonly string[]): Promise<Map<string, number>> => {
      const rows = await read()
        .selectFrom('subtitle_item')
        .select((eb) => ['shape', eb.fn.countAll<number>().as('items')])
        .where(hasWords(words))
        .groupBy('shape')
        .execute();
      return new Map(rows.map(({ shape, items }) => [shape, Number(items)]));
    },
    page: async ({ shapes, words, sort, offset, limit }: PageQuery): Promise<InventoryRow[]> => {
      if (shapes?.length === 0) return [];
      // The ids first, from an index that holds all that is asked; then the rows of the page alone.
      const found = await read()
        .selectFrom('subtitle_item')
        .select('id')
        .$if(shapes !== undefined, (query) =>
          query.where(sql<boolean>`shape in (${sql.join((shapes ?? []).map((id) => sql.lit(id)))})`),
        )
        .$if(words.length > 0, (query) => query.where(hasWords(words)))
        .$if(sort === 'title', (query) => query.orderBy('sort').orderBy('id'))
        .$if(sort === 'searched', (query) => query.orderBy('searched', 'desc').orderBy('id', 'desc'))
        .$if(sort === 'modified', (query) => query.orderBy('modified', 'desc').orderBy('id', 'desc'))
        .limit(limit)
        .offset(offset)
        .execute();
      const ids = found.map(({ id }) => id);
      if (ids.length === 0) return [];
      const rows = new Map(
        (await read().selectFrom('subtitle_item').selectAll().where('id', 'in', ids).execute()).map((row) => [
          row.id,
          rowFrom(row),
        ]),
      );
      return ids.flatMap((id) => rows.get(id) ?? []);
    },
    row: async (id: string): Promise<InventoryRow | undefined> => {
      const row = await read().selectFrom('subtitle_item').selectAll().where('id', '=', id).executeTakeFirst();
      return row && rowFrom(row);
    },
    searches: async (items: readonly string[]): Promise<Tables['subtitle_search'][]> =>
      items.length === 0 ? [] : read().selectFrom('subtitle_search').selectAll().where('item', 'in', items).execute(),
  };
};
export type InventoryStore = ReturnType<typeof inventoryStore>;

const rowFrom = (row: ItemTable): InventoryRow => ({ ...row, tracks: tracksFrom(row.tracks) });

/** The caller's words, each as a part of the folded text. */
const hasWords = (words: readonly string[]) =>
  words.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${sql.join(
        words.map((word) => sql`words like ${`%${word.replaceAll(/[!%_]/g, '!$&')}%`} escape '!'`),
        sql` and `,
      )}`;

/** Writes rows with the shape that they have now, and forgets searches that were about another file. */
async function put(tx: Tx, rows: readonly NewItem[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const before = new Map(
    (
      await tx
        .selectFrom('subtitle_item')
        .select(['id', 'shape', 'file', 'size', 'modified'])
        .where('id', 'in', ids)
        .execute()
    ).map((row) => [row.id, row]),
  );
  const changed = rows
    .filter(
      ({ id, size, modified }) =>
        before.has(id) && (before.get(id)?.size !== size || before.get(id)?.modified !== modified),
    )
    .map(({ id }) => id);
  if (changed.length > 0) {
    await forget(tx, changed, ['subtitle_search', 'subtitle_pause']);
    // Rejected downloads stay rejected.
    await tx.deleteFrom('subtitle_refusal').where('item', 'in', changed).where('reason', '!=', UNWANTED).execute();
  }
  const searches = Map.groupBy(
    await tx
      .selectFrom('subtitle_search')
      .select(['item', 'language', 'at', 'outcome'])
      .where('item', 'in', ids)
      .execute(),
    ({ item }) => item,
  );
  const counts = new Map<string, { facts: string; by: number }>();
  const count = (id: string, facts: string, by: number) =>
    counts.set(id, { facts: counts.get(id)?.facts || facts, by: (counts.get(id)?.by ?? 0) + by });
  const after = rows.map(({ held, hasDefault, ...row }): ItemTable => {
    const own = searches.get(row.id) ?? [];
    const unfound = own.filter(({ outcome }) => NOTHING.includes(outcome)).map(({ language }) => language);
    const facts = factsOf({ library: row.library, kind: row.kind, state: row.state, held, hasDefault, unfound });
    const shape = shapeId(facts);
    count(shape, facts, 1);
    return { ...row, tracks: tracksJson(row.tracks), shape, searched: Math.max(0, ...own.map(({ at }) => at)) };
  });
  for (const { shape } of before.values()) count(shape, '', -1);
  await tx
    .insertInto('subtitle_item')
    .values(after)
    .onConflict((oc) =>
      oc.column('id').doUpdateSet((eb) => ({
        library: eb.ref('excluded.library'),
        kind: eb.ref('excluded.kind'),
        title: eb.ref('excluded.title'),
        sort: eb.ref('excluded.sort'),
        words: eb.ref('excluded.words'),
        year: eb.ref('excluded.year'),
        context: eb.ref('excluded.context'),
        file: eb.ref('excluded.file'),
        size: eb.ref('excluded.size'),
        modified: eb.ref('excluded.modified'),
        state: eb.ref('excluded.state'),
        tracks: eb.ref('excluded.tracks'),
        shape: eb.ref('excluded.shape'),
        searched: eb.ref('excluded.searched'),
      })),
    )
    .execute();
  await recount(tx, counts);
}

async function takeOut(tx: Tx, ids: readonly string[]): Promise<void> {
  const rows = await tx.deleteFrom('subtitle_item').where('id', 'in', ids).returning('shape').execute();
  const counts = new Map<string, { facts: string; by: number }>();
  for (const { shape } of rows) counts.set(shape, { facts: '', by: (counts.get(shape)?.by ?? 0) - 1 });
  await recount(tx, counts);
  await forget(tx, ids, ['subtitle_search', 'subtitle_pause']);
}

async function forgetLineage(tx: Tx, ids: readonly string[]): Promise<void> {
  await forget(tx, ids, ['subtitle_refusal', 'subtitle_frozen']);
  // An intent is kept: whether its file came to be is settled by whoever looks at the folder.
  await tx.deleteFrom('subtitle_installed').where('item', 'in', ids).execute();
  await tx.deleteFrom('subtitle_history').where('item', 'in', ids).execute();
}

async function forget(
  tx: Tx,
  items: readonly string[],
  from: readonly ('subtitle_search' | 'subtitle_pause' | 'subtitle_refusal' | 'subtitle_frozen')[],
): Promise<void> {
  for (const name of from) await tx.deleteFrom(name).where('item', 'in', items).execute();
}

async function recount(tx: Tx, counts: ReadonlyMap<string, { facts: string; by: number }>): Promise<void> {
  for (const [id, { facts, by }] of counts) {
    if (by === 0) continue;
    if (facts === '')
      await tx
        .updateTable('subtitle_shape')
        .set((eb) => ({ items: eb('items', '+', by) }))
        .where('id', '=', id)
        .execute();
    else
      await tx
        .insertInto('subtitle_shape')
        .values({ id, facts, items: by })
        .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ items: eb('subtitle_shape.items', '+', by) })))
        .execute();
  }
  await tx.deleteFrom('subtitle_shape').where('items', '<=', 0).execute();
}
