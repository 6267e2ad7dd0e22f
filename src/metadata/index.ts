/**
 * Online metadata: finds films and shows at TMDB, lets an Owner choose the right one, keeps what it says current, and
 * writes it as layers of the catalogue. Without a configured provider it sends no request, and items show the facts of
 * their files.
 */
import type { CatalogBackground, OfferedPictures } from '../catalog/index.ts';
import type { MatchCandidate } from '../contract/catalog/candidates.ts';
import type { ProviderCheck, RefreshResult } from '../contract/metadata/metadata.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import type { Log } from '../lib/log.ts';
import { type MetadataClient, MetadataUnavailable } from './client.ts';
import { createMatching } from './matching.ts';
import { createOffered } from './offered.ts';
import { createEpisodeOrders } from './orders.ts';
import { createRefresh, type Refresh } from './refresh.ts';
import { createSeasons } from './seasons.ts';
import { createSizes } from './sizes.ts';
import { matchStore, type MatchStore, orderStore } from './store.ts';
import { createPictureFetcher, createWorks, type MetadataPreferences } from './works.ts';

export { metadataMigrations } from './store.ts';

export interface MetadataNeeds {
  client: MetadataClient;
  db: Database;
  clock: Clock;
  log: Log;
  catalog: CatalogBackground;
  preferencesOf(library: string): MetadataPreferences;
}

export interface OnlineMetadata {
  /** Checks the credential of the provider. */
  test(signal: AbortSignal): Promise<ProviderCheck>;
  /** Returns the works that an item could be, the best first, and whether the first one is certain. */
  candidates(
    item: string,
    query: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: MatchCandidate[]; certain: boolean }>;
  /** Makes an item the work with this id. */
  match(item: string, id: string, signal: AbortSignal): Promise<void>;
  /** Removes everything that a provider says about an item. No refresh matches it again. */
  unmatch(item: string): Promise<void>;
  /** Reads again what the provider says about an item; one that is not matched is matched if a work is certain. */
  refresh(item: string, how: { mode: 'missing' | 'all'; images: boolean }, signal: AbortSignal): Promise<RefreshResult>;
  /** Orders of the episodes of a show. */
  orders: ReturnType<typeof createEpisodeOrders>;
  /** Keeps all items current; run by the task. */
  upkeep: Refresh;
  /** Returns items whose match was refused. */
  refused: MatchStore['refused'];
  /** Pictures from which an Owner can choose. */
  offered: OfferedPictures;
}

export function createMetadata({ client, db, clock, log, catalog, preferencesOf }: MetadataNeeds): OnlineMetadata {
  const sizeOf = createSizes(client, clock);
  const store = matchStore(db);
  const chosen = orderStore(db);
  const picture = createPictureFetcher({ client, catalog, sizeOf });
  const worksOf = (library: string) => createWorks({ client, picture, preferences: preferencesOf(library) });
  const seasons = createSeasons({ client, catalog, picture, orderOf: chosen.orderOf });
  const matching = createMatching({ worksOf, seasons, catalog, store, clock });
  const isAskedFor = (library: string): boolean => preferencesOf(library).isAskedFor;

  return {
    test: async (signal) => {
      if (!client.isConfigured) return { configured: false, connected: false };
      try {
        await client.test(signal);
        return { configured: true, connected: true };
      } catch (error) {
        if (!(error instanceof MetadataUnavailable) || signal.aborted) throw error;
        return { configured: true, connected: false, error: error.message, reason: error.reason };
      }
    },
    candidates: matching.candidates,
    match: matching.match,
    unmatch: matching.unmatch,
    refresh: matching.refresh,
    orders: createEpisodeOrders({
      ...{ client, catalog, store: { ...chosen, of: store.of }, refresh: matching.refresh },
      languageOf: (library) => preferencesOf(library).language,
    }),
    upkeep: createRefresh({ client, matching, store, catalog, isAskedFor, clock, log }),
    refused: store.refused,
    offered: createOffered({ client, catalog, clock, sizeOf, preferencesOf }),
  };
}
