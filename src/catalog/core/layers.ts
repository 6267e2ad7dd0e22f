/** Layers of items as other domains write and read them: what a metadata service says, next to what files say. */
import type { ItemKind } from '../../contract/catalog/kinds.ts';
import type { Clock } from '../../lib/clock.ts';
import { indexChange } from '../store/index-rows.ts';
import type { FactName } from '../store/layers/names.ts';
import type { LayerFacts, FactLayers, LayerSource } from '../store/layers/facts.ts';
import type { LayerStore } from '../store/layers/index.ts';
import type { ImagePlace } from '../store/records.ts';
import type { IndexSync } from './index-sync.ts';
import type { KeptPictures } from './kept-pictures.ts';
import type { Snapshot } from './snapshot/index.ts';

export type { FactName, LayerFacts, FactLayers, LayerSource };

/** An item with what each source says about it. */
export interface ItemLayers {
  id: string;
  kind: ItemKind;
  library: string;
  layers: FactLayers;
  /** Whether its NFO locks it, so that nothing from the internet is shown. */
  isLocked: boolean;
}

/** Layers for work in the background. No reply is made from them. */
export interface BackgroundLayers {
  /** Returns items, groups and sections with their layers. Unknown ids are left out. */
  read(ids: readonly string[]): Promise<ItemLayers[]>;
  /**
   * Replaces the layers of a metadata service. All writes are one transaction with the index, search and listeners.
   * Facts that are left out are not stated by the service; null drops the layer. Empty facts and unknown items change
   * nothing, and neither does a layer that is equal to the stored one.
   */
  write(writes: readonly { item: string; source: 'match' | 'tmdb'; facts: LayerFacts | null }[]): Promise<void>;
  /**
   * Stores a picture for `facts.images`, encoded again. Fails as `invalid` for bytes that are no picture or exceed
   * 16 MiB or 50 megapixels. A picture that no layer names is deleted after a day.
   */
  keepPicture(bytes: Uint8Array): Promise<ImagePlace>;
}

export function createLayers({
  store,
  sync,
  snapshot,
  pictures,
  clock,
}: {
  store: LayerStore;
  sync: IndexSync;
  snapshot: Snapshot;
  pictures: KeptPictures;
  clock: Clock;
}): BackgroundLayers {
  return {
    read: async (ids) =>
      (await store.read(ids)).map(({ record, layers }) => ({
        id: record.id,
        kind: record.kind as ItemKind,
        library: record.library,
        layers,
        isLocked: layers.nfo?.locked === true,
      })),
    write: (writes) =>
      snapshot.during(async () => {
        sync.applied((await store.write(writes, clock.now())).map(indexChange));
      }),
    keepPicture: pictures.keep,
  };
}
