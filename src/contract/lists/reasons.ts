/** Reasons of failures of playlists. */
import type { ReasonTable } from '../kernel/failure.ts';

export const listsReasons = {
  forbidden: {
    'playlist-read-only': 'The playlist belongs to another Profile, which shares it for reading only.',
  },
  missing: {
    'no-such-playlist': 'There is no such playlist, or it is not shared with this Profile.',
    'no-such-entry': 'The playlist has no such entry, or can no longer bring it back.',
  },
  conflict: {
    'playlist-full': 'The playlist would have more entries than it can hold.',
    'too-many-playlists': 'The Profile has as many playlists as it can have; remove one first.',
  },
} as const satisfies ReasonTable;
