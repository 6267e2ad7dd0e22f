/** Which episode of a show comes next, and how a show sorts its episodes. */
import type { PlaceInGroup } from '../../core/kind.ts';
import type { ItemOrder } from '../../core/library-index/groups.ts';
import { isContinued, type WatchRows } from '../../core/watch-rows.ts';
import { AIRS_PER_SEASON, type WatchTable } from '../../store/tables.ts';

/**
 * Specials come after the seasons, except those that are placed between other episodes; episodes without a number come
 * after those with one.
 */
export const byEpisode: ItemOrder = ({ sections, numbers, airs, released, sortTitles }) => {
  const placeOf = (slot: number) => (sections.raw(slot) === 0 ? airs.get(slot) : null);
  const season = (slot: number) => {
    const place = placeOf(slot);
    if (place !== null) return Math.floor(place / AIRS_PER_SEASON);
    return sections.raw(slot) === 0 ? 1e6 : (sections.get(slot) ?? 1e7);
  };
  const number = (slot: number) => numbers.get(slot) ?? released.get(slot) ?? 1e9;
  const episode = (slot: number) => {
    const place = placeOf(slot);
    if (place === null) return number(slot);
    const before = place % AIRS_PER_SEASON;
    return before === AIRS_PER_SEASON - 1 ? Infinity : before - 0.5;
  };
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
  return (a, b) =>
    season(a) - season(b) ||
    compare(episode(a), episode(b)) ||
    number(a) - number(b) ||
    sortTitles.compare(a, b) ||
    a - b;
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

const isRegular = (place: ReturnType<PlaceInGroup>): boolean => place?.section !== 0;
/** Whether an episode comes up in its turn: a special does if it is placed between others. */
const hasTurn = (place: ReturnType<PlaceInGroup>): boolean => isRegular(place) || place?.airsAt != null;

/**
 * Returns the episode after the regular one that was finished last in time: the first later one that is not watched,
 * and a special only where it is placed between others. Undefined if none was finished, or all later ones are watched;
 * with `isRewatch` the next one whatever was watched, after the last episode the first.
 */
export function episodeAfterLast(
  episodes: readonly string[],
  watched: WatchRows,
  placeOf: PlaceInGroup,
  isRewatch: boolean,
): string | undefined {
  const last = lastPlayed(episodes, watched, (row) => row.watched === 1 && isRegular(placeOf(row.item)));
  if (!last) return undefined;
  const later = episodes.slice(last.at + 1).filter((id) => hasTurn(placeOf(id)));
  const next = later.find((id) => watched.get(id)?.watched !== 1);
  return next ?? (isRewatch ? (later[0] ?? episodes.find((id) => isRegular(placeOf(id)))) : undefined);
}

/**
 * Returns the episode in progress that was played last, else the one after the regular episode that was finished last,
 * else the first if none was finished. Specials are returned only if they are in progress, or
 * placed between others.
 */
export function nextEpisode(
  episodes: readonly string[],
  watched: WatchRows,
  placeOf: PlaceInGroup,
): string | undefined {
  // An episode that is being watched again is in progress, too.
  const going = lastPlayed(episodes, watched, isContinued);
  if (going) return going.row.item;
  const isBegun = episodes.some((id) => watched.get(id)?.watched === 1 && isRegular(placeOf(id)));
  return isBegun
    ? episodeAfterLast(episodes, watched, placeOf, false)
    : (episodes.find((id) => isRegular(placeOf(id))) ?? episodes[0]);
}

export function countEpisodes(
  episodes: readonly string[],
  watched: WatchRows,
): { episodes: number; unwatched: number } {
  let unwatched = 0;
  for (const id of episodes) if (watched.get(id)?.watched !== 1) unwatched++;
  return { episodes: episodes.length, unwatched };
}
