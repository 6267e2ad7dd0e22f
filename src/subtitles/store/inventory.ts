/**
 * Store of the inventory: rows that follow the catalogue, counted by shape and read in pages.
 *
 * Rows, counts and cursor change in one transaction, so the counts always equal the rows.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../lib/db/index.ts';
import { missingText, type MissingReason } from '../../contract/subtitles/missing-reasons.ts';
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import { isWhollyJudged, keepCurrentJudgements } from './judgements.ts';
import { REJECTED_BY_USER } from './installing.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import { type InventoryRow, type InventoryTrack, isUnchecked, tracksFrom, tracksJson } from './rows.ts';
import type { SubtitleItemTable, SearchOutcome, SubtitleRole, SubtitleTables, SubtitleTx } from './tables.ts';

/** A language and kind in which an item has text. `language` is null for a file that names none. */
export interface HeldText {
  language: string | null;
  role: SubtitleRole;
}

/** Everything that decides about coverage. Items with equal shapes have equal coverage in every language and kind. */
export interface CoverageShape {
  library: string;
  kind: SubtitleItemTable['kind'];
  state: SubtitleItemTable['state'];
  /** Languages and kinds that have text, sorted. Hidden subtitles and pictures are left out. */
  held: readonly HeldText[];
  /** Languages and kinds whose last search found nothing acceptable, sorted. */
  unfound: readonly WantedSubtitle[];
  /** The key of one part of a film. No two parts share a shape, so that those of one film can be put together. */
  part?: string;
}
export interface CountedShape extends CoverageShape {
  id: string;
  items: number;
}

/** A row as it is written: without the columns that the store adds. */
export type NewItem = Omit<InventoryRow, 'shape' | 'searched' | 'unchecked' | 'unaudited'> &
  Pick<CoverageShape, 'held'>;
export interface Cursor {
  change: number;
  gone: number;
}

export interface PageQuery {
  /** Only items of these shapes. Default: all items. */
  shapes?: readonly string[];
  /** Folded words, all of which the item must contain. */
  words: readonly string[];
  sort: 'title' | 'modified' | 'searched';
  offset: number;
  limit: number;
}

const ROWS_PER_STATEMENT = 200;
const UNSUCCESSFUL: readonly SearchOutcome[] = ['nothing', 'refused'];
const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ROWS_PER_STATEMENT) }, (_, n) =>
    all.slice(n * ROWS_PER_STATEMENT, (n + 1) * ROWS_PER_STATEMENT),
  );

export const shapeId = (facts: string): string => createHash('sha256').update(facts).digest('hex').slice(0, 16);
export const shapeJson = ({ library, kind, state, held, unfound, part }: CoverageShape): string =>
  JSON.stringify({ library, kind, state, held: sorted(held), unfound: sorted(unfound), part });

/** Returns a list in one order, so that equal lists are equal as JSON. */
const sorted = <T extends HeldText>(all: readonly T[]): { language: T['language']; role: SubtitleRole }[] =>
  all
    .map(({ language, role }) => ({ language, role }))
    .toSorted((a, b) => (`${a.language ?? ''} ${a.role}` < `${b.language ?? ''} ${b.role}` ? -1 : 1));

/** Result of the last search, with its reason as it was recorded. */
export type SearchRow = Omit<SubtitleTables['subtitle_search'], 'why'> & { why: MissingReason | null };

async function searchesOf(db: Database, items: readonly string[]): Promise<SearchRow[]> {
  if (items.length === 0) return [];
  const query = db.tables<SubtitleTables>().selectFrom('subtitle_search').selectAll().where('item', 'in', items);
  return (await query.execute()).map(({ why, ...row }) => ({
    ...row,
    why: why === null ? null : (JSON.parse(why) as MissingReason),
  }));
}

