/** The clock: the one source of time, so that tests can set it. */

export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for counters that a changed wall clock must not reset. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Clocks are corrected in small steps: a stored time this far ahead counts as now. */
export const CLOCK_SKEW_MS = 60_000;

/** Whether a stored time was written by a clock that ran ahead of the current one. */
export const isAhead = (at: number, now: number): boolean => at > now + CLOCK_SKEW_MS;

/**
 * No server wrote anything before this moment: a clock that is earlier is itself wrong, and stored times are not
 * corrected by it.
 */
const FIRST_RELEASE = Date.UTC(2026, 0, 1);
export const isPlausible = (now: number): boolean => now >= FIRST_RELEASE;

/** RFC 3339 in UTC, as every reply has it. */
export const iso = (ms: number): string => new Date(ms).toISOString();
