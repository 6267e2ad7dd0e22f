/** Requests to a helper that no child has taken yet, in their order. */
import type { HelperJob } from './child.ts';
import { HelperFailure, type HelperFault } from './failure.ts';

export interface HelperQueue {
  readonly size: number;
  /**
   * Adds a request, and returns its reply. Rejects with a `HelperFailure`. An abort removes a waiting request; the
   * child that has taken it already is notified by `isAbandoned`. `settled` is called once when no child is at it any
   * more.
   */
  add<T>(request: unknown, signal?: AbortSignal, settled?: (fault: HelperFault | undefined) => void): Promise<T>;
  /** Takes the first request. */
  take(): HelperJob | undefined;
  /** Puts requests in front that a child has left, in their order. */
  putBack(left: readonly HelperJob[]): void;
  rejectAll(fault: HelperFault, detail: string): void;
}

/** `name` is the name of the helper, for failures. */
export function createHelperQueue(name: string): HelperQueue {
  const waiting: HelperJob[] = [];
  return {
    get size() {
      return waiting.length;
    },
    add: <T>(request: unknown, signal?: AbortSignal, settled?: (fault: HelperFault | undefined) => void) =>
      new Promise<T>((resolve, reject) => {
        const onAbort = (): void => {
          const at = waiting.indexOf(job);
          if (at >= 0) {
            waiting.splice(at, 1);
            settled?.('aborted');
          }
          job.isAbandoned = true;
          reject(new HelperFailure(name, 'aborted'));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const job: HelperJob = {
          request,
          settle: (result) => {
            signal?.removeEventListener('abort', onAbort);
            settled?.('reason' in result ? result.reason : undefined);
            if ('reason' in result) reject(new HelperFailure(name, result.reason, result.detail));
            else resolve(result.reply as T);
          },
        };
        waiting.push(job);
      }),
    take: () => waiting.shift(),
    putBack: (left) => void waiting.unshift(...left),
    rejectAll: (fault, detail) => {
      for (const job of waiting.splice(0)) job.settle({ reason: fault, detail });
    },
  };
}