const itemRows = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
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
     * Writes current rows, removes others and moves the cursor, all in one transaction. Changes lost in a power cut are
     * read again from the catalogue. Everything about `gone` items is deleted; items that are `away` keep their
     * lineage, because they may come back.
     */
    follow: (
      rows: readonly NewItem[],
      gone: readonly string[],
      cursor: Cursor,
      away: readonly string[] = [],
    ): Promise<void> =>
      db.write('grouped', async (tx: SubtitleTx) => {
        for (const some of chunks(rows)) {
          await putRows(tx, some);
          await deleteRows(tx, await missingParts(tx, some));
        }
        for (const some of chunks([...gone, ...away])) await deleteRows(tx, await withParts(tx, some));
        for (const some of chunks(gone)) await forgetLineage(tx, await withParts(tx, some));
        await tx
          .updateTable('subtitle_cursor')
          .set({ ...cursor })
          .where('only', '=', 1)
          .execute();
      }),
    /** Records how a search ended, and updates the shape of the item. */
    searched: (
      item: string,
      { language, role }: WantedSubtitle,
      { why, ...end }: { at: number; outcome: SearchOutcome; why: MissingReason | null },
    ): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const [row] = await tx.selectFrom('subtitle_item').selectAll().where('id', '=', item).execute();
        if (!row) return;
        const ended = { ...end, reason: why && missingText(why), why: why && JSON.stringify(why) };
        await tx
          .insertInto('subtitle_search')
          .values({ item, language, role, ...ended })
          .onConflict((oc) => oc.columns(['item', 'language', 'role']).doUpdateSet(ended))
          .execute();
        const { held } = JSON.parse(
          (await tx.selectFrom('subtitle_shape').select('facts').where('id', '=', row.shape).executeTakeFirstOrThrow())
            .facts,
        ) as CoverageShape;
        await putRows(tx, [{ ...row, tracks: tracksFrom(row.tracks), held }]);
      }),

    shapes: async (): Promise<CountedShape[]> => {
      const rows = await read().selectFrom('subtitle_shape').selectAll().where('items', '>', 0).execute();
      return rows.map(({ id, facts, items }) => ({ id, items, ...(JSON.parse(facts) as CoverageShape) }));
    },
    /** Returns the number of items of each shape that contain all these words. */
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
      // Reads the ids from an index that has all the filtered columns, then only the rows of this page.
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
    /** Returns the tracks of items, with what is known about their files. */
    tracks: async (items: readonly string[]): Promise<Map<string, InventoryTrack[]>> => {
      if (items.length === 0) return new Map();
      const rows = await read().selectFrom('subtitle_item').select(['id', 'tracks']).where('id', 'in', items).execute();
      return new Map(rows.map(({ id, tracks }) => [id, tracksFrom(tracks)]));
    },
    searches: (items: readonly string[]) => searchesOf(db, items),
  };
};
/** Reads of the parts of films. */
const partRows = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
  return {
    /** Returns the tracks of an item, those of all its parts. */
    tracksOfItem: async (item: string): Promise<InventoryTrack[]> => {
      const parts = read().selectFrom('subtitle_part').select('id').where('item', '=', item);
      const rows = await read()
        .selectFrom('subtitle_item')
        .select('tracks')
        .where((eb) => eb.or([eb('id', '=', item), eb('id', 'in', parts)]))
        .execute();
      return rows.flatMap(({ tracks }) => tracksFrom(tracks));
    },
    /** Returns the rows of the later parts of films. */
    laterParts: async (items: readonly string[]): Promise<InventoryRow[]> => {
      if (items.length === 0) return [];
      const rows = await read()
        .selectFrom('subtitle_item as i')
        .innerJoin('subtitle_part as p', 'p.id', 'i.id')
        .where('p.item', 'in', items)
        .selectAll('i')
        .orderBy('i.part')
        .execute();
      return rows.map(rowFrom);
    },
  };
};
export const inventoryStore = (db: Database) => ({
  ...itemRows(db),
  ...partRows(db),
  /** Returns keys behind one, in their order, with their shapes. */
  shapesAfter: (key: string, limit: number): Promise<Pick<SubtitleTables['subtitle_item'], 'id' | 'shape'>[]> =>
    db
      .tables<SubtitleTables>()
      .selectFrom('subtitle_item')
      .select(['id', 'shape'])
      .where('id', '>', key)
      .orderBy('id')
      .limit(limit)
      .execute(),
});
export type InventoryStore = ReturnType<typeof inventoryStore>;

export const rowFrom = (row: SubtitleItemTable): InventoryRow => ({ ...row, tracks: tracksFrom(row.tracks) });

