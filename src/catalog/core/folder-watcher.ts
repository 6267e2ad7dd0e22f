/**
 * Watches folders: when the system reports a change, a scan of that library starts soon after.
 *
 * Changes can be missed: network shares report none, and the number of watches is limited. Scheduled scans find them.
 */
import { watchFolder } from '../../lib/files.ts';
import { PORTRAIT_FOLDER } from '../naming/portraits.ts';
import type { Log } from '../../lib/log.ts';

/** A copy in progress changes its folder all the time; wait until it is quiet, but not for ever. */
const QUIET_MS = 2_000;
const LONGEST_MS = 30_000;

export interface FolderWatcher {
  /** Watches exactly these libraries from now on. */
  follow(libraries: readonly { id: string; path: string }[]): void;
  isWatching(id: string): boolean;
  close(): void;
}

export function createFolderWatcher({ changed, log }: { changed(library: string): void; log: Log }): FolderWatcher {
  const watches = new Map<string, { path: string; close(): void }>();
  const timers = new Map<string, { first: number; timer: NodeJS.Timeout }>();

  const nudge = (id: string): void => {
    const now = performance.now();
    const had = timers.get(id);
    if (had) clearTimeout(had.timer);
    const first = had?.first ?? now;
    const wait = Math.max(0, Math.min(QUIET_MS, first + LONGEST_MS - now));
    const timer = setTimeout(() => {
      timers.delete(id);
      changed(id);
    }, wait);
    timer.unref();
    timers.set(id, { first, timer });
  };
  const drop = (id: string): void => {
    watches.get(id)?.close();
    watches.delete(id);
    clearTimeout(timers.get(id)?.timer);
    timers.delete(id);
  };

  return {
    follow: (libraries) => {
      for (const [id, { path }] of watches) if (!libraries.some((one) => one.id === id && one.path === path)) drop(id);
      for (const { id, path } of libraries) {
        if (watches.has(id)) continue;
        const watch = watchFolder(
          path,
          () => nudge(id),
          (reason) => {
            log.warn('catalog.watch-ended', { library: id, reason });
            drop(id);
          },
          // Their pictures are not watched: that would double the number of watched folders.
          { hidden: [PORTRAIT_FOLDER] },
        );
        if (watch) watches.set(id, { path, close: watch.close });
      }
    },
    isWatching: (id) => watches.has(id),
    close: () => {
      for (const id of [...watches.keys()]) drop(id);
    },
  };
}
