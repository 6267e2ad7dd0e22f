/** Remembers how an item was matched, as the catalogue describes the item at that time. */
import type { CatalogBackground, CatalogWork } from '../catalog/index.ts';
import type { MatchCandidate } from '../contract/catalog/candidates.ts';
import type { Clock } from '../lib/clock.ts';
import type { LayeredWork } from './question.ts';
import type { MatchState, MatchStore } from './store.ts';

export function createMemory({
  store,
  catalog,
  clock,
}: {
  store: MatchStore;
  catalog: Pick<CatalogBackground, 'work'>;
  clock: Clock;
}) {
  /** Stores the outcome of a question. `as` is the item as it was when the question was asked. */
  return async (
    { id, library }: LayeredWork,
    outcome: { state: MatchState; work?: string; isAiring?: boolean; candidates?: readonly MatchCandidate[] },
    as?: CatalogWork,
  ): Promise<void> => {
    const now = clock.now();
    const described = as ?? (await catalog.work(id));
    await store.put({
      item: id,
      library,
      state: outcome.state,
      work: outcome.work ?? null,
      asked: now,
      tried: now,
      described: described?.described ?? '',
      parts: described?.parts ?? '',
      isAiring: outcome.isAiring ?? false,
      candidates: outcome.candidates ?? [],
    });
  };
}
