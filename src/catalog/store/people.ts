/**
 * People and their credits: which items name a person, as the items themselves say it.
 *
 * A row of `catalog_person` is one spelling of one person: the same id with two names has two rows, so that no name
 * from an item that a Profile may not see is ever shown. The rows follow the items by their change numbers and are
 * written together with the number that they have reached.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { PersonJob } from '../../contract/catalog/person-jobs.ts';
import { columns, type Database, type Engine, type Migration, table, type Transaction } from '../../lib/db/index.ts';
import { UNLISTED_KINDS } from './index-rows.ts';
import { type Details, parseDetails, type PortraitPlace } from './records.ts';
import { once } from './prepared.ts';
import type { CatalogTables } from './tables.ts';
import { inChunks } from './writing.ts';

interface PeopleTables extends CatalogTables {
  catalog_person: {
    number: number;
    id: string;
    /** Id in another database: `tmdb:1932`. Empty if the person is known by name only. */
    source: string;
    name: string;
    folded: string;
    /** Number of items that name the person like this. */
    credits: number;
  };
  /** Folded words of names. */
  catalog_person_word: { word: string; person: number };
  /** Jobs of a person in an item. */
  catalog_credit: { person: number; item: string; facts: string };
  /** How far the rows have come. */
  catalog_person_cursor: { only: number; change: number; gone: number };
}
type Tx = Transaction<PeopleTables>;

/** Jobs of a person in an item, with the parts that an actor plays, the path of a picture, and one in the library. */
export interface CreditFacts {
  jobs: { job: PersonJob; role?: string }[];
  picture?: string;
  portrait?: Omit<PortraitPlace, 'name'>;
}
/** A spelling of a person. */
export interface PersonSpelling {
  id: string;
  source: string;
  name: string;
  folded: string;
}
export interface SpellingRow extends PersonSpelling {
  number: number;
}
/**
 * Calls a function for each of some credits, with the id of the item as a part of a text. Equal facts that follow each
 * other are one object.
 */
