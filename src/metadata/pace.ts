/**
 * Limits requests to the metadata service: at most 20 a second and 6 at once.
 *
 * The service counts a request when it arrives, at some time between sending and the reply. So a place is free again a
 * second after the reply, and however slowly requests travel, no more than 20 arrive in a second.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import { createLimit } from '../lib/limit.ts';

const REQUESTS_PER_SECOND = 20;
const REQUESTS_AT_ONCE = 6;
const SECOND_MS = 1000;

export type RequestPace = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export function createRequestPace(clock: Pick<Clock, 'monotonic'>): RequestPace {
  const limit = createLimit(REQUESTS_AT_ONCE);
  /** When each place is free; infinite while a request uses it. */
  const freeAt = Array.from({ length: REQUESTS_PER_SECOND }, () => -Infinity);
  return (work, signal) =>
    limit(async () => {
      const at = Math.min(...freeAt);
      const place = freeAt.indexOf(at);
      freeAt[place] = Infinity;
      let next = at;
      try {
        const wait = Math.ceil(at - clock.monotonic());
        if (wait > 0) await pause(wait, undefined, { signal });
        signal.throwIfAborted();
        next = Infinity;
        return await work();
      } finally {
        freeAt[place] = next === Infinity ? clock.monotonic() + SECOND_MS : next;
      }
    });
}
