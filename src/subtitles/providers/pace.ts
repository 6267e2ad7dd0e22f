/**
 * Not faster than a provider allows: so many calls a second, counted here before the provider has to.
 *
 * The provider counts a call when it arrives, which nobody here can see. It is some time between sending and answering,
 * so a place is free again a whole window after the answer: however slowly calls travel, never too many arrive at once.
 *
 * Callers are served in their order. A caller that gives up leaves the line when its turn comes, and takes no place.
 * Where a wait would be longer than somebody waits, the caller is told when to come back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { ProviderFault } from './provider.ts';

export interface Pace {
  /**
   * Resolves when one more call may be made, with what to say when it was answered. Rejects with the signal's reason,
   * or as `rate-limited`.
   */
  turn(signal: AbortSignal): Promise<Answered>;
}

export type Answered = () => void;

export interface PaceNeeds {
  clock: Clock;
  /** Waits that many milliseconds; replaced by tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds; a longer wait is refused at once. Left out: any wait. */
  longestMs?: number;
}

const SECOND = 1000;
const really = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal });

/** At most `calls` arrive in any `seconds` seconds. */
export function createPace(calls: number, seconds: number, { clock, sleep = really, longestMs }: PaceNeeds): Pace {
  let under = 0;
  /** When the provider had answered, oldest first, as far as the window reaches. */
  const answered: number[] = [];
  let wake: (() => void) | undefined;
  let line: Promise<unknown> = Promise.resolve();

  const take = (): Answered => {
    under++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      under--;
      answered.push(clock.monotonic());
      wake?.();
    };
  };

  const wait = async (signal: AbortSignal): Promise<Answered> => {
    for (;;) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      while (answered[0] !== undefined && answered[0] <= now - seconds * SECOND) answered.shift();
      if (under + answered.length < calls) return take();
      const [oldest] = answered;
      if (oldest === undefined) {
        await next(signal);
        continue;
      }
      const ms = Math.max(1, Math.ceil(oldest + seconds * SECOND - now));
      if (longestMs !== undefined && ms > longestMs)
        throw new ProviderFault('rate-limited', 'the provider allows no more requests for now', {
          resetAt: clock.now() + ms,
        });
      await sleep(ms, signal);
    }
  };

  /** Until any call that is under way is answered. Only the head of the line waits here. */
  const next = (signal: AbortSignal): Promise<void> =>
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
      const mine = line.then(() => wait(signal));
      line = mine.catch(() => undefined);
      return mine;
    },
  };
}
