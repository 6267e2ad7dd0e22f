/** Lists: playlists and smart playlists of Profiles, and the collections of the household. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Catalog } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Bus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { CommitCursor, Database } from '../lib/db/index.ts';
import { type Collections, createCollections } from './collections/collections.ts';
import { MAX_RULE_BYTES_OF_PROFILE } from '../contract/lists/smart-playlists.ts';
import { createPlaylists, type Playlists } from './playlists.ts';
import { createRuleTurns } from './rule-turns.ts';
import { createSmartPlaylists, type SmartPlaylists } from './smart-playlists.ts';
import { collectionStore } from './store/collections.ts';
import { smartStore } from './store/smart.ts';
import { listStore } from './store/playlists.ts';

export { listMigrations } from './store/playlists.ts';

export interface ListNeeds {
  db: Database;
  bus: Bus;
  clock: Clock;
  catalog: Pick<Catalog, 'seenBy' | 'collectableBy' | 'collectionPictures' | 'sets'>;
  /** Returns every Profile with what it may see. */
  audience(): readonly Pick<Principal, 'profile' | 'role' | 'policy'>[];
  /** Returns the name of a Profile; undefined once it is removed. */
  nameOf(profile: string): string | undefined;
}

export interface ListDoor {
  playlists: Playlists;
  smartPlaylists: SmartPlaylists;
  collections: Collections;
  /** Grows with every change of the lists of a Profile, and of the collections that it sees. */
  versionOf(profile: string): number;
  forgetProfile(profile: string, commitCursor: CommitCursor): Promise<void>;
}

export function createListDomain({ db, bus, clock, catalog, nameOf, audience }: ListNeeds): ListDoor {
  const store = listStore(db);
  const smart = smartStore(db, MAX_RULE_BYTES_OF_PROFILE);
  let version = 0;
  const versions = new Map<string, number>();
  const changedFor = (profiles: readonly string[]) => {
    version++;
    for (const profile of profiles) versions.set(profile, (versions.get(profile) ?? 0) + 1);
    if (profiles.length > 0) bus.announce('lists.changed');
  };
  const changed = (profile: string) => changedFor([profile]);
  const playlists = createPlaylists({ store, catalog, clock, nameOf, changed });
  return {
    playlists,
    collections: createCollections({ store: collectionStore(db), catalog, clock, audience, changed: changedFor }),
    smartPlaylists: createSmartPlaylists({
      store: smart,
      catalog,
      clock,
      takeTurn: createRuleTurns(clock, (ms) => pause(ms, undefined, { ref: false })),
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
