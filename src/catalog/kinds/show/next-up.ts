/** Which episode of a show comes next, and how a show sorts its episodes. */
import type { NextCandidate } from '../../core/kind.ts';
import type { ItemOrder } from '../../core/library-index/groups.ts';
import type { WatchRows } from '../../core/watch-rows.ts';

/** Specials come after the seasons; episodes without a number come after those with one. */
export const byEpisode: ItemOrder = ({ sections, numbers, released, sortTitles }) => {
  const season = (slot: number) => (sections.raw(slot) === 0 ? 1e6 : (sections.get(slot) ?? 1e7));
  const episode = (slot: number) => numbers.get(slot) ?? released.get(slot) ?? 1e9;
  return (a, b) => season(a) - season(b) || episode(a) - episode(b) || sortTitles.compare(a, b) || a - b;
};

/**
 * Returns the episode in progress, else the one after the last watched, else the first. Specials are returned only if
 * they are in progress.
 */
export function nextEpisode<E extends NextCandidate>(episodes: readonly E[], watched: WatchRows): E | undefined {
  const played = episodes
    .filter(({ id }) => watched.get(id)?.last_played != null)
    .sort((a, b) => (watched.get(b.id)?.last_played ?? 0) - (watched.get(a.id)?.last_played ?? 0));
  const last = played[0];
  const regular = episodes.filter(({ section }) => section !== 0);
  if (!last) return regular[0] ?? episodes[0];
  const isWatched = ({ id }: E) => watched.get(id)?.watched === 1;
  if (!isWatched(last)) return last;
  return regular.slice(regular.findIndex(({ id }) => id === last.id) + 1).find((one) => !isWatched(one));
}

export function countEpisodes(
  episodes: readonly string[],
  watched: WatchRows,
): { episodes: number; unwatched: number } {
  let unwatched = 0;
  for (const id of episodes) if (watched.get(id)?.watched !== 1) unwatched++;
  return { episodes: episodes.length, unwatched };
}
