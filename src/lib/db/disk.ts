/** The few steps on files that swapping and copying a database needs; each is durable when it returns. */
import { access, constants, copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';

/** Suffixes of files that SQLite may leave next to a database. */
export const BESIDE = ['-wal', '-shm', '-journal'] as const;

export async function syncPath(path: string, flags = 'r'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const syncFolderOf = (path: string): Promise<void> => syncPath(dirname(path));

/** Makes the new file `to` from `from`, sharing blocks where the file system can. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await syncPath(to, 'r+');
}

/** Removes a database and the files that SQLite left next to it, if there are any. */
export async function removeDatabase(path: string): Promise<void> {
  for (const end of ['', ...BESIDE]) await rm(path + end, { force: true });
}

/** Renames the file `part` to `to`. Throws `Failure('conflict')` if a file of that name exists. */
export async function nameNew(part: string, to: string): Promise<void> {
  const taken = (): Failure => new Failure('conflict', 'a file of that name already exists', { reason: 'file-exists' });
  try {
    await link(part, to);
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken();
  }
  // A file system without links, such as a network share.
  if (
    await access(to).then(
      () => true,
      () => false,
    )
  )
    throw taken();
  await rename(part, to);
}
