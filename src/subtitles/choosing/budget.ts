/**
 * How many automatic downloads a day: 40 from `subtitles_a`, by UTC day. What a person asks for is not counted.
 *
 * Pure. The caller writes the new state down before the download starts, in the same transaction that read the old
 * one, so that a crash or a second worker can only ever count too much.
 */
import type { ProviderName } from '../providers/provider.ts';

export interface Budget {
  /** `2026-11-21`, UTC. */
  day: string;
  used: number;
}

const MOST_A_DAY: Partial<Record<ProviderName, number>> = { subtitles_a: 40 };

const A_DAY = 86_400_000;

export const utcDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The state after one more download, or undefined when the day's are used up. */
export function spend(before: Budget | undefined, provider: ProviderName, now: number): Budget | undefined {
  const day = utcDay(now);
  // A clock that was set back must not open a day again. One that had run ahead for days must not close them all.
  const current = before && before.day >= day && before.day <= utcDay(now + A_DAY) ? before : { day, used: 0 };
  const most = MOST_A_DAY[provider] ?? Number.POSITIVE_INFINITY;
  return current.used >= most ? undefined : { day: current.day, used: current.used + 1 };
}

/** When a used-up budget is whole again: the next midnight, UTC. */
export const budgetResetAt = (now: number): number => Date.parse(`${utcDay(now)}T00:00:00Z`) + A_DAY;
