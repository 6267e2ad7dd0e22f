/** Reasons of failures of playlists. */
import type { ReasonTable } from '../kernel/failure.ts';

export const listsReasons = {
  forbidden: {
    'playlist-read-only': 'The playlist belongs to another Profile, which shares it for reading only.',
  },
  missing: {
    'no-such-collection': 'There is no such collection, or this Profile may see none of its items.',
    'no-such-playlist': 'There is no such playlist, or it is not shared with this Profile.',
    'no-such-entry': 'The list has no such entry, or can no longer restore it.',
  },
  conflict: {
    'not-collectable':
      'An episode, a track or a photo cannot be in a collection; its show, album or folder stands for it.',
    'collection-full': 'The collection would have more items than it can hold.',
    'too-many-collections': 'The limit of collections made by hand is reached; delete one first.',
    'playlist-full': 'The playlist would have more entries than it can hold.',
    'too-many-playlists': 'The Profile has as many playlists as it can have; remove one first.',
    'too-many-entries':
      'The playlists of the Profile together have as many entries as they can have; remove some first.',
    'too-many-shared': 'The Profile shares as many playlists as it can; stop sharing one first.',
    'too-many-rules':
      'The rules of all smart playlists of the Profile together are as large as they can be; shorten or remove some.',
  },
} as const satisfies ReasonTable;