export type EachCredit = (see: (text: string, from: number, to: number, facts: CreditFacts) => void) => void;
/** Credits that were read at once. */
interface CreditRows {
  /** A line for each. */
  lines: string | null;
  count: number | string | bigint;
  /** Item of the last one. */
  last: string | null;
}
/** A person of an item, with the words of the name. */
export interface CreditToStore extends PersonSpelling {
  words: readonly string[];
  facts: CreditFacts;
}
export interface PeopleCursor {
  change: number;
  gone: number;
}

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_person')
    .addColumn('number', c.integer, (col) =>
      engine === 'sqlite' ? col.primaryKey() : col.primaryKey().generatedAlwaysAsIdentity(),
    )
    .addColumn('id', c.id, (col) => col.notNull())
    .addColumn('source', c.text, (col) => col.notNull())
    .addColumn('name', c.text, (col) => col.notNull())
    .addColumn('folded', c.text, (col) => col.notNull())
    .addColumn('credits', c.integer, (col) => col.notNull())
    .addUniqueConstraint('catalog_person_spelling', ['id', 'name'])
    .execute();
  await db.schema.createIndex('catalog_person_folded').on('catalog_person').column('folded').execute();
  const compact = (name: string) =>
    // A table without row ids is its own index.
    engine === 'sqlite' ? db.schema.createTable(name).modifyEnd(sql`strict, without rowid`) : table(db, engine, name);
  await compact('catalog_person_word')
    .addColumn('word', c.text, (col) => col.notNull())
    .addColumn('person', c.integer, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_person_word_key', ['word', 'person'])
    .execute();
  await db.schema.createIndex('catalog_person_word_of').on('catalog_person_word').column('person').execute();
  await compact('catalog_credit')
    .addColumn('person', c.integer, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('facts', c.json, (col) => col.notNull())
    .addPrimaryKeyConstraint('catalog_credit_key', ['person', 'item'])
    .execute();
  await db.schema.createIndex('catalog_credit_item').on('catalog_credit').column('item').execute();
  await table(db, engine, 'catalog_person_cursor')
    .addColumn('only', c.integer, (col) => col.primaryKey())
    .addColumn('change', c.integer, (col) => col.notNull())
    .addColumn('gone', c.integer, (col) => col.notNull())
    .execute();
  await (db as Kysely<PeopleTables>)
    .insertInto('catalog_person_cursor')
    .values({ only: 1, change: 0, gone: 0 })
    .execute();
}
export const peopleMigration: Migration = { id: 'catalog-035-people', up };

const SPELLING = ['number', 'id', 'source', 'name', 'folded'] as const;
/** No text that begins with a word sorts after the word followed by this. */
const LAST_CHARACTER = '\u{10ffff}';
const keyOf = ({ id, name }: Pick<PersonSpelling, 'id' | 'name'>): string => `${id} ${name}`;

/**
 * Credits that are read at once: about 50 kB of text. One text takes half the time of a row for each. Texts of more
 * than 128 kB would stay until a full collection, whose pauses every page would feel.
 */
const CREDITS_AT_ONCE = 500;

/** Facts, and the text that they are stored as. */
interface KnownFacts {
  text: string;
  facts: CreditFacts;
}

/**
 * Reads lines that have an item each, and its facts unless they are the given ones. Facts are JSON, without raw line
 * breaks. Returns the last facts.
 */
function readCredits(lines: string, given: KnownFacts, see: Parameters<EachCredit>[0]): KnownFacts {
  let last = given;
  let brace = lines.indexOf('{');
  for (let from = 0; from < lines.length;) {
    if (brace >= 0 && brace < from) brace = lines.indexOf('{', from);
    const lineBreak = lines.indexOf('\n', from);
    const end = lineBreak < 0 ? lines.length : lineBreak;
    const at = brace < 0 || brace > end ? end : brace;
    if (at === end) see(lines, from, at, given.facts);
    else {
      if (end - at !== last.text.length || !lines.startsWith(last.text, at)) {
        const text = lines.slice(at, end);
        last = { text, facts: JSON.parse(text) as CreditFacts };
      }
      see(lines, from, at, last.facts);
    }
    from = end + 1;
  }
  return last;
}

/** Compiles the query of some credits of a person, after an item: the known facts, the person and the item. */
function compileCredits(db: Database) {
  // Most people do the same in all of their works, so what is known by then is left out.
  const line = sql`item || case when facts = ${''} then '' else facts end`;
  return db
    .tables<PeopleTables>()
    .selectFrom((eb) =>
      eb
        .selectFrom('catalog_credit')
        .select(['item', 'facts'])
        .where('person', '=', 0)
        .where('item', '>', '')
        .orderBy('item')
        .limit(sql.lit(CREDITS_AT_ONCE))
        .as('some'),
    )
    .select([
      (db.engine === 'sqlite'
        ? sql<string | null>`group_concat(${line}, char(10))`
        : sql<string | null>`string_agg(${line}, chr(10))`
      ).as('lines'),
      (eb) => eb.fn.max('item').as('last'),
      (eb) => eb.fn.countAll().as('count'),
    ])
    .compile();
}

export const peopleStore = (db: Database) => {
  const read = () => db.tables<PeopleTables>();
  let statements: Statements | undefined;
  let version = 0;
  const someCredits = once(() => compileCredits(db));
  return {
    cursor: async (): Promise<PeopleCursor> => {
      const { change, gone } = await read()
        .selectFrom('catalog_person_cursor')
        .select(['change', 'gone'])
        .where('only', '=', 1)
        .executeTakeFirstOrThrow();
      return { change: Number(change), gone: Number(gone) };
    },
    /** Returns items that changed after a cursor, the oldest change first. */
    changed: async (change: number, most: number): Promise<{ id: string; detail: Details; change: number }[]> => {
      const rows = await read()
        .selectFrom('catalog_item')
        .select(['id', 'detail', 'change'])
        .where('change', '>', change)
        .where('kind', 'not in', UNLISTED_KINDS)
        .orderBy('change')
        .limit(most)
        .execute();
      return rows.map((row) => ({ ...row, detail: parseDetails(row.detail) }));
    },
    /** Replaces the credits of items, and moves the cursor, all or nothing. */
    put: async (items: readonly { item: string; people: readonly CreditToStore[] }[], cursor: PeopleCursor) => {
      await db.write('grouped', async (tx: Tx) => {
        statements ??= compileStatements(tx);
        for (const item of items) await putItem(tx, statements, item);
        await tx
          .updateTable('catalog_person_cursor')
          .set({ change: cursor.change, gone: cursor.gone })
          .where('only', '=', 1)
          .execute();
      });
      version++;
    },
    /** Grows with every change of the credits. */
    version: (): number => version,
    /** Returns the spellings of a person. */
    byId: (id: string): Promise<SpellingRow[]> =>
      read().selectFrom('catalog_person').select(SPELLING).where('id', '=', id).execute(),
    /** Returns all spellings with one of these folded names. */
    byNames: (folded: readonly string[]): Promise<SpellingRow[]> =>
      inChunks(folded, (some) =>
        read().selectFrom('catalog_person').select(SPELLING).where('folded', 'in', some).execute(),
      ),
    byNumbers: (numbers: readonly number[]): Promise<SpellingRow[]> =>
      inChunks(numbers, (some) =>
        read().selectFrom('catalog_person').select(SPELLING).where('number', 'in', some).execute(),
      ),
    /** Yields what items say about a spelling, in the order of the items. */
    credits: async function* (person: number): AsyncGenerator<EachCredit, void, void> {
      let known: KnownFacts = { text: '', facts: { jobs: [] } };
      for (let after: string | null = ''; after !== null;) {
        const given: KnownFacts = known;
        const [some]: CreditRows[] = await db.run(someCredits(), [given.text, person, after]);
        if (some?.lines == null) return;
        const { lines } = some;
        yield (see) => void (known = readCredits(lines, given, see));
        after = Number(some.count) < CREDITS_AT_ONCE ? null : some.last;
      }
    },
    /** Returns the items that name these spellings. */
    items: (numbers: readonly number[]): Promise<{ person: number; item: string }[]> =>
      inChunks(numbers, (some) =>
        read().selectFrom('catalog_credit').select(['person', 'item']).where('person', 'in', some).execute(),
      ),
    /**
     * Returns the spellings that have all these words, those with most items first, and then by id. The last word may
     * be the beginning of a longer one.
     */
    find: async (words: readonly string[]): Promise<{ number: number; id: string; credits: number }[]> => {
      const last = words.at(-1) ?? '';
      let query = read()
        .selectFrom('catalog_person as p')
        .select(['p.number', 'p.id', 'p.credits'])
        .where('p.number', 'in', (eb) =>
          eb
            .selectFrom('catalog_person_word')
            .select('person')
            .where('word', '>=', last)
            .where('word', '<', `${last}${LAST_CHARACTER}`),
        );
      for (const word of words.slice(0, -1))
        query = query.where('p.number', 'in', (eb) =>
          eb.selectFrom('catalog_person_word').select('person').where('word', '=', word),
        );
      return query.orderBy('p.credits', 'desc').orderBy('p.id').execute();
    },
  };
};
export type PeopleStore = ReturnType<typeof peopleStore>;

/** The statements of a library that is indexed for the first time: building one costs more than running it. */
const compileStatements = (tx: Tx) => ({
  old: tx
    .selectFrom('catalog_credit as c')
    .innerJoin('catalog_person as p', 'p.number', 'c.person')
    .select(['p.number', 'p.id', 'p.name', 'c.facts'])
    .where('c.item', '=', '')
    .compile().sql,
  person: tx
    .insertInto('catalog_person')
    .values({ id: '', source: '', name: '', folded: '', credits: 1 } as PeopleTables['catalog_person'])
    .onConflict((oc) =>
      oc.columns(['id', 'name']).doUpdateSet((eb) => ({ credits: eb('catalog_person.credits', '+', sql.lit(1)) })),
    )
    .returning(['number', 'credits'])
    .compile().sql,
  word: tx.insertInto('catalog_person_word').values({ word: '', person: 0 }).compile().sql,
  credit: tx
    .insertInto('catalog_credit')
    .values({ person: 0, item: '', facts: '' })
    .onConflict((oc) => oc.columns(['person', 'item']).doUpdateSet((eb) => ({ facts: eb.ref('excluded.facts') })))
    .compile().sql,
});
type Statements = ReturnType<typeof compileStatements>;

const run = async <R>(tx: Tx, statement: string, values: readonly unknown[]): Promise<R[]> =>
  (await tx.executeQuery(CompiledQuery.raw(statement, [...values]))).rows as R[];

interface StoredCredit {
  number: number;
  id: string;
  name: string;
  facts: string;
}

/** Writes only what differs: most changes of an item leave its people alone. */
async function putItem(
  tx: Tx,
  { old, credit, ...statements }: Statements,
  { item, people }: { item: string; people: readonly CreditToStore[] },
): Promise<void> {
  const had = new Map((await run<StoredCredit>(tx, old, [item])).map((row) => [keyOf(row), row]));
  for (const person of people) {
    const facts = JSON.stringify(person.facts);
    const known = had.get(keyOf(person));
    had.delete(keyOf(person));
    if (known?.facts === facts) continue;
    const number = known?.number ?? (await addSpelling(tx, statements, person));
    await run(tx, credit, [number, item, facts]);
  }
  await removeCredits(
    tx,
    item,
    [...had.values()].map(({ number }) => number),
  );
}

async function addSpelling(
  tx: Tx,
  statements: Pick<Statements, 'person' | 'word'>,
  { words, id, source, name, folded }: CreditToStore,
): Promise<number> {
  const [row] = await run<{ number: number; credits: number }>(tx, statements.person, [id, source, name, folded, 1]);
  const { number, credits } = row as { number: number; credits: number };
  if (Number(credits) === 1) for (const word of words) await run(tx, statements.word, [word, number]);
  return Number(number);
}

/** Takes people off an item, and deletes those that no item names any more. */
async function removeCredits(tx: Tx, item: string, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await tx.deleteFrom('catalog_credit').where('item', '=', item).where('person', 'in', numbers).execute();
  await tx
    .updateTable('catalog_person')
    .set((eb) => ({ credits: eb('credits', '-', 1) }))
    .where('number', 'in', numbers)
    .execute();
  const unnamed = await tx
    .deleteFrom('catalog_person')
    .where('number', 'in', numbers)
    .where('credits', '<=', 0)
    .returning('number')
    .execute();
  for (const { number } of unnamed) await tx.deleteFrom('catalog_person_word').where('person', '=', number).execute();
}
