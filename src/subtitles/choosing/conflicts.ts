/**
 * Finds hard conflicts: statements of a candidate that reject it whatever its score, because it is for something else.
 *
 * Missing information is never a conflict.
 */
import { covers } from '../../lib/languages.ts';
import { isNotOfFilm, matchEpisode, statedEpisode, statedSeason } from '../providers/episode.ts';
import type { ProviderQuery, Candidate, KnownIds } from '../providers/provider.ts';
import type { Conflict } from './evidence.ts';
import { readRelease } from './release.ts';

export function conflictsOf(candidate: Candidate, ask: ProviderQuery): Conflict[] {
  const found: Conflict[] = [];
  if (!covers(candidate.language, ask.language)) found.push('language');
  if ((candidate.forced ?? false) !== (ask.forced ?? false)) found.push('forced');
  if (ask.hearingImpaired === 'only' && candidate.hearingImpaired === false) found.push('hearing-impaired');
  if (candidate.machineTranslated === true && ask.machineTranslated !== true) found.push('machine-translated');
  if (isOtherId(candidate, ask)) found.push('id');
  if (isOtherYear(candidate, ask)) found.push('year');
  return [...found, ...placeConflicts(candidate, ask)];
}

function placeConflicts(candidate: Candidate, ask: ProviderQuery): Conflict[] {
  const { releases } = candidate;
  // Names are checked in addition to the fields, because uploaders typed the fields.
  if (ask.kind === 'movie')
    return candidate.episode !== undefined || (releases.length > 0 && releases.every((name) => isNotOfFilm(name, ask)))
      ? ['kind']
      : [];
  const found: Conflict[] = [];
  const stated = releases.map(statedEpisode).filter((name) => name !== undefined);
  const season = candidate.season ?? releases.map(statedSeason).find((one) => one !== undefined);
  const isOtherSeason = (one: number | undefined) =>
    one !== undefined && ask.season !== undefined && one !== ask.season;
  if (isOtherSeason(season) || (stated.length > 0 && stated.every((name) => isOtherSeason(name.season))))
    found.push('season');
  if (isOtherEpisode(candidate, ask)) found.push('episode');
  return found;
}

/**
 * Whether a candidate is for another episode: its fields share no episode with the query, or all names that state an
 * episode state another one or more than the video has. A text for more episodes would not fit the rest. Archives are
 * checked when they are opened, because their names may list only some of the episodes.
 */
function isOtherEpisode({ episode, episodeEnd = episode, pack, releases }: Candidate, ask: ProviderQuery): boolean {
  const last = ask.episodeEnd ?? ask.episode;
  if (
    episode !== undefined &&
    episodeEnd !== undefined &&
    ask.episode !== undefined &&
    last !== undefined &&
    (ask.episode > episodeEnd || last < episode)
  )
    return true;
  const matches = releases.map((name) => matchEpisode(name, ask)).filter((one) => one !== 'unknown');
  return !pack && matches.length > 0 && !matches.includes('same');
}

/** Whether a candidate has another id of the same kind. Ids of a show say nothing about an episode, and vice versa. */
function isOtherId(candidate: Candidate, ask: ProviderQuery): boolean {
  return contradict(candidate.ids, ask.ids) || contradict(candidate.showIds, ask.showIds);
}

/**
 * Whether two sets of ids contradict each other. One differing kind of id is enough, unless another kind is equal: then
 * one of the databases is wrong, and the film is the same.
 */
function contradict(theirs: KnownIds | undefined, ours: KnownIds | undefined): boolean {
  if (!theirs || !ours || shareAnId(theirs, ours)) return false;
  return (
    (theirs.imdb !== undefined && ours.imdb !== undefined) || (theirs.tmdb !== undefined && ours.tmdb !== undefined)
  );
}

export const shareAnId = (theirs: KnownIds | undefined, ours: KnownIds | undefined): boolean =>
  theirs !== undefined &&
  ours !== undefined &&
  ((theirs.imdb !== undefined && theirs.imdb === ours.imdb) ||
    (theirs.tmdb !== undefined && theirs.tmdb === ours.tmdb));

/**
 * Whether a candidate is for another year. Festival and release can be a year apart, so one year is tolerated if the
 * ids are equal. An episode is never older than its show.
 */
function isOtherYear(candidate: Candidate, ask: ProviderQuery): boolean {
  if (ask.year === undefined) return false;
  if (ask.kind === 'episode') return candidate.year !== undefined && candidate.year < ask.year - 1;
  const apart = shareAnId(candidate.ids, ask.ids) ? 1 : 0;
  const isOther = (year: number): boolean => Math.abs(year - (ask.year ?? year)) > apart;
  if (candidate.year !== undefined) return isOther(candidate.year);
  // Uploaders type the names, so a year off is tolerated, and a year that is part of the title is ignored.
  const named = candidate.releases
    .flatMap((name) => readRelease(name, 'movie').year ?? [])
    .filter((year) => !ask.title.includes(String(year)));
  return named.length > 0 && named.every((year) => isOther(year) && Math.abs(year - (ask.year ?? year)) > 1);
}
