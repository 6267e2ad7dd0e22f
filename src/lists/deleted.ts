/** Deletes the lists of a Profile, and brings them back for as long as they are kept. */
import { MAX_DELETED_PLAYLISTS, MAX_PLAYLISTS, MAX_SHARED_PLAYLISTS } from '../contract/lists/playlists.ts';
import type { Clock } from '../lib/clock.ts';
import { MAX_RULE_BYTES_OF_PROFILE } from '../contract/lists/smart-playlists.ts';
import { Failure } from '../lib/failure.ts';
import type { DeletedListRow, DeletedListStore } from './store/deleted.ts';

/** How long a deleted list can be brought back. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

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
      if (!(await store.remove({ profile, id, at: clock.now(), since: since(), most: MAX_DELETED_PLAYLISTS })))
        throw missing();
    },
    restore: async (profile, id) => {
      const result = await store.restore({ profile, id, since: since(), mostLists: MAX_PLAYLISTS });
      if (result === 'missing') throw missing();
      if (result === 'full') throw tooManyPlaylists('playlists');
      if (result === 'too-many-rules') throw tooManyRules();
      if (result === 'too-many-shared') throw tooManyShared();
    },
    all: (profile) => store.deleted(profile, since()),
  };
}

export const tooManyPlaylists = (what: 'playlists' | 'smart playlists'): Failure =>
  new Failure('conflict', `at most ${MAX_PLAYLISTS} ${what}`, { reason: 'too-many-playlists' });
export const tooManyRules = (): Failure =>
  new Failure('conflict', `the rules of all smart playlists together have at most ${MAX_RULE_BYTES_OF_PROFILE} bytes`, {
    reason: 'too-many-rules',
  });
export const tooManyShared = (): Failure =>
  new Failure('conflict', `at most ${MAX_SHARED_PLAYLISTS} shared playlists`, { reason: 'too-many-shared' });
