/** The season and episode that a subtitle's name states without doubt: `S01E02`, `1x02`, `Season 1 Episode 2`. */
import { findNumbers, findSeason } from '../../lib/release/numbers.ts';
import { withoutEnding } from '../../lib/release-name.ts';

export interface StatedEpisode {
  season: number;
  episode: number;
  /** The last one, when the name covers several. */
  episodeEnd: number;
}

const LONGEST = 512;

/** Undefined when the name states none; a bare number is never taken for an episode. */
export function statedEpisode(name: string): StatedEpisode | undefined {
  const found = findNumbers(withoutEnding(name.slice(0, LONGEST)));
  if (found?.season === undefined || found.episode === undefined) return undefined;
  return { season: found.season, episode: found.episode, episodeEnd: found.episodeEnd ?? found.episode };
}

/** The season of a name that covers all of it: `S02`, `Season 2`, with no episode after it. */
export const statedSeason = (name: string): number | undefined => findSeason(withoutEnding(name.slice(0, LONGEST)))?.season;
