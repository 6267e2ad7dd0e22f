/**
 * Calculates when a provider may be asked again. Pure: the caller stores the state (per item, language and provider,
 * across restarts) and provides the time and random numbers.
 *
 * A time stated by the provider wins. Refused credentials pause it for a day. Other failures wait 1, 2, 4 … 60 minutes,
 * plus up to a quarter at random, so that many waiting items do not retry at once.
 */
import type { FaultKind } from '../providers/provider.ts';

export interface BackOff {
  /** Failures in a row. */
  failures: number;
  /** Milliseconds since the epoch. */
  until: number;
  /** Whether the failure concerns the whole provider or only this item. */
  scope: 'provider' | 'item';
  kind: FaultKind;
}

/** The parts of a ProviderFault that decide about the pause. */
export interface FaultToWaitFor {
  kind: FaultKind;
  resetAt?: number | undefined;
  retryAfter?: number | undefined;
}

/** Whether a failure concerns the whole provider, and not only this subtitle. */
export const isProviderWide = (kind: FaultKind): boolean => SCOPE[kind] === 'provider';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longest pause that a provider may ask for, in milliseconds. A later time is ignored. */
const MAX_STATED_PAUSE_MS = 31 * DAY_MS;
const MAX_MINUTES = 60;
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

/** Returns the state after one more failure. `random` returns 0 to 1 (1 excluded). */
export function afterFailure(
  before: Pick<BackOff, 'failures'> | undefined,
  failed: FaultToWaitFor,
  { now, random }: { now: number; random: () => number },
): BackOff {
  const failures = Math.min(1_000, (before?.failures ?? 0) + 1);
  return { failures, until: until(failures, failed, { now, random }), scope: SCOPE[failed.kind], kind: failed.kind };
}

function until(
  failures: number,
  { kind, resetAt, retryAfter }: FaultToWaitFor,
  { now, random }: { now: number; random: () => number },
): number {
  const own = [resetAt, retryAfter === undefined ? undefined : now + retryAfter * 1000]
    .filter((at) => at !== undefined)
    .filter((at) => at > now && at <= now + MAX_STATED_PAUSE_MS);
  if (own.length > 0) return Math.max(...own);
  if (kind === 'bad-credentials') return now + DAY_MS;
  // An exhausted quota without a stated time is renewed at an unknown hour, so this waits for the maximum at once.
  const minutes = kind === 'quota' ? MAX_MINUTES : Math.min(MAX_MINUTES, 2 ** Math.min(10, failures - 1));
  // At the maximum the random part is subtracted, so that no pause exceeds an hour.
  const wait = minutes * (minutes === MAX_MINUTES ? 1 - JITTER * random() : 1 + JITTER * random());
  return now + Math.round(Math.min(MAX_MINUTES, wait) * MINUTE_MS);
}

/**
 * Returns when a stored pause ends; 0 if it is over. A pause longer than any of its kind can be was written while the
 * clock was ahead and is ignored, because it could last for a year. All times are counted from the epoch, so summer
 * time does not matter.
 */
export function pauseEnd(state: { until: number; kind: string | null } | undefined, now: number): number {
  if (!state || state.until <= now) return 0;
  return state.until <= now + longestPause(state.kind) ? state.until : 0;
}
/** Returns the longest pause of a kind. Only a time stated by a provider may be weeks ahead. */
const longestPause = (kind: string | null): number =>
  kind === 'nothing' || kind === 'refused' || kind === 'blocked'
    ? MAX_SEARCH_PAUSE_MS
    : kind === 'bad-credentials'
      ? DAY_MS
      : MAX_STATED_PAUSE_MS;

export const isPaused = (state: { until: number; kind: string | null } | undefined, now: number): boolean =>
  pauseEnd(state, now) > 0;

/** Stored instead of a provider's name for the pause of a whole search, after which upkeep repeats it. */
export const SEARCH_PAUSE = 'search';
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Hours of pause after one, two, three … such ends in a row. A subtitle that does not exist today seldom exists
 * tomorrow.
 */
const PAUSE_HOURS = {
  nothing: [12, 24, 48, 96, 168],
  refused: [12, 24, 48, 96, 168],
  blocked: [1, 2, 4, 12, 24],
} as const;

/** The longest pause that `afterSearch` returns, in milliseconds. */
export const MAX_SEARCH_PAUSE_MS = 168 * HOUR_MS * (1 + JITTER);

/** Returns when an item is due again after an unsuccessful search, or after a local obstacle (`blocked`). */
export function afterSearch(
  before: Pick<BackOff, 'failures'> | undefined,
  end: keyof typeof PAUSE_HOURS,
  { now, random }: { now: number; random: () => number },
): { failures: number; until: number; kind: string } {
  const failures = Math.min(1_000, (before?.failures ?? 0) + 1);
  const hours = PAUSE_HOURS[end][Math.min(failures, PAUSE_HOURS[end].length) - 1] ?? 168;
  return { failures, until: now + Math.round(hours * HOUR_MS * (1 + JITTER * random())), kind: end };
}
