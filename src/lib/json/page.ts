/**
 * Pages of rows that are in memory. The order of the rows is that of their keys, and a cursor holds the key of the last
 * row of a page: rows that come or go in between neither repeat nor hide others.
 */
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** Values that a row is sorted by, ascending, the most significant first. The last one differs for each row. */
export type RowKey = readonly (string | number)[];
export interface RowPaging {
  limit: number;
  cursor?: string | undefined;
}
export interface RowPage<T> {
  items: T[];
  /** Number of rows on all pages. */
  total: number;
  nextCursor?: string;
}
interface PagedList<T> extends RowPaging {
  /** Everything that decides which rows there are. A cursor of another list is refused. */
  query: readonly (string | number)[];
  keyOf(row: T): RowKey;
}

const Key = z.array(z.union([z.string(), z.number()]));
/** The order of names: digits count as numbers, case and accents do not count. */
const NAME_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return NAME_ORDER.compare(String(a), String(b)) || (a < b ? -1 : a > b ? 1 : 0);
}
function compareKeys(a: RowKey, b: RowKey): number {
  for (const [at, value] of a.entries()) {
    const order = compareValues(value, b[at] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the rows of a page, and how to encode the cursor after one of them. */
export function rowsOfPage<T>(rows: readonly T[], { query, keyOf, limit, cursor }: PagedList<T>) {
  const last = cursor === undefined ? undefined : decodeCursor(query, cursor, Key);
  const keyed = rows.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => compareKeys(a.key, b.key));
  const rest = last === undefined ? keyed : keyed.filter(({ key }) => compareKeys(key, last) > 0);
  return {
    rows: rest.slice(0, limit).map(({ row }) => row),
    /** Returns the cursor for what follows the first `count` rows of this page; nothing if none does. */
    after: (count: number): { nextCursor?: string } => {
      const end = rest[count - 1];
      return end !== undefined && count < rest.length ? { nextCursor: encodeCursor(query, end.key) } : {};
    },
  };
}

/** Returns a page, with what is shown of each of its rows; the rows themselves by default. */
export async function sortedPage<T, S = T>(
  rows: readonly T[],
  list: PagedList<T>,
  show: (row: T) => Promise<S> | S = (row) => row as unknown as S,
): Promise<RowPage<S>> {
  const page = rowsOfPage(rows, list);
  return { items: await Promise.all(page.rows.map(show)), total: rows.length, ...page.after(page.rows.length) };
}
