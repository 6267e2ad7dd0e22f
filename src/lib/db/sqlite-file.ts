/**
 * One SQLite file before it is in use: who holds it, what it is, and how every connection to it is set.
 *
 * A failure is reported in one line with its cause, and changes nothing.
 */
import { open as openFile, stat, statfs } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';

import { DatabaseUnusable } from './types.ts';
import { failedFor, Failure } from '../failure.ts';

const NOT_FOUND = 'ENOENT';
/** SQLite's primary result codes (https://sqlite.org/rescode.html). */
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const codeOf = (error: unknown): number | undefined => {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
};

export const damaged = (cause: unknown): DatabaseUnusable =>
  new DatabaseUnusable(
    'corrupt',
    'the database file is damaged or is no database; nothing was changed: run "npm start -- restore" to go back ' +
      'to the last verified copy, or restore a backup',
    { cause },
  );

/** Whether SQLite met a page that it cannot make sense of. */
const isCorrupt = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(codeOf(error) ?? 0);

/** An error of SQLite about a page that it cannot make sense of, in words; any other error stays what it is. */
export const explainDamage = (error: unknown): unknown =>
  isCorrupt(error) || failedFor(error, 'database-damaged') ? damaged(error) : error;

/** A statement that met a damaged page, as a Failure that says so; any other error stays what it is. */
export const refusedByDamage = (error: unknown): unknown =>
  isCorrupt(error)
    ? new Failure(
        'unavailable',
        'a part of the database is damaged, and this needs it; diagnostics says how to go back to a sound copy',
        { reason: 'database-damaged' },
        { cause: error },
      )
    : error;

/** Says why in words, where the engine or the file system is the cause. A mistake of ours stays what it is. */
export function unusable(error: unknown): unknown {
  const code = codeOf(error);
  if (
    error instanceof DatabaseUnusable ||
    (code === undefined && (error as NodeJS.ErrnoException | null)?.syscall === undefined)
  )
    return error;
  if (code === BUSY)
    return new DatabaseUnusable('in-use', 'the database is in use by another program', { cause: error });
  if (isCorrupt(error)) return damaged(error);
  return new DatabaseUnusable(
    'unwritable',
    'the database cannot be opened for writing: check that its folder exists, is writable and has free space',
    { cause: error },
  );
}

/** Why a write could not be made, by SQLite's primary result code: what the house can mend while the server runs. */
const REFUSED: Readonly<Record<number, string>> = {
  [BUSY]: 'the database is in use by another program',
  6: 'the database is in use by another program',
  8: 'the database may not be written to',
  10: 'the disk of the database fails',
  13: 'the disk of the database is full',
  14: 'the database cannot be reached',
};

/**
 * A write that the disk refused, as a Failure that says so; a bug stays what it is. Nothing of the write was kept, and
 * the next one may succeed.
 */
export function refusedWrite(error: unknown): unknown {
  const sentence = REFUSED[codeOf(error) ?? -1];
  return sentence === undefined
    ? error
    : new Failure('unavailable', sentence, { reason: 'storage-failed' }, { cause: error });
}

/** Codes of SQLite for a file that cannot be made or cannot grow. */
const NO_ROOM: ReadonlySet<number> = new Set([8, 10, 13, 14]);
/** Bytes that opening a database takes at most: the index of its log, and the first frame of it. */
const ROOM_TO_OPEN = 128 * 1024;

/** Returns the bytes that are free in the folder of a database. */
export type FreeRoom = (folder: string) => Promise<number>;
const freeRoom: FreeRoom = (folder) => statfs(folder).then(({ bavail, bsize }) => bavail * bsize);

/** Whether a connection could not be opened because the disk is full. */
export const isFullDisk = async (error: unknown, file: string, room: FreeRoom = freeRoom): Promise<boolean> =>
  NO_ROOM.has(codeOf(error) ?? 0) && (await room(dirname(file)).catch(() => Infinity)) < ROOM_TO_OPEN;

/** Refusal of every write to a database that was opened on a full disk. */
export const fullAtStart = (): Failure =>
  new Failure(
    'unavailable',
    'the disk of the database was full when the server started; free some space, and restart the server',
    { reason: 'disk-full' },
  );

/**
 * The settings of a connection. The one that is `alone` reads on a full disk: it keeps the index of the log in memory,
 * and locks everyone else out for that. Caches are small, and files are not mapped: a bad disk then fails a read, not
 * the process.
 */
