/** The health of each provider: recorded after calls and tests, and reported as states. */
import type { ProviderState } from '../../contract/subtitles/states.ts';
import { PROVIDER_NAMES, SUBTITLE_PROVIDERS } from '../../contract/subtitles/providers.ts';
import { type Clock, iso } from '../../lib/clock.ts';
import { afterFailure, isPaused } from '../choosing/back-off.ts';
import type { ProviderRow, ProviderStore } from '../store/providers.ts';
import type { ConfiguredProviders } from './configured.ts';
import { believable } from './faults.ts';
import type { ProviderFault, ProviderHealth, ProviderName } from './provider.ts';

export interface HealthRecordNeeds {
  store: Pick<ProviderStore, 'all' | 'change'>;
  clock: Clock;
  random(): number;
  configured: ConfiguredProviders;
}

export interface HealthRecord {
  rows(): Promise<Map<string, ProviderRow>>;
  /** Records a successful call. */
  worked(name: ProviderName): Promise<void>;
  /** Records a fault of the whole provider, which pauses it. */
  failed(name: ProviderName, fault: Pick<ProviderFault, 'kind' | 'message' | 'resetAt' | 'retryAfter'>): Promise<void>;
  /** Records the result of a test. */
  tested(name: ProviderName, health: ProviderHealth): Promise<void>;
  states(): Promise<ProviderState[]>;
}

export function createHealthRecord({ store, clock, random, configured }: HealthRecordNeeds): HealthRecord {
  const rows = async (): Promise<Map<string, ProviderRow>> =>
    new Map((await store.all()).map((row) => [row.name, row]));
  const worked: HealthRecord['worked'] = (name) =>
    store.change(name, () => ({
      state: 'connected',
      last_success: clock.now(),
      last_error: null,
      failures: 0,
      until: 0,
      kind: null,
    }));
  const failed: HealthRecord['failed'] = (name, fault) =>
    store.change(name, (before) => {
      const { failures, until, kind } = afterFailure(before, fault, { now: clock.now(), random });
      const isLimit = kind === 'quota' || kind === 'rate-limited';
      return {
        state: isLimit ? 'limited' : 'unavailable',
        last_error: fault.message,
        failures,
        until,
        kind,
        ...(kind === 'quota' && { remaining: 0, reset_at: until }),
      };
    });
  const tested = async (name: ProviderName, health: ProviderHealth): Promise<void> => {
    if (health.fault !== undefined)
      await failed(name, {
        kind: health.fault,
        message: health.lastError ?? '',
        resetAt: health.resetAt,
        retryAfter: undefined,
      });
    else await worked(name);
    const { remaining, resetAt } = health;
    await store.change(name, () => ({
      state: health.state === 'not-configured' ? 'untested' : health.state,
      ...(remaining !== undefined && { remaining }),
      ...(resetAt !== undefined && { reset_at: resetAt }),
    }));
  };
  const states = async (): Promise<ProviderState[]> => {
    const known = await rows();
    return PROVIDER_NAMES.map((name) => {
      const shared = {
        name,
        title: SUBTITLE_PROVIDERS[name].title,
        ...(configured.isRestartPending(name) && { restartPending: true as const }),
      };
      const row = configured.providers.some((one) => one.name === name) ? known.get(name) : undefined;
      if (row) return { ...shared, ...stateOf(row, clock.now()) };
      const lastError = configured.whyNot(name);
      return {
        ...shared,
        state: 'not-configured',
        configured: false,
        ...(lastError !== undefined && { lastError }),
      };
    });
  };

  return { rows, worked, failed, tested, states };
}

function stateOf(row: ProviderRow, now: number): Omit<ProviderState, 'name' | 'title'> {
  const isOver = row.reset_at !== null && believable(row.reset_at, now) === undefined;
  const isWaiting = isPaused(row, now);
  // A limit ends at its time. Whether other faults ended shows at the next call.
  const state =
    row.state === 'limited' && !isWaiting && (isOver || (row.reset_at === null && row.remaining !== 0))
      ? 'connected'
      : row.state;
  return {
    state,
    configured: true,
    ...(row.last_success !== null && { lastSuccess: iso(row.last_success) }),
    ...(row.remaining !== null && !isOver && { remaining: row.remaining }),
    ...(row.reset_at !== null && !isOver && { resetAt: iso(row.reset_at) }),
    ...(row.last_error !== null && { lastError: row.last_error }),
    ...(isWaiting && { nextRetry: iso(row.until) }),
  };
}
