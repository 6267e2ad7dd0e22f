/**
 * Hard conflicts: statements of a candidate that reject it, whatever its score, because it is for something else.
 *
 * Missing information is never a conflict.
 */
import { isNotOfFilm, standsTo, statedEpisode, statedSeason } from '../providers/episode.ts';
import { isWanted } from '../providers/languages.ts';
import type { Ask, Candidate, KnownIds } from '../providers/provider.ts';
import type { Conflict } from './evidence.ts';
import { readRelease } from './release.ts';

export function conflictsOf(candidate: Candidate, ask: Ask): Conflict[] {
  const found: Conflict[] = [];
  if (!isWanted(candidate.language, ask.language)) found.push('language');
  if ((candidate.forced ?? false) !== (ask.forced ?? false)) found.push('forced');
  if (candidate.machineTranslated === true && ask.machineTranslated !== true) found.push('machine-translated');
  if (isOtherId(candidate, ask)) found.push('id');
  if (isOtherYear(candidate, ask)) found.push('year');
  return [...found, ...placeConflicts(candidate, ask)];
}

function placeConflicts(candidate: Candidate, ask: Ask): Conflict[] {
  const { releases } = candidate;
  // The names are read as well as the fields, since a provider's fields are what uploaders typed.
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
 * By the fields when they share no episode with what is asked for; by the names when all that state one state another,
 * or more than the video has: half of such a text would be about something else. What is in an archive is seen when it
 * is opened, and its name may list only some of it.
 */
function isOtherEpisode({ episode, episodeEnd = episode, pack, releases }: Candidate, ask: Ask): boolean {
  const last = ask.episodeEnd ?? ask.episode;
  if (
    episode !== undefined &&
    episodeEnd !== undefined &&
    ask.episode !== undefined &&
    last !== undefined &&
    (ask.episode > episodeEnd || last < episode)
  )
    return true;
  const standings = releases.map((name) => standsTo(name, ask)).filter((one) => one !== 'unknown');
  return !pack && standings.length > 0 && !standings.includes('same');
}

/** Another id of the same kind. Ids of the show say nothing about the episode and the other way round. */
function isOtherId(candidate: Candidate, ask: Ask): boolean {
  return differ(candidate.ids, ask.ids) || differ(candidate.showIds, ask.showIds);
}

/**
 * One kind of id differing is enough, unless another is the same: then one of the two databases is wrong about it
 * and the film is still the one that was meant.
 */
function differ(theirs: KnownIds | undefined, ours: KnownIds | undefined): boolean {
  if (!theirs || !ours || agree(theirs, ours)) return false;
  return (
    (theirs.imdb !== undefined && ours.imdb !== undefined) || (theirs.tmdb !== undefined && ours.tmdb !== undefined)
  );
}

export const agree = (theirs: KnownIds | undefined, ours: KnownIds | undefined): boolean =>
  theirs !== undefined &&
  ours !== undefined &&
  ((theirs.imdb !== undefined && theirs.imdb === ours.imdb) ||
    (theirs.tmdb !== undefined && theirs.tmdb === ours.tmdb));

/**
 * Festivals and releases are a year apart, so with equal ids one year is let pass. An episode is never older than its
 * show.
 */
function isOtherYear(candidate: Candidate, ask: Ask): boolean {
  if (ask.year === undefined) return false;
  if (ask.kind === 'episode') return candidate.year !== undefined && candidate.year < ask.year - 1;
  const apart = agree(candidate.ids, ask.ids) ? 1 : 0;
  const isOther = (year: number): boolean => Math.abs(year - (ask.year ?? year)) > apart;
  if (candidate.year !== undefined) return isOther(candidate.year);
  // Names are typed by people: a year off is let pass, and a year that is part of the title is none.
  const named = candidate.releases
    .flatMap((name) => readRelease(name, 'movie').year ?? [])
    .filter((year) => !ask.title.includes(String(year)));
  return named.length > 0 && named.every((year) => isOther(year) && Math.abs(year - (ask.year ?? year)) > 1);
}
