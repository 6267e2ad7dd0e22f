/**
 * SQLite as the engine: one connection that writes, one that reads, in write-ahead mode. Neither waits for a sync.
 *
 * Reads see what was committed last and never wait behind a write. Writers take turns in the order they asked; a
 * transaction that waits in the middle holds up the next writer, not a reader.
 */
import { realpath, stat } from 'node:fs/promises';
import type { SQLInputValue } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Transaction } from 'kysely';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { createLock } from '../lock.ts';
import type { Lock } from '../lock.ts';
import { nameNew, removeDatabase, syncFolderOf, syncPath } from './disk.ts';
import { createFlusher, openLog } from './flush.ts';
import type { Flusher } from './flush.ts';
import { connect, sqliteDialect } from './sqlite-driver.ts';
import type { SqliteConnection } from './sqlite-driver.ts';
import {
  beginLog,
  connectFile,
  damaged,
  explainDamage,
  type FreeRoom,
  fullAtStart,
  holdFile,
  isFullDisk,
  refusedWrite,
  unusable,
} from './sqlite-file.ts';
import type { Database, Durability, MakeNew, Migration } from './types.ts';
import { upgrade } from './upgrade.ts';
import { createCheckpoints } from './upkeep/checkpoints.ts';
import type { Checkpoints, CheckpointLimits } from './upkeep/checkpoints.ts';
import { startThread } from './upkeep/thread.ts';
import { plain } from './values.ts';

/** A writer that waits longer than this waits for itself: a write within a write. */
const LONGEST_WAIT_MS = 30_000;

export interface SqliteOptions {
  file: string;
  migrations: readonly Migration[];
  clock?: Clock;
  /** Called before a database is made where there is none; refuses by throwing. */
  mayCreate?: () => Promise<void>;
  /** Hears of a sync that failed, and of each write that the disk refused. */
  report?: (error: unknown) => void;
  longestWaitMs?: number;
  /** For tests: makes the tables of a new file. Default: the migrations are run. */
  makeNew?: MakeNew | undefined;
  /** For tests: intercepts the sync to the disk. */
  aroundSync?: (sync: () => Promise<void>) => Promise<void>;
  /** For tests: the bytes that are free. */
  room?: FreeRoom;
  /** For tests: when the log is folded in and emptied. */
  checkpoints?: Partial<CheckpointLimits>;
}

/** Opens the file, bringing it up to date first. Fails as DatabaseUnusable, and then has changed nothing. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { clock = systemClock } = options;
  let release: (() => void) | undefined;
  try {
    // An upgrade replaces the file by name, so a link to it is followed first.
    const file = await realpath(options.file).catch(() => options.file);
    release = holdFile(file);
    // The last connection to close removes its log.
    const wasCutOff =
      (await stat(`${file}-wal`).then(
        ({ size }) => size,
        () => 0,
      )) > 0;
    await upgrade({ ...options, file, clock });
    return await start({ ...options, file, wasCutOff }, release);
  } catch (error) {
    release?.();
    throw unusable(error);
  }
}

type StartOptions = SqliteOptions & { wasCutOff: boolean };

async function start(options: StartOptions, release: () => void): Promise<Database> {
  const { file, aroundSync = (sync) => sync(), report = () => {} } = options;
  const connections = await connectBoth(file, options.room);
  if (!connections) return startReadOnly(options, release);
  const { writer, reader } = connections;
  const log = await openLog(file);
  await syncFolderOf(file);
  let lastSyncMs = 0;
  const flusher = createFlusher(async () => {
    const began = performance.now();
    await aroundSync(log.sync);
    lastSyncMs = performance.now() - began;
  }, report);
  const turns = createLock({
    longestWaitMs: options.longestWaitMs ?? LONGEST_WAIT_MS,
    sentence: 'the store is too busy to write',
  });
  const checkpoints = createCheckpoints({
    file,
    turns,
    logSize: log.size,
    lastSyncMs: () => lastSyncMs,
    limits: options.checkpoints,
    failed: (error, isLost) => (isLost ? flusher.fail(error) : report(error)),
  });

  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    try {
      writer.db.exec('pragma optimize');
    } catch {
      // On a full disk the statistics stay as they are.
    }
    await flusher.close();
    await checkpoints.close();
    await log.close();
    for (const { db, statements } of [reader, writer]) {
      statements.clear();
      db.close();
    }
    release();
  };
  return database({
    file,
    writer,
    reader,
    flusher,
    turns,
    checkpoints,
    report,
    close,
    isClosed: () => isClosed,
    wasCutOff: options.wasCutOff,
  });
}

/** Opens the connections that write and read; undefined if the disk is too full for it. */
async function connectBoth(
  file: string,
  room: FreeRoom | undefined,
): Promise<{ writer: SqliteConnection; reader: SqliteConnection } | undefined> {
  const opened: SqliteConnection[] = [];
  const open = (mode: 'write' | 'read'): SqliteConnection => {
    const connection = connect(connectFile(file, mode));
    opened.push(connection);
    return connection;
  };
  try {
    const writer = open('write');
    // Taking the write lock once brings the log into being.
    writer.db.exec('begin immediate; commit');
    try {
      beginLog(writer.db);
    } catch {
      // The server also starts on a disk that is almost full.
    }
    const reader = open('read');
    reader.db.prepare('select count(*) from sqlite_schema').get();
    return { writer, reader };
  } catch (error) {
    for (const { db } of opened) db.close();
    if (await isFullDisk(error, file, room)) return undefined;
    throw error;
  }
}

