/** Facets: how often each genre, year and so on occurs among the rows of an answer, counted in their columns. */
import type { Counted, ShelfPage } from '../types.ts';
import type { Rows } from './rows.ts';
import { foldGenre } from './words.ts';

const MOST_VALUES = 200;

export const facetsOf = (
  { genres, years, ratings, resolutions, languages, libraries }: Rows,
  slots: Uint32Array,
): ShelfPage['facets'] => ({
  genres: most(inOneSpelling(genres.count(slots))),
  years: years
    .count(slots)
    .sort(([a], [b]) => b - a)
    .map(([year, count]) => ({ value: String(year), count })),
  ratings: most(ratings.count(slots)),
  resolutions: most(resolutions.count(slots)),
  languages: most(spread(languages.count(slots))),
  libraries: most(libraries.count(slots)),
});

/** Genres that differ only in case or diacritics are one, in the spelling that most of these rows have. */
function inOneSpelling(lists: readonly [readonly string[], number][]): [string, number][] {
  const spellings = Map.groupBy(spread(lists), ([value]) => foldGenre(value));
  const counts = new Map<string, number>();
  for (const [list, count] of lists)
    for (const key of new Set(list.map(foldGenre))) counts.set(key, (counts.get(key) ?? 0) + count);
  return Array.from(counts, ([key, count]) => [
    (spellings.get(key) ?? []).reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a))[0],
    count,
  ]);
}

/** From counts of lists to counts of what is in them. */
function spread(lists: readonly [readonly string[], number][]): [string, number][] {
  const counts = new Map<string, number>();
  for (const [list, count] of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts];
}

const most = (all: readonly [string, number][]): Counted[] =>
  all
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);
