/**
 * The configured providers and what is known about each: its state, when it may be asked again, and its allowance.
 *
 * The configuration is read at start. What was learnt is stored across restarts, but not across a change of the
 * credentials it was learnt with. A wrong key pauses a provider for a day; no other fault is reported as a wrong key.
 */
import { createHash } from 'node:crypto';
import type { Config, Sealer } from '../../config/index.ts';
import { type ProviderState, PROVIDERS } from '../../contract/subtitles/library.ts';
import { type Clock, iso } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { afterFailure, afterSearch, isPaused, SEARCH_PAUSE, pauseEnd } from '../choosing/back-off.ts';
import { budgetResetAt, spendDownload } from '../choosing/budget.ts';
import { believable } from './faults.ts';
import type { ProviderHealth, SubtitleProvider, ProviderFault, ProviderMemory, ProviderName } from './provider.ts';
import { createSubtitlesA } from './subtitles-a.ts';
import { createSubtitlesB, PERSONAL_USE } from './subtitles-b.ts';
import { createSubtitlesC } from './subtitles-c.ts';
import type { PauseRow, ProviderRow, ProviderStore } from '../store/providers.ts';

export interface ProviderSetNeeds {
  config: Pick<Config, 'get'>;
  sealer: Sealer;
  net: Pick<Net, 'request'>;
  clock: Clock;
  store: ProviderStore;
  random: () => number;
}
/** An item and a language, for which a search is made. */
export interface SearchTarget {
  item: string;
  language: string;
}

export interface ProviderSet {
  configured(): readonly SubtitleProvider[];
  /**
   * Returns the providers that may be asked now, and when the first of the others may. An automatic search leaves out
   * providers whose automatic downloads of the day are used up.
   */
  usable(
    about: SearchTarget,
    isAutomatic?: boolean,
  ): Promise<{ providers: SubtitleProvider[]; nextRetry: number | undefined }>;
  /** Returns whether any provider may be asked, whatever the item, and when one may. */
  available(isAutomatic: boolean): Promise<{ isAny: boolean; nextRetry: number | undefined }>;
  /** Records how a search ended, which decides when upkeep repeats it. */
  ended(about: SearchTarget, end: 'found' | 'nothing' | 'refused' | 'blocked'): Promise<void>;
  worked(name: ProviderName, about: SearchTarget): Promise<void>;
  failed(name: ProviderName, fault: ProviderFault, about: SearchTarget): Promise<void>;
  /**
   * Counts a download before it starts. An automatic one also counts against the day's budget; returns false if that is
   * used up.
   */
  mayDownload(name: ProviderName, isAutomatic: boolean): Promise<boolean>;
  states(): Promise<ProviderState[]>;
  /** Asks each configured provider whether it works, at no cost. */
  test(signal: AbortSignal): Promise<{ attempted: number; connected: number; providers: ProviderState[] }>;
}

