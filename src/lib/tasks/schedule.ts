/**
 * Starts tasks that declare `every` when they are due: so long after the end of their last run, across restarts.
 *
 * The times are asked for anew each time it looks, at least every half minute and whenever settings change. A wall
 * clock set back does not put off a run for longer than one such time.
 */
import type { Clock } from '../clock.ts';
import type { Task } from './types.ts';

/** How often it looks even if nothing seems due, in ms. */
const LOOK_MS = 30_000;
/** Two settings could make it spin; nothing is started by itself more often than this. */
const LEAST_MS = 1000;

export interface Schedule {
  /** Looks now; to be called when a setting changed or a task ended. */
  look(): void;
  /** Notes that the scheduled run of `name` has ended. */
  ended(name: string, at: number): void;
  stop(): void;
}

export function createSchedule(needs: {
  declarations: readonly Task[];
  clock: Clock;
  /** When the last scheduled run of each ended, as far as there was one. */
  last: ReadonlyMap<string, number>;
  isOpen(name: string): boolean;
  start(name: string): void;
}): Schedule {
  const { declarations, clock, isOpen, start } = needs;
  const timed = declarations.filter((task) => task.every);
  const last = new Map(needs.last);
  const begun = clock.now();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const look = (): void => {
    if (isStopped) return;
    clearTimeout(timer);
    const now = clock.now();
    let wait = LOOK_MS;
    for (const { name, every } of timed) {
      const gap = every?.();
      if (gap === undefined || isOpen(name)) continue;
      const due = Math.min(last.get(name) ?? begun, now) + Math.max(gap, LEAST_MS);
      if (due <= now) start(name);
      else wait = Math.min(wait, due - now);
    }
    if (timed.length > 0) timer = setTimeout(look, wait).unref();
  };
  return {
    look,
    ended: (name, at) => void last.set(name, at),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
