/** The clock: the one source of time, so that tests can set it. */

export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for counters that a changed wall clock must not reset. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** RFC 3339 in UTC, as every reply has it. */
export const iso = (ms: number): string => new Date(ms).toISOString();