export function connectFile(file: string, mode: 'write' | 'read' | 'alone' | 'upgrade'): DatabaseSync {
  const db = new DatabaseSync(file, {
    readOnly: mode === 'read',
    timeout: 1000,
    defensive: true,
    enableForeignKeyConstraints: mode !== 'upgrade',
  });
  const set = (text: string): void => db.exec(`pragma ${text}`);
  try {
    // Before anything reads the file, which would make the index of its log.
    if (mode === 'alone') set('locking_mode = exclusive');
    set('trusted_schema = off');
    set('case_sensitive_like = on');
    set('temp_store = memory');
    set('mmap_size = 0');
    set('analysis_limit = 400');
    set(`cache_size = ${mode === 'read' ? -8192 : -4096}`);
    if (mode === 'write') {
      set('journal_mode = wal');
      set('synchronous = normal');
      // A checkpoint syncs, so it is made in a thread: see upkeep/checkpoints.ts.
      set('wal_autocheckpoint = 0');
    }
    if (mode === 'alone') {
      set('query_only = on');
      db.prepare('select count(*) from sqlite_schema').get();
    }
    // The copy is thrown away if anything stops us, and synced once at the end.
    if (mode === 'upgrade') {
      set('journal_mode = memory');
      set('synchronous = off');
    }
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/**
 * Writes a first frame that changes nothing. SQLite syncs the header of a log that is empty before its first frame:
 * better now than inside a later write on the main thread.
 */
export function beginLog(db: DatabaseSync): void {
  const version = Number(db.prepare('pragma user_version').get()?.['user_version']);
  db.exec('begin immediate');
  try {
    db.exec(`pragma user_version = ${version}; commit`);
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/**
 * Holds `file` for this process until let go; the kernel lets go when the process dies. The empty lock file stays,
 * for removing it could let two in. The database's own lock would not do: an upgrade replaces that file.
 */
export function holdFile(file: string): () => void {
  const db = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    db.exec('pragma journal_mode = memory');
    db.exec('begin exclusive');
  } catch (error) {
    db.close();
    if (codeOf(error) === BUSY)
      throw new DatabaseUnusable('in-use', 'another running server uses this database: stop it first', {
        cause: error,
      });
    throw unusable(error);
  }
  return () => db.close();
}

/** The ids of the migrations that the file has seen, or undefined when there is no database yet. Changes nothing. */
export async function inspect(file: string, room?: FreeRoom): Promise<string[] | undefined> {
  const size = await stat(file).then((found) => found.size, sizeOfNothing);
  if (size === 0) {
    const log = await stat(`${file}-wal`).then((found) => found.size, sizeOfNothing);
    if (log > 0)
      throw new DatabaseUnusable(
        'corrupt',
        'the database file is missing but its write-ahead log is there: put the file back, or run "npm start -- ' +
          'restore" to go back to the last verified copy',
      );
    return undefined;
  }
  await recover(file);
  const db = await connectReader(file, room);
  try {
    const names = db
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map((row) => String(row['name']));
    if (names.length === 0) return [];
    if (!names.includes('migration'))
      throw new DatabaseUnusable('foreign', 'the database file belongs to another program; nothing was changed');
    return db
      .prepare('select id from migration order by number')
      .all()
      .map((row) => String(row['id']));
  } finally {
    db.close();
  }
}

async function connectReader(file: string, room: FreeRoom | undefined): Promise<DatabaseSync> {
  let db: DatabaseSync | undefined;
  try {
    db = connectFile(file, 'read');
    db.prepare('select count(*) from sqlite_schema').get();
    return db;
  } catch (error) {
    db?.close();
    if (await isFullDisk(error, file, room)) return connectFile(file, 'alone');
    throw error;
  }
}

/**
 * Undoes a change of the file itself that a death cut short, as its journal says; one that only reads may not. There is
 * such a journal for a moment when the log is folded in before an upgrade.
 */
async function recover(file: string): Promise<void> {
  if ((await stat(`${file}-journal`).then((found) => found.size, sizeOfNothing)) === 0) return;
  const db = new DatabaseSync(file, { timeout: 1000, defensive: true });
  try {
    db.prepare('select count(*) from sqlite_schema').get();
  } finally {
    db.close();
  }
}

const sizeOfNothing = (error: NodeJS.ErrnoException): number => {
  if (error.code === NOT_FOUND) return 0;
  throw error;
};

/** Makes an empty file that only its owner may read; SQLite creates its other files with the same mode. */
export async function createPrivate(file: string): Promise<void> {
  await (await openFile(file, 'wx', 0o600)).close();
}

/** Complaints of SQLite about the file's structure and its foreign keys; none when all is well. */
export function complaints(db: DatabaseSync): string[] {
  const structure = db
    .prepare('pragma integrity_check(3)')
    .all()
    .map((row) => String(Object.values(row)[0]));
  const keys = db
    .prepare('pragma foreign_key_check')
    .all()
    .map((row) => `a row of ${String(row['table'])} points to nothing`);
  return [...structure.filter((line) => line !== 'ok'), ...keys.slice(0, 3)];
}
