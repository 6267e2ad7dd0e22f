/**
 * Reads the episode that a name states, and compares it with the wanted one.
 *
 * Names state it in three ways: season and episode (`S01E02`, `1x02`, `Season 1 Episode 2`), the date of a daily show,
 * or a bare number, as for anime (`[Group] Show - 07`, `07.srt` in an archive). A bare number is compared with a bare
 * number in the video's own name, or counts within the first season, where both numberings agree.
 */
import { findNumbers, findSeason } from '../../lib/release/numbers.ts';
import { withoutEnding } from '../../lib/release-name.ts';
import type { ProviderQuery } from './provider.ts';

export interface StatedEpisode {
  season: number;
  episode: number;
  /** The last one, when the name covers several. */
  episodeEnd: number;
}

const MAX_NAME_LENGTH = 512;

/** Returns the season and episode that a name states; undefined if it states none. A bare number does not count. */
export function statedEpisode(name: string): StatedEpisode | undefined {
  const found = findNumbers(withoutEnding(name.slice(0, MAX_NAME_LENGTH)));
  if (found?.season === undefined || found.episode === undefined || found.isBetween === true) return undefined;
  return { season: found.season, episode: found.episode, episodeEnd: found.episodeEnd ?? found.episode };
}

/**
 * Returns the season of a name that covers a whole one: `S02`, `Season 2`, without an episode after it. Returns
 * undefined for several seasons.
 */
export function statedSeason(name: string): number | undefined {
  const text = withoutEnding(name.slice(0, MAX_NAME_LENGTH));
  return SEASONS.test(text) ? undefined : findSeason(text)?.season;
}
const SEASONS =
  /(?:^|[^\p{L}\p{N}])(?:s|seasons? ?)\d{1,2}[ ._]?(?:[-–+&]|to)[ ._]?(?:s|season ?)?\d{1,2}(?![\p{L}\p{N}])/iu;

type Place = { date: string } | (Partial<Pick<StatedEpisode, 'season'>> & Omit<StatedEpisode, 'season'>);

/**
 * A bare episode number: `Show - 07`, `Show_-_07v2`, `[Group][Show][07]`. `Show - 07.5` is an episode between two
 * others and does not match.
 */
