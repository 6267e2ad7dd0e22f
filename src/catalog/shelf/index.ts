/**
 * The shelf: the whole catalogue in columns in memory.
 *
 * A page at any depth, its facets and its letters are answered from arrays: orders are kept sorted
 * and mended when rows change, and what a question let through is kept until the next change, so a
 * deep page costs what the first one costs. The tables stay the truth.
 */
import type { Policy } from '../../contract/identity/profiles.ts';
import { createBoundedCache } from '../bounded.ts';
import { RANK, type Shelf, type ShelfPage, type ShelfQuery, type ShelfRow } from '../types.ts';
import { createWaiting, type Values } from './columns.ts';
import { createEpisodes } from './episodes.ts';
import { facetsOf } from './facets.ts';
import { createOrders } from './orders.ts';
import { byWeight, indexAfter, positionAt, reversed, type Sorted } from './positions.ts';
import { createRows, type Rows, type RowsImage } from './rows.ts';
import { createSearch } from './search.ts';
import { createTouched, type Touched } from './touched.ts';
import { foldGenre } from './words.ts';

/** Bytes of the answers that are kept: twelve of 100,000 rows, or many of few rows. */
const MAX_ANSWER_BYTES = 5 * 1024 ** 2;
/** Memory of an answer in addition to its rows, for its counts and letters. */
const ANSWER_OVERHEAD_BYTES = 16 * 1024;
/** Rows that the search takes in in one turn: about two milliseconds. */
const TAKEN_AT_ONCE = 200;
/** Smaller catalogues are sorted when they are asked for. */
const WORTH_WARMING = 5_000;
/** So few left are taken in by the search that needs them. */
const TAKEN_BY_SEARCH = 1_000;

/** What one question let through, in its order, with its counts. */
interface Answer {
  sorted: Sorted;
  facets: ShelfPage['facets'];
  letters: ShelfPage['letters'];
}

export interface LoadedShelf extends Shelf {
  /** Takes in what `fill` puts, a row at a time, before anybody asks. */
  load(fill: (put: (row: ShelfRow) => void) => Promise<void>): Promise<void>;
  /** From now on makes ahead, little by little, what the first questions would have to wait for. */
  warm(): void;
  idsOutside(libraries: ReadonlySet<string>): string[];
  /** All rows as they are: views, to be copied before anything changes. */
  image(): ShelfImage;
  /** Takes an image in, before anything else. Its arrays belong to the shelf from then on. */
  restore(image: ShelfImage): void;
  /** Changes since they were last taken, as the policies that can see them. Rows of the first `load` are no change. */
  readonly touched: Touched;
}

export type ShelfImage = RowsImage;

