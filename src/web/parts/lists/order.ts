/** Arithmetic of moving an entry of a list. Pure. */

/** Returns the ids with the one at `from` moved to `to`, as far as there are places. */
export function withMoved(ids: readonly string[], from: number, to: number): readonly string[] {
  const moved = ids[from];
  if (moved === undefined) return ids;
  const rest = ids.filter((_, at) => at !== from);
  const place = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, place), moved, ...rest.slice(place)];
}

/** Returns the id in front of which an entry is now; null if it is the last one. */
export const idAfter = (ids: readonly string[], id: string): string | null => ids[ids.indexOf(id) + 1] ?? null;

/**
 * Returns the index that a dragged row gets, from the middles of all rows as they are shown. The dragged one does not
 * count: it is below as many of the others as the pointer has passed.
 */
export const indexUnder = (middles: readonly number[], dragged: number, y: number): number =>
  middles.filter((middle, at) => at !== dragged && y > middle).length;
