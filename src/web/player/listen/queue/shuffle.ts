/**
 * A random order in which no artist follows itself while others are left. If no artist has more than half of the
 * items, none follows itself at all. Pure.
 */

/** `last` is the artist that is heard before the first item. `random` returns numbers from 0 up to 1. */
export function shuffleApart<T>(
  items: readonly T[],
  artistOf: (item: T) => string,
  random: () => number,
  last?: string,
): T[] {
  const byArtist = new Map<string, T[]>();
  for (const item of mixed(items, random)) {
    const artist = artistOf(item);
    const own = byArtist.get(artist);
    if (own) own.push(item);
    else byArtist.set(artist, [item]);
  }
  const order: T[] = [];
  let before = last;
  for (let left = items.length; left > 0; left--) {
    const artist = nextArtist(byArtist, { left, before, random });
    const own = byArtist.get(artist) ?? [];
    order.push(own.pop() as T);
    if (own.length === 0) byArtist.delete(artist);
    before = artist;
  }
  return order;
}

/** Fisher and Yates. */
function mixed<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let end = order.length - 1; end > 0; end--) {
    const other = Math.floor(random() * (end + 1));
    [order[end], order[other]] = [order[other] as T, order[end] as T];
  }
  return order;
}

function nextArtist<T>(
  byArtist: ReadonlyMap<string, readonly T[]>,
  { left, before, random }: { left: number; before: string | undefined; random: () => number },
): string {
  let candidates = 0;
  let most: { artist: string; count: number } | undefined;
  for (const [artist, { length: count }] of byArtist) {
    if (artist === before && byArtist.size > 1) continue;
    candidates += count;
    if (!most || count > most.count) most = { artist, count };
  }
  // An artist with more than half of what is left would follow itself later.
  if (most && most.count * 2 > left) return most.artist;
  let pick = random() * candidates;
  for (const [artist, { length: count }] of byArtist) {
    if (artist === before && byArtist.size > 1) continue;
    pick -= count;
    if (pick < 0) return artist;
  }
  return most?.artist ?? '';
}
