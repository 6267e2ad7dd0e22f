/** Assembles layers, edits and the pictures that belong to them. */
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../lib/db/index.ts';
import { editStore } from '../store/layers/edits.ts';
import { layerStore } from '../store/layers/index.ts';
import type { OfferedPictures } from './image-candidates.ts';
import type { IndexSync } from './index-sync.ts';
import { createKeptPictures } from './kept-pictures.ts';
import { createLayers } from './layers.ts';
import type { Libraries } from './libraries.ts';
import { createMetadataEdits } from './metadata-edits.ts';
import type { Snapshot } from './snapshot/index.ts';
import type { RefusedItems } from './unplaced.ts';

interface EditingNeeds {
  db: Database;
  clock: Clock;
  config: Config;
  libraries: Libraries;
  sync: IndexSync;
  snapshot: Snapshot;
}

/** Returns the layers, the edits over them, their pictures, and what the metadata domain adds later. */
export function createEditing({ db, clock, config, libraries, sync, snapshot }: EditingNeeds) {
  const layers = layerStore(db);
  const pictures = createKeptPictures(`${config.get('paths.data')}/pictures`);
  const offered: OfferedPictures = {
    of: () => Promise.resolve([]),
    isWorkPoster: () => false,
    fetch: () => Promise.reject(new Error('no picture is offered')),
  };
  const rootOf = (library: string) => libraries.find(library)?.path;
  return {
    layers: createLayers({ store: layers, sync, snapshot, pictures, clock }),
    edits: createMetadataEdits({ layers, edits: editStore(db), sync, snapshot, pictures, clock, rootOf, offered }),
    offered,
    refused: { of: async () => ({ items: [], total: 0 }) } as { of: RefusedItems },
    pictures,
    keptPictures: layers.keptPictures,
  };
}
