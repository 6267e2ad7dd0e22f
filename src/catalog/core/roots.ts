/** Keeps the folders of libraries open. One that could not be opened is tried again at the next call. */
import { openRoot, type Root } from '../../lib/files.ts';
import type { IoPool } from '../../lib/io-pool.ts';

export interface Roots {
  open(path: string): Promise<Root>;
  /** Closes a folder whose disk went offline: it would lead nowhere when the disk is back. */
  forget(path: string): void;
  close(): Promise<void>;
}

export function createRoots(ioPool: IoPool): Roots {
  const roots = new Map<string, Promise<Root>>();
  return {
    open: (path) => {
      const known = roots.get(path);
      if (known) return known;
      const opening = openRoot(path, ioPool.forLibrary(path));
      opening.catch(() => roots.delete(path));
      roots.set(path, opening);
      return opening;
    },
    forget: (path) => {
      void roots
        .get(path)
        ?.then((root) => root.close())
        .catch(() => {});
      roots.delete(path);
    },
    close: async () => {
      for (const opening of roots.values())
        await opening.then(
          (root) => root.close(),
          () => {},
        );
      roots.clear();
    },
  };
}
