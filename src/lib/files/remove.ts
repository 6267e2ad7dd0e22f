/** Removing a folder of the server's own, with everything in it: caches that can be rebuilt. */
import { rm } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';

/** One that is not there is no error. Never for a folder of media. */
export async function removeFolder(path: string): Promise<void> {
  if (!isAbsolute(path) || resolve(path).split('/').length < 3) throw new Error('not a folder of the server');
  await rm(path, { recursive: true, force: true });
}
