/** Lists: playlists and smart playlists that Profiles make from what they may see. */
import type { Catalog } from '../catalog/index.ts';
import type { Bus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { CommitCursor, Database } from '../lib/db/index.ts';
import { createPlaylists, type Playlists } from './playlists.ts';
import { createSmartPlaylists, type SmartPlaylists } from './smart-playlists.ts';
import { smartStore } from './store/smart.ts';
import { listStore } from './store/playlists.ts';

export { listMigrations } from './store/playlists.ts';

export interface ListNeeds {
  db: Database;
  bus: Bus;
  clock: Clock;
  catalog: Pick<Catalog, 'seenBy'>;
  /** Returns the name of a Profile; undefined once it is removed. */
  nameOf(profile: string): string | undefined;
}

export interface ListDoor {
  playlists: Playlists;
  smartPlaylists: SmartPlaylists;
  /** Grows with every change of the lists of a Profile. */
  versionOf(profile: string): number;
  forgetProfile(profile: string, commitCursor: CommitCursor): Promise<void>;
}

export function createListDomain({ db, bus, clock, catalog, nameOf }: ListNeeds): ListDoor {
  const store = listStore(db);
  const smart = smartStore(db);
  let version = 0;
  const versions = new Map<string, number>();
  const changed = (profile: string) => {
    version++;
    versions.set(profile, (versions.get(profile) ?? 0) + 1);
    bus.announce('lists.changed');
  };
  const playlists = createPlaylists({ store, catalog, clock, nameOf, changed });
  return {
    playlists,
    smartPlaylists: createSmartPlaylists({
      store: smart,
      catalog,
      clock,
      itemsOfPlaylist: playlists.entries.items,
      version: () => version,
      changed,
    }),
    versionOf: (profile) => versions.get(profile) ?? 0,
    forgetProfile: async (profile, commitCursor) => {
      await store.forgetProfile(profile, commitCursor, (tx) => smart.forget(tx, profile));
      version++;
      versions.delete(profile);
    },
  };
}
