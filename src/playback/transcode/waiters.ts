/** Requests that wait for a segment, by its number. */
import { Failure } from '../../lib/failure.ts';

export interface Waiters {
  /**
   * Waits for a segment. Fails as `unavailable` when that takes too long, and with the signal's reason when it is
   * aborted.
   */
  wait(index: number, who: string, signal: AbortSignal): Promise<Buffer>;
  resolve(index: number, bytes: Buffer): void;
  rejectAll(error: unknown): void;
  /** Rejects the requests of one session for segments that `isLeft` names. */
  rejectOf(who: string, isLeft: (index: number) => boolean): void;
  /** Yields each segment that is waited for, with the session that asked first. */
  wanted(): Iterable<{ index: number; who: string }>;
}

interface Waiter {
  who: string;
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

/** Seconds after which a rejected player may ask again. */
const RETRY_S = 2;

/** `waitMs` is how long a request waits. */
export function createWaiters(waitMs: number): Waiters {
  const waiting = new Map<number, Set<Waiter>>();
  const settle = (index: number, then: (waiter: Waiter) => void): void => {
    const all = waiting.get(index);
    waiting.delete(index);
    for (const waiter of all ?? []) then(waiter);
  };
  return {
    wait: (index, who, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const waiter: Waiter = { who, resolve, reject };
      const all = waiting.get(index) ?? new Set();
      waiting.set(index, all.add(waiter));
      const late = setTimeout(() => reject(tooLate()), waitMs);
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      return promise.finally(() => {
        clearTimeout(late);
        signal.removeEventListener('abort', onAbort);
        all.delete(waiter);
        if (all.size === 0 && waiting.get(index) === all) waiting.delete(index);
      });
    },
    resolve: (index, bytes) => settle(index, (waiter) => waiter.resolve(bytes)),
    rejectAll: (error) => {
      for (const index of [...waiting.keys()]) settle(index, ({ reject }) => reject(error));
    },
    rejectOf: (who, isLeft) => {
      for (const [index, waiters] of waiting)
        if (isLeft(index)) for (const waiter of waiters) if (waiter.who === who) waiter.reject(superseded());
    },
    *wanted() {
      for (const [index, [first]] of waiting) if (first) yield { index, who: first.who };
    },
  };
}

const tooLate = (): Failure =>
  new Failure('unavailable', 'this part is still being converted', {
    reason: 'still-converting',
    retryAfterSeconds: RETRY_S,
  });
const superseded = (): Failure =>
  new Failure('unavailable', 'a later request replaced this one', {
    reason: 'superseded',
    retryAfterSeconds: RETRY_S,
  });
