/** Positions in a sorted answer: what a cursor holds of the last row of a page, and where the rows after it begin. */
import type { IndexPosition, IndexQuery } from './types.ts';
import { sortValue } from './orders.ts';
import type { IndexRows } from './rows.ts';
import { COMPARED } from './text-block.ts';

/** Slots in the order of a query. */
export interface SortedSlots {
  slots: Uint32Array;
  /** Sort values that are not in the columns: how well the slots match, or when they were played. */
  weights?: Float64Array;
}

/** Which way values and, among equal values, titles go. */
function directions({ sort, order }: IndexQuery): { values: number; titles: number } {
  const up = order === 'ascending' ? 1 : -1;
  if (sort === 'title') return { values: 1, titles: up };
  if (sort === 'random') return { values: 1, titles: 1 };
  // The best match is last going up; what was played last is first.
  return sort === 'given' ? { values: -up, titles: up } : { values: up, titles: -up };
}

/** The value that the slot at this index is sorted by before its title. */
function valueAt(rows: IndexRows, query: IndexQuery, { slots, weights }: SortedSlots): (index: number) => number {
  const value = sortValue(rows, query);
  return (index) => weights?.[index] ?? value(slots[index] as number);
}

export function positionAt(rows: IndexRows, query: IndexQuery, sorted: SortedSlots, index: number): IndexPosition {
  const slot = sorted.slots[index] as number;
  const value = valueAt(rows, query, sorted)(index);
  return {
    value: value === -Infinity ? null : value,
    title: rows.sortTitles.get(slot).slice(0, COMPARED),
    year: rows.years.get(slot) ?? 0,
    id: rows.ids.get(slot),
  };
}

/** The index of the first slot after a position, found by halving. */
export function indexAfter(rows: IndexRows, query: IndexQuery, sorted: SortedSlots, position: IndexPosition): number {
  const { values, titles } = directions(query);
  const value = position.value ?? -Infinity;
  const valueOf = valueAt(rows, query, sorted);
  const isAfter = (index: number): boolean => {
    const own = valueOf(index);
    if (own !== value) return own > value === values > 0;
    const slot = sorted.slots[index] as number;
    const differs =
      rows.sortTitles.compareWith(slot, position.title) ||
      (rows.years.get(slot) ?? 0) - position.year ||
      rows.ids.compareWith(slot, position.id);
    return differs * titles > 0;
  };
  let low = 0;
  let high = sorted.slots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sorts slots by weights that go down, equal ones by title. */
export function byWeight(
  slots: ArrayLike<number>,
  weights: ArrayLike<number>,
  sortByTitle: (slots: Uint32Array) => void,
): SortedSlots {
  const { length } = slots;
  // Numbers sort several times as fast without a comparison of ours: titles are compared only where weights are equal.
  const down = new Float64Array(length);
  for (let i = 0; i < length; i++) down[i] = -(weights[i] as number);
  down.sort();
  const starts = new Map<number, number>();
  for (let i = 0; i < length; i++) {
    down[i] = -(down[i] as number);
    if (i === 0 || down[i] !== down[i - 1]) starts.set(down[i] as number, i);
  }
  const nexts = new Map(starts);
  const sorted = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    const next = nexts.get(weights[i] as number) as number;
    sorted[next] = slots[i] as number;
    nexts.set(weights[i] as number, next + 1);
  }
  for (const [weight, from] of starts) {
    const to = nexts.get(weight) as number;
    if (to - from > 1) sortByTitle(sorted.subarray(from, to));
  }
  return { slots: sorted, weights: down };
}
export const reversed = ({ slots, weights }: SortedSlots): SortedSlots => ({
  slots: slots.toReversed(),
  ...(weights && { weights: weights.toReversed() }),
});