export function createShelf(): LoadedShelf {
  const rows = createRows();
  const orders = createOrders(rows);
  const search = createSearch(rows, orders.byTitle);
  const episodes = createEpisodes(rows);
  /** Slots of the search that wait to be taken in: the first search after a start or a scan takes them. */
  const unsearched = createWaiting();
  const answers = createBoundedCache<Answer>({
    maxBytes: MAX_ANSWER_BYTES,
    bytesOf: ({ sorted }) => sorted.slots.byteLength + (sorted.weights?.byteLength ?? 0) + ANSWER_OVERHEAD_BYTES,
  });
  const touched = createTouched(rows, episodes);
  /** Whether everything was put once. A later load puts rows that did not change, and some that are new. */
  let isLoaded = false;
  let version = 0;

  /** Episodes are found by the name of their show, too. */
  const renamed = (id: string) => {
    for (const slot of episodes.of(id)) unsearched.add(slot);
  };
  const put = (row: ShelfRow, isChange = true) => {
    const slot = rows.ids.give(row.id);
    const was = rows.kinds.get(slot);
    if ((was === 'show') !== (row.kind === 'show') || (was === 'show' && !rows.titles.is(slot, row.title)))
      renamed(row.id);
    const isNoted = isChange || (isLoaded && was === null);
    if (isNoted && was !== null) touched.note(slot);
    if (was !== null) episodes.unlink(slot, row.id);
    rows.put(slot, row);
    episodes.link(slot, row.id);
    if (isNoted) touched.note(slot);
    orders.touch(slot);
    unsearched.add(slot);
  };
  const drop = (id: string) => {
    const slot = rows.ids.find(id);
    if (slot < 0) return;
    if (rows.kinds.get(slot) === 'show') renamed(id);
    touched.note(slot);
    episodes.unlink(slot, id);
    rows.drop(slot);
    rows.ids.free(slot);
    orders.touch(slot);
    unsearched.add(slot);
  };
  const applied = () => {
    version++;
    answers.clear();
    takeInSoon();
  };

  const allowed = (policy: Policy): ((slot: number) => boolean) => {
    const rank = RANK[policy.rating];
    const libraries = policy.libraries === 'all' ? undefined : new Set(policy.libraries.map(rows.libraries.find));
    return (slot) =>
      rows.ranks.raw(slot) <= rank && (libraries === undefined || libraries.has(rows.libraries.number(slot)));
  };
  /** A show is seen when it may be, and at least one of its episodes may be. */
  const isSeenSlot = (slot: number, isAllowed: (slot: number) => boolean): boolean => {
    if (!rows.isThere(slot) || !isAllowed(slot)) return false;
    const kind = rows.kinds.get(slot);
    if (kind === 'episode') {
      const show = episodes.showOf(slot);
      return show < 0 || isAllowed(show);
    }
    return kind !== 'show' || episodes.of(rows.ids.get(slot)).some(isAllowed);
  };

  const takeIn = (most: number) => {
    for (; most > 0; most--) {
      const slot = unsearched.take();
      if (slot === undefined) return;
      if (!rows.isThere(slot)) {
        search.drop(slot);
        continue;
      }
      const show = episodes.showOf(slot);
      search.put(slot, show < 0 ? '' : rows.titles.get(show));
    }
  };
  /** Takes in little by little, so that nobody waits for the whole of a large library. */
  let soon: NodeJS.Immediate | undefined;
  let isWarming = false;
  const takeInSoon = () => {
    if (!isWarming) return;
    soon ??= setImmediate(() => {
      soon = undefined;
      takeIn(TAKEN_AT_ONCE);
      if (unsearched.size() > 0 || (rows.ids.end() > WORTH_WARMING && orders.warm())) takeInSoon();
    });
  };

  const warm = () => {
    isWarming = true;
    takeInSoon();
  };

  const ask = (query: ShelfQuery, policy: Policy): Answer => {
    const isPersonal = (query.only !== undefined || query.except !== undefined) && query.personal === undefined;
    const { offset: _o, limit: _l, letter: _t, after: _a, texts: _x, only, except, ...rest } = query;
    const isPartial = query.q !== undefined && unsearched.size() > TAKEN_BY_SEARCH;
    const key = isPersonal || isPartial ? undefined : JSON.stringify([version, rest, policy.rating, policy.libraries]);
    const had = key === undefined ? undefined : answers.get(key);
    if (had) return had;
    const isAllowed = allowed(policy);
    const isWanted = filterOf(rows, query);
    const without = except && new Set(Array.from(except, rows.ids.find));
    const isLet = (slot: number): boolean =>
      isWanted(slot) && (without === undefined || !without.has(slot)) && isSeenSlot(slot, isAllowed);
    const answer = answerOf(inOrder(query, only, isLet), query);
    if (key !== undefined) answers.set(key, answer);
    return answer;
  };

  const inOrder = (
    query: ShelfQuery,
    only: ReadonlyMap<string, number> | undefined,
    isLet: (slot: number) => boolean,
  ): Sorted => {
    let found: Sorted;
    if (query.q !== undefined) {
      // While the whole library is being taken in, what is there so far is searched.
      if (unsearched.size() <= TAKEN_BY_SEARCH) takeIn(Infinity);
      // A start waits for libraries that do not answer, and a person does not wait for that.
      else warm();
      const among = only ? new Set(Array.from(only.keys(), rows.ids.find)) : undefined;
      found = search.find(query.q, (slot) => isLet(slot) && (among === undefined || among.has(slot)), query.texts);
      if (query.sort === 'match') return query.order === 'descending' ? found : reversed(found);
      if (query.sort === 'given') found = weighed(found.slots, only);
    } else if (only)
      found = weighed(
        Array.from(only.keys(), rows.ids.find).filter((slot) => slot >= 0 && isLet(slot)),
        only,
      );
    else return { slots: orders.all(query, isLet) };
    return query.sort !== 'given'
      ? { slots: orders.some(query, found.slots) }
      : query.order === 'ascending'
        ? found
        : reversed(found);
  };
  const weighed = (slots: ArrayLike<number>, only: ReadonlyMap<string, number> | undefined): Sorted =>
    byWeight(
      slots,
      Float64Array.from(slots, (slot) => only?.get(rows.ids.get(slot)) ?? 0),
      orders.byTitle,
    );

  const answerOf = (sorted: Sorted, query: ShelfQuery): Answer => ({
    sorted,
    facets: facetsOf(rows, sorted.slots),
    letters: query.sort === 'title' ? lettersOf(sorted.slots, rows) : [],
  });

  return {
    load: async (fill) => {
      await fill((row) => put(row, false));
      isLoaded = true;
      applied();
    },
    image: rows.image,
    restore: (image) => {
      rows.restore(image);
      episodes.linkAll();
      isLoaded = true;
      for (let slot = 0; slot < rows.ids.end(); slot++) if (rows.isThere(slot)) unsearched.add(slot);
      applied();
    },
    warm,
    touched,
    apply: (changed, gone) => {
      if (changed.length === 0 && gone.length === 0) return;
      for (const id of gone) drop(id);
      for (const row of changed) put(row);
      applied();
    },
    page: (query, policy) => {
      const { sorted, facets, letters } = ask(query, policy);
      const found = sorted.slots;
      const begins =
        query.letter === undefined || query.sort !== 'title'
          ? undefined
          : (letters.find(({ letter }) => letter === query.letter)?.offset ?? nextLetter(letters, query, found.length));
      const offset = query.after ? indexAfter(rows, query, sorted, query.after) : (begins ?? query.offset);
      const end = Math.min(offset + query.limit, found.length);
      const slots = found.subarray(offset, end);
      return {
        ids: Array.from(slots, rows.ids.get),
        slots,
        version,
        total: found.length,
        offset,
        facets,
        letters,
        ...(end > offset && end < found.length && { last: positionAt(rows, query, sorted, end - 1) }),
      };
    },
    isSeen: (id, policy) => {
      const slot = rows.ids.find(id);
      return slot >= 0 && isSeenSlot(slot, allowed(policy));
    },
    row: (id) => {
      const slot = rows.ids.find(id);
      return slot < 0 ? undefined : rows.at(slot);
    },
    episodesOf: (show, policy) => {
      const isAllowed = allowed(policy);
      const { slots, ids } = episodes.ordered(show);
      return ids.filter((_, i) => isAllowed(slots[i] ?? -1));
    },
    countByLibrary: (policy) => {
      const isAllowed = allowed(policy);
      const counts = new Map<string, number>();
      for (let slot = 0; slot < rows.ids.end(); slot++) {
        if (rows.kinds.get(slot) === 'episode' || !isSeenSlot(slot, isAllowed)) continue;
        const library = rows.libraries.get(slot) ?? '';
        counts.set(library, (counts.get(library) ?? 0) + 1);
      }
      return counts;
    },
    idsOutside: (libraries) => {
      const ids: string[] = [];
      for (let slot = 0; slot < rows.ids.end(); slot++)
        if (rows.isThere(slot) && !libraries.has(rows.libraries.get(slot) ?? '')) ids.push(rows.ids.get(slot));
      return ids;
    },
    size: rows.ids.size,
    version: () => version,
  };
}

