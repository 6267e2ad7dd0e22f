/**
 * Reports changes anywhere below a folder, if the system announces them.
 *
 * The platform's own recursive watch walks the whole tree before it returns, which holds up everything for
 * seconds on a large library and for ever on a dead share, and it watches every file. This one watches folders
 * only, which covers the files in them, and finds them gradually. Network shares do not announce what
 * other computers do, and are not watched.
 */
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { lstat, readdir, statfs } from './calls.ts';
import { codeOf } from './failure.ts';

export interface FolderWatch {
  close(): void;
}

/** The kernel's numbers of network file systems: NFS, SMB (three), AFS, Ceph, 9P, Coda. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x01021997, 0x73757245]);

/**
 * Calls `changed` after anything below `path` changed; several changes may come as one call. Calls `ended` with
 * a short code when the watch ends by itself: `network`, `ENOSPC` (the system ran out of watches), or why the
 * folder cannot be watched. A change may be missed: it is a nudge, not a record.
 *
 * Hidden files and folders are not watched. `hidden` names those that are reported when they come and go.
 */
export function watchFolder(
  path: string,
  changed: () => void,
  ended: (code: string) => void,
  { hidden = [] }: { hidden?: readonly string[] } = {},
): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const waiting: string[] = [path];
  let isClosed = false;
  let isBusy = false;

  const close = (): void => {
    isClosed = true;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const end = (code: string): void => {
    if (isClosed) return;
    close();
    ended(code);
  };
  const forget = (folder: string): void => {
    if (!watchers.has(folder)) return;
    for (const [one, watcher] of watchers) {
      if (one !== folder && !one.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(one);
    }
  };

  const hear = (folder: string, event: string, name: string | null): void => {
    // Our own temporary files, and the hidden files of systems, change nothing visible.
    const isHidden = name?.startsWith('.') === true;
    if (isClosed || (isHidden && !hidden.includes(name))) return;
    changed();
    if (event !== 'rename' || name === null || isHidden) return;
    // A folder came, went or was replaced: the folders watched there are read again.
    forget(`${folder}/${name}`);
    waiting.push(`${folder}/${name}`);
    void grow();
  };

  const add = async (folder: string): Promise<void> => {
    if (watchers.has(folder) || (folder !== path && !(await lstat(folder)).isDirectory()) || isClosed) return;
    const watcher = watch(folder, { persistent: false }, (event, name) => hear(folder, event, name));
    watchers.set(folder, watcher);
    watcher.on('error', (error) => (folder === path ? end(codeOf(error)) : forget(folder)));
    for (const entry of await readdir(folder))
      if (entry.isDirectory() && !entry.name.startsWith('.')) waiting.push(`${folder}/${entry.name}`);
  };

  const grow = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let folder = waiting.shift(); folder !== undefined && !isClosed; folder = waiting.shift()) {
      try {
        await add(folder);
      } catch (error) {
        // A folder that has just gone is none; the library itself, or no more watches, is the end.
        if (folder === path || codeOf(error) === 'ENOSPC' || codeOf(error) === 'EMFILE') end(codeOf(error));
      }
    }
    isBusy = false;
  };

  statfs(path).then(
    ({ type }) => (NETWORK.has(type) ? end('network') : grow()),
    (error: unknown) => end(codeOf(error)),
  );
  return { close };
}
