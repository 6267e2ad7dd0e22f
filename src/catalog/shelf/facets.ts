/** Facets: how often each genre, year and so on occurs among the rows of an answer, counted in their columns. */
import type { Counted, ShelfPage } from '../types.ts';
import type { Rows } from './rows.ts';

const MOST_VALUES = 200;

export const facetsOf = ({ genres, years, ratings, resolutions, languages, libraries }: Rows, slots: Uint32Array): ShelfPage['facets'] => ({
  genres: most(spread(genres.count(slots))),
  years: years.count(slots).sort(([a], [b]) => b - a).map(([year, count]) => ({ value: String(year), count })),
  ratings: most(ratings.count(slots)),
  resolutions: most(resolutions.count(slots)),
  languages: most(spread(languages.count(slots))),
  libraries: most(libraries.count(slots)),
});

/** From counts of lists to counts of what is in them. */
function spread(lists: readonly [readonly string[], number][]): [string, number][] {
  const counts = new Map<string, number>();
  for (const [list, count] of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts];
}

const most = (all: readonly [string, number][]): Counted[] =>
  all.map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MOST_VALUES);
