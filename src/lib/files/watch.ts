/** Hears of changes anywhere below a folder, where the system tells of them. */
import { watch } from 'node:fs';

export interface Watch {
  close(): void;
}

/**
 * Calls `changed` after anything below `path` changed; several changes may come as one call. Answers undefined
 * when this folder cannot be watched, and calls `ended` with a short code when a watch ends by itself (the
 * folder went away, or the system ran out of watches). A change may be missed: it is a nudge, not a record.
 */
export function watchFolder(path: string, changed: () => void, ended: (code: string) => void): Watch | undefined {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, (_event, name) => {
      // Our own temporary files, and the hidden files of systems, change nothing that anybody sees.
      if (name?.split('/').at(-1)?.startsWith('.')) return;
      changed();
    });
    watcher.on('error', (error: NodeJS.ErrnoException) => {
      watcher.close();
      ended(error.code ?? 'unknown');
    });
    return { close: () => watcher.close() };
  } catch {
    return undefined;
  }
}
