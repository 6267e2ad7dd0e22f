/**
 * The providers as they are configured at start. What was learnt about a provider with other credentials is reset.
 */
import { createHash } from 'node:crypto';
import type { Config, Sealer } from '../../config/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { SEARCH_PAUSE } from '../choosing/back-off.ts';
import type { ProviderStore } from '../store/providers.ts';
import type { ProviderMemory, ProviderName, SubtitleProvider } from './provider.ts';
import { createSubtitlesA } from './subtitles-a.ts';
import { createSubtitlesB, PERSONAL_USE } from './subtitles-b.ts';
import { createSubtitlesC } from './subtitles-c.ts';

export interface ConfiguredProvidersNeeds {
  config: Pick<Config, 'get' | 'pending'>;
  sealer: Sealer;
  net: Pick<Net, 'request'>;
  clock: Clock;
  store: ProviderStore;
}

export interface ConfiguredProviders {
  providers: readonly SubtitleProvider[];
  /** Returns why a provider with a key is not configured, if it is so. */
  whyNot(name: ProviderName): string | undefined;
  /** Whether saved settings of a provider wait for a restart. */
  isRestartPending(name: ProviderName): boolean;
  /** Providers that are not configured and whose saved key, or another setting with it, waits for a restart. */
  waiting(): ProviderName[];
}

export async function createConfiguredProviders(needs: ConfiguredProvidersNeeds): Promise<ConfiguredProviders> {
  const { config, sealer, net, clock, store } = needs;
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
  const configured = known.filter(({ provider }) => provider.configured());
  const isChanged = await Promise.all(
    configured.map(({ provider, settings }) => resetIfChanged(provider.name, settings, needs)),
  );
  const pendingOf = (name: ProviderName) => config.pending().filter((key) => key.startsWith(`integrations.${name}.`));
  // New credentials may find what the other providers did not have, so all searches are due again.
  if (isChanged.includes(true)) await store.searchAgain(SEARCH_PAUSE);
  return {
    providers: configured.map(({ provider }) => provider),
    whyNot: (name) => (name === 'subtitles_b' && b.apiKey !== undefined ? PERSONAL_USE : undefined),
    isRestartPending: (name) => pendingOf(name).length > 0,
    waiting: () =>
      known.flatMap(({ provider: { name, configured: isConfigured } }) =>
        // Another address alone sets nothing up.
        !isConfigured() && pendingOf(name).some((key) => key !== `integrations.${name}.url`) ? name : [],
      ),
  };
}

/** Resets what was learnt with other credentials. Returns whether the credentials changed. */
async function resetIfChanged(
  name: ProviderName,
  settings: Record<string, string | boolean | undefined>,
  { store, sealer }: Pick<ConfiguredProvidersNeeds, 'store' | 'sealer'>,
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