/** Opens the database of a full disk with one connection that only reads. Every write is refused until a restart. */
function startReadOnly({ file, report = () => {}, wasCutOff }: StartOptions, release: () => void): Database {
  const reader = connect(connectFile(file, 'alone'));
  // Once is enough for the log.
  report(fullAtStart());
  const refuse = (): Promise<never> => Promise.reject(fullAtStart());
  let isClosed = false;
  return {
    ...readingOf(reader),
    isReadOnly: true,
    wasCutOff,
    write: refuse,
    snapshot: refuse,
    check: refuse,
    tidy: async () => {},
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      reader.statements.clear();
      reader.db.close();
      release();
    },
  };
}

/** The part of a database that only reads. */
function readingOf(
  reader: SqliteConnection,
  writer?: SqliteConnection,
): Pick<Database, 'engine' | 'tables' | 'run' | 'rows' | 'onDamage'> {
  const listeners: (() => void)[] = [];
  for (const connection of writer ? [reader, writer] : [reader])
    connection.damageMet = () => {
      for (const listener of listeners) listener();
    };
  const reading = new Kysely<unknown>({ dialect: sqliteDialect(reader) });
  return {
    engine: 'sqlite',
    tables: <T>() => reading as Kysely<T>,
    run: async <R>(query: { sql: string; parameters: readonly unknown[] }, values?: readonly unknown[]) =>
      reader.statements.get(query.sql).run(values ?? query.parameters).rows as R[],
    onDamage: (listener) => void listeners.push(listener),
    rows: async (query, each) => {
      let count = 0;
      try {
        // Not one of the kept: `each` may read through the same statement.
        const statement = reader.db.prepare(query.sql);
        statement.setReturnArrays(true);
        for (const row of statement.iterate(...(plain(query.parameters) as SQLInputValue[])) as Iterable<unknown>) {
          each(row as never);
          count++;
        }
      } catch (error) {
        throw reader.explained(error);
      }
      // Pages of a whole table in the cache do not help the next query.
      reader.db.exec('pragma shrink_memory');
      return count;
    },
  };
}

interface Parts {
  file: string;
  writer: SqliteConnection;
  reader: SqliteConnection;
  flusher: Flusher;
  turns: Lock;
  checkpoints: Checkpoints;
  report(error: unknown): void;
  isClosed(): boolean;
  close(): Promise<void>;
  wasCutOff: boolean;
}

function database({
  file,
  writer,
  reader,
  flusher,
  turns,
  checkpoints,
  report,
  isClosed,
  close,
  wasCutOff,
}: Parts): Database {
  const writing = new Kysely<unknown>({ dialect: sqliteDialect(writer) });
  const check = (): void => {
    if (isClosed()) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
    flusher.check();
  };

  return {
    ...readingOf(reader, writer),
    isReadOnly: false,
    write: async <T, R>(durability: Durability, work: (tx: Transaction<T>) => Promise<R>): Promise<R> => {
      check();
      const result = await turns.run(() => {
        check();
        return writing
          .transaction()
          .execute((tx) => work(tx as Transaction<T>))
          .catch((error: unknown) => {
            const told = refusedWrite(error);
            if (told !== error) report(error);
            throw told;
          });
      });
      checkpoints.committed();
      if (durability === 'safe') await flusher.now();
      else flusher.soon();
      return result;
    },
    snapshot: (to) => snapshot(file, to),
    check: async () => void (await inThread(file, { is: 'check' })),
    wasCutOff,
    tidy: async () => {
      await turns.run(() => {
        check();
        writer.db.exec('pragma optimize');
      });
      await checkpoints.reset();
    },
    close: async () => {
      if (isClosed()) return;
      await turns.run(async () => {
        if (!isClosed()) await close();
      });
    },
  };
}

/** Runs one job in a separate thread. Fails as DatabaseUnusable when it finds the database damaged. */
async function inThread(file: string, job: { is: 'check' } | { is: 'copy'; to: string }): Promise<void> {
  const thread = startThread(file);
  const { complaints } = await thread
    .ask(job)
    .finally(() => thread.end())
    .catch((error: unknown) => {
      throw explainDamage(error);
    });
  if (complaints.length > 0) throw damaged(new Error(complaints.join('\n')));
}

async function snapshot(from: string, to: string): Promise<void> {
  const part = `${to}.part`;
  await removeDatabase(part);
  try {
    await inThread(from, { is: 'copy', to: part });
    await syncPath(part, 'r+');
    await nameNew(part, to);
    await syncFolderOf(to);
  } finally {
    await removeDatabase(part);
  }
}
