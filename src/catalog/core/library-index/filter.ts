/** The filters of a query, and the letters of a list that is sorted by title. */
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import type { Values } from './columns.ts';
import type { IndexRows } from './rows.ts';
import type { IndexPage, IndexQuery } from './types.ts';
import { foldGenre } from './words.ts';

/**
 * Returns a test of a slot by the values of a query. Each value is looked up once; one that no row has matches nothing.
 */
export function filterOf(rows: IndexRows, query: IndexQuery): (slot: number) => boolean {
  const { genre, language, artist, series } = query;
  const kinds = rows.kinds.values.map((kind) => kind !== null && query.kinds.includes(kind));
  const tests: ((slot: number) => boolean)[] = [(slot) => kinds[rows.kinds.number(slot)] === true];
  const same = <V extends string | number>(column: Values<V>, value: V | undefined) => {
    if (value === undefined) return;
    const number = column.find(value);
    tests.push((slot) => column.number(slot) === number);
  };
  const having = (
    column: Values<readonly string[]>,
    value: string | undefined,
    isSame = (own: string, asked: string) => own === asked,
  ) => {
    if (value === undefined) return;
    const has = column.values.map((list) => list?.some((one) => isSame(one, value)) === true);
    tests.push((slot) => has[column.number(slot)] === true);
  };
  // The books of one series are listed by themselves.
  if (query.isGrouped === true && series === undefined) {
    const grouped = rows.kinds.values.map((kind) => {
      const parent = kind === null ? undefined : itemFacts(kind).parent;
      return parent !== undefined && query.kinds.includes(parent);
    });
    if (grouped.some((_, number) => kinds[number] === true && grouped[number] === true))
      tests.push((slot) => grouped[rows.kinds.number(slot)] !== true || rows.parents.number(slot) === 0);
  }
  same(rows.libraries, query.library);
  same(rows.years, query.year);
  same(rows.ratings, query.rating);
  same(rows.resolutions, query.resolution);
  same(rows.cameras, query.camera);
  same(rows.folders, query.folder);
  same(rows.parents, query.parent);
  having(rows.genres, genre && foldGenre(genre), (own, asked) => foldGenre(own) === asked);
  having(rows.languages, language);
  having(rows.artists, artist && foldGenre(artist), (own, asked) => foldGenre(own) === asked);
  if (series !== undefined) tests.push((slot) => rows.seriesOf(slot) === series);
  return (slot) => {
    for (let i = 0; i < tests.length; i++) if (!(tests[i] as (slot: number) => boolean)(slot)) return false;
    return true;
  };
}

type Letters = IndexPage['letters'];
const letterOf = (first: number): string => (first >= 97 && first <= 122 ? String.fromCharCode(first) : '#');

/** Returns the index of the first title of each letter. */
export function lettersOf(slots: Uint32Array, rows: IndexRows): Letters {
  const letters = new Map<string, number>();
  let before = -1;
  for (let i = 0; i < slots.length; i++) {
    const first = rows.sortTitles.unit(slots[i] as number, 0);
    if (first === before) continue;
    before = first;
    const letter = letterOf(first);
    if (!letters.has(letter)) letters.set(letter, i);
  }
  return [...letters].map(([letter, offset]) => ({ letter, offset }));
}

/**
 * Returns the index at which a page starts that was asked to start at a letter. A letter without titles starts at the
 * next one.
 */
export function letterStart(letters: Letters, { letter, order }: IndexQuery, end: number): number | undefined {
  if (letter === undefined) return undefined;
  const own = letters.find((one) => one.letter === letter);
  const next = letters.find(
    (one) => one.letter !== '#' && (order === 'descending' ? one.letter < letter : one.letter > letter),
  );
  return (own ?? next)?.offset ?? end;
}