export async function createProviderSet({
  config,
  sealer,
  net,
  clock,
  store,
  random,
}: ProviderSetNeeds): Promise<ProviderSet> {
  const memory = memoryIn(store, sealer);
  const a = { url: config.get('integrations.subtitles_a.url'), apiKey: config.get('integrations.subtitles_a.api_key') };
  const c = {
    url: config.get('integrations.subtitles_c.url'),
    apiKey: config.get('integrations.subtitles_c.api_key'),
    username: config.get('integrations.subtitles_c.username'),
    password: config.get('integrations.subtitles_c.password'),
  };
  const b = {
    url: config.get('integrations.subtitles_b.url'),
    apiKey: config.get('integrations.subtitles_b.api_key'),
    personalUse: config.get('integrations.subtitles_b.personal_use'),
  };
  const known: { provider: SubtitleProvider; settings: Record<string, string | boolean | undefined> }[] = [
    { provider: createSubtitlesA({ settings: a, net, clock }), settings: a },
    { provider: createSubtitlesB({ settings: b, net, clock }), settings: b },
    { provider: createSubtitlesC({ settings: c, net, clock, memory }), settings: c },
  ];
  const configured = known.filter(({ provider }) => provider.configured()).map(({ provider }) => provider);
  const isOther = await Promise.all(
    known
      .filter(({ provider }) => provider.configured())
      .map(({ provider, settings }) => recognise(provider.name, settings, { store, sealer })),
  );
  // New credentials may find what the other providers did not have, so all searches are due again.
  if (isOther.includes(true)) await store.searchAgain(SEARCH_PAUSE);

  const rows = async (): Promise<Map<string, ProviderRow>> =>
    new Map((await store.all()).map((row) => [row.name, row]));
  const worked = (name: ProviderName): Promise<void> =>
    store.change(name, () => ({
      state: 'connected',
      last_success: clock.now(),
      last_error: null,
      failures: 0,
      until: 0,
      kind: null,
    }));
  const failed = (
    name: ProviderName,
    fault: Pick<ProviderFault, 'kind' | 'message' | 'resetAt' | 'retryAfter'>,
  ): Promise<void> =>
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
  const learn = async (name: ProviderName, health: ProviderHealth): Promise<void> => {
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
    const about = await rows();
    return PROVIDERS.map((name) => {
      const row = configured.some((one) => one.name === name) ? about.get(name) : undefined;
      if (row) return stateOf(name, row, clock.now());
      const isUnstated = name === 'subtitles_b' && b.apiKey !== undefined;
      return { name, state: 'not-configured', configured: false, ...(isUnstated && { lastError: PERSONAL_USE }) };
    });
  };

  /** Returns the providers that may be asked, considering the pauses of one item or of none. */
  const usable = async (pauses: readonly PauseRow[], isAutomatic: boolean) => {
    const about = await rows();
    const budgets = new Map(isAutomatic ? (await store.budgets()).map((one) => [one.provider, one]) : []);
    const untilOf = ({ name }: SubtitleProvider): number => {
      const isSpent = isAutomatic && spendDownload(budgets.get(name), name, clock.now()) === undefined;
      const waits = [about.get(name), pauses.find(({ provider }) => provider === name)].map((one) =>
        pauseEnd(one, clock.now()),
      );
      return Math.max(...waits, isSpent ? budgetResetAt(clock.now()) : 0);
    };
    const until = configured.map(untilOf);
    const paused = until.filter((one) => one > 0);
    return {
      providers: configured.filter((_, n) => until[n] === 0),
      nextRetry: paused.length === 0 ? undefined : Math.min(...paused),
    };
  };

  return {
    configured: () => configured,
    usable: async ({ item, language }, isAutomatic = false) =>
      usable(
        (await store.pauses([item])).filter((pause) => pause.language === language),
        isAutomatic,
      ),
    available: async (isAutomatic) => {
      const { providers, nextRetry } = await usable([], isAutomatic);
      return { isAny: providers.length > 0, nextRetry };
    },
    ended: (about, end) =>
      end === 'found'
        ? store.endPause({ ...about, provider: SEARCH_PAUSE })
        : store.pause({ ...about, provider: SEARCH_PAUSE }, (before) =>
            afterSearch(before, end, { now: clock.now(), random }),
          ),
    worked: async (name, about) => {
      await worked(name);
      await store.endPause({ ...about, provider: name });
    },
    failed: async (name, fault, about) => {
      const { scope } = afterFailure(undefined, fault, { now: clock.now(), random });
      if (scope === 'provider') return failed(name, fault);
      return store.pause({ ...about, provider: name }, (before) => {
        const { failures, until, kind } = afterFailure(before, fault, { now: clock.now(), random });
        return { failures, until, kind };
      });
    },
    mayDownload: async (name, isAutomatic) => {
      if (isAutomatic && !(await store.spend(name, (before) => spendDownload(before, name, clock.now())))) return false;
      // An estimate: the provider's own count comes with the next test.
      await store.change(name, ({ remaining }) => ({
        remaining: remaining === null ? null : Math.max(0, remaining - 1),
      }));
      return true;
    },
    states,
    test: async (signal) => {
      const health = await Promise.all(
        configured.map(async (provider) => ({ name: provider.name, health: await provider.health(signal) })),
      );
      for (const one of health) await learn(one.name, one.health);
      return {
        attempted: health.length,
        connected: health.filter((one) => one.health.state === 'connected').length,
        providers: await states(),
      };
    },
  };
}

function stateOf(name: ProviderName, row: ProviderRow, now: number): ProviderState {
  const isOver = row.reset_at !== null && believable(row.reset_at, now) === undefined;
  const isWaiting = isPaused(row, now);
  // A limit ends at its time. Whether other faults ended shows at the next call.
  const state =
    row.state === 'limited' && !isWaiting && (isOver || (row.reset_at === null && row.remaining !== 0))
      ? 'connected'
      : row.state;
  return {
    name,
    state,
    configured: true,
    ...(row.last_success !== null && { lastSuccess: iso(row.last_success) }),
    ...(row.remaining !== null && !isOver && { remaining: row.remaining }),
    ...(row.reset_at !== null && !isOver && { resetAt: iso(row.reset_at) }),
    ...(row.last_error !== null && { lastError: row.last_error }),
    ...(isWaiting && { nextRetry: iso(row.until) }),
  };
}

/** Resets what was learnt with other credentials. Returns whether the credentials changed. */
async function recognise(
  name: ProviderName,
  settings: Record<string, string | boolean | undefined>,
  { store, sealer }: Pick<ProviderSetNeeds, 'store' | 'sealer'>,
): Promise<boolean> {
  const mark = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
  const sealed = (await store.all()).find((row) => row.name === name)?.mark;
  // If the sealing key was lost, the credentials count as changed.
  const before =
    sealed == null ? undefined : await sealer.open(`subtitles.${name}.mark`, sealed).catch(() => undefined);
  if (before === mark) return false;
  await store.begin(name, await sealer.seal(`subtitles.${name}.mark`, mark));
  return true;
}

/** Returns a provider's memory in the database, sealed because a login token is a secret. */
function memoryIn(store: ProviderStore, sealer: Sealer): ProviderMemory {
  const nameOf = (name: ProviderName) => `subtitles.${name}.memory`;
  return {
    read: async (name) => {
      const sealed = (await store.all()).find((row) => row.name === name)?.memory;
      // An unreadable value only costs a login.
      return sealed == null ? undefined : sealer.open(nameOf(name), sealed).catch(() => undefined);
    },
    write: async (name, value) => {
      const memory = await sealer.seal(nameOf(name), value);
      await store.change(name, () => ({ memory }));
    },
    forget: (name) => store.change(name, () => ({ memory: null })),
  };
}
