/**
 * The configured providers and what is known about each: its state, when it may be asked again, and its allowance.
 *
 * The configuration is read at start. What was learnt is stored across restarts, but not across a change of the
 * credentials it was learnt with. A wrong key pauses a provider for a day; no other fault is reported as a wrong key.
 */
import { SUBTITLE_PROVIDERS } from '../../contract/subtitles/providers.ts';
import type { ProviderState, WantedSubtitle } from '../../contract/subtitles/states.ts';
import { Failure } from '../../lib/failure.ts';
import { afterFailure, afterSearch, pauseEnd, SEARCH_PAUSE } from '../choosing/back-off.ts';
import { budgetResetAt, spendDownload } from '../choosing/budget.ts';
import { type ConfiguredProvidersNeeds, createConfiguredProviders } from './configured.ts';
import { createHealthRecord } from './health-record.ts';
import type { ProviderFault, ProviderName, SubtitleProvider } from './provider.ts';
import type { PauseRow } from '../store/providers.ts';

export interface ProviderSetNeeds extends ConfiguredProvidersNeeds {
  random(): number;
}
/** An item, a language and a kind of subtitle, for which a search is made. */
export interface SearchTarget extends WantedSubtitle {
  item: string;
}

export interface ProviderSet {
  configured(): readonly SubtitleProvider[];
  /**
   * Throws `Failure('unavailable')` unless a provider is configured: `waits-for-restart` if one will be after a
   * restart, `none-configured` otherwise.
   */
  requireOne(): void;
  /**
   * Returns the providers that may be asked now, and when the first of the others may. An automatic search leaves out
   * providers whose automatic downloads of the day are used up.
   */
  usable(
    about: SearchTarget,
    isAutomatic?: boolean,
  ): Promise<{ providers: SubtitleProvider[]; nextRetry: number | undefined }>;
  /** Returns the providers that are not paused as a whole. A pause that concerns one item is ignored. */
  reachable(): Promise<{ providers: SubtitleProvider[]; nextRetry: number | undefined }>;
  /** Returns whether any provider may be asked, whatever the item, and when one may. */
  available(isAutomatic: boolean): Promise<{ isAny: boolean; nextRetry: number | undefined }>;
  /** Records how a search ended, which decides when upkeep repeats it. */
  ended(about: SearchTarget, end: 'found' | 'nothing' | 'refused' | 'blocked'): Promise<void>;
  /** Records that a provider replied. Without an item and language, pauses of items stay. */
  worked(name: ProviderName, about?: SearchTarget): Promise<void>;
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

export async function createProviderSet(needs: ProviderSetNeeds): Promise<ProviderSet> {
  const { clock, store, random } = needs;
  const known = await createConfiguredProviders(needs);
  const configured = known.providers;
  const health = createHealthRecord({ store, clock, random, configured: known });

  /** Returns the providers that may be asked, considering the pauses of one item or of none. */
  const usable = async (pauses: readonly PauseRow[], isAutomatic: boolean) => {
    const rows = await health.rows();
    const budgets = new Map(isAutomatic ? (await store.budgets()).map((one) => [one.provider, one]) : []);
    const untilOf = ({ name }: SubtitleProvider): number => {
      const isSpent = isAutomatic && spendDownload(budgets.get(name), name, clock.now()) === undefined;
      const waits = [rows.get(name), pauses.find(({ provider }) => provider === name)].map((one) =>
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
    requireOne: () => {
      if (configured.length > 0) return;
      const [waiting] = known.waiting();
      if (waiting !== undefined)
        throw new Failure('unavailable', `${SUBTITLE_PROVIDERS[waiting].title} is set up and waits for a restart`, {
          reason: 'waits-for-restart',
        });
      throw new Failure('unavailable', 'no subtitle provider is configured', { reason: 'none-configured' });
    },
    usable: async ({ item, language, role }, isAutomatic = false) =>
      usable(
        (await store.pauses([item])).filter((pause) => pause.language === language && pause.role === role),
        isAutomatic,
      ),
    reachable: () => usable([], false),
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
      await health.worked(name);
      if (about) await store.endPause({ ...about, provider: name });
    },
    failed: async (name, fault, about) => {
      const { scope } = afterFailure(undefined, fault, { now: clock.now(), random });
      if (scope === 'provider') return health.failed(name, fault);
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
    states: health.states,
    test: async (signal) => {
      const tests = await Promise.all(
        configured.map(async (provider) => ({ name: provider.name, health: await provider.health(signal) })),
      );
      for (const one of tests) await health.tested(one.name, one.health);
      return {
        attempted: tests.length,
        connected: tests.filter((one) => one.health.state === 'connected').length,
        providers: await health.states(),
      };
    },
  };
}
