/**
 * Facets: how often each genre, year and so on occurs among the rows of an answer.
 *
 * Each row's values are kept as small numbers in columns, so that counting a hundred thousand rows is adding to
 * arrays; rows with the same list of genres share one number.
 */
import type { Counted, ShelfPage, ShelfRow } from '../types.ts';

const MOST_VALUES = 200;

/** One column: the number of each slot's value, and what the numbers mean. 0 is none. */
function createColumn<V extends string | number | readonly string[]>() {
  const numbers = new Map<string | number, number>();
  const values: (V | null)[] = [null];
  let of = new Uint16Array(0);
  return {
    put: (slot: number, value: V | null): void => {
      if (slot >= of.length) {
        const larger = new Uint16Array(Math.ceil(slot * 1.25) + 64);
        larger.set(of);
        of = larger;
      }
      if (value === null) return void (of[slot] = 0);
      const key = typeof value === 'string' || typeof value === 'number' ? value : value.join('\0');
      let number = numbers.get(key);
      // More different values than a column can tell apart are counted as none.
      if (number === undefined && values.length < 65_535) numbers.set(key, (number = values.push(value) - 1));
      of[slot] = number ?? 0;
    },
    count: (slots: Uint32Array): [V, number][] => {
      const counts = new Uint32Array(values.length);
      for (let i = 0; i < slots.length; i++) {
        const number = of[slots[i] as number] as number;
        counts[number] = (counts[number] as number) + 1;
      }
      const found: [V, number][] = [];
      for (let number = 1; number < counts.length; number++) if (counts[number]) found.push([values[number] as V, counts[number] as number]);
      return found;
    },
  };
}

export interface Facets {
  put(slot: number, row: ShelfRow): void;
  of(slots: Uint32Array): ShelfPage['facets'];
}

export function createFacets(): Facets {
  const [genres, languages] = [createColumn<readonly string[]>(), createColumn<readonly string[]>()];
  const years = createColumn<number>();
  const [ratings, resolutions, libraries] = [createColumn<string>(), createColumn<string>(), createColumn<string>()];
  return {
    put: (slot, row) => {
      genres.put(slot, row.genres);
      languages.put(slot, row.languages);
      years.put(slot, row.year);
      ratings.put(slot, row.rating);
      resolutions.put(slot, row.resolution);
      libraries.put(slot, row.library);
    },
    of: (slots) => ({
      genres: most(spread(genres.count(slots))),
      years: years.count(slots).sort(([a], [b]) => b - a).map(([year, count]) => ({ value: String(year), count })),
      ratings: most(ratings.count(slots)),
      resolutions: most(resolutions.count(slots)),
      languages: most(spread(languages.count(slots))),
      libraries: most(libraries.count(slots)),
    }),
  };
}

/** From counts of lists to counts of what is in them. */
function spread(lists: readonly [readonly string[], number][]): [string, number][] {
  const counts = new Map<string, number>();
  for (const [list, count] of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts];
}

const most = (all: readonly [string, number][]): Counted[] =>
  all.map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MOST_VALUES);
