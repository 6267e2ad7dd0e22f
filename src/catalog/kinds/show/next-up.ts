/** Which episode of a show comes next, and how a show sorts its episodes. */
import type { SectionOf } from '../../core/kind.ts';
import type { ItemOrder } from '../../core/library-index/groups.ts';
import { isContinued, type WatchRows } from '../../core/watch-rows.ts';
import type { WatchTable } from '../../store/tables.ts';

/** Specials come after the seasons; episodes without a number come after those with one. */
export const byEpisode: ItemOrder = ({ sections, numbers, released, sortTitles }) => {
  const season = (slot: number) => (sections.raw(slot) === 0 ? 1e6 : (sections.get(slot) ?? 1e7));
  const episode = (slot: number) => numbers.get(slot) ?? released.get(slot) ?? 1e9;
  return (a, b) => season(a) - season(b) || episode(a) - episode(b) || sortTitles.compare(a, b) || a - b;
};

/** Returns the episode among these that was played last, of those whose row passes a test. */
function lastPlayed(
  episodes: readonly string[],
  watched: WatchRows,
  isMatch: (row: WatchTable) => boolean,
): { at: number; row: WatchTable } | undefined {
  let last: { at: number; row: WatchTable } | undefined;
  if (watched.size > 0)
    for (const [at, id] of episodes.entries()) {
      const row = watched.get(id);
      if (row?.last_played == null || !isMatch(row)) continue;
      if (row.last_played > (last?.row.last_played ?? -Infinity)) last = { at, row };
    }
  return last;
}

/**
 * Returns the episode after the regular one that was finished last in time: the first later one that is not watched.
 * Undefined if none was finished, or all later ones are watched; with `isRewatch` the next one whatever was watched,
 * after the last episode the first.
 */
export function episodeAfterLast(
  episodes: readonly string[],
  watched: WatchRows,
  sectionOf: SectionOf,
  isRewatch: boolean,
): string | undefined {
  const isRegular = (id: string) => sectionOf(id) !== 0;
  const last = lastPlayed(episodes, watched, (row) => row.watched === 1 && isRegular(row.item));
  if (!last) return undefined;
  const later = episodes.slice(last.at + 1).filter(isRegular);
  const next = later.find((id) => watched.get(id)?.watched !== 1);
  return next ?? (isRewatch ? (later[0] ?? episodes.find(isRegular)) : undefined);
}

/**
 * Returns the episode in progress that was played last, else the one after the regular episode that was finished last,
 * else the first if none was finished. Specials are returned only if they are in progress.
 */
export function nextEpisode(episodes: readonly string[], watched: WatchRows, sectionOf: SectionOf): string | undefined {
  // An episode that is being watched again is in progress, too.
  const going = lastPlayed(episodes, watched, isContinued);
  if (going) return going.row.item;
  const isRegular = (id: string) => sectionOf(id) !== 0;
  const isBegun = episodes.some((id) => watched.get(id)?.watched === 1 && isRegular(id));
  return isBegun
    ? episodeAfterLast(episodes, watched, sectionOf, false)
    : (episodes.find((id) => isRegular(id)) ?? episodes[0]);
}

export function countEpisodes(
  episodes: readonly string[],
  watched: WatchRows,
): { episodes: number; unwatched: number } {
  let unwatched = 0;
  for (const id of episodes) if (watched.get(id)?.watched !== 1) unwatched++;
  return { episodes: episodes.length, unwatched };
}
