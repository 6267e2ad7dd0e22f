/** Rows of the index for its tests. */
import type { IndexRow } from './types.ts';

/** Returns the row of a film with nothing but a title, or of what `more` makes of it. */
export const makeRow = (id: string, more: Partial<IndexRow> = {}): IndexRow => ({
  id,
  kind: 'movie',
  library: 'l1',
  title: id,
  sortTitle: id.toLowerCase(),
  originalTitle: null,
  year: null,
  released: null,
  rating: null,
  communityRating: null,
  added: 1_000,
  duration: null,
  resolution: null,
  genres: [],
  languages: [],
  parent: null,
  section: null,
  number: null,
  ...more,
});
