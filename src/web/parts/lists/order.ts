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
 * Returns the index of the row that the pointer is over, from the middles of all rows, as if the moved row were taken
 * out.
 */
export function rowUnder(middles: readonly number[], y: number): number {
  let at = 0;
  while (at < middles.length - 1 && y > (middles[at] ?? 0)) at++;
  return at;
}
