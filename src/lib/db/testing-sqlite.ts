/**
 * A database in a temporary folder, and a table of notes for the tests of SQLite. Does not load the test runner, whose
 * hooks would slow down a bench that opens a database.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import type { Clock } from '../clock.ts';
import { columns, table } from './columns.ts';
import { openSqlite } from './sqlite.ts';
import type { Database, MakeNew, Migration, Transaction } from './types.ts';

export interface NoteTables {
  note: { id: string; text: string };
}
export const notes: Migration = {
  id: 'note-001-notes',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'note')
      .addColumn('id', c.id, (col) => col.primaryKey())
      .addColumn('text', c.text, (col) => col.notNull())
      .execute();
  },
};
/** Returns work that writes a note. */
export const putNote =
  (id: string, text = 'x') =>
  async (tx: Transaction<NoteTables>): Promise<void> =>
    void (await tx.insertInto('note').values({ id, text }).execute());
export const noteIds = async (db: Database): Promise<string[]> =>
  (await db.tables<NoteTables>().selectFrom('note').select('id').orderBy('id').execute()).map((row) => row.id);

/** Makes a folder that is removed after the test. */
export async function makeFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'matinee-sqlite-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** An SQLite database in a temporary folder, gone after the test. */
export async function openTemporaryDatabase(
  t: TestContext,
  migrations: readonly Migration[],
  clock?: Clock,
): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-db-'));
  const db = await openSqlite({
    file: join(folder, 'test.db'),
    migrations,
    makeNew: copyOfEarlier,
    ...(clock && { clock }),
  });
  t.after(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  return db;
}

interface MadeDatabase {
  migrations: readonly Migration[];
  bytes: Uint8Array;
}
/** The oldest is forgotten first: some tests make their own migrations each time. */
const MAX_MADE_DATABASES = 8;
const made: MadeDatabase[] = [];

const areSame = (one: readonly Migration[], other: readonly Migration[]): boolean =>
  one.length === other.length && one.every((migration, n) => migration === other[n]);

/**
 * Copies a new database that this process has made with the same migrations, as objects; without one, runs them. A test
 * file opens dozens, and running all migrations takes 80 ms of CPU time each.
 */
export const copyOfEarlier: MakeNew = async ({ file, migrations, clock, run }) => {
  const known = made.find((one) => areSame(one.migrations, migrations));
  if (known) return writeCopy(file, known.bytes, clock.now());
  await run();
  if (made.length === MAX_MADE_DATABASES) made.shift();
  made.push({ migrations: [...migrations], bytes: readFileSync(file) });
};

function writeCopy(file: string, bytes: Uint8Array, at: number): void {
  writeFileSync(file, bytes);
  const db = new DatabaseSync(file);
  try {
    db.exec('pragma journal_mode = memory; pragma synchronous = off');
    db.prepare('update migration set at = ?').run(at);
  } finally {
    db.close();
  }
}
