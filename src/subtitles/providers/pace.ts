/**
 * Not faster than a provider allows: so many calls a second, counted here before the provider has to.
 *
 * Callers are served in their order. A caller that gives up leaves the line at once. Where a wait would be longer than
 * somebody waits, the caller is told when to come back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { ProviderFault } from './provider.ts';

export interface Pace {
  /** Resolves when one more call may be made, and counts it. Rejects with the signal's reason, or as `rate-limited`. */
  turn(signal: AbortSignal): Promise<void>;
}

export interface PaceNeeds {
  clock: Clock;
  /** Waits that many milliseconds; replaced by tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds; a longer wait is refused at once. Left out: any wait. */
  longestMs?: number;
}

const SECOND = 1000;
const really = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal });

/** At most `calls` in any `seconds` seconds. */
export function createPace(calls: number, seconds: number, { clock, sleep = really, longestMs }: PaceNeeds): Pace {
  const taken: number[] = [];
  let line: Promise<unknown> = Promise.resolve();

  const wait = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      while (taken[0] !== undefined && taken[0] <= now - seconds * SECOND) taken.shift();
      const oldest = taken[0];
      if (oldest === undefined || taken.length < calls) {
        taken.push(now);
        return;
      }
      const ms = Math.max(1, Math.ceil(oldest + seconds * SECOND - now));
      if (longestMs !== undefined && ms > longestMs) throw new ProviderFault('rate-limited', 'the provider allows no more requests for now', { resetAt: clock.now() + ms });
      await sleep(ms, signal);
    }
  };

  return {
    turn: (signal) => {
      const mine = line.then(() => wait(signal));
      line = mine.catch(() => undefined);
      return mine;
    },
  };
}
