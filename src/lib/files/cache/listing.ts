/** Names of the files of a cache folder: which ones belong to it, and which ones an earlier run left. */
import { crashPoint } from '../../crash.ts';
import { rmdir, unlink } from '../calls.ts';
import { listFolder, statFile } from '../read.ts';
import { isStray } from '../write.ts';
import type { FileUse } from './usage.ts';

export interface CacheNames {
  /** Matches the names of its files. */
  names: RegExp;
  /** Matches the names of its subfolders; a file is then called `group/name`. */
  groups?: RegExp;
}

export function isCacheName({ names, groups }: CacheNames, file: string): boolean {
  const [first = '', ...rest] = file.split('/');
  return groups
    ? groups.test(first) && rest.length === 1 && names.test(rest[0] ?? '')
    : rest.length === 0 && names.test(first);
}

/**
 * Lists the files of the folder. `isFirst`: no writer is at work yet, so leftovers of a killed one and empty groups are
 * removed.
 */
export async function listCached(
  { folder, names, groups, isDurable = true }: CacheNames & { folder: string; isDurable?: boolean },
  isFirst: boolean,
): Promise<(FileUse & { name: string })[]> {
  const found: (FileUse & { name: string })[] = [];
  const lookAt = async (name: string, own: string): Promise<void> => {
    const path = `${folder}/${name}`;
    if (isStray(own)) {
      if (isFirst) await unlink(path).catch(() => {});
      return crashPoint('files.remove.unlinked', () => path);
    }
    // It may have been removed in the meantime.
    const stat = names.test(own) ? await statFile(path).catch(() => undefined) : undefined;
    if (!stat) return;
    if (stat.size > 0 || isDurable) found.push({ name, size: stat.size, usedMs: stat.mtimeMs });
    else await unlink(path).catch(() => {});
  };
  for (const { name, kind } of await listFolder(folder)) {
    if (kind === 'file' && (!groups || isStray(name))) await lookAt(name, name);
    if (kind !== 'folder' || !groups?.test(name)) continue;
    for (const entry of await listFolder(`${folder}/${name}`).catch(() => []))
      if (entry.kind === 'file') await lookAt(`${name}/${entry.name}`, entry.name);
    // Fails unless the group is empty.
    if (isFirst) await rmdir(`${folder}/${name}`).catch(() => {});
  }
  return found;
}
