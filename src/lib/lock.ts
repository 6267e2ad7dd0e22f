/**
 * Locks for work that awaits in the middle.
 *
 * Turns are taken in the order they were asked for, those that say they go first before the others. A lock is let go
 * when the work ends, whichever way, and unused keys take no memory. Not re-entrant: asking for a held key inside waits
 * for ever, unless a time limit was given.
 */
import { Failure } from './failure.ts';

type Work<R> = () => Promise<R> | R;

export interface Lock {
  /**
   * Waits for its turn. An abort while waiting throws the signal's reason; `work` then never starts. `isFirst` is asked
   * whenever a turn is free: who waits for it may change meanwhile.
   */
  run<R>(work: Work<R>, signal?: AbortSignal, isFirst?: () => boolean): Promise<R>;
  /** Waits for its turn and holds it until the caller calls what it returns, once. Prefer `run`. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Takes the lock now, or returns undefined when it is busy. The caller must call what it returns, once. */
  take(): (() => void) | undefined;
  readonly isHeld: boolean;
}

/** A queue for one thing. With `longestWaitMs`, waiting longer fails as `unavailable` with `sentence`. */
export function createLock(limit?: { longestWaitMs: number; sentence: string }): Lock {
  const waiting = new Map<() => void, (() => boolean) | undefined>();
  let isHeld = false;

  const release = (): void => {
    let next: (() => void) | undefined;
    for (const [start, isFirst] of waiting) {
      next ??= start;
      if (!isFirst?.()) continue;
      next = start;
      break;
    }
    if (!next) isHeld = false;
    else next();
  };
  const releaseOnce = (): (() => void) => {
    let isDone = false;
    return () => {
      if (!isDone) release();
      isDone = true;
    };
  };

  const turn = (signal?: AbortSignal, isFirst?: () => boolean): Promise<void> => {
    signal?.throwIfAborted();
    if (!isHeld) {
      isHeld = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
      };
      const start = (): void => (leave(), resolve());
      const abandon = (): void => (leave(), reject(signal?.reason));
      const timer =
        limit &&
        setTimeout(
          () => (leave(), reject(new Failure('unavailable', limit.sentence, { reason: 'too-busy' }))),
          limit.longestWaitMs,
        );
      signal?.addEventListener('abort', abandon, { once: true });
      waiting.set(start, isFirst);
    });
  };

  return {
    run: async (work, signal, isFirst) => {
      await turn(signal, isFirst);
      try {
        return await work();
      } finally {
        release();
      }
    },
    acquire: async (signal) => {
      await turn(signal);
      return releaseOnce();
    },
    take: () => {
      if (isHeld) return undefined;
      isHeld = true;
      return releaseOnce();
    },
    get isHeld() {
      return isHeld;
    },
  };
}

export interface KeyedLock {
  /** Runs `work` when nothing else runs under `key`. */
  run<R>(key: string, work: Work<R>, signal?: AbortSignal): Promise<R>;
  /** Runs `work` now, or fails at once as `conflict` with `sentence` when the key is busy. */
  tryLock<R>(key: string, work: Work<R>, sentence: string): Promise<R>;
  isHeld(key: string): boolean;
}

export function createKeyedLock(): KeyedLock {
  const locks = new Map<string, { lock: Lock; users: number }>();

  const run = async <R>(key: string, work: Work<R>, signal?: AbortSignal): Promise<R> => {
    const held = locks.get(key) ?? { lock: createLock(), users: 0 };
    locks.set(key, held);
    held.users++;
    try {
      return await held.lock.run(work, signal);
    } finally {
      if (--held.users === 0) locks.delete(key);
    }
  };

  return {
    run,
    tryLock: async (key, work, sentence) => {
      if (locks.has(key)) throw new Failure('conflict', sentence, { reason: 'locked' });
      return run(key, work);
    },
    isHeld: (key) => locks.has(key),
  };
}
