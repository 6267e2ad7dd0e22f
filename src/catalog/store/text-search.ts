/**
 * The words of people and plots, indexed in the database: in memory they would cost more than all other columns
 * together.
 *
 * SQLite has them in an FTS5 table without content, PostgreSQL as a text search vector. Words arrive folded and cut,
 * so both engines only compare them. The index follows the items by their change numbers and is written together
 * with the number that it has reached.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { columns, type Database, type Engine, type Migration, table, type Transaction } from '../../lib/db/index.ts';
import type { ItemKind } from '../../contract/catalog/kinds.ts';
import { UNLISTED_KINDS } from './index-rows.ts';
import { type Details, parseDetails } from './records.ts';
import type { CatalogTables } from './tables.ts';

interface TextTables extends CatalogTables {
  /** One row for each indexed item; `number` is its row of `catalog_text_words` on SQLite. */
  catalog_text: { number: number; item: string };
  /** How far the index has come. */
  catalog_text_cursor: { only: number; change: number; gone: number };
}
type Tx = Transaction<TextTables>;

export interface TextCursor {
  change: number;
  gone: number;
}
/** The texts of an item that changed. */
export interface ChangedText {
  id: string;
  kind: ItemKind;
  title: string;
  original_title: string | null;
  detail: Details;
  change: number;
}
/** An item with the words of its title and people, and those of its plot. */
export interface IndexedWords {
  item: string;
  people: readonly string[];
  plot: readonly string[];
}
/** Words that must all occur; the last one may be the beginning of a longer word. */
export interface SearchWords {
  words: readonly string[];
  isLastPrefix: boolean;
}

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  const cursor = table(db, engine, 'catalog_text_cursor').addColumn('only', c.integer, (col) => col.primaryKey());
  await cursor
    .addColumn('change', c.integer, (col) => col.notNull())
    .addColumn('gone', c.integer, (col) => col.notNull())
    .execute();
  if (engine === 'sqlite') {
    await table(db, engine, 'catalog_text')
      .addColumn('number', 'integer', (col) => col.primaryKey())
      .addColumn('item', c.id, (col) => col.notNull().unique())
      .execute();
    // The words come folded, and this tokenizer takes everything beyond ASCII as a part of a word.
    await sql`
      create virtual table catalog_text_words using fts5(
        people, plot, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii', prefix = '3'
      )
    `.execute(db);
  } else {
    await table(db, engine, 'catalog_text')
      .addColumn('item', c.id, (col) => col.primaryKey())
      .addColumn('words', sql`tsvector`, (col) => col.notNull())
      .execute();
    await sql`create index catalog_text_words on catalog_text using gin (words)`.execute(db);
  }
  await (db as Kysely<TextTables>).insertInto('catalog_text_cursor').values({ only: 1, change: 0, gone: 0 }).execute();
}
export const textMigration: Migration = { id: 'catalog-004-texts', up };

/** Words have no quotes, spaces or operators, so a quoted word is itself in both query languages. */
const vector = ({ people, plot }: IndexedWords): string =>
  [...new Set(people)]
    .map((word) => `'${word}':1A`)
    .concat([...new Set(plot)].map((word) => `'${word}':2`))
    .join(' ');
const matchOf = ({ words, isLastPrefix }: SearchWords): string =>
  words.map((word, i) => `"${word}"${isLastPrefix && i === words.length - 1 ? ' *' : ''}`).join(' AND ');
const queryOf = ({ words, isLastPrefix }: SearchWords, weight: '' | 'A'): string =>
  words
    .map((word, i) => `'${word}'${isLastPrefix && i === words.length - 1 ? `:*${weight}` : weight && `:${weight}`}`)
    .join(' & ');
