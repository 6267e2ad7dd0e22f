/**
 * The tables of markers. Only this file reads or writes them.
 *
 * A row is a marker that an Owner set, one that the analysis found for certain bytes, or the note that an Owner removed
 * a kind for certain bytes. Chapters and edit lists are read where they are and have no rows. Rows belong to an item,
 * whose id stays when its files move; `bytes` names the content of the files that they hold for.
 */
import type { Database } from '../../lib/db/index.ts';
import { cursorStore } from './store/cursors.ts';
import { analysedMarkerStore, ownMarkerStore } from './store/items.ts';
import { suggestionStore } from './store/suggestions.ts';

export type { AnalysedItem, StoredMarkers } from './store/items.ts';
export type { StoredSuggestion } from './store/suggestions.ts';
export { markerMigrations } from './store/tables.ts';

export const createMarkerStore = (db: Database) => ({
  ...ownMarkerStore(db),
  ...analysedMarkerStore(db),
  ...suggestionStore(db),
  ...cursorStore(db),
});
export type MarkerStore = ReturnType<typeof createMarkerStore>;
