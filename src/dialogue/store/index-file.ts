/**
 * The file of the dialogue index: a separate SQLite database that can be deleted and rebuilt at any time.
 *
 * Lines are stored in compressed passages. The full-text table holds no text, only which passages have which words and
 * pairs of words, which keeps it small. A match is then looked up in the lines themselves. Numbers of passages begin
 * with the number of their item, so passages of an item are neighbours and come in the order of the items.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DamagedStore } from '../../lib/db/store-thread.ts';
import { type Line, SPREAD } from '../lines.ts';
import { indexTokens, spokenWords } from '../words.ts';
import type { IndexCursor, IndexedItem, DialogueSource } from './types.ts';

/** Raised when rows or words are stored differently; an older file is then rebuilt. */
const FORMAT = 2;
export const LINES_PER_PASSAGE = 48;
const TEXTS_PER_ITEM = 64;
const PASSAGES_PER_TEXT = 4096;
const PASSAGES_PER_ITEM = TEXTS_PER_ITEM * PASSAGES_PER_TEXT;
/** A passage is 2 KB; a damaged file must not make the server allocate more. */
const MAX_PASSAGE_BYTES = 1024 * 1024;

/** Returns the number of the item that a passage belongs to. */
export const itemOfPassage = (passage: number): number => Math.floor(passage / PASSAGES_PER_ITEM);
export const firstPassage = (item: number): number => item * PASSAGES_PER_ITEM;

export interface IndexedText {
  language?: string | undefined;
  version?: string | undefined;
  lines: readonly Line[];
}
export interface StoredPassage {
  language?: string;
  version?: string;
  lines: Line[];
  /** Number of lines that belong to it; the others are the first lines of the next passage. */
  own: number;
}

export interface IndexFile {
  items(): IndexedItem[];
  cursor(): IndexCursor;
  /** Replaces the texts of an item in one transaction. Returns its number. */
  put(item: Omit<IndexedItem, 'number'>, texts: readonly IndexedText[]): number;
  /** Removes items and stores the cursor in one transaction. */
  follow(removed: readonly string[], cursor: IndexCursor): void;
  /** Yields the numbers of passages that match, from one on, in order. */
  matches(query: string, from: number, to?: number): IterableIterator<number>;
  passage(number: number): StoredPassage | undefined;
  close(): void;
}

const TABLES = `
  create table item(number integer primary key, id text not null unique, source text not null, signature text not null);
  create table spoken_text(number integer primary key, language text, version text) without rowid;
  create table passage(number integer primary key, own integer not null, lines blob not null);
  create table cursor(name text primary key, value integer not null) without rowid;
  create virtual table words using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
  );
  insert into words(words, rank) values ('automerge', 8);
  pragma user_version = ${FORMAT};
`;

/**
 * Opens the file; a writer makes it where there is none. Throws if it is damaged, or of another format.
 */
