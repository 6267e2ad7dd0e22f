/**
 * Which episode a name is of, and whether that is the one that is asked for.
 *
 * Names state it in three ways: season and episode (`S01E02`, `1x02`, `Season 1 Episode 2`), the date of a daily show,
 * or a number alone, as anime is counted (`[Group] Show - 07`, `07.srt` in an archive). A number alone is compared with
 * one of the same kind: that of the video's own name, or that of a first season, where both ways of counting agree.
 */
import { findNumbers, findSeason } from '../../lib/release/numbers.ts';
import { withoutEnding } from '../../lib/release-name.ts';
import type { Ask } from './provider.ts';

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

/** The season of a name that covers all of it: `S02`, `Season 2`, with no episode after it. Of several seasons none. */
export function statedSeason(name: string): number | undefined {
  const text = withoutEnding(name.slice(0, LONGEST));
  return SEASONS.test(text) ? undefined : findSeason(text)?.season;
}
const SEASONS =
  /(?:^|[^\p{L}\p{N}])(?:s|seasons? ?)\d{1,2}[ ._]?(?:[-–+&]|to)[ ._]?(?:s|season ?)?\d{1,2}(?![\p{L}\p{N}])/iu;

type Place = { date: string } | (Partial<Pick<StatedEpisode, 'season'>> & Omit<StatedEpisode, 'season'>);

/** `Show - 07`, `Show_-_07v2`, `[Group][Show][07]`; but not `Show - 07.5`, which is an episode between two others. */
const COUNTED = /[ ._]-[ ._](\d{1,4})(?:v\d)?(?=[ _[(]|\.(?!\d{1,2}(?!\d))|$)|\[(\d{1,3})(?:v\d)?\]/;
/** `07.srt`, `07 - Its name.srt`: only where names are known to be those of a show's episodes. */
const LEADING = /^(\d{1,3})(?=$|[ _-]|\.(?!\d{1,2}(?!\d)))/;
/** `2nd Season`, as fansub groups write it. */
const ORDINAL = /(?<![\p{L}\p{N}])(\d{1,2})(?:st|nd|rd|th)[ ._]season(?!\p{L})/iu;
const PICTURES: readonly number[] = [240, 360, 480, 540, 576, 720, 1080, 1440, 2160];
/** A year, or the height of a picture. */
const isNoCount = (number: number): boolean => (number >= 1900 && number <= 2039) || PICTURES.includes(number);

function placeIn(name: string, isMember = false): Place | undefined {
  const text = withoutEnding(name.slice(0, LONGEST));
  const found = findNumbers(text);
  if (found?.date !== undefined) return { date: found.date };
  if (found?.episode !== undefined)
    return {
      ...(found.season !== undefined && { season: found.season }),
      episode: found.episode,
      episodeEnd: found.episodeEnd ?? found.episode,
    };
  const counted = COUNTED.exec(text) ?? (isMember ? LEADING.exec(text) : null);
  const episode = Number(counted?.[1] ?? counted?.[2] ?? Number.NaN);
  if (Number.isNaN(episode) || isNoCount(episode)) return undefined;
  // Looked for on either side: `S2 - 05` as a whole would be the seasons from the second to the fifth.
  const at = counted?.index ?? 0;
  const ordinal = ORDINAL.exec(text)?.[1];
  const season =
    ordinal === undefined
      ? (statedSeason(text.slice(0, at)) ?? statedSeason(text.slice(at + (counted?.[0].length ?? 0))))
      : Number(ordinal);
  return { ...(season !== undefined && { season }), episode, episodeEnd: episode };
}

/** The number that a name of a show's episode states without a season. */
export function countedIn(name: string): number | undefined {
  const place = placeIn(name, true);
  return place && !('date' in place) && place.season === undefined ? place.episode : undefined;
}

/**
 * `same`: these episodes and no other. `holds`: these and more. `unknown`: it states none, or in a way that cannot be
 * compared.
 */
export type Standing = 'same' | 'holds' | 'other' | 'unknown';

export interface StandingNeeds {
  /** It is a file among the files of a show. */
  isMember?: boolean;
  /** A number alone counts within the season that is asked for. */
  isWithinSeason?: boolean;
}

/** How the episodes of a name stand to those that are asked for. */
export function standsTo(
  name: string,
  ask: Pick<Ask, 'season' | 'episode' | 'episodeEnd' | 'fileName'>,
  { isMember = false, isWithinSeason = ask.season === 1 }: StandingNeeds = {},
): Standing {
  const theirs = placeIn(name, isMember);
  const own = placeIn(ask.fileName);
  if (!theirs) return 'unknown';
  if ('date' in theirs)
    return own === undefined || !('date' in own) ? 'unknown' : theirs.date === own.date ? 'same' : 'other';
  const asked =
    ask.episode === undefined ? undefined : { episode: ask.episode, episodeEnd: ask.episodeEnd ?? ask.episode };
  if (theirs.season !== undefined)
    return ask.season === undefined || !asked
      ? 'unknown'
      : theirs.season === ask.season
        ? within(theirs, asked)
        : 'other';
  // One that is just the episode's in a later season, or among the specials, was counted within that, and not over all
  // of them.
  const isOverall =
    ask.season === undefined ||
    ask.season === 1 ||
    (own !== undefined && !('date' in own) && own.episode !== ask.episode);
  if (own !== undefined && !('date' in own) && own.season === undefined && isOverall) return within(theirs, own);
  return isWithinSeason && asked ? within(theirs, asked) : 'unknown';
}

type Range = Omit<StatedEpisode, 'season'>;
const within = (theirs: Range, ours: Range): Standing =>
  theirs.episode > ours.episode || theirs.episodeEnd < ours.episodeEnd
    ? 'other'
    : theirs.episode === ours.episode && theirs.episodeEnd === ours.episodeEnd
      ? 'same'
      : 'holds';

/** `CD1`, `Disc 2`: one of the pieces that a film was cut in. */
const PIECE = /(?:^|[^\p{L}\p{N}])(?:cd|dis[ck])[ ._-]?(\d{1,2})(?![\p{L}\p{N}])/iu;
/** `Part 2`, `Pt.II`: a piece of a film, or a film that is called so. */
const PART = /(?:^|[^\p{L}\p{N}])(?:part|pt)[ ._-]?(\d{1,2}|i{1,3}|iv)(?![\p{L}\p{N}])/iu;

const ROMAN: Readonly<Record<string, string>> = { i: '1', ii: '2', iii: '3', iv: '4' };
const numberIn = (pattern: RegExp, name: string): number | undefined => {
  const digits = pattern.exec(name.slice(0, LONGEST))?.[1]?.toLowerCase();
  return digits === undefined ? undefined : Number(ROMAN[digits] ?? digits);
};

/** Which piece of a film a name is of, when it says so. */
export const pieceIn = (name: string): number | undefined => numberIn(PIECE, name);
export const partIn = (name: string): number | undefined => numberIn(PART, name);

/** Whether a name is of something that the film in that file is not: an episode, or a piece of a film that is whole. */
export function isNotOfFilm(name: string, { fileName }: Pick<Ask, 'fileName'>): boolean {
  const stated = statedEpisode(name);
  const own = statedEpisode(fileName);
  // `4x4 (2019)` is a film, and its own name says what the others say.
  if (stated && (stated.season !== own?.season || stated.episode !== own.episode)) return true;
  const piece = pieceIn(name);
  const part = partIn(name);
  const ownPart = partIn(fileName);
  return (
    (piece !== undefined && piece !== pieceIn(fileName)) ||
    (part !== undefined && ownPart !== undefined && part !== ownPart)
  );
}