const BARE_NUMBER = /[ ._]-[ ._](\d{1,4})(?:v\d)?(?=[ _[(]|\.(?!\d{1,2}(?!\d))|$)|\[(\d{1,3})(?:v\d)?\]/;
/** A leading episode number: `07.srt`, `07 - Its name.srt`. Used only for files among a show's files. */
const LEADING_NUMBER = /^(\d{1,3})(?=$|[ _-]|\.(?!\d{1,2}(?!\d)))/;
/** `2nd Season`, as fansub groups write it. */
const ORDINAL_SEASON = /(?<![\p{L}\p{N}])(\d{1,2})(?:st|nd|rd|th)[ ._]season(?!\p{L})/iu;
const PICTURE_HEIGHTS: readonly number[] = [240, 360, 480, 540, 576, 720, 1080, 1440, 2160];
/** Whether a number is a year or the height of a picture, and so no episode. */
const isYearOrHeight = (number: number): boolean =>
  (number >= 1900 && number <= 2039) || PICTURE_HEIGHTS.includes(number);

function statedPlace(name: string, isMember = false): Place | undefined {
  const text = withoutEnding(name.slice(0, MAX_NAME_LENGTH));
  const found = findNumbers(text);
  if (found?.date !== undefined) return { date: found.date };
  if (found?.episode !== undefined)
    return {
      ...(found.season !== undefined && { season: found.season }),
      episode: found.episode,
      episodeEnd: found.episodeEnd ?? found.episode,
    };
  const counted = BARE_NUMBER.exec(text) ?? (isMember ? LEADING_NUMBER.exec(text) : null);
  const episode = Number(counted?.[1] ?? counted?.[2] ?? Number.NaN);
  if (Number.isNaN(episode) || isYearOrHeight(episode)) return undefined;
  // The season is searched on either side of the number, because `S2 - 05` as a whole would mean seasons two to five.
  const at = counted?.index ?? 0;
  const ordinal = ORDINAL_SEASON.exec(text)?.[1];
  const season =
    ordinal === undefined
      ? (statedSeason(text.slice(0, at)) ?? statedSeason(text.slice(at + (counted?.[0].length ?? 0))))
      : Number(ordinal);
  return { ...(season !== undefined && { season }), episode, episodeEnd: episode };
}

/** Returns the bare episode number in a name of a show's file, if it states no season. */
export function bareNumberIn(name: string): number | undefined {
  const place = statedPlace(name, true);
  return place && !('date' in place) && place.season === undefined ? place.episode : undefined;
}

/**
 * Relation of the episodes in a name to the wanted ones. `same`: exactly these. `includes`: these and more. `unknown`:
 * none stated, or in a way that cannot be compared.
 */
export type EpisodeMatch = 'same' | 'includes' | 'other' | 'unknown';

export interface EpisodeMatchOptions {
  /** Whether the name is of a file among a show's files. */
  isMember?: boolean;
  /** Whether a bare number counts within the wanted season. */
  isWithinSeason?: boolean;
}

/** Compares the episodes in a name with the wanted ones. */
export function matchEpisode(
  name: string,
  ask: Pick<ProviderQuery, 'season' | 'episode' | 'episodeEnd' | 'fileName'>,
  { isMember = false, isWithinSeason = ask.season === 1 }: EpisodeMatchOptions = {},
): EpisodeMatch {
  const theirs = statedPlace(name, isMember);
  const own = statedPlace(ask.fileName);
  if (!theirs) return 'unknown';
  if ('date' in theirs)
    return own === undefined || !('date' in own) ? 'unknown' : theirs.date === own.date ? 'same' : 'other';
  const asked =
    ask.episode === undefined ? undefined : { episode: ask.episode, episodeEnd: ask.episodeEnd ?? ask.episode };
  if (theirs.season !== undefined)
    return ask.season === undefined || !asked
      ? 'unknown'
      : theirs.season === ask.season
        ? compareRanges(theirs, asked)
        : 'other';
  // In a later season, or among the specials, a number equal to the episode's counts within the season, not over all
  // seasons.
  const isOverall =
    ask.season === undefined ||
    ask.season === 1 ||
    (own !== undefined && !('date' in own) && own.episode !== ask.episode);
  if (own !== undefined && !('date' in own) && own.season === undefined && isOverall) return compareRanges(theirs, own);
  return isWithinSeason && asked ? compareRanges(theirs, asked) : 'unknown';
}

type Range = Omit<StatedEpisode, 'season'>;
const compareRanges = (theirs: Range, ours: Range): EpisodeMatch =>
  theirs.episode > ours.episode || theirs.episodeEnd < ours.episodeEnd
    ? 'other'
    : theirs.episode === ours.episode && theirs.episodeEnd === ours.episodeEnd
      ? 'same'
      : 'includes';

/** A disc of a film that was cut into several: `CD1`, `Disc 2`. */
const DISC = /(?:^|[^\p{L}\p{N}])(?:cd|dis[ck])[ ._-]?(\d{1,2})(?![\p{L}\p{N}])/iu;
/** A part of a film, or a film with such a title: `Part 2`, `Pt.II`. */
const PART = /(?:^|[^\p{L}\p{N}])(?:part|pt)[ ._-]?(\d{1,2}|i{1,3}|iv)(?![\p{L}\p{N}])/iu;

const ROMAN: Readonly<Record<string, string>> = { i: '1', ii: '2', iii: '3', iv: '4' };
const numberIn = (pattern: RegExp, name: string): number | undefined => {
  const digits = pattern.exec(name.slice(0, MAX_NAME_LENGTH))?.[1]?.toLowerCase();
  return digits === undefined ? undefined : Number(ROMAN[digits] ?? digits);
};

/** Returns the number of the disc that a name states. */
export const discIn = (name: string): number | undefined => numberIn(DISC, name);
export const partIn = (name: string): number | undefined => numberIn(PART, name);

/** Whether a name is of something other than the film in that file: an episode, or one part of a whole film. */
export function isNotOfFilm(name: string, ask: Pick<ProviderQuery, 'fileName' | 'part'>): boolean {
  const { fileName } = ask;
  const stated = statedEpisode(name);
  const own = statedEpisode(fileName);
  // `4x4 (2019)` is a film. Its own file name states the same.
  if (stated && (stated.season !== own?.season || stated.episode !== own.episode)) return true;
  const disc = discIn(name);
  const part = partIn(name);
  const ownPart = partIn(fileName) ?? ask.part?.number;
  return (
    (disc !== undefined && disc !== (ask.part?.number ?? discIn(fileName))) ||
    (part !== undefined && ownPart !== undefined && part !== ownPart)
  );
}

/** Whether a name states the part of the film that the video is. False if the film is in one file. */
export const statesPart = (name: string, { part, fileName }: Pick<ProviderQuery, 'part' | 'fileName'>): boolean =>
  part !== undefined &&
  (discIn(name) === part.number || (partIn(name) === part.number && partIn(fileName) === part.number));
