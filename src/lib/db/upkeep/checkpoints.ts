/**
 * Checkpoints: folds the write-ahead log into the database in a thread, so that the main thread never waits for a sync.
 *
 * While writes go on, `passive` checkpoints follow them without delaying any. The log grows meanwhile, and is emptied
 * in a quiet moment, with the writers' lock held for as long as one sync takes. On a disk that is slow at the time,
 * such as during a large copy, emptying waits for a longer pause in the writes, or until the log has grown to its
 * limit.
 *
 * SQLite itself begins a log again from its start when all of it has been folded in and it has no reader, and syncs
 * its header then, on the thread that writes. A read transaction that is opened before each passive checkpoint
 * prevents this. It is renewed before the next, because nothing after its moment can be folded in.
 */
import type { Lock } from '../../lock.ts';
import { connectFile } from '../sqlite-file.ts';
import { startThread } from './thread.ts';
import type { UpkeepReply, Thread } from './thread.ts';

const MIB = 1024 ** 2;

export interface CheckpointLimits {
  /** How often the log is looked at while there is something to do. */
  lookMs: number;
  /** How much the log grows before a passive checkpoint. */
  passiveBytes: number;
  /** A log of this size is emptied in a quiet moment; a smaller one may stay. */
  resetBytes: number;
  /** A log of this size is emptied although writes go on. */
  busyBytes: number;
  /** The same on a slow disk. */
  slowBytes: number;
  /** How long nothing was written in a quiet moment, and on a slow disk. */
  quietMs: number;
  slowQuietMs: number;
  /** A disk whose last sync took longer is slow. */
  slowSyncMs: number;
  /** How long the thread lives without work. */
  idleMs: number;
}

export const CHECKPOINT_LIMITS: CheckpointLimits = {
  lookMs: 500,
  passiveBytes: 8 * MIB,
  resetBytes: 4 * MIB,
  busyBytes: 64 * MIB,
  slowBytes: 256 * MIB,
  quietMs: 2_000,
  slowQuietMs: 60_000,
  slowSyncMs: 50,
  idleMs: 10_000,
};

/** SQLite's code for a sync that failed (SQLITE_IOERR_FSYNC). */
const SYNC_FAILED = 1034;

export interface CheckpointNeeds {
  file: string;
  /** The lock on which writers take turns. */
  turns: Lock;
  /** Bytes of the log file. */
  logSize(): Promise<number>;
  /** How long the last sync of the log took. */
  lastSyncMs(): number;
  /** Called when a checkpoint fails; `isLost` when what the disk holds is open from then on. */
  failed(error: unknown, isLost: boolean): void;
  limits?: Partial<CheckpointLimits> | undefined;
}

export interface Checkpoints {
  /** Called after each commit. */
  committed(): void;
  /** Folds in and empties the log now, unless it has a reader. */
  reset(): Promise<void>;
  /**
   * Empties a large log, so that closing the last connection finds little to do. Called when nothing is written any
   * more.
   */
  close(): Promise<void>;
}

export function createCheckpoints({ file, turns, logSize, lastSyncMs, failed, limits }: CheckpointNeeds): Checkpoints {
  const { lookMs, passiveBytes, resetBytes, busyBytes, slowBytes, quietMs, slowQuietMs, slowSyncMs, idleMs } = {
    ...CHECKPOINT_LIMITS,
    ...limits,
  };
  const guard = connectFile(file, 'read');
  guard.exec('pragma cache_size = -64');
  let thread: Thread | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let lastCommit = performance.now();
  let lastJob = Number.NEGATIVE_INFINITY;
  /** Size of the log at the last passive checkpoint. */
  let folded = 0;

  const unguard = (): void => {
    if (guard.isTransaction) guard.exec('rollback');
  };
  const ask = async (is: 'passive' | 'reset'): Promise<UpkeepReply> => {
    thread ??= startThread(file);
    try {
      return await thread.ask({ is });
    } catch (error) {
      // A thread that ended would fail for ever.
      const broken = thread;
      thread = undefined;
      await broken.end().catch(() => {});
      throw error;
    } finally {
      lastJob = performance.now();
    }
  };
  const passive = async (size: number): Promise<void> => {
    unguard();
    guard.exec('begin; select 1 from sqlite_schema');
    folded = size;
    await ask('passive');
  };
  const reset = (): Promise<void> =>
    turns.run(async () => {
      unguard();
      const { isBusy } = await ask('reset');
      if (!isBusy) folded = 0;
    });

  const step = async (): Promise<void> => {
    const size = await logSize();
    const quiet = performance.now() - lastCommit;
    const isSlow = lastSyncMs() > slowSyncMs;
    const isDue =
      size >= resetBytes && (quiet >= (isSlow ? slowQuietMs : quietMs) || size >= (isSlow ? slowBytes : busyBytes));
    // Pages that are moved before taking the writers' lock need not be moved under it.
    if (size > folded && (isDue || size - folded >= passiveBytes)) await passive(size);
    if (isDue && !isClosed) await reset();
    const isIdle = size < resetBytes && performance.now() - lastJob >= idleMs;
    if (isIdle) await endThread();
    if (!isIdle || thread) look();
  };
  const endThread = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    await ended?.end();
  };
  const look = (): void => {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (running) return look();
      running = step()
        .catch((error: unknown) => {
          failed(error, (error as { errcode?: unknown } | null)?.errcode === SYNC_FAILED);
          look();
        })
        .finally(() => void (running = undefined));
    }, lookMs).unref();
  };

  return {
    committed: () => {
      lastCommit = performance.now();
      look();
    },
    reset: async () => {
      await running;
      await reset();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running;
      unguard();
      try {
        if ((await logSize()) >= resetBytes) await ask('reset');
      } catch (error) {
        failed(error, false);
      }
      await endThread().catch((error: unknown) => failed(error, false));
      guard.close();
    },
  };
}
