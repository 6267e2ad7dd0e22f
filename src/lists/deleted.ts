/** Deletes the lists of a Profile, and brings them back for as long as they are kept. */
import { MAX_PLAYLISTS } from '../contract/lists/playlists.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { DeletedListRow, DeletedListStore } from './store/deleted.ts';

/** How long a deleted list can be brought back, and how many of a Profile are kept. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_KEPT = 50;

export interface DeletedLists {
  /** Throws `Failure('missing')` if the Profile has no such list. */
  remove(profile: string, id: string): Promise<void>;
  /** Throws `Failure('missing')` if it cannot be brought back any more. */
  restore(profile: string, id: string): Promise<void>;
  /** Returns the lists that can be brought back, the last one first. */
  all(profile: string): Promise<DeletedListRow[]>;
}

export function createDeletedLists(store: DeletedListStore, clock: Clock): DeletedLists {
  const since = () => clock.now() - KEPT_MS;
  const missing = () => new Failure('missing', 'no such playlist', { reason: 'no-such-playlist' });
  return {
    remove: async (profile, id) => {
      if (!(await store.remove({ profile, id, at: clock.now(), since: since(), most: MAX_KEPT }))) throw missing();
    },
    restore: async (profile, id) => {
      const result = await store.restore({ profile, id, since: since(), mostLists: MAX_PLAYLISTS });
      if (result === 'missing') throw missing();
      if (result === 'full') throw tooManyPlaylists('playlists');
    },
    all: (profile) => store.deleted(profile, since()),
  };
}

export const tooManyPlaylists = (what: 'playlists' | 'smart playlists'): Failure =>
  new Failure('conflict', `at most ${MAX_PLAYLISTS} ${what}`, { reason: 'too-many-playlists' });
