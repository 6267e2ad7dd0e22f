/**
 * Starts tasks that declare `every` when they are due: that long after the end of their last run, across restarts.
 *
 * The intervals are read again each time it looks, at least every half minute and whenever settings change. Elapsed
 * time is the larger of what the wall clock says (which includes sleep) and what the monotonic clock says (which cannot
 * be set), so a clock that is set back delays no run. An end that a clock running ahead stored is corrected when it is
 * loaded, so that restarts do not begin the interval again and again.
 */
import { type Clock, isPlausible } from '../clock.ts';
import type { TaskDefinition } from './types.ts';

/** How often it looks even if nothing seems due, in ms. */
const LOOK_MS = 30_000;
/** Two settings could make it spin; nothing is started by itself more often than this. */
const MIN_MS = 1000;

export interface Schedule {
  /** Looks now; to be called when a setting changed or a task ended. */
  look(): void;
  /** Notes that the scheduled run of `name` has ended. */
  ended(name: string, at: number): void;
  stop(): void;
}

export function createSchedule(needs: {
  declarations: readonly TaskDefinition[];
  clock: Clock;
  /** When the last scheduled run of each ended, as far as there was one. */
  last: ReadonlyMap<string, number>;
  isOpen(name: string): boolean;
  start(name: string): void;
  /** Stores another end of the last scheduled run: the stored one lies in the future. */
  correct(name: string, at: number): void;
}): Schedule {
  const { declarations, clock, isOpen, start } = needs;
  const timed = declarations.filter((task) => task.every);
  const begun = { wall: clock.now(), monotonic: clock.monotonic() };
  const last = new Map<string, typeof begun>();
  for (const [name, at] of needs.last) {
    const elapsed = Math.max(0, begun.wall - at);
    last.set(name, { wall: begun.wall - elapsed, monotonic: begun.monotonic - elapsed });
    if (at > begun.wall && isPlausible(begun.wall)) needs.correct(name, begun.wall);
  }
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const look = (): void => {
    if (isStopped) return;
    clearTimeout(timer);
    const now = { wall: clock.now(), monotonic: clock.monotonic() };
    let wait = LOOK_MS;
    for (const { name, every } of timed) {
      const gap = every?.();
      if (gap === undefined || isOpen(name)) continue;
      const since = last.get(name) ?? begun;
      const left = Math.max(gap, MIN_MS) - Math.max(now.wall - since.wall, now.monotonic - since.monotonic);
      if (left <= 0) start(name);
      else wait = Math.min(wait, left);
    }
    if (timed.length > 0) timer = setTimeout(look, wait).unref();
  };
  return {
    look,
    ended: (name, at) => void last.set(name, { wall: at, monotonic: clock.monotonic() }),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