/** Returns a condition that the folded text contains each word. */
const hasWords = (words: readonly string[]) =>
  words.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${sql.join(
        words.map((word) => sql`words like ${`%${word.replaceAll(/[!%_]/g, '!$&')}%`} escape '!'`),
        sql` and `,
      )}`;

/** Writes rows with their current shape, and deletes searches that were about another version of the file. */
export async function putRows(tx: SubtitleTx, rows: readonly NewItem[]): Promise<void> {
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
    await deleteFor(tx, changed, ['subtitle_search', 'subtitle_pause']);
    // Downloads that a user rejected stay rejected.
    await tx
      .deleteFrom('subtitle_refusal')
      .where('item', 'in', changed)
      .where('reason', '!=', REJECTED_BY_USER)
      .execute();
  }
  const searches = Map.groupBy(
    await tx
      .selectFrom('subtitle_search')
      .select(['item', 'language', 'role', 'at', 'outcome'])
      .where('item', 'in', ids)
      .execute(),
    ({ item }) => item,
  );
  const judged = await keepCurrentJudgements(tx, rows);
  const counts = new Map<string, { facts: string; by: number }>();
  const count = (id: string, facts: string, by: number) =>
    counts.set(id, { facts: counts.get(id)?.facts || facts, by: (counts.get(id)?.by ?? 0) + by });
  const after = rows.map(({ held, ...row }): SubtitleItemTable => {
    const own = searches.get(row.id) ?? [];
    const unfound = own.filter(({ outcome }) => UNSUCCESSFUL.includes(outcome));
    const { library, kind, state } = row;
    const facts = shapeJson({ library, kind, state, held, unfound, ...(row.part !== null && { part: row.id }) });
    const shape = shapeId(facts);
    count(shape, facts, 1);
    return {
      ...row,
      tracks: tracksJson(row.tracks),
      shape,
      searched: Math.max(0, ...own.map(({ at }) => at)),
      unchecked: row.tracks.some(isUnchecked) ? 1 : 0,
      unaudited: isWhollyJudged(row, judged.get(row.id) ?? []) ? 0 : 1,
    };
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
        unchecked: eb.ref('excluded.unchecked'),
        unaudited: eb.ref('excluded.unaudited'),
        part: eb.ref('excluded.part'),
      })),
    )
    .execute();
  await recount(tx, counts);
  const later = rows.filter(({ id }) => itemOfKey(id) !== id);
  if (later.length > 0)
    await tx
      .insertInto('subtitle_part')
      .values(later.map(({ id }) => ({ id, item: itemOfKey(id) })))
      .onConflict((oc) => oc.column('id').doNothing())
      .execute();
}

/** Returns the keys of items and of everything that ever was a part of them. */
async function withParts(tx: SubtitleTx, items: readonly string[]): Promise<string[]> {
  const parts = await tx.selectFrom('subtitle_part').select('id').where('item', 'in', items).execute();
  return [...items, ...parts.map(({ id }) => id)];
}

/** Returns the keys of parts that items had, and do not have any more. */
async function missingParts(tx: SubtitleTx, rows: readonly NewItem[]): Promise<string[]> {
  const there = new Set(rows.map(({ id }) => id));
  const known = await withParts(tx, [...new Set(rows.map(({ id }) => itemOfKey(id)))]);
  return known.filter((id) => itemOfKey(id) !== id && !there.has(id));
}

async function deleteRows(tx: SubtitleTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.deleteFrom('subtitle_item').where('id', 'in', ids).returning('shape').execute();
  const counts = new Map<string, { facts: string; by: number }>();
  for (const { shape } of rows) counts.set(shape, { facts: '', by: (counts.get(shape)?.by ?? 0) - 1 });
  await recount(tx, counts);
  await deleteFor(tx, ids, ['subtitle_search', 'subtitle_pause']);
}

async function forgetLineage(tx: SubtitleTx, ids: readonly string[]): Promise<void> {
  await deleteFor(tx, ids, ['subtitle_refusal', 'subtitle_frozen']);
  // Intents stay: whether their file was written is decided by reading the folder.
  await tx.deleteFrom('subtitle_installed').where('item', 'in', ids).execute();
  await tx.deleteFrom('subtitle_history').where('item', 'in', ids).execute();
  await tx.deleteFrom('subtitle_audit').where('item', 'in', ids).execute();
  await tx.deleteFrom('subtitle_part').where('id', 'in', ids).execute();
}

async function deleteFor(
  tx: SubtitleTx,
  items: readonly string[],
  from: readonly ('subtitle_search' | 'subtitle_pause' | 'subtitle_refusal' | 'subtitle_frozen')[],
): Promise<void> {
  for (const name of from) await tx.deleteFrom(name).where('item', 'in', items).execute();
}

async function recount(tx: SubtitleTx, counts: ReadonlyMap<string, { facts: string; by: number }>): Promise<void> {
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
  for (const some of chunks([...counts.keys()]))
    await tx.deleteFrom('subtitle_shape').where('id', 'in', some).where('items', '<=', 0).execute();
}
