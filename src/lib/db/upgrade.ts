/**
 * Brings a SQLite file up to date without ever changing it: on a verified copy that takes its place.
 *
 *   check → fold the log into the file → copy → migrate the copy → check it → sync → keep the old one → rename
 *
 * Killed anywhere, the next start finds the old database or the new one, whole, and removes what was left lying. The
 * old file stays in `before-upgrade/` next to it, named by the time and its last migration; the newest three are kept.
 */
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { crashPoint } from '../crash.ts';
import { copyWhole, removeDatabase, syncFolderOf, syncPath } from './disk.ts';
import { connect, sqliteDialect } from './sqlite-driver.ts';
import { complaints, connectFile, createPrivate, damaged, type FreeRoom, inspect } from './sqlite-file.ts';
import { DatabaseUnusable } from './types.ts';
import type { MakeNew, Migration } from './types.ts';

/** How many old databases are kept. */
const KEPT_DATABASES = 3;
const KEEP = 'before-upgrade';

export const keepFolder = (file: string): string => join(dirname(file), KEEP);
const copyOf = (file: string): string => `${file}.upgrade`;

/** Which of `migrations` are still to come. Refuses a database that has seen one we do not know. */
export function pendingOf(migrations: readonly Migration[], seen: readonly string[]): Migration[] {
  const known = new Set(migrations.map((migration) => migration.id));
  if (known.size !== migrations.length) throw new Error('two migrations have the same id');
  const later = seen.find((id) => !known.has(id));
  if (later !== undefined) {
    throw new DatabaseUnusable(
      'newer',
      `the database was last used by a newer version (it has seen ${later}); nothing was changed: install that ` +
        `version, or put back the copy it kept in ${KEEP}`,
    );
  }
  const done = new Set(seen);
  return migrations.filter((migration) => !done.has(migration.id));
}

export interface UpgradeNeeds {
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  /** Called before a database is made where there is none; refuses by throwing. */
  mayCreate?: (() => Promise<void>) | undefined;
  makeNew?: MakeNew | undefined;
  room?: FreeRoom | undefined;
}

/**
 * Makes sure that `file` exists and has seen all `migrations`. Nothing else may have it open. Returns how many it had
 * not seen.
 */
export async function upgrade({ file, migrations, clock, mayCreate, makeNew, room }: UpgradeNeeds): Promise<number> {
  await clearLeftovers(file);
  const seen = await inspect(file, room);
  const pending = pendingOf(migrations, seen ?? []);
  if (!seen?.length) await mayCreate?.();
  if (seen && pending.length === 0) return 0;
  const copy = copyOf(file);
  try {
    if (seen) {
      verify(file);
      fold(file);
      crashPoint('db.migrate.folded');
      await copyWhole(file, copy);
    } else await createPrivate(copy);
    crashPoint('db.migrate.copied');
    const run = (): Promise<void> => migrate(copy, pending, clock);
    await (makeNew && !seen ? makeNew({ file: copy, migrations: pending, clock, run }) : run());
    await syncPath(copy, 'r+');
    crashPoint('db.migrate.verified');
    if (seen?.length) await keep(file, seen.at(-1) ?? '', clock);
    crashPoint('db.migrate.kept');
    await rename(copy, file);
    crashPoint('db.migrate.swapped');
    await syncFolderOf(file);
    crashPoint('db.migrate.done');
    await prune(file);
    return pending.length;
  } catch (error) {
    await removeDatabase(copy);
    throw error;
  }
}

/** Takes away what a run that was killed left lying. The database itself is not touched. */
async function clearLeftovers(file: string): Promise<void> {
  await removeDatabase(copyOf(file));
  const live = await stat(file).catch(() => undefined);
  for (const path of await keptOnes(file)) {
    // Linked but not yet replaced: it is the database itself under a second name.
    const isLive = live && live.nlink > 1 && (await stat(path)).ino === live.ino;
    if (path.endsWith('.part') || isLive) await rm(path, { force: true });
  }
}

/** Looks at every page before anything is touched: an upgrade is when damage would be carried on for good. */
function verify(file: string): void {
  const db = connectFile(file, 'read');
  try {
    const found = complaints(db);
    if (found.length > 0) throw damaged(found);
  } finally {
    db.close();
  }
}

/** Makes the file complete, without a log next to it that the next file of this name could inherit. */
function fold(file: string): void {
  const db = connectFile(file, 'write');
  try {
    const [found] = db.prepare('pragma wal_checkpoint(truncate)').all();
    const [mode] = db.prepare('pragma journal_mode = delete').all();
    if (found?.['busy'] !== 0 || mode?.['journal_mode'] !== 'delete')
      throw new DatabaseUnusable('in-use', 'the database is in use by another program');
  } finally {
    db.close();
  }
}

async function migrate(copy: string, pending: readonly Migration[], clock: Clock): Promise<void> {
  const raw = connectFile(copy, 'upgrade');
  const connection = connect(raw);
  const db = new Kysely<unknown>({ dialect: sqliteDialect(connection) });
  try {
    raw.exec(
      'create table if not exists migration (number integer primary key, id text not null unique, at integer not ' +
        'null) strict',
    );
    for (const migration of pending) {
      try {
        await db.transaction().execute(async (tx) => {
          await migration.up(tx, 'sqlite');
          await sql`insert into migration (id, at) values (${migration.id}, ${clock.now()})`.execute(tx);
        });
      } catch (cause) {
        throw new DatabaseUnusable(
          'upgrade',
          `the database could not be upgraded (${migration.id}); nothing was changed`,
          { cause },
        );
      }
      connection.statements.clear();
      crashPoint('db.migrate.applied');
    }
    const found = complaints(raw);
    if (found.length > 0)
      throw new DatabaseUnusable('upgrade', 'the upgrade would have left the database damaged; nothing was changed', {
        cause: new Error(found.join('\n')),
      });
  } finally {
    connection.statements.clear();
    raw.close();
  }
}

/** Creates a hard link to the old file, or a copy where the file system has no links. */
async function keep(file: string, last: string, clock: Clock): Promise<void> {
  const folder = keepFolder(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '').replace('.', '');
  const to = join(folder, `${time}-${last}.db`);
  try {
    await link(file, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await copyWhole(file, `${to}.part`);
    await rename(`${to}.part`, to);
  }
  await syncFolderOf(to);
  await syncFolderOf(folder);
}

async function prune(file: string): Promise<void> {
  const old = (await keptOnes(file)).filter((path) => /^\d{8}T\d{9}Z-.+\.db$/.test(basename(path)));
  for (const path of old.slice(0, Math.max(0, old.length - KEPT_DATABASES))) await rm(path, { force: true });
}

/** The kept databases, oldest first. */
async function keptOnes(file: string): Promise<string[]> {
  const folder = keepFolder(file);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.sort().map((name) => join(folder, name));
}
