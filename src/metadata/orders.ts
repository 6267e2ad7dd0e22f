/**
 * Other orders of the episodes of a show, such as the absolute one or that of its DVDs. An Owner chooses one per show,
 * and its numbers are then those by which episodes are looked up. TMDB calls them episode groups.
 */
import type { EpisodeOrders, OrderedBy } from '../contract/metadata/orders.ts';
import type { RefreshResult } from '../contract/metadata/metadata.ts';
import type { CatalogBackground } from '../catalog/index.ts';
import { crashPoint } from '../lib/crash.ts';
import { Failure, found } from '../lib/failure.ts';
import { createKeyedLock } from '../lib/lock.ts';
import type { MetadataClient } from './client.ts';
import type { Matching } from './matching.ts';
import { EpisodeOrderList } from './replies.ts';
import type { MatchStore, OrderStore } from './store.ts';

const TYPES: Readonly<Record<number, OrderedBy>> = {
  1: 'aired',
  2: 'absolute',
  3: 'dvd',
  4: 'digital',
  5: 'arc',
  6: 'production',
  7: 'tv',
};
const MAX_ORDERS = 100;

export interface OrdersNeeds {
  client: Pick<MetadataClient, 'read'>;
  catalog: Pick<CatalogBackground, 'layers'>;
  store: Pick<MatchStore, 'of'> & OrderStore;
  refresh: Matching['refresh'];
  /** Returns the language of texts of a library. */
  languageOf(library: string): string;
}

export function createEpisodeOrders({ client, catalog, store, refresh, languageOf }: OrdersNeeds) {
  const lock = createKeyedLock();
  /** Returns the work that a show is; undefined if it is none yet. */
  const workOf = async (item: string): Promise<{ id: string; language: string } | undefined> => {
    const [show] = await catalog.layers.read([item]);
    if (show?.kind !== 'show') throw new Failure('missing', 'no such show', { reason: 'no-such-item' });
    const row = await store.of(item);
    return row?.state === 'matched' && row.work !== null
      ? { id: row.work, language: languageOf(show.library) }
      : undefined;
  };
  const listed = async ({ id, language }: { id: string; language: string }, signal: AbortSignal) => {
    const request = { path: `/tv/${id}/episode_groups`, query: { language }, shape: EpisodeOrderList };
    const list = await client.read(request, signal);
    return (list?.results ?? []).slice(0, MAX_ORDERS);
  };
  return {
    /** Returns the orders that the provider has for a show, and the chosen one. */
    of: async (item: string, signal: AbortSignal): Promise<EpisodeOrders> => {
      const work = await workOf(item);
      if (work === undefined) return { items: [], chosen: null };
      const items = (await listed(work, signal)).map(({ id, name, type, episode_count, group_count }) => ({
        order: id,
        name,
        ...(TYPES[type] && { type: TYPES[type] }),
        episodes: episode_count,
        seasons: group_count,
      }));
      return { items, chosen: (await store.orderOf(item, work.id)) || null };
    },
    /** Chooses an order, or with null the usual one, and looks all episodes up by it. */
    choose: (item: string, order: string | null, signal: AbortSignal): Promise<RefreshResult> =>
      lock.run(item, async () => {
        const work = found(await workOf(item), 'the show is not matched', 'no-such-work');
        if (order !== null && !(await listed(work, signal)).some(({ id }) => id === order))
          throw new Failure('missing', 'the provider has no such order', { reason: 'no-such-order' });
        const before = await store.orderOf(item, work.id);
        await store.setOrder(item, work.id, order ?? '');
        crashPoint('metadata.order.chosen');
        // Otherwise the next refresh would apply a choice that was reported as failed.
        const restore = () => store.setOrder(item, work.id, before ?? '');
        try {
          const result = await refresh(item, { mode: 'all', images: false }, signal);
          if (result.outcome !== 'refreshed') await restore();
          return result;
        } catch (error) {
          await restore();
          throw error;
        }
      }),
  };
}
