/**
 * Orders: the slots of the index in each order that is asked for. A change repairs an order instead of sorting all
 * slots.
 */
import type { IndexRows } from './rows.ts';
import type { IndexQuery, SortName } from './types.ts';

type KeptSort = Exclude<SortName, 'random'>;

/** Rows without a value come first in ascending order, and so last in descending order, which is requested most. */
const orLeast = (value: number | null): number => (value === null || Number.isNaN(value) ? -Infinity : value);
/**
 * Each order, and the value that it sorts by before the title. An order of the contract without a line here does not
 * compile.
 */
const VALUE: Record<Exclude<KeptSort, 'title'>, (rows: IndexRows, slot: number) => number> = {
  added: ({ added }, slot) => orLeast(added.raw(slot)),
  year: ({ years }, slot) => orLeast(years.get(slot)),
  released: ({ released, years }, slot) => {
    const day = released.raw(slot);
    const year = Number.isNaN(day) ? years.get(slot) : null;
    return year === null ? orLeast(day) : (year - 1970) * 365.25;
  },
  rating: ({ community }, slot) => orLeast(community.raw(slot)),
  duration: ({ duration }, slot) => orLeast(duration.raw(slot)),
};

/** Returns the value that a slot is sorted by before its title. */
export function sortValue(rows: IndexRows, { sort, seed = 0 }: IndexQuery): (slot: number) => number {
  if (sort === 'random') return (slot) => rows.ids.mixed(slot, seed);
  if (sort === 'title' || sort === 'given' || sort === 'match') return () => 0;
  const of = VALUE[sort];
  return (slot) => of(rows, slot);
}

export interface Orders {
  /** Sorts slots in place by title, and by year and id if the titles are equal. */
  sortByTitle(slots: Uint32Array): void;
  /** Called with each slot whose row changed, came or went. */
  touch(slot: number): void;
  /** Returns every slot that passes the test, in the query's order. */
  all(query: IndexQuery, isLet: (slot: number) => boolean): Uint32Array;
  /** Returns these slots in the query's order. */
  some(query: IndexQuery, slots: ArrayLike<number>): Uint32Array;
  /** Computes one more order before a query needs it. Returns false if all are computed. */
  warm(): boolean;
}

interface Order {
  slots: Uint32Array;
  touched: Set<number>;
}
/** Below this many slots, comparing titles is less work than looking up their places in the order of all. */
const MIN_PLACED = 64;

