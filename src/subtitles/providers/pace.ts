/**
 * Not faster than a provider allows: so many calls a second, counted here before the provider has to.
 *
 * Callers are served in their order. A caller that gives up leaves the line at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';

export interface Pace {
  /** Resolves when one more call may be made, and counts it. Rejects with the signal's reason. */
  turn(signal: AbortSignal): Promise<void>;
}

export interface PaceNeeds {
  clock: Clock;
  /** Waits that many milliseconds; replaced by tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const SECOND = 1000;
const really = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal });

/** At most `calls` in any `seconds` seconds. */
export function createPace(calls: number, seconds: number, { clock, sleep = really }: PaceNeeds): Pace {
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
      await sleep(Math.max(1, Math.ceil(oldest + seconds * SECOND - now)), signal);
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
