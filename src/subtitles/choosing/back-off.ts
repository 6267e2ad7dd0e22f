/**
 * When a provider may be asked again. Pure: the caller keeps the state (per item, language and provider, over a
 * restart), the time and the source of chance.
 *
 * The provider's own time wins. Refused credentials pause it for a day. Anything else waits 1, 2, 4 … 60 minutes,
 * each with up to a quarter of chance, so that a house full of waiting items does not come back at once.
 */
import type { FaultKind } from '../providers/provider.ts';

export interface BackOff {
  /** Failures in a row. */
  failures: number;
  /** Milliseconds since the epoch. */
  until: number;
  /** The whole provider is meant, or only this item there. */
  scope: 'provider' | 'item';
  kind: FaultKind;
}

/** As a ProviderFault has them. */
export interface Failed {
  kind: FaultKind;
  resetAt?: number | undefined;
  retryAfter?: number | undefined;
}

/** Whether the provider as a whole failed, and not only this subtitle of it. */
export const isProviderWide = (kind: FaultKind): boolean => SCOPE[kind] === 'provider';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A provider's own time further off than this is not believed. */
const LONGEST = 31 * DAY;
const MOST_MINUTES = 60;
const JITTER = 0.25;

const SCOPE: Record<FaultKind, BackOff['scope']> = {
  'bad-credentials': 'provider',
  quota: 'provider',
  'rate-limited': 'provider',
  'payment-required': 'provider',
  unavailable: 'provider',
  'not-found': 'item',
  gone: 'item',
  hostile: 'item',
};

/** `random` returns 0 to 1 (1 excluded). */
export function afterFailure(
  before: Pick<BackOff, 'failures'> | undefined,
  failed: Failed,
  { now, random }: { now: number; random: () => number },
): BackOff {
  const failures = Math.min(1_000, (before?.failures ?? 0) + 1);
  return { failures, until: until(failures, failed, { now, random }), scope: SCOPE[failed.kind], kind: failed.kind };
}

function until(
  failures: number,
  { kind, resetAt, retryAfter }: Failed,
  { now, random }: { now: number; random: () => number },
): number {
  const own = [resetAt, retryAfter === undefined ? undefined : now + retryAfter * 1000]
    .filter((at) => at !== undefined)
    .filter((at) => at > now && at <= now + LONGEST);
  if (own.length > 0) return Math.max(...own);
  if (kind === 'bad-credentials') return now + DAY;
  // A used-up allowance without a time comes back at some hour of the day: the longest wait at once.
  const minutes = kind === 'quota' ? MOST_MINUTES : Math.min(MOST_MINUTES, 2 ** Math.min(10, failures - 1));
  // The chance goes downwards at the top, so that no wait is ever over the hour.
  const wait = minutes * (minutes === MOST_MINUTES ? 1 - JITTER * random() : 1 + JITTER * random());
  return now + Math.round(Math.min(MOST_MINUTES, wait) * MINUTE);
}

/**
 * When a wait that was written down ends, or 0 when it is over. One that is longer than any wait of its kind can be was
 * written by a clock that ran ahead: it is not kept to, or a house whose clock was wrong for an hour would be silent
 * for a year. Summer time plays no part: all times are counted from the epoch.
 */
export function waitOf(state: { until: number; kind: string | null } | undefined, now: number): number {
  if (!state || state.until <= now) return 0;
  return state.until <= now + longest(state.kind) ? state.until : 0;
}
/** The provider's own time, which may be weeks off, is heard for these alone. */
const longest = (kind: string | null): number =>
  kind === 'nothing' || kind === 'refused' || kind === 'blocked'
    ? LONGEST_SEARCH
    : kind === 'bad-credentials'
      ? DAY
      : LONGEST;

export const isPaused = (state: { until: number; kind: string | null } | undefined, now: number): boolean =>
  waitOf(state, now) > 0;

/** In place of a provider's name: the pause of a search as a whole, after which it is made again by itself. */
export const SEARCH = 'search';
const HOUR = 60 * MINUTE;
/** Hours after one, two, three … such ends in a row. What does not exist today seldom exists tomorrow. */
const HOURS = { nothing: [12, 24, 48, 96, 168], refused: [12, 24, 48, 96, 168], blocked: [1, 2, 4, 12, 24] } as const;

/** The longest wait that `afterSearch` returns. */
export const LONGEST_SEARCH = 168 * HOUR * (1 + JITTER);

/** Returns when an item is due again after an unsuccessful search, or after a local obstacle (`blocked`). */
export function afterSearch(
  before: Pick<BackOff, 'failures'> | undefined,
  end: keyof typeof HOURS,
  { now, random }: { now: number; random: () => number },
): { failures: number; until: number; kind: string } {
  const failures = Math.min(1_000, (before?.failures ?? 0) + 1);
  const hours = HOURS[end][Math.min(failures, HOURS[end].length) - 1] ?? 168;
  return { failures, until: now + Math.round(hours * HOUR * (1 + JITTER * random())), kind: end };
}
