/**
 * What rejects a candidate outright, however much speaks for it: it is for something else than was asked for.
 *
 * Silence is never a conflict: only what the candidate states against the ask is.
 */
import { statedEpisode, statedSeason } from '../providers/episode.ts';
import { isWanted } from '../providers/languages.ts';
import type { Ask, Candidate, KnownIds } from '../providers/provider.ts';
import type { Conflict } from './evidence.ts';

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
  // The names are read as well as the fields, since a provider's fields are what uploaders typed.
  const stated = candidate.releases.map(statedEpisode).filter((name) => name !== undefined);
  if (ask.kind === 'movie') return candidate.episode !== undefined || (stated.length > 0 && stated.length === candidate.releases.length) ? ['kind'] : [];
  const found: Conflict[] = [];
  const season = candidate.season ?? candidate.releases.map(statedSeason).find((one) => one !== undefined);
  const isOtherSeason = (one: number | undefined) => one !== undefined && ask.season !== undefined && one !== ask.season;
  const isOtherEpisode = (from: number, to: number) => ask.episode !== undefined && (ask.episode < from || ask.episode > to);
  if (isOtherSeason(season) || (stated.length > 0 && stated.every((name) => isOtherSeason(name.season)))) found.push('season');
  const byField = candidate.episode !== undefined && isOtherEpisode(candidate.episode, candidate.episodeEnd ?? candidate.episode);
  const byName = !candidate.pack && stated.length > 0 && stated.every((name) => isOtherEpisode(name.episode, name.episodeEnd));
  if (byField || byName) found.push('episode');
  return found;
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
  return (theirs.imdb !== undefined && ours.imdb !== undefined) || (theirs.tmdb !== undefined && ours.tmdb !== undefined);
}

export const agree = (theirs: KnownIds | undefined, ours: KnownIds | undefined): boolean =>
  theirs !== undefined && ours !== undefined && ((theirs.imdb !== undefined && theirs.imdb === ours.imdb) || (theirs.tmdb !== undefined && theirs.tmdb === ours.tmdb));

/** Festivals and releases are a year apart, so with equal ids one year is let pass. An episode is never older than its show. */
function isOtherYear(candidate: Candidate, ask: Ask): boolean {
  if (candidate.year === undefined || ask.year === undefined) return false;
  if (ask.kind === 'episode') return candidate.year < ask.year - 1;
  return Math.abs(candidate.year - ask.year) > (agree(candidate.ids, ask.ids) ? 1 : 0);
}
