/**
 * Verified copies of the database, in a folder next to it: how they are named, kept and put back.
 *
 * A copy gets its name only after its check, so every file of that form was whole when it was made. It is checked
 * again before it is put back. The replaced database is moved into a new folder, never removed.
 */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { Failure } from '../../failure.ts';
import { BESIDE, copyWhole, removeDatabase, syncFolderOf, syncPath } from '../disk.ts';
import { complaints, connectFile, holdFile } from '../sqlite-file.ts';

/** Next to the database. */
const FOLDER = 'verified';
const NAME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.db$/;
const DAY_MS = 86_400_000;
/**
 * The older of the two copies is replaced when it is older than this, so that there is one from before damage that no
 * check finds.
 */
const OLD_MS = 14 * DAY_MS;

export interface Copy {
  name: string;
  path: string;
  /** When it was made, in ms since the epoch. */
  at: number;
  bytes: number;
}

const copiesFolder = (file: string): string => join(dirname(file), FOLDER);

/** The time as a part of a file name: `20261120T120000000Z`. */
const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[-:.]/g, '');

const none = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined;
  throw error;
};

/** The copies of `file`, the newest first. */
export async function listCopies(file: string): Promise<Copy[]> {
  const folder = copiesFolder(file);
  const names = (await readdir(folder).catch(none)) ?? [];
  const found: Copy[] = [];
  for (const name of names.sort().reverse()) {
    const part = NAME.exec(name);
    const size = part ? (await stat(join(folder, name)).catch(none))?.size : undefined;
    if (!part || size === undefined) continue;
    const [, year, month, day, hour, minute, second, ms] = part.map(Number);
    found.push({
      name,
      path: join(folder, name),
      bytes: size,
      at: Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second, ms),
    });
  }
  return found;
}

/** Makes a new copy with `snapshot`, which checks it, and removes copies that are not kept: there are two at most. */
export async function keepCopy({
  file,
  clock,
  snapshot,
}: {
  file: string;
  clock: Clock;
  snapshot(to: string): Promise<void>;
}): Promise<void> {
  const folder = copiesFolder(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (name.includes('.part')) await rm(join(folder, name), { force: true });
  const before = await listCopies(file);
  await snapshot(join(folder, `${stamp(clock.now())}.db`));
  await syncFolderOf(folder);
  const oldest = before.at(-1);
  const kept = oldest && clock.now() - oldest.at <= OLD_MS ? oldest : before[0];
  for (const copy of before) if (copy !== kept) await removeDatabase(copy.path);
}

/** Moves `names` of `folder` into a new folder there and returns its path. Those that do not exist are left out. */
async function moveAside(folder: string, names: readonly string[], to: string): Promise<string> {
  const aside = join(folder, to);
  await mkdir(aside, { mode: 0o700 });
  for (const name of names) await rename(join(folder, name), join(aside, name)).catch(none);
  await syncPath(aside);
  await syncPath(folder);
  return aside;
}

const databaseFiles = (file: string): string[] => ['', ...BESIDE].map((end) => basename(file) + end);

/**
 * Puts the copy `name`, or the newest that is intact, in the place of the database, which is moved aside. Nothing
 * else may have the database open. Killed on the way, it leaves the old database or none, and can be run again.
 */
export async function restoreCopy({
  file,
  clock,
  name,
}: {
  file: string;
  clock: Clock;
  name?: string | undefined;
}): Promise<{ copy: Copy; aside: string }> {
  const release = holdFile(file);
  const next = `${file}.restore`;
  try {
    const copies = await listCopies(file);
    const copy = copies.filter((one) => name === undefined || one.name === name).find(isWhole);
    if (!copy)
      throw new Failure(
        'missing',
        copies.length === 0
          ? 'there is no verified copy of the database: restore a backup'
          : 'no copy of that name is intact: restore a backup',
        { reason: 'no-copy' },
      );
    await removeDatabase(next);
    await copyWhole(copy.path, next);
    const aside = await moveAside(dirname(file), databaseFiles(file), `before-restore-${stamp(clock.now())}`);
    await rename(next, file);
    await syncFolderOf(file);
    return { copy, aside };
  } finally {
    await removeDatabase(next);
    release();
  }
}

function isWhole({ path }: Copy): boolean {
  try {
    const db = connectFile(path, 'read');
    try {
      return complaints(db).length === 0;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

/**
 * Moves the database and `more` of its folder aside, so that the next start finds nothing. Nothing else may have the
 * database open.
 */
export async function moveAllAside({
  file,
  more,
  clock,
}: {
  file: string;
  more: readonly string[];
  clock: Clock;
}): Promise<string> {
  const release = holdFile(file);
  try {
    return await moveAside(dirname(file), [...more, ...databaseFiles(file)], `before-reset-${stamp(clock.now())}`);
  } finally {
    release();
  }
}
