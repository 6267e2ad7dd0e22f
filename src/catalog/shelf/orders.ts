/** Orders: the slots of the shelf sorted in each way that is asked for, mended rather than sorted anew. */
import type { ShelfQuery, ShelfRow } from '../types.ts';

type Sort = Exclude<ShelfQuery['sort'], 'given' | 'match' | 'random'>;
type Compare = (a: ShelfRow, b: ShelfRow) => number;

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byTitle: Compare = (a, b) => text(a.sortTitle, b.sortTitle) || (a.year ?? 0) - (b.year ?? 0) || text(a.id, b.id);
/** Rows without a value come first going up, so last going down, which is how these are mostly asked for. */
const byNumber = (of: (row: ShelfRow) => number | null): Compare => (a, b) => (of(a) ?? -Infinity) - (of(b) ?? -Infinity) || -byTitle(a, b);
const COMPARE: Record<Sort, Compare> = {
  title: byTitle,
  added: byNumber(({ added }) => added),
  year: byNumber(({ year }) => year),
  released: byNumber(({ released, year }) => released ?? (year === null ? null : (year - 1970) * 365.25)),
  rating: byNumber(({ communityRating }) => communityRating),
  duration: byNumber(({ duration }) => duration),
};

export interface Orders {
  /** Slots whose rows changed, came or went. */
  touch(slots: ReadonlySet<number>): void;
  /** Every slot that is let through, in the query's order. */
  all(query: ShelfQuery, isLet: (slot: number) => boolean): Uint32Array;
  /** These slots in the query's order. */
  some(query: ShelfQuery, slots: readonly number[]): Uint32Array;
}

interface Order {
  slots: Uint32Array;
  touched: Set<number>;
}

export function createOrders(rows: readonly (ShelfRow | undefined)[]): Orders {
  const kept = new Map<Sort, Order>();
  const compare = (sort: Sort) => {
    const rowsBy = COMPARE[sort];
    return (a: number, b: number): number => {
      const [left, right] = [rows[a], rows[b]];
      return left && right ? rowsBy(left, right) : 0;
    };
  };

  const sorted = (sort: Sort): Uint32Array => {
    const had = kept.get(sort);
    if (had && had.touched.size === 0) return had.slots;
    const by = compare(sort);
    const slots = had ? mend(had, by) : Uint32Array.from(present(rows).sort(by));
    kept.set(sort, { slots, touched: new Set() });
    return slots;
  };

  /** Takes the touched slots out and merges them back in where they belong now. */
  const mend = ({ slots, touched }: Order, by: (a: number, b: number) => number): Uint32Array => {
    const fresh = [...touched].filter((slot) => rows[slot] !== undefined).sort(by);
    const out: number[] = [];
    let next = 0;
    for (const slot of slots) {
      if (touched.has(slot)) continue;
      while (next < fresh.length && by(fresh[next] ?? 0, slot) < 0) out.push(fresh[next++] ?? 0);
      out.push(slot);
    }
    while (next < fresh.length) out.push(fresh[next++] ?? 0);
    return Uint32Array.from(out);
  };

  return {
    touch: (slots) => {
      for (const order of kept.values()) for (const slot of slots) order.touched.add(slot);
    },
    all: (query, isLet) => {
      const random = query.sort === 'random';
      const order = random ? Uint32Array.from(shuffled(present(rows), rows, query.seed ?? 0)) : sorted(query.sort as Sort);
      const found = new Uint32Array(order.length);
      let count = 0;
      for (const slot of order) if (isLet(slot)) found[count++] = slot;
      const out = found.slice(0, count);
      return query.order === 'descending' && !random ? out.reverse() : out;
    },
    some: (query, slots) => {
      if (query.sort === 'random') return Uint32Array.from(shuffled([...slots], rows, query.seed ?? 0));
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

/** An order that depends on the seed and each row's id alone, so that it is the same over all pages. */
function shuffled(slots: number[], rows: readonly (ShelfRow | undefined)[], seed: number): number[] {
  const weight = new Map(slots.map((slot) => [slot, mixed(rows[slot]?.id ?? '', seed)]));
  return slots.sort((a, b) => (weight.get(a) ?? 0) - (weight.get(b) ?? 0) || a - b);
}

/** FNV-1a over the id, stirred with the seed. */
function mixed(id: string, seed: number): number {
  let hash = 2166136261 ^ seed;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822519) >>> 0;
}
