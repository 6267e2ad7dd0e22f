/**
 * The shelf: the whole catalogue in columns in memory.
 *
 * A page at any depth, its facets and its letters are answered from arrays: orders are kept sorted
 * and mended when rows change, and what a question let through is kept until the next change, so a
 * deep page costs what the first one costs. The tables stay the truth.
 */
import type { Policy } from '../../contract/profiles.ts';
import { RANK, type RowKind, type Shelf, type ShelfPage, type ShelfQuery, type ShelfRow } from '../types.ts';
import { createFacets } from './facets.ts';
import { createOrders } from './orders.ts';
import { createSearch } from './search.ts';

const QUESTIONS_KEPT = 24;
/** Rows that the search takes in in one turn: about two milliseconds. */
const TAKEN_AT_ONCE = 200;
/** Smaller catalogues are sorted when they are asked for. */
const WORTH_WARMING = 5_000;
/** So few left are taken in by the search that needs them. */
const TAKEN_BY_SEARCH = 1_000;

/** What one question let through, in its order, with its counts. */
interface Answer {
  slots: Uint32Array;
  facets: ShelfPage['facets'];
  letters: ShelfPage['letters'];
}

export function createShelf(): Shelf & { idsOutside(libraries: ReadonlySet<string>): string[] } {
  const rows: (ShelfRow | undefined)[] = [];
  const slots = new Map<string, number>();
  const free: number[] = [];
  const orders = createOrders(rows);
  const search = createSearch();
  const facets = createFacets();
  /** Slots of the search that wait to be taken in: the first search after a start or a scan takes them. */
  const unsearched = new Set<number>();
  const byShow = new Map<string, Set<number>>();
  /** Episodes of a show in their order, made when asked for. */
  const ordered = new Map<string, readonly ShelfRow[]>();
  const answers = new Map<string, Answer>();
  let version = 0;

  const slotOf = (id: string): number => {
    const had = slots.get(id);
    if (had !== undefined) return had;
    const slot = free.pop() ?? rows.length;
    slots.set(id, slot);
    return slot;
  };
  const link = (row: ShelfRow | undefined, slot: number, isIn: boolean) => {
    if (!row?.show || row.kind !== 'episode') return;
    const own = byShow.get(row.show) ?? new Set();
    if (isIn) own.add(slot);
    else own.delete(slot);
    byShow.set(row.show, own);
    ordered.delete(row.show);
  };
  /** Episodes are found by the name of their show, too. */
  const renamed = (row: ShelfRow | undefined, next: ShelfRow | undefined) => {
    const show = row ?? next;
    if (show?.kind === 'show' && row?.title !== next?.title) for (const slot of byShow.get(show.id) ?? []) unsearched.add(slot);
  };

  const episodes = (show: string): readonly ShelfRow[] => {
    const had = ordered.get(show);
    if (had) return had;
    const own = [...(byShow.get(show) ?? [])].map((slot) => rows[slot]).filter((row): row is ShelfRow => row !== undefined).sort(byNumber);
    ordered.set(show, own);
    return own;
  };

  const allowed = (policy: Policy): ((row: ShelfRow) => boolean) => {
    const rank = RANK[policy.rating];
    const libraries = policy.libraries === 'all' ? undefined : new Set(policy.libraries);
    return (row) => row.ratingRank <= rank && (libraries === undefined || libraries.has(row.library));
  };
  /** A show is seen when it may be, and at least one of its episodes may be. */
  const isSeenRow = (row: ShelfRow, isAllowed: (row: ShelfRow) => boolean): boolean => {
    if (!isAllowed(row)) return false;
    if (row.kind === 'episode') {
      const show = row.show === null ? undefined : rows[slots.get(row.show) ?? -1];
      return show === undefined || isAllowed(show);
    }
    if (row.kind !== 'show') return true;
    for (const slot of byShow.get(row.id) ?? []) {
      const episode = rows[slot];
      if (episode && isAllowed(episode)) return true;
    }
    return false;
  };

  const takeIn = (most: number) => {
    for (const slot of unsearched) {
      if (most-- === 0) return;
      unsearched.delete(slot);
      const row = rows[slot];
      const show = row?.show == null ? undefined : rows[slots.get(row.show) ?? -1];
      if (row) search.put(slot, row, show?.title ?? '');
      else search.drop(slot);
    }
  };
  /** Takes in little by little, so that nobody waits for the whole of a large library. */
  let soon: NodeJS.Immediate | undefined;
  const takeInSoon = () => {
    soon ??= setImmediate(() => {
      soon = undefined;
      takeIn(TAKEN_AT_ONCE);
      if (unsearched.size > 0 || (rows.length > WORTH_WARMING && orders.warm())) takeInSoon();
    });
  };

  const ask = (query: ShelfQuery, policy: Policy): Answer => {
    const isPersonal = (query.only !== undefined || query.except !== undefined) && query.personal === undefined;
    const { offset: _o, limit: _l, letter: _t, only, except, ...rest } = query;
    const isPartial = query.q !== undefined && unsearched.size > TAKEN_BY_SEARCH;
    const key = isPersonal || isPartial ? undefined : JSON.stringify([version, rest, policy.rating, policy.libraries]);
    const had = key === undefined ? undefined : answers.get(key);
    if (had) return had;
    const isAllowed = allowed(policy);
    const isWanted = filterOf(query);
    const isLet = (slot: number): boolean => {
      const row = rows[slot];
      return row !== undefined && isWanted(row) && (except === undefined || !except.has(row.id)) && isSeenRow(row, isAllowed);
    };
    const answer = answerOf(inOrder(query, only, isLet), query);
    if (key !== undefined) {
      answers.set(key, answer);
      if (answers.size > QUESTIONS_KEPT) answers.delete(answers.keys().next().value ?? '');
    }
    return answer;
  };

  const inOrder = (query: ShelfQuery, only: readonly string[] | undefined, isLet: (slot: number) => boolean): Uint32Array => {
    let found: number[];
    if (query.q !== undefined) {
      // While the whole library is being taken in, what is there so far is searched.
      if (unsearched.size <= TAKEN_BY_SEARCH) takeIn(Infinity);
      const among = only ? new Set(only.map((id) => slots.get(id))) : undefined;
      found = search.find(query.q, (slot) => isLet(slot) && (among === undefined || among.has(slot)), (slot) => rows[slot]);
      if (query.sort === 'match') return Uint32Array.from(query.order === 'descending' ? found : found.toReversed());
    } else if (only) found = only.map((id) => slots.get(id)).filter((slot): slot is number => slot !== undefined && isLet(slot));
    else return orders.all(query, isLet);
    return query.sort === 'given' ? Uint32Array.from(query.order === 'ascending' ? found : found.toReversed()) : orders.some(query, found);
  };

  const answerOf = (found: Uint32Array, query: ShelfQuery): Answer => ({ slots: found, facets: facets.of(found), letters: query.sort === 'title' ? lettersOf(found, rows) : [] });

  return {
    apply: (changed, gone) => {
      if (changed.length === 0 && gone.length === 0) return;
      const touched = new Set<number>();
      for (const id of gone) {
        const slot = slots.get(id);
        if (slot === undefined) continue;
        link(rows[slot], slot, false);
        renamed(rows[slot], undefined);
        rows[slot] = undefined;
        slots.delete(id);
        free.push(slot);
        touched.add(slot);
        unsearched.add(slot);
      }
      for (const row of changed) {
        const slot = slotOf(row.id);
        link(rows[slot], slot, false);
        renamed(rows[slot], row);
        rows[slot] = row;
        facets.put(slot, row);
        link(row, slot, true);
        touched.add(slot);
        unsearched.add(slot);
      }
      version++;
      answers.clear();
      orders.touch(touched);
      takeInSoon();
    },
    page: (query, policy) => {
      const { slots: found, facets, letters } = ask(query, policy);
      const begins = query.letter === undefined || query.sort !== 'title' ? undefined : (letters.find(({ letter }) => letter === query.letter)?.offset ?? nextLetter(letters, query, found.length));
      const offset = begins ?? query.offset;
      return { ids: [...found.subarray(offset, offset + query.limit)].map((slot) => rows[slot]?.id ?? ''), total: found.length, offset, facets, letters };
    },
    isSeen: (id, policy) => {
      const row = rows[slots.get(id) ?? -1];
      return row !== undefined && isSeenRow(row, allowed(policy));
    },
    row: (id) => rows[slots.get(id) ?? -1],
    episodesOf: (show, policy) => {
      const isAllowed = allowed(policy);
      return episodes(show).filter(isAllowed).map(({ id }) => id);
    },
    countByLibrary: (policy) => {
      const isAllowed = allowed(policy);
      const counts = new Map<string, number>();
      for (const row of rows) if (row && (row.kind === 'movie' || row.kind === 'show') && isSeenRow(row, isAllowed)) counts.set(row.library, (counts.get(row.library) ?? 0) + 1);
      return counts;
    },
    idsOutside: (libraries) => rows.filter((row): row is ShelfRow => row !== undefined && !libraries.has(row.library)).map(({ id }) => id),
    size: () => slots.size,
    version: () => version,
  };
}

