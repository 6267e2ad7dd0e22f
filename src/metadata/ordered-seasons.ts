/**
 * Seasons of another order of episodes. Each group of TMDB is a season, and the place of an episode in it is its
 * number. Pure functions.
 */
import type { EpisodeOrderPage, EpisodePage, SeasonPage } from './replies.ts';

/** Place of an episode in the usual order. */
interface UsualPlace {
  season: number;
  episode: number;
}
/** A season of another order, with its episodes from number 1 on. */
export interface OrderedSeason {
  season: number;
  name: string;
  episodes: readonly UsualPlace[];
}

/**
 * Returns the seasons of an order. A group has the number of its season as its place; lists without specials may begin
 * at 0, and then the first one is season 1.
 */
export function orderedSeasons({ groups }: EpisodeOrderPage): OrderedSeason[] {
  const first = Math.min(...groups.map(({ order }) => order));
  const hasSpecials = groups.some(({ order, name }) => order === 0 && /special|^season 0$/i.test(name));
  const offset = groups.length === 1 ? 1 - first : first === 0 && !hasSpecials ? 1 : 0;
  return groups.map(({ order, name, episodes }) => ({
    season: order + offset,
    name,
    episodes: episodes
      .toSorted((one, two) => one.order - two.order)
      .map(({ season_number: season, episode_number: episode }) => ({ season, episode })),
  }));
}

/** Returns seasons of an order as the provider would return them, with the words of the usual ones. */
export function seasonsInOrder(
  seasons: readonly OrderedSeason[],
  usual: ReadonlyMap<number, SeasonPage>,
): Map<number, SeasonPage> {
  return new Map(
    seasons.map(({ season, name, episodes }) => [
      season,
      {
        season_number: season,
        name,
        episodes: episodes.flatMap((place, at): EpisodePage[] => {
          const page = usual.get(place.season)?.episodes?.find((one) => one.episode_number === place.episode);
          return page ? [{ ...page, name: nameOf(page), episode_number: at + 1 }] : [];
        }),
      },
    ]),
  );
}
/** A name that only repeats the usual number (`Episode 4`) would be wrong in another order. */
const nameOf = ({ name = '', episode_number: number }: EpisodePage): string =>
  new RegExp(`^\\D*\\b0*${number}$`, 'u').test(name.trim()) ? '' : name;
