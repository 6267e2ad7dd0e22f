/** Facets: how often each genre, year and so on occurs in a result, counted in the columns. */
import type { IndexRows } from './rows.ts';
import { countSeries } from './series.ts';
import type { FacetCount, FacetName, IndexPage } from './types.ts';
import { foldGenre } from './words.ts';

const MAX_VALUES = 200;

/** Each facet, and how it is counted. A facet of the contract without a line here does not compile. */
const COUNTS: Record<Exclude<FacetName, 'series'>, (rows: IndexRows, slots: Uint32Array) => FacetCount[]> = {
  genres: ({ genres }, slots) => most(inOneSpelling(genres.count(slots))),
  years: ({ years }, slots) =>
    years
      .count(slots)
      .sort(([a], [b]) => b - a)
      .map(([year, count]) => ({ value: String(year), count })),
  ratings: ({ ratings }, slots) => most(ratings.count(slots)),
  resolutions: ({ resolutions }, slots) => most(resolutions.count(slots)),
  cameras: ({ cameras }, slots) => most(cameras.count(slots)),
  languages: ({ languages }, slots) => most(spread(languages.count(slots))),
  artists: ({ artists }, slots) => most(inOneSpelling(artists.count(slots))),
  libraries: ({ libraries }, slots) => most(libraries.count(slots)),
};
const NAMES = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

/**
 * Counts the facets named in `wanted`; the others stay empty. `membersOf` returns the items of series that the list
 * shows as one row each.
 */
export const facetsOf = (
  rows: IndexRows,
  slots: Uint32Array,
  wanted: readonly FacetName[],
  membersOf: () => readonly number[],
): IndexPage['facets'] =>
  ({
    ...Object.fromEntries(NAMES.map((name) => [name, wanted.includes(name) ? COUNTS[name](rows, slots) : []])),
    series: wanted.includes('series')
      ? countSeries(rows, slots, membersOf())
          .sort((a, b) => b.count - a.count || (a.name < b.name || (a.name === b.name && a.value < b.value) ? -1 : 1))
          .slice(0, MAX_VALUES)
      : [],
  }) as IndexPage['facets'];

/** Counts genres that differ only in case or diacritics as one, in the spelling that most of these rows have. */
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

/** Converts counts of lists into counts of their elements. */
function spread(lists: readonly [readonly string[], number][]): [string, number][] {
  const counts = new Map<string, number>();
  for (const [list, count] of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts];
}

const most = (all: readonly [string, number][]): FacetCount[] =>
  all
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES);
