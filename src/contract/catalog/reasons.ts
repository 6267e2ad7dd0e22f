/** Reasons of failures of the catalogue: libraries, items and what a Profile watched. */
import type { ReasonTable } from '../kernel/failure.ts';

export const catalogReasons = {
  invalid: {
    'path-not-absolute': 'The path of a folder must be absolute and must not contain `..`.',
    'rating-unknown': 'The certification is not known, so it stands for no age.',
    'too-many-episodes':
      'The shows among the items have more episodes than one change takes; mark fewer of them at once.',
    'fact-set-and-unlocked': 'A fact cannot be set and unlocked, or added to and set, in the same request.',
  },
  missing: {
    'no-such-library': 'There is no such library.',
    'no-such-history-entry': 'The history of this Profile has no such entry, or can no longer restore it.',
    'no-such-change': 'This Profile has made no such change, or it can no longer be undone.',
    'no-such-folder': 'There is no such folder, or it cannot be read.',
    'no-such-album': 'There is no such album, or this Profile may not see it.',
    'no-such-artist': 'There is no such artist, or this Profile may not see any of their albums or tracks.',
    'no-such-series': 'There is no such series, or this Profile may not see any of its volumes.',
    'no-such-person': 'There is no such person, or this Profile may not see any of their works.',
    'no-lyrics': 'The track has no lyrics.',
    'no-such-edit': 'There is no such change of metadata, or it can no longer be undone.',
    'no-such-picture': 'The item has no picture of this kind, or this Profile may not see the item.',
    'picture-unreadable': 'The picture file cannot be read or is damaged.',
  },
  conflict: {
    'fact-not-of-kind': 'Items of this kind do not have this fact.',
    'number-without-series': 'A number in a series needs the series.',
    'stale-progress': 'A later report of the same session has arrived already.',
    'libraries-changed': 'The list of libraries was changed in the meantime; read it again.',
    'items-changed': 'The items are no longer as they were at the dry run; look at the changes again.',
    'edited-again': 'A fact that this would undo was edited again in the meantime.',
    'default-library': 'The default library cannot be removed while no other one exists; add another one first.',
  },
} as const satisfies ReasonTable;
