/**
 * Folders that several test files of a run share without changing them: made once, by the first that asks, and found by
 * the others.
 *
 * A prepared folder is named by its recipe, so that another recipe is another folder. It has its name only once it is
 * complete. The maker holds a lock of the operating system, which ends with its process. The folders are removed with
 * the run, or with the process when no run has set a place aside. They lie within the package, so that built programs
 * find its packages and helpers may read them.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from './until.ts';

let base: string | undefined;
function baseFolder(): string {
  if (base !== undefined) return base;
  base = process.env['PREPARED_FOLDER'];
  if (base !== undefined) return base;
  const own = join(import.meta.dirname, '..', 'dist', `prepared-${process.pid}`);
  mkdirSync(own, { recursive: true });
  // For the processes that this one starts.
  process.env['PREPARED_FOLDER'] = own;
  process.on('exit', () => rmSync(own, { recursive: true, force: true }));
  return (base = own);
}

/** Returns the environment of a process that finds the prepared folders of this one. */
export const preparedEnvironment = (): { PREPARED_FOLDER: string } => ({ PREPARED_FOLDER: baseFolder() });

/** Returns where the folder for a recipe is, or will be. */
export const preparedPath = (recipe: unknown): string =>
  join(baseFolder(), createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 24));

/**
 * Returns the folder for a recipe, filled by `make` if it does not exist yet. The recipe is everything that decides
 * the content. Whoever gets the folder must not change it.
 */
export async function makePrepared(recipe: unknown, make: (folder: string) => Promise<void> | void): Promise<string> {
  const folder = preparedPath(recipe);
  const lock = await until(
    'the maker of a prepared folder',
    () => (existsSync(folder) ? 'made' : tryLock(`${folder}.lock`)),
    { everyMs: 20, withinMs: 10 * 60_000 },
  );
  if (lock === 'made') return folder;
  try {
    // The maker before may have ended between the look and the lock.
    if (existsSync(folder)) return folder;
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part);
    await make(part);
    renameSync(part, folder);
    return folder;
  } finally {
    lock.close();
  }
}

/**
 * Takes the lock of a file, which is made; returns undefined while another caller holds it. It ends with the process at
 * the latest.
 */
export function tryLock(file: string): { close(): void } | undefined {
  const db = new DatabaseSync(file);
  try {
    db.exec('begin exclusive');
    return db;
  } catch {
    db.close();
    return undefined;
  }
}
