/**
 * Decides when a write is on the disk.
 *
 * SQLite could sync its write-ahead log inside every commit (synchronous = FULL), but that call stops the whole
 * process for as long as the disk takes, 10 to 30 ms on an ordinary one. So commits run at NORMAL, which never
 * corrupts, and the log file is synced from here, off the main thread: a `safe` write is acknowledged only when a
 * sync that began after its commit has ended, and all that wait share one; a `grouped` write is acknowledged at once
 * and starts a sync 100 ms later. A checkpoint in between, made in another thread, is no gap: it syncs the log, then
 * the database, before it empties the log.
 *
 * A sync that fails leaves open what the disk holds, and trying again would hide it. From then on everything is
 * refused until a restart has read the file again.
 *
 * The log is opened in addition to SQLite's own handle. That is safe for this file only: closing a second handle on the
 * database file itself would drop the process's locks on it.
 */
import { open } from 'node:fs/promises';
import { Failure } from '../failure.ts';

/** How long a grouped write waits for company, in ms. */
const GROUP_MS = 100;

export interface Flusher {
  /** Settles when everything committed before the call is on the disk. */
  now(): Promise<void>;
  /** Sees to it that everything committed so far is on the disk soon. */
  soon(): void;
  /** Throws when a sync has failed before. */
  check(): void;
  /** Refuses every write from now on, because a sync elsewhere has failed. */
  fail(error: unknown): void;
  /** Syncs what is left and lets go. */
  close(): Promise<void>;
}

export const brokenStorage = (): Failure =>
  new Failure('unavailable', 'the storage could not confirm a write; the server must be restarted', {
    reason: 'storage-failed',
  });

/** `sync` makes everything written so far durable. */
export function createFlusher(
  sync: () => Promise<void>,
  onFailure: (error: unknown) => void,
  groupMs = GROUP_MS,
): Flusher {
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const check = (): void => {
    if (isBroken) throw brokenStorage();
  };
  const fail = (error: unknown): void => {
    isBroken = true;
    onFailure(error);
  };
  const once = async (): Promise<void> => {
    check();
    clearTimeout(timer);
    timer = undefined;
    try {
      await sync();
    } catch (error) {
      fail(error);
      throw brokenStorage();
    }
  };
  const start = (): Promise<void> => {
    next = undefined;
    const mine = once().finally(() => {
      if (running === mine) running = undefined;
    });
    return (running = mine);
  };
  // A sync under way may have begun before the caller's commit, so it waits for the one after it, with all who came
  // since.
  const now = (): Promise<void> => (running ? (next ??= running.then(start, start)) : start());

  return {
    now,
    soon: () => {
      // Its failure has been reported, and the next write hears of it.
      timer ??= setTimeout(() => void now().catch(() => {}), groupMs);
    },
    check,
    fail,
    close: async () => {
      clearTimeout(timer);
      if (!isBroken) await now();
    },
  };
}

/** Opens the write-ahead log of `file`, and keeps it open. */
export async function openLog(
  file: string,
): Promise<{ sync(): Promise<void>; size(): Promise<number>; close(): Promise<void> }> {
  const handle = await open(`${file}-wal`, 'r+');
  return { sync: () => handle.datasync(), size: async () => (await handle.stat()).size, close: () => handle.close() };
}
