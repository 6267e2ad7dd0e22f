/** Orders: the slots of the shelf sorted in each way that is asked for, mended rather than sorted anew. */
import type { ShelfQuery, ShelfRow } from '../types.ts';

type Sort = Exclude<ShelfQuery['sort'], 'given' | 'match' | 'random'>;
type Compare = (a: ShelfRow, b: ShelfRow) => number;

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byTitle: Compare = (a, b) => text(a.sortTitle, b.sortTitle) || (a.year ?? 0) - (b.year ?? 0) || text(a.id, b.id);
const VALUE: Record<Exclude<Sort, 'title'>, (row: ShelfRow) => number | null> = {
  added: ({ added }) => added,
  year: ({ year }) => year,
  released: ({ released, year }) => released ?? (year === null ? null : (year - 1970) * 365.25),
  rating: ({ communityRating }) => communityRating,
  duration: ({ duration }) => duration,
};
/** Rows without a value come first going up, so last going down, which is how these are mostly asked for. */
const valueOf = (sort: Exclude<Sort, 'title'>) => (row: ShelfRow | undefined): number => (row === undefined ? null : VALUE[sort](row)) ?? -Infinity;

export interface Orders {
  /** Slots whose rows changed, came or went. */
  touch(slots: ReadonlySet<number>): void;
  /** Every slot that is let through, in the query's order. */
  all(query: ShelfQuery, isLet: (slot: number) => boolean): Uint32Array;
  /** These slots in the query's order. */
  some(query: ShelfQuery, slots: readonly number[]): Uint32Array;
  /** Makes one more order ahead of the first question that needs it. False when all are made. */
  warm(): boolean;
}

interface Order {
  slots: Uint32Array;
  touched: Set<number>;
}

export function createOrders(rows: readonly (ShelfRow | undefined)[]): Orders {
  const kept = new Map<Sort, Order>();
  const compare = (sort: Sort) => {
    const of = sort === 'title' ? undefined : valueOf(sort);
    return (a: number, b: number): number => {
      const [left, right] = [rows[a], rows[b]];
      if (!left || !right) return 0;
      if (!of) return byTitle(left, right);
      const [x, y] = [of(left), of(right)];
      return x === y ? -byTitle(left, right) : x - y;
    };
  };

  const sorted = (sort: Sort): Uint32Array => {
    const had = kept.get(sort);
    if (had && had.touched.size === 0) return had.slots;
    const isFew = had !== undefined && had.touched.size * 4 < had.slots.length;
    const slots = had && isFew ? mend(had, compare(sort)) : sort === 'title' ? Uint32Array.from(present(rows).sort(compare('title'))) : byValue(sorted('title'), valueOf(sort));
    kept.set(sort, { slots, touched: new Set() });
    return slots;
  };

  /** From the order by title, without comparing two titles again: equal values stand in its reverse. */
  const byValue = (titles: Uint32Array, of: (row: ShelfRow | undefined) => number): Uint32Array => {
    const values = Float64Array.from(titles, (slot) => of(rows[slot]));
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
  };

  /** Takes the touched slots out and merges them back in where they belong now. */
  const mend = ({ slots, touched }: Order, by: (a: number, b: number) => number): Uint32Array => {
    const fresh = [...touched].filter((slot) => rows[slot] !== undefined).sort(by);
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

  return {
    warm: () => {
      const next = (['title', 'added', 'year', 'rating', 'released', 'duration'] as const).find((sort) => !kept.has(sort));
      if (next) sorted(next);
      return next !== undefined;
    },
    touch: (slots) => {
      for (const order of kept.values()) for (const slot of slots) order.touched.add(slot);
    },
    all: (query, isLet) => {
      const random = query.sort === 'random';
      const order = random ? shuffled(present(rows), rows, query.seed ?? 0) : sorted(query.sort as Sort);
      const found = new Uint32Array(order.length);
      let count = 0;
      for (let i = 0; i < order.length; i++) if (isLet(order[i] as number)) found[count++] = order[i] as number;
      const out = found.slice(0, count);
      return query.order === 'descending' && !random ? out.reverse() : out;
    },
    some: (query, slots) => {
      if (query.sort === 'random') return shuffled([...slots], rows, query.seed ?? 0);
      const out = Uint32Array.from(slots.toSorted(compare(query.sort as Sort)));
      return query.order === 'descending' ? out.reverse() : out;
    },
  };
}

const present = (rows: readonly (ShelfRow | undefined)[]): number[] => {
  const slots: number[] = [];
  for (let slot = 0; slot < rows.length; slot++) if (rows[slot]) slots.push(slot);
  return slots;
};

/** Where a value stands among sorted ones. */
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

/** An order that depends on the seed and each row's id alone, so that it is the same over all pages. */
function shuffled(slots: readonly number[], rows: readonly (ShelfRow | undefined)[], seed: number): Uint32Array {
  // Both in one number, which sorts without a comparison of ours: 32 bits of weight above 21 of slot.
  const weights = Float64Array.from(slots, (slot) => mixed(rows[slot]?.id ?? '', seed) * 2 ** 21 + slot).sort();
  return Uint32Array.from(weights, (weight) => weight % 2 ** 21);
}

/** FNV-1a over the id, stirred with the seed. */
function mixed(id: string, seed: number): number {
  let hash = 2166136261 ^ seed;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822519) >>> 0;
}
