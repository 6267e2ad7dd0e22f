/** Keeps requests within the limits of a service: so many within each of several spans of time. */
import type { Clock } from '../../lib/clock.ts';

export interface BudgetLimit {
  most: number;
  withinMs: number;
}

export interface RequestBudget {
  /** Milliseconds until the next request is within every limit; 0 if it is now. */
  waitMs(): number;
  /** Counts a request that is about to be sent. */
  count(): void;
}

/** Uses the monotonic clock: a corrected wall clock neither frees nor blocks requests. */
export function createRequestBudget(limits: readonly BudgetLimit[], clock: Clock): RequestBudget {
  const longest = Math.max(...limits.map(({ withinMs }) => withinMs));
  let sent: number[] = [];
  return {
    waitMs: () => {
      const now = clock.monotonic();
      return Math.max(
        0,
        ...limits.map(({ most, withinMs }) => {
          const oldest = sent.at(-most);
          return oldest === undefined ? 0 : oldest + withinMs - now;
        }),
      );
    },
    count: () => {
      const now = clock.monotonic();
      sent = [...sent.filter((at) => at > now - longest), now];
    },
  };
}
