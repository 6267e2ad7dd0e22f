/**
 * Removes the oldest tenth of a map that has more than `most` entries.
 *
 * Removing one at a time is slow: a removed entry leaves a hole until the map is rebuilt, and finding the first entry
 * passes all holes before it. With 12,500 entries each removal took 0.02 ms, and a page of 200 new cards 3.6 ms.
 */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  let excess = map.size - Math.floor(most * 0.9);
  for (const key of map.keys()) {
    if (excess-- === 0) return;
    map.delete(key);
  }
}