/** Queries for the items that have every word among their people, and for those that have some only in the plot. */
const QUERIES: Record<Engine, Record<'people' | 'plot', (asked: SearchWords) => string>> = {
  sqlite: {
    people: (asked) => `people : (${matchOf(asked)})`,
    plot: (asked) => `(${matchOf(asked)}) NOT (people : (${matchOf(asked)}))`,
  },
  postgres: {
    people: (asked) => queryOf(asked, 'A'),
    plot: (asked) => `(${queryOf(asked, '')}) & !(${queryOf(asked, 'A')})`,
  },
};

const FIND_SQLITE =
  'select t.item from catalog_text_words w join catalog_text t on t.number = w.rowid where catalog_text_words ' +
  'match ? limit ?';
const FIND_POSTGRES = 'select item from catalog_text where words @@ $1::tsquery limit $2';

export const textSearchStore = (db: Database) => {
  const read = () => db.tables<TextTables>();
  const isSqlite = db.engine === 'sqlite';
  const find = async (asked: SearchWords, part: 'people' | 'plot', most: number): Promise<string[]> => {
    const values = [QUERIES[db.engine][part](asked), most];
    const rows = await db.run(CompiledQuery.raw(isSqlite ? FIND_SQLITE : FIND_POSTGRES), values);
    return (rows as { item: string }[]).map(({ item }) => item);
  };
  return {
    cursor: async (): Promise<TextCursor> => {
      const { change, gone } = await read()
        .selectFrom('catalog_text_cursor')
        .select(['change', 'gone'])
        .where('only', '=', 1)
        .executeTakeFirstOrThrow();
      return { change: Number(change), gone: Number(gone) };
    },
    /** Items that changed after a cursor, the oldest change first. */
    changed: async (change: number, most: number): Promise<ChangedText[]> => {
      const rows = await read()
        .selectFrom('catalog_item')
        .select(['id', 'kind', 'title', 'original_title', 'detail', 'change'])
        .where('change', '>', change)
        .where('kind', 'not in', UNLISTED_KINDS)
        .orderBy('change')
        .limit(most)
        .execute();
      return rows.map((row) => ({ ...row, kind: row.kind as ItemKind, detail: parseDetails(row.detail) }));
    },
    /** Writes the words of items, takes out those that are gone, and moves the cursor, all or nothing. */
    put: (items: readonly IndexedWords[], gone: readonly string[], cursor: TextCursor) =>
      db.write('grouped', async (tx: Tx) => {
        for (const item of items) await (isSqlite ? putSqlite(tx, item) : putPostgres(tx, item));
        for (const item of gone) {
          if (isSqlite)
            await tx.executeQuery(
              CompiledQuery.raw(
                'delete from catalog_text_words where rowid in (select number from catalog_text where item = ?)',
                [item],
              ),
            );
          await tx.deleteFrom('catalog_text').where('item', '=', item).execute();
        }
        await tx
          .updateTable('catalog_text_cursor')
          .set({ change: cursor.change, gone: cursor.gone })
          .where('only', '=', 1)
          .execute();
      }),
    /** Returns the items that have every word among their people; for `plot` those that have some only there. */
    find,
  };
};
export type TextSearchStore = ReturnType<typeof textSearchStore>;

async function putSqlite(tx: Tx, { item, people, plot }: IndexedWords): Promise<void> {
  // Written out: building a statement for each of a hundred thousand items costs more than running it.
  const numbered =
    'insert into catalog_text (item) values (?) on conflict (item) do update set item = excluded.item returning number';
  const { rows } = await tx.executeQuery(CompiledQuery.raw(numbered, [item]));
  const { number } = rows[0] as { number: number };
  const words = 'insert or replace into catalog_text_words (rowid, people, plot) values (?, ?, ?)';
  await tx.executeQuery(CompiledQuery.raw(words, [number, people.join(' '), plot.join(' ')]));
}
const putPostgres = (tx: Tx, words: IndexedWords): Promise<unknown> =>
  sql`
    insert into catalog_text (item, words) values (${words.item}, ${vector(words)}::tsvector)
    on conflict (item) do update set words = excluded.words
  `.execute(tx);
