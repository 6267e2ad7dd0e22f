/** The collections that a Profile sees now: those that Owners stored, and those that follow from sets. */
import type { Catalog, CollectableItems } from '../../catalog/index.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { Failure } from '../../lib/failure.ts';
import type { CollectionStore } from '../store/collections.ts';
import { collectionsOf, findCollection, orderedItems, type SeenCollection, type StoredCollection } from './group.ts';

export type CollectionAsker = Pick<Principal, 'profile' | 'policy' | 'role'>;
/** A collection with the catalogue as its reader sees it. */
export interface OpenedCollection {
  one: SeenCollection;
  items: readonly string[];
  collectable: CollectableItems;
}
export type StoredCollections = ReturnType<typeof createStoredCollections>;

export const noCollection = () => new Failure('missing', 'no such collection', { reason: 'no-such-collection' });

/** Reads the stored collections, caches them until the next change, and derives those that a Profile sees. */
export function createStoredCollections({
  store,
  catalog,
}: {
  store: CollectionStore;
  catalog: Pick<Catalog, 'collectableBy'>;
}) {
  let cached: Promise<{ stored: StoredCollection[] }> | undefined;
  const load = () => {
    const loading = (cached ??= (async () => {
      const [rows, entries] = await Promise.all([store.all(), store.entries()]);
      const byCollection = Map.groupBy(entries, ({ collection }) => collection);
      return {
        stored: rows.map((row) => ({
          ...row,
          entries: new Map((byCollection.get(row.id) ?? []).map((entry) => [entry.item, entry])),
        })),
      };
    })());
    loading.catch(() => {
      if (cached === loading) cached = undefined;
    });
    return loading;
  };
  const derive = (by: CollectionAsker, collectable: CollectableItems, stored: readonly StoredCollection[]) =>
    collectionsOf(collectable.inSets(), stored, {
      isOwner: by.role === 'owner',
      isSeen: (item) => collectable.find(item) !== undefined,
    });
  const seenBy = async (by: CollectionAsker) => {
    const { stored } = await load();
    const collectable = catalog.collectableBy(by);
    return { all: derive(by, collectable, stored), collectable };
  };
  return {
    load,
    derive,
    forget: () => (cached = undefined),
    seenBy,
    open: async (by: CollectionAsker, id: string): Promise<OpenedCollection> => {
      const { all, collectable } = await seenBy(by);
      const one = findCollection(all, id);
      if (!one) throw noCollection();
      return { one, collectable, items: orderedItems(one, collectable.find) };
    },
  };
}
