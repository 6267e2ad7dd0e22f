/** Finds which episode of a show a file is, by its name, its folder and the names next to it. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import { findYear } from '../../../lib/release-name.ts';
import { type EpisodeNumbers, findNumbers, findSeason } from '../../../lib/release/numbers.ts';
import { countedNumber, endOfTitle, isSigned } from '../../naming/counting.ts';
import type { FolderFacts } from '../../naming/folder.ts';
import { findOneOf, findPartWord, findSpecial } from '../../naming/marks.ts';
import { fold } from '../../naming/text.ts';
import type { GuessInput } from '../../naming/types.ts';
import { type ShowPlace, readShowName } from './place.ts';

export type EpisodeForm = EpisodeNumbers['form'] | 'bare' | 'special';
export type FoundEpisode = Omit<EpisodeNumbers, 'form'> & {
  form: EpisodeForm;
  /** Number over all seasons. */
  absolute?: number;
  /** `ova 1`, `10.5`: among the specials, without being the one that the season counts by this number. */
  special?: string;
};

export interface EpisodeEvidence {
  text: string;
  place: ShowPlace;
  facts: FolderFacts;
  kind: GuessInput['kind'];
  evidence: PlacementClueText[];
}

/** The season of specials. */
const SPECIALS = 0;

/** Returns the episode; undefined if nothing in the names states one. */
export function findEpisode(of: EpisodeEvidence): FoundEpisode | undefined {
  const { text, place, facts, kind, evidence } = of;
  const found = findNumbers(text, facts.dayOrder);
  const isSure = found !== undefined && found.form !== 'episode' && isBelieved(found, of);
  if (isSure) {
    evidence.push(NUMBERS_SAY[found.form]);
    return found.isBetween === true ? between(found) : found;
  }
  const title = place.name === undefined ? '' : fold(readShowName(place.name).title);
  const from = endOfTitle(text, title);
  const special = kind === 'movies' || !mayBeSpecial(of) ? undefined : findSpecial(text, from);
  if (special?.number !== undefined) return specialOf({ ...special, number: special.number }, place, evidence);
  const oneOf = kind === 'shows' ? findOneOf(text, from) : undefined;
  if (oneOf?.number !== undefined) return partOf({ ...oneOf, number: oneOf.number }, of);
  if (found && isBelieved(found, of)) {
    evidence.push(NUMBERS_SAY[found.form]);
    return withSeason(found.isBetween === true ? between(found) : found, text);
  }
  const counted = countedEpisode(of, title);
  if (counted) return counted;
  if (special) return specialOf(special, place, evidence);
  // `Film Part 2 (2001)` is a film, unless it is in the folder of a show.
  const mayBePart = kind === 'shows' && (place.name !== undefined || findYear(text) === undefined);
  const part = mayBePart ? findPartWord(text, from) : undefined;
  return part?.number === undefined ? undefined : partOf({ ...part, number: part.number }, of);
}

/** In a folder of films and shows alike, a special needs the folder of a show or the name of a group. */
const mayBeSpecial = ({ text, place, kind }: EpisodeEvidence): boolean =>
  kind === 'shows' || place.seasonAt !== undefined || isSigned(text);

/** `2nd Season Episode 5` has its season elsewhere in the name. */
function withSeason(found: FoundEpisode, text: string): FoundEpisode {
  if (found.season !== undefined || found.form !== 'episode') return found;
  const season = findSeason(text.slice(0, found.start));
  return season?.season === undefined ? found : { ...found, season: season.season, start: season.start };
}

/** `10.5` is among the specials, and never the tenth episode. */
function between(found: FoundEpisode): FoundEpisode {
  const { episode, season, episodeEnd: _end, absolute: _absolute, ...rest } = found;
  return { ...rest, season: SPECIALS, special: `${season ?? ''} ${episode ?? ''}.5`.trim() };
}

function specialOf(
  special: { series: string; number?: number; start: number; end: number },
  place: ShowPlace,
  evidence: PlacementClueText[],
): FoundEpisode {
  evidence.push(PLACEMENT_CLUES.namedAsSpecial);
  const { series, number, start, end } = special;
  // "SP01" is the first special; an OVA is counted separately, and so is a special of each season.
  const inSeason = place.season === undefined || place.season === SPECIALS ? '' : `s${place.season} `;
  const isPlain = series === 'sp' && inSeason === '';
  return {
    form: 'special',
    season: SPECIALS,
    ...(number !== undefined && { episode: number }),
    ...(!(isPlain && number !== undefined) && { special: `${inSeason}${series} ${number ?? ''}`.trim() }),
    start,
    end,
  };
}

