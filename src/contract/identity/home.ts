/**
 * The rows of the home page. A row is a word, or a word with the id of a library or list. This file imports nothing, so
 * that the dashboard can load it without a schema library.
 */

/** Rows that every Profile has, in the usual order. `libraries` are tiles of all libraries, and `recent` new items. */
export const HOME_ROWS = ['continue', 'next-up', 'listening', 'reading', 'recent', 'collections', 'libraries'] as const;
/** Rows of one library, playlist, smart playlist or collection: `playlist:5d02b7e8f46a1c93`. */
export const HOME_ROW =
  /^(continue|next-up|listening|reading|collections|libraries|(recent|playlist|smart|collection):[0-9a-f]{16})$/;
export const MAX_HOME_ROWS = 200;
