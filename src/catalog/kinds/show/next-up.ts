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

/**
 * Returns the episode in progress, else the one after the last watched, else the first. Specials are returned only if
 * they are in progress.
 */
export function nextEpisode(episodes: readonly string[], watched: WatchRows, sectionOf: SectionOf): string | undefined {
  const isRegular = (id: string) => sectionOf(id) !== 0;
  let last: { at: number; row: WatchTable } | undefined;
  if (watched.size > 0)
    for (const [at, id] of episodes.entries()) {
      const row = watched.get(id);
      if (row?.last_played != null && row.last_played > (last?.row.last_played ?? -Infinity)) last = { at, row };
    }
  if (!last) return episodes.find(isRegular) ?? episodes[0];
  // An episode that is being watched again is in progress, too.
  if (last.row.watched !== 1 || isContinued(last.row)) return last.row.item;
  // After a special, the regular episodes are looked through from the start.
  const rest = isRegular(last.row.item) ? episodes.slice(last.at + 1) : episodes;
  return rest.find((id) => watched.get(id)?.watched !== 1 && isRegular(id));
}

export function countEpisodes(
  episodes: readonly string[],
  watched: WatchRows,
): { episodes: number; unwatched: number } {
  let unwatched = 0;
  for (const id of episodes) if (watched.get(id)?.watched !== 1) unwatched++;
  return { episodes: episodes.length, unwatched };
}