function partOf(
  mark: { number: number; start: number; end: number },
  { text, evidence }: EpisodeEvidence,
): FoundEpisode {
  evidence.push(PLACEMENT_CLUES.partGiven);
  return withSeasonBefore({ form: 'part', episode: mark.number, start: mark.start, end: mark.end }, text);
}

function withSeasonBefore(found: FoundEpisode, text: string): FoundEpisode {
  const season = findSeason(text.slice(0, found.start));
  return season?.season === undefined ? found : { ...found, season: season.season };
}

/** The episode by a plain number: `Show - 012`, `03 - Name`. */
function countedEpisode(
  { text, place, facts, kind, evidence }: EpisodeEvidence,
  title: string,
): FoundEpisode | undefined {
  const counted = countedNumber(text, { counted: facts.counted, title });
  if (!counted) return undefined;
  const { number, numberEnd, isBetween, season: ownSeason, start, end, after, together } = counted;
  const bare: FoundEpisode = {
    form: 'bare',
    episode: number,
    ...(numberEnd !== undefined && { episodeEnd: numberEnd }),
    ...(ownSeason !== undefined && { season: ownSeason }),
    start,
    end,
  };
  const is = (found: FoundEpisode): FoundEpisode => (isBetween ? between(found) : found);
  const signed = isSigned(text);
  if (
    place.seasonAt !== undefined &&
    (number < FIRST_YEAR || signed) &&
    (kind === 'shows' || after !== 'title' || together > 1 || fold(text.slice(0, start)) === title)
  ) {
    evidence.push(PLACEMENT_CLUES.numberedInSeason);
    const season = place.season ?? 0;
    // "102" in the first season is its second episode.
    const isJoined = season > 0 && number > season * 100 && number < season * 100 + 100 && !signed;
    return is(isJoined ? { ...bare, episode: number % 100 } : bare);
  }
  if (number >= FIRST_YEAR && number <= LAST_YEAR && !signed) return undefined;
  const isCounted =
    (signed && (kind === 'shows' || after === 'dash' || after === 'bracket')) ||
    (kind === 'shows' && (place.name !== undefined || isAfterDash(text, start) || ownSeason !== undefined)) ||
    (ownSeason !== undefined && after === 'dash') ||
    (kind === 'mixed' && after !== 'title' && together >= 3 && fold(text.slice(0, start)) !== '');
  if (!isCounted || kind === 'movies') return undefined;
  evidence.push(
    signed || after === 'dash' ? PLACEMENT_CLUES.countedWithoutSeasons : PLACEMENT_CLUES.numberWithoutSeason,
  );
  return is(ownSeason === undefined ? { ...bare, absolute: number } : bare);
}

/** `Show - 05`: a name that counts without the folder of a show. */
const isAfterDash = (text: string, start: number): boolean => /[ ._][-–][ ._]{0,2}$/.test(text.slice(0, start));

const FIRST_YEAR = 1888;
const LAST_YEAR = 2039;

const NUMBERS_SAY: Readonly<Record<EpisodeNumbers['form'], PlacementClueText>> = {
  sxxeyy: PLACEMENT_CLUES.seasonAndEpisode,
  nxnn: PLACEMENT_CLUES.seasonCrossEpisode,
  words: PLACEMENT_CLUES.seasonAndEpisodeInWords,
  date: PLACEMENT_CLUES.dateGiven,
  episode: PLACEMENT_CLUES.episodeGiven,
  season: PLACEMENT_CLUES.seasonGiven,
  part: PLACEMENT_CLUES.partGiven,
};

/**
 * In a library of films and shows alike, a weak number may belong to a film's title: `4x4 (2019)`, `Star Saga Episode 4
 * (1977)`.
 */
function isBelieved(found: EpisodeNumbers, { text, place, facts, kind }: EpisodeEvidence): boolean {
  if (found.form === 'sxxeyy' || found.form === 'words' || kind === 'shows') return true;
  if (place.seasonAt !== undefined) return true;
  const isFilmLike = findYear(text, text.length)?.enclosed === true || findYear(place.name ?? '')?.enclosed === true;
  if (found.form === 'nxnn') return !isFilmLike || /x\d{2}/i.test(text.slice(found.start, found.end));
  if (kind === 'movies') return false;
  if (found.form === 'date') return fold(text.slice(0, found.start)) !== '';
  return findSeason(text.slice(0, found.start)) !== undefined || (!isFilmLike && facts.mains > 1);
}