/** What a question names is looked up once; a value that no row has lets nothing through. */
function filterOf(rows: Rows, query: ShelfQuery): (slot: number) => boolean {
  const { genre, language } = query;
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
  same(rows.libraries, query.library);
  same(rows.years, query.year);
  same(rows.ratings, query.rating);
  same(rows.resolutions, query.resolution);
  same(rows.shows, query.show);
  having(rows.genres, genre && foldGenre(genre), (own, asked) => foldGenre(own) === asked);
  having(rows.languages, language);
  return (slot) => {
    for (let i = 0; i < tests.length; i++) if (!(tests[i] as (slot: number) => boolean)(slot)) return false;
    return true;
  };
}

const letterOf = (first: number): string => (first >= 97 && first <= 122 ? String.fromCharCode(first) : '#');

function lettersOf(found: Uint32Array, rows: Rows): ShelfPage['letters'] {
  const letters = new Map<string, number>();
  let before = -1;
  for (let i = 0; i < found.length; i++) {
    const first = rows.sortTitles.unit(found[i] as number, 0);
    if (first === before) continue;
    before = first;
    const letter = letterOf(first);
    if (!letters.has(letter)) letters.set(letter, i);
  }
  return [...letters].map(([letter, offset]) => ({ letter, offset }));
}

/** Where a letter that no title begins with would stand: where the next one does. */
const nextLetter = (letters: ShelfPage['letters'], { letter: wanted = '', order }: ShelfQuery, end: number): number =>
  letters.find(({ letter }) => letter !== '#' && (order === 'descending' ? letter < wanted : letter > wanted))
    ?.offset ?? end;
