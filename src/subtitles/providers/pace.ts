/**
 * Limits the rate of calls to what a provider allows, before the provider refuses them.
 *
 * The provider counts a call when it arrives, which is some time between sending and the reply. So a slot is free again
 * one whole window after the reply: however slowly calls travel, too many never arrive within a window.
 *
 * Callers are served in order. A caller that gives up leaves the queue when its turn comes and uses no slot. If the
 * wait would be longer than allowed, the fault states when to try again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { ProviderFault } from './provider.ts';

export interface Pace {
  /**
   * Resolves when one more call may be made, with a function to call after the reply. Rejects with the signal's reason,
   * or as `rate-limited`.
   */
  turn(signal: AbortSignal): Promise<EndOfCall>;
}

export type EndOfCall = () => void;

export interface PaceNeeds {
  clock: Clock;
  /** Waits a number of milliseconds; replaced by tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Longest wait in milliseconds; a longer one is refused at once. Default: unlimited. */
  maxWaitMs?: number;
}

const SECOND_MS = 1000;
const sleepFor = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal });

/** Returns a limit of `calls` in any `seconds` seconds. */
export function createPace(calls: number, seconds: number, { clock, sleep = sleepFor, maxWaitMs }: PaceNeeds): Pace {
  let running = 0;
  /** Times of replies within the window, the oldest first. */
  const replyTimes: number[] = [];
  let wake: (() => void) | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const take = (): EndOfCall => {
    running++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      running--;
      replyTimes.push(clock.monotonic());
      wake?.();
    };
  };

  const wait = async (signal: AbortSignal): Promise<EndOfCall> => {
    for (;;) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      while (replyTimes[0] !== undefined && replyTimes[0] <= now - seconds * SECOND_MS) replyTimes.shift();
      if (running + replyTimes.length < calls) return take();
      const [oldest] = replyTimes;
      if (oldest === undefined) {
        await nextReply(signal);
        continue;
      }
      const ms = Math.max(1, Math.ceil(oldest + seconds * SECOND_MS - now));
      if (maxWaitMs !== undefined && ms > maxWaitMs)
        throw new ProviderFault('rate-limited', 'the provider allows no more requests for now', {
          resetAt: clock.now() + ms,
        });
      await sleep(ms, signal);
    }
  };

  /** Waits until any running call has its reply. Only the head of the queue waits here. */
  const nextReply = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const left = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', left, { once: true });
      wake = () => {
        wake = undefined;
        signal.removeEventListener('abort', left);
        resolve();
      };
    });

  return {
    turn: (signal) => {
      const mine = queue.then(() => wait(signal));
      queue = mine.catch(() => undefined);
      return mine;
    },
  };
}
