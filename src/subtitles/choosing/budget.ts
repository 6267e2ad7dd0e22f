/**
 * The daily budget of automatic downloads: 40 from `subtitles_a`, per UTC day. Downloads that a user asked for are not
 * counted.
 *
 * Pure. The caller stores the new state before the download starts, in the transaction that read the old one, so that a
 * crash or a second worker can only count too many.
 */
import type { ProviderName } from '../providers/provider.ts';

export interface DownloadBudget {
  /** `2026-11-21`, UTC. */
  day: string;
  used: number;
}

const MAX_PER_DAY: Partial<Record<ProviderName, number>> = { subtitles_a: 40 };

const DAY_MS = 86_400_000;

export const utcDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Returns the state after one more download; undefined if the budget of the day is used up. */
export function spendDownload(
  before: DownloadBudget | undefined,
  provider: ProviderName,
  now: number,
): DownloadBudget | undefined {
  const day = utcDay(now);
  // A clock that was set back must not renew a day's budget, and one that ran days ahead must not block it for days.
  const current = before && before.day >= day && before.day <= utcDay(now + DAY_MS) ? before : { day, used: 0 };
  const most = MAX_PER_DAY[provider] ?? Number.POSITIVE_INFINITY;
  return current.used >= most ? undefined : { day: current.day, used: current.used + 1 };
}

/** Returns when the budget is renewed: the next midnight, UTC. */
export const budgetResetAt = (now: number): number => Date.parse(`${utcDay(now)}T00:00:00Z`) + DAY_MS;