export function openIndexFile(file: string, { isWriter }: { isWriter: boolean }): IndexFile {
  const db = new DatabaseSync(file, { readOnly: !isWriter, timeout: 5_000 });
  try {
    prepareFile(db, isWriter);
    return indexFile(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepareFile(db: DatabaseSync, isWriter: boolean): void {
  db.exec('pragma cache_size = -8192; pragma mmap_size = 268435456');
  if (isWriter) {
    // After a power cut the last items may be missing; the cursor then is, too, and they are read again.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 16777216');
    const { user_version: format } = db.prepare('pragma user_version').get() as { user_version: number };
    const tables = Number(db.prepare('select count(*) as n from sqlite_schema').get()?.['n'] ?? 0);
    if (format === 0 && tables === 0) db.exec(`begin immediate; ${TABLES} commit`);
  }
  const { user_version: format } = db.prepare('pragma user_version').get() as { user_version: number };
  if (format !== FORMAT) throw new DamagedStore('the dialogue index has another format');
}

function indexFile(db: DatabaseSync): IndexFile {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const run = (sql: string, ...values: SQLInputValue[]): void => {
    const statement = prepared(sql);
    // The full-text table reports row numbers beyond what a number holds.
    statement.setReadBigInts(true);
    statement.run(...values);
  };
  const inTransaction = <T>(work: () => T): T => {
    db.exec('begin immediate');
    try {
      const result = work();
      db.exec('commit');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  };
  const remove = (id: string): void => {
    const number = prepared('select number from item where id = ?').get(id)?.['number'] as number | undefined;
    if (number === undefined) return;
    const [from, to] = [firstPassage(number), firstPassage(number + 1) - 1];
    for (const row of prepared('select number from passage where number between ? and ?').all(from, to))
      run('delete from words where rowid = ?', row['number'] as number);
    run('delete from passage where number between ? and ?', from, to);
    run(
      'delete from spoken_text where number between ? and ?',
      number * TEXTS_PER_ITEM,
      (number + 1) * TEXTS_PER_ITEM - 1,
    );
    run('delete from item where number = ?', number);
  };

  return {
    items: () =>
      prepared('select number, id, source, signature from item order by number')
        .all()
        .map((row) => ({
          number: row['number'] as number,
          id: row['id'] as string,
          source: row['source'] as DialogueSource,
          signature: row['signature'] as string,
        })),
    cursor: () => {
      const rows = prepared('select name, value from cursor').all();
      return parseCursor(new Map(rows.map((row) => [row['name'] as string, row['value'] as number])));
    },
    put: ({ id, source, signature }, texts) =>
      inTransaction(() => {
        // An item that changed keeps its number, so that its place in the results does not change.
        const known = prepared('select number from item where id = ?').get(id)?.['number'] as number | undefined;
        remove(id);
        const highest = prepared('select max(number) as highest from item').get()?.['highest'] as number | null;
        const number = known ?? (highest ?? -1) + 1;
        run('insert into item(number, id, source, signature) values (?, ?, ?, ?)', number, id, source, signature);
        for (const [i, text] of texts.slice(0, TEXTS_PER_ITEM).entries())
          putText(run, number * TEXTS_PER_ITEM + i, text);
        return number;
      }),
    follow: (removed, cursor) =>
      inTransaction(() => {
        for (const id of removed) remove(id);
        run('delete from cursor');
        for (const [name, value] of cursorRows(cursor))
          run('insert into cursor(name, value) values (?, ?)', name, value);
      }),
    matches: function* (query, from, to = Number.MAX_SAFE_INTEGER) {
      // Not one of the kept statements: two searches may be open at once.
      const statement = db.prepare(
        'select rowid from words where words match ? and rowid between ? and ? order by rowid',
      );
      for (const row of statement.iterate(query, from, to)) yield row['rowid'] as number;
    },
    passage: (number) => readPassage(prepared, number),
    close: () => {
      statements.clear();
      db.close();
    },
  };
}

/** Names of the rows of a cursor. A library that is away has a separate row: `change:ID`. */
const POSITIONS = { films: 'change', tracks: 'tracks' } as const;

const cursorRows = ({ gone, ...positions }: IndexCursor): [string, number][] => [
  ['gone', gone],
  ...(['films', 'tracks'] as const).flatMap((medium): [string, number][] => [
    [POSITIONS[medium], positions[medium].change],
    ...Object.entries(positions[medium].away).map(([library, since]): [string, number] => [
      `${POSITIONS[medium]}:${library}`,
      since,
    ]),
  ]),
];

function parseCursor(rows: ReadonlyMap<string, number>): IndexCursor {
  const position = (name: string) => ({
    change: rows.get(name) ?? 0,
    away: Object.fromEntries(
      [...rows]
        .filter(([key]) => key.startsWith(`${name}:`))
        .map(([key, since]) => [key.slice(name.length + 1), since]),
    ),
  });
  return { films: position(POSITIONS.films), tracks: position(POSITIONS.tracks), gone: rows.get('gone') ?? 0 };
}

function putText(
  run: (sql: string, ...values: SQLInputValue[]) => void,
  number: number,
  { language, version, lines }: IndexedText,
): void {
  run('insert into spoken_text(number, language, version) values (?, ?, ?)', number, language ?? null, version ?? null);
  for (let i = 0; i * LINES_PER_PASSAGE < lines.length && i < PASSAGES_PER_TEXT; i++) {
    const from = i * LINES_PER_PASSAGE;
    // A phrase that begins in the last lines ends in those of the next passage.
    const shown = lines.slice(from, from + LINES_PER_PASSAGE + SPREAD - 1);
    const own = Math.min(LINES_PER_PASSAGE, lines.length - from);
    const packed = deflateRawSync(JSON.stringify(shown.map(({ start, end, text }) => [start, end, text])));
    const passage = number * PASSAGES_PER_TEXT + i;
    run('insert into passage(number, own, lines) values (?, ?, ?)', passage, own, packed);
    const words = shown.flatMap(({ text }) => spokenWords(text).map((word) => word.text));
    run('insert into words(rowid, tokens) values (?, ?)', passage, [...indexTokens(words)].join(' '));
  }
}

function readPassage(prepared: (sql: string) => StatementSync, number: number): StoredPassage | undefined {
  const row = prepared('select own, lines from passage where number = ?').get(number);
  if (!row) return undefined;
  const text = prepared('select language, version from spoken_text where number = ?').get(
    Math.floor(number / PASSAGES_PER_TEXT),
  );
  const packed = inflateRawSync(row['lines'] as Uint8Array, { maxOutputLength: MAX_PASSAGE_BYTES });
  const lines = (JSON.parse(packed.toString()) as [number | null, number | null, string][]).map(
    ([start, end, spoken]): Line => ({ start, end, text: spoken }),
  );
  return {
    lines,
    own: row['own'] as number,
    ...(typeof text?.['language'] === 'string' && { language: text['language'] }),
    ...(typeof text?.['version'] === 'string' && { version: text['version'] }),
  };
}
