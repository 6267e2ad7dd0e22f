/** Removing a folder of the server's own, with everything in it: caches that can be made again. */
import { readdir, rm } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';

/** Answers how many files there were; 0 when the folder was not there. Never for a folder of media. */
export async function removeFolder(path: string): Promise<number> {
  if (!isAbsolute(path) || resolve(path).split('/').length < 3) throw new Error('not a folder of the server');
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  await rm(path, { recursive: true, force: true });
  return entries.filter((entry) => entry.isFile()).length;
}