/** Specials come after the seasons, and what has no number after what has. */
function byNumber(a: ShelfRow, b: ShelfRow): number {
  const season = (row: ShelfRow) => (row.seasonNumber === 0 ? 1e6 : (row.seasonNumber ?? 1e7));
  return season(a) - season(b) || (a.episodeNumber ?? a.released ?? 1e9) - (b.episodeNumber ?? b.released ?? 1e9) || (a.sortTitle < b.sortTitle ? -1 : 1);
}

function filterOf(query: ShelfQuery): (row: ShelfRow) => boolean {
  const { kinds, library, genre, year, rating, resolution, language, show } = query;
  const kindSet = new Set<RowKind>(kinds);
  return (row) =>
    kindSet.has(row.kind) &&
    (library === undefined || row.library === library) &&
    (genre === undefined || row.genres.includes(genre)) &&
    (year === undefined || row.year === year) &&
    (rating === undefined || row.rating === rating) &&
    (resolution === undefined || row.resolution === resolution) &&
    (language === undefined || row.languages.includes(language)) &&
    (show === undefined || row.show === show);
}

const letterOf = (sortTitle: string): string => {
  const first = sortTitle.charCodeAt(0);
  return first >= 97 && first <= 122 ? String.fromCharCode(first) : '#';
};

function lettersOf(found: Uint32Array, rows: readonly (ShelfRow | undefined)[]): ShelfPage['letters'] {
  const letters = new Map<string, number>();
  for (let i = 0; i < found.length; i++) {
    const letter = letterOf(rows[found[i] ?? 0]?.sortTitle ?? '');
    if (!letters.has(letter)) letters.set(letter, i);
  }
  return [...letters].map(([letter, offset]) => ({ letter, offset }));
}

/** Where a letter that no title begins with would stand: where the next one does. */
const nextLetter = (letters: ShelfPage['letters'], { letter: wanted = '', order }: ShelfQuery, end: number): number =>
  letters.find(({ letter }) => letter !== '#' && (order === 'descending' ? letter < wanted : letter > wanted))?.offset ?? end;