/** `warmed` names the orders that `warm` makes in advance. */
export function createOrders(rows: IndexRows, warmed: readonly SortName[]): Orders {
  const kept = new Map<KeptSort, Order>();
  /** Buffer for results, reused: a new array of 100,000 slots would leave 400 KB of garbage for each query. */
  let scratch = new Uint32Array(0);
  const byTitle = (a: number, b: number): number =>
    rows.sortTitles.compare(a, b) || (rows.years.get(a) ?? 0) - (rows.years.get(b) ?? 0) || rows.ids.compare(a, b);
  const compare = (sort: KeptSort): ((a: number, b: number) => number) => {
    if (sort === 'title') return byTitle;
    const of = VALUE[sort];
    return (a, b) => {
      const [x, y] = [of(rows, a), of(rows, b)];
      return x === y ? -byTitle(a, b) : x - y;
    };
  };

  const sortByPlace = createPlaceSort();
  const sortByTitle = (slots: Uint32Array): void => {
    const titles = kept.get('title');
    if (slots.length < MIN_PLACED || !titles || titles.touched.size > 0) slots.sort(byTitle);
    else sortByPlace(slots, titles.slots);
  };

  const sorted = (sort: KeptSort): Uint32Array => {
    const had = kept.get(sort);
    if (had && had.touched.size === 0) return had.slots;
    const slots = had
      ? mend(had, compare(sort))
      : sort === 'title'
        ? present(rows).sort(byTitle)
        : byValue(sorted('title'), (slot) => VALUE[sort](rows, slot));
    kept.set(sort, { slots, touched: new Set() });
    return slots;
  };

  /** Removes the touched slots and merges them back in at their new positions. */
  const mend = ({ slots, touched }: Order, by: (a: number, b: number) => number): Uint32Array => {
    const fresh = [...touched].filter(rows.isThere).sort(by);
    const out = new Uint32Array(slots.length + fresh.length);
    let count = 0;
    let next = 0;
    for (const slot of slots) {
      if (touched.has(slot)) continue;
      while (next < fresh.length && by(fresh[next] ?? 0, slot) < 0) out[count++] = fresh[next++] ?? 0;
      out[count++] = slot;
    }
    while (next < fresh.length) out[count++] = fresh[next++] ?? 0;
    return out.slice(0, count);
  };

  /** Sorts by the seed and each row's id only, so that the order is the same on all pages. */
  const shuffle = (slots: ArrayLike<number>, query: IndexQuery): Uint32Array => {
    const value = sortValue(rows, query);
    // Weight and slot in one number, which sorts without a comparison function: 32 bits of weight above 21 of slot.
    const weights = Float64Array.from(slots, (slot) => value(slot) * 2 ** 21 + slot).sort();
    const out = Uint32Array.from(weights, (weight) => weight % 2 ** 21);
    // The same value is rare. Such slots are sorted by title, because a restart may give them other numbers.
    for (let from = 0, to = 1; to <= out.length; to++) {
      if (
        to < out.length &&
        Math.floor((weights[to] as number) / 2 ** 21) === Math.floor((weights[from] as number) / 2 ** 21)
      )
        continue;
      if (to - from > 1) sortByTitle(out.subarray(from, to));
      from = to;
    }
    return out;
  };

  return {
    sortByTitle,
    warm: () => {
      const next = warmed.find((sort): sort is KeptSort => sort !== 'random' && !kept.has(sort));
      if (next) sorted(next);
      return next !== undefined;
    },
    touch: (slot) => {
      for (const [sort, order] of kept) {
        order.touched.add(slot);
        // With so many changes, sorting all slots is less work.
        if (order.touched.size * 4 >= order.slots.length) kept.delete(sort);
      }
    },
    all: (query, isLet) => {
      const random = query.sort === 'random';
      const order = random ? shuffle(present(rows), query) : sorted(query.sort as KeptSort);
      if (scratch.length < order.length) scratch = new Uint32Array(order.length);
      let count = 0;
      for (let i = 0; i < order.length; i++) if (isLet(order[i] as number)) scratch[count++] = order[i] as number;
      const out = scratch.slice(0, count);
      return query.order === 'descending' && !random ? out.reverse() : out;
    },
    some: (query, slots) => {
      if (query.sort === 'random') return shuffle(slots, query);
      const out = Uint32Array.from(slots);
      if (query.sort === 'title') sortByTitle(out);
      else out.sort(compare(query.sort as KeptSort));
      return query.order === 'descending' ? out.reverse() : out;
    },
  };
}

/** Sorts by a value, starting from the order by title, whose reverse orders equal values. No titles are compared. */
function byValue(titles: Uint32Array, valueOf: (slot: number) => number): Uint32Array {
  const values = Float64Array.from(titles, valueOf);
  const different = values.toSorted().filter((value, i, all) => i === 0 || value !== all[i - 1]);
  const places = Uint32Array.from(values, (value) => placeOf(different, value));
  const starts = new Uint32Array(different.length + 1);
  for (const at of places) starts[at + 1] = (starts[at + 1] ?? 0) + 1;
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const out = new Uint32Array(titles.length);
  for (let i = titles.length - 1; i >= 0; i--) {
    const at = places[i] ?? 0;
    out[starts[at] ?? 0] = titles[i] ?? 0;
    starts[at] = (starts[at] ?? 0) + 1;
  }
  return out;
}

/**
 * Returns a function that sorts some slots in place, as a longer list with all of them is sorted. Numbers sort many
 * times as fast as titles.
 */
function createPlaceSort(): (slots: Uint32Array, sorted: Uint32Array) => void {
  /** The list that `places` belongs to, and the place of each slot in it. */
  let placed: Uint32Array | undefined;
  let places = new Uint32Array(0);
  return (slots, sorted) => {
    if (placed !== sorted) {
      placed = sorted;
      const end = sorted.reduce((most, slot) => Math.max(most, slot + 1), 0);
      if (places.length < end) places = new Uint32Array(end);
      for (let i = 0; i < sorted.length; i++) places[sorted[i] as number] = i;
    }
    for (let i = 0; i < slots.length; i++) slots[i] = places[slots[i] as number] as number;
    slots.sort();
    for (let i = 0; i < slots.length; i++) slots[i] = sorted[slots[i] as number] as number;
  };
}

function present(rows: IndexRows): Uint32Array {
  const slots = new Uint32Array(rows.ids.end());
  let count = 0;
  for (let slot = 0; slot < slots.length; slot++) if (rows.isThere(slot)) slots[count++] = slot;
  return slots.slice(0, count);
}

/** Returns the index of a value in a sorted list. */
function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
