/** Placing an episode: which folder is the show's, which the season's, and which episodes a file holds. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import { parseReleaseText, readableTitle, type Release } from '../../../lib/release-name.ts';
import { findNumbers, findSeason } from '../../../lib/release/numbers.ts';
import { factsOf, partOfFile } from '../../naming/folder.ts';
import { fold, sortTitleOf, stemOf, takeTags } from '../../naming/text.ts';
import type { Guess, GuessInput } from '../../naming/types.ts';
import { releaseFacts } from '../video/release.ts';
import { findEpisode, type FoundEpisode } from './episode-numbers.ts';
import { findPlace, type ShowPlace, readShowName, type ShowName } from './place.ts';
import { chooseShow } from './which-show.ts';

/** The guess for a file that is taken to be an episode; undefined when nothing in the names says so. */
export function placeEpisode(input: GuessInput, dirs: readonly string[], file: string): Guess | undefined {
  const stem = stemOf(file);
  const facts = factsOf(input.siblings);
  const evidence: PlacementClueText[] = [];
  const kind = input.collection === undefined ? input.kind : input.collection === 'shows' ? 'shows' : 'movies';
  const place = findPlace(dirs, kind);
  const read = (name: string) => {
    const own = takeTags(name);
    // A file alone in its folder may have a short name; then the name of the folder states the episode.
    const isShort = place.episodeFolder !== undefined && findNumbers(own.text) === undefined;
    const text = isShort ? takeTags(place.episodeFolder ?? '').text : own.text;
    const numbers = findEpisode({ text, place, facts, kind, evidence });
    return numbers && { text, ids: own.ids, numbers };
  };
  // "Part 1" after an episode is a part of it; without one it is the episode.
  const inParts = partOfFile(stem, facts);
  const whole = inParts && read(inParts.text);
  const found = whole ?? read(stem);
  const piece = whole && inParts;
  if (!found)
    return place.season === 0 && place.name !== undefined ? unnumberedSpecial(place, stem, evidence) : undefined;
  const { text, ids: ownIds, numbers } = found;
  const parsed = parseReleaseText(text);
  const lead = leadingName(text, numbers, place.episodeFolder);
  const show = chooseShow({ place, lead, facts, kind, evidence });
  if (!show) return undefined;
  const season = seasonOf(numbers, place, evidence);
  const episodeTitle = titleAfter(text, numbers, parsed) ?? specialTitle(numbers);
  const folder = show.folder;
  const ids = { ...(show.isFolder ? {} : ownIds), ...lead.ids, ...show.ids };
  const title = episodeTitle ?? show.title;
  const part =
    piece?.part ?? (numbers.half === undefined ? undefined : numbers.half.charCodeAt(0) - 'a'.charCodeAt(0) + 1);
  const number = numbers.date ?? numbers.special ?? `${numbers.episode}-${numbers.episodeEnd ?? numbers.episode}`;
  return {
    kind: 'episode',
    title,
    sortTitle: sortTitleOf(title),
    ...(show.year === undefined ? {} : { year: show.year }),
    ids: show.isFolder ? ownIds : {},
    show: {
      title: show.title,
      sortTitle: sortTitleOf(show.title),
      ...(show.year === undefined ? {} : { year: show.year }),
      ids,
      ...(folder === undefined ? {} : { folder }),
    },
    ...(lead.title !== '' && {
      lead: { title: fold(lead.title), ...(lead.year !== undefined && { year: lead.year }) },
    }),
    ...(season === undefined ? {} : { season }),
    ...(numbers.episode === undefined ? {} : { episode: numbers.episode }),
    ...(numbers.episodeEnd === undefined ? {} : { episodeEnd: numbers.episodeEnd }),
    ...(numbers.absolute === undefined ? {} : { absolute: numbers.absolute }),
    ...(numbers.date === undefined ? {} : { date: numbers.date }),
    ...(numbers.special === undefined ? {} : { special: numbers.special }),
    ...(episodeTitle === undefined ? {} : { episodeTitle }),
    ...(parsed.resolution === undefined ? {} : { version: parsed.resolution }),
    ...(part === undefined ? {} : { part }),
    release: releaseFacts(parsed),
    confidence: confidenceOf(numbers, { isAgreed: show.isAgreed, differInSeason: differInSeason(numbers, place) }),
    evidence,
    folderKey: `${folder ?? dirs.join('/')}/${fold(show.title)} ${show.year ?? ''}/s${season ?? ''}e${number}`,
  };
}

/** Reads the show from the text before the numbers. The folder of a single episode has precedence. */
function leadingName(text: string, numbers: FoundEpisode, episodeFolder: string | undefined): ShowName {
  const own = readShowName(leadOf(text, numbers));
  const folder = takeTags(episodeFolder ?? '').text;
  const there = findNumbers(folder);
  const outer = there && readShowName(leadOf(folder, there));
  return outer && outer.title !== '' && !(own.title !== '' && fold(own.title).startsWith(fold(outer.title)))
    ? outer
    : own.title === own.title.toLowerCase() && outer && fold(outer.title) === fold(own.title)
      ? { ...own, title: outer.title }
      : own;
}

/** Removes the names of groups in brackets in front, as long as a title is left. */
function withoutGroups(text: string): string {
  let rest = text;
  for (let groups = 0; groups < 3; groups++) {
    const group = /^[\s_.]{0,3}[[【][^\]】]{1,60}[\]】][\s_.]{0,3}/.exec(rest)?.[0];
    if (group === undefined || fold(rest.slice(group.length)) === '') break;
    rest = rest.slice(group.length);
  }
  return rest;
}

/**
 * Returns the title of a name that has nothing but brackets: `[Group][Genre][Title][Other title][2019]`. The first of
 * those behind the group that has Latin letters, as a genre has none, else the last one.
 */
function titleInBrackets(text: string): string | undefined {
  if (!/^\s{0,3}(?:[[【][^[\]【】]{1,100}[\]】][\s_.-]{0,3}){2,12}[[【(]?$/.test(text)) return undefined;
  const all = [...text.matchAll(/[[【]([^[\]【】]{1,100})[\]】]/g)].map(([, piece = '']) => piece);
  const [, ...named] = all.filter((piece) => !/^(?:19|20)\d\d$/.test(piece));
  const title = named.find((piece) => /\p{Script=Latin}/u.test(piece)) ?? named.at(-1);
  const year = all.find((piece) => /^(?:19|20)\d\d$/.test(piece));
  return title === undefined ? undefined : `${title.replaceAll('_', ' ')}${year === undefined ? '' : ` (${year})`}`;
}

/** Returns the text before the numbers, without the name of a fansub group and the season. */
function leadOf(text: string, { start, season: own }: Pick<FoundEpisode, 'start' | 'season'>): string {
  const before = titleInBrackets(text.slice(0, start)) ?? withoutGroups(text.slice(0, start));
  const season = findSeason(before);
  // `Show - Temporada 3 [HDTV 720p][Cap.304]`: words of a release may be in between.
  const words = season === undefined ? before.length : Math.max(season.end, parseReleaseText(before).wordsAt);
  const isLast = season !== undefined && /^[ ._)([\]–-]{0,6}$/.test(before.slice(season.end, words));
  // "Series 7 S01E02": another season is part of the title.
  const isOwn = isLast && (own === undefined || own === season.season);
  return (isOwn ? before.slice(0, season.start) : before).replace(/[ ._[({【–-]{1,6}$/, '');
}

const differInSeason = (numbers: FoundEpisode, place: ShowPlace): boolean =>
  numbers.season !== undefined && place.season !== undefined && place.season !== numbers.season;

function seasonOf(numbers: FoundEpisode, place: ShowPlace, evidence: PlacementClueText[]): number | undefined {
  if (numbers.season !== undefined) {
    if (differInSeason(numbers, place)) evidence.push(PLACEMENT_CLUES.differentSeasons);
    return numbers.season;
  }
  if (place.season !== undefined) return place.season;
  if (numbers.date !== undefined) return Number(numbers.date.slice(0, 4));
  evidence.push(PLACEMENT_CLUES.firstSeasonAssumed);
  return 1;
}

/** `OVA 1`, `Episode 10.5`: the title of a special that has none. */
const specialTitle = ({ special }: FoundEpisode): string | undefined =>
  special === undefined
    ? undefined
    : /^[\d ]/.test(special)
      ? `Episode ${special.split(' ').at(-1)}`
      : special.replace(/^s\d+ /, '').toUpperCase();

/** The words between the numbers and the release words. */
function titleAfter(text: string, numbers: FoundEpisode, parsed: Release): string | undefined {
  const rest = text.slice(numbers.end).replace(/^[ ._-]{0,4}(?:\((?:19|20)\d\d\)|(?:19|20)\d{6}(?=[ ._-]|$))/, '');
  const inner = parseReleaseText(`x ${rest.replace(/^[ ._-]{1,6}/, '')}`);
  const end = Math.max(0, inner.wordsAt - 2);
  let title = readableTitle(rest.replace(/^[ ._-]{1,6}/, '').slice(0, end));
  const group = parsed.group === undefined ? '' : `-${parsed.group}`;
  if (group !== '' && title.endsWith(group)) title = title.slice(0, -group.length).trim();
  // Sums of files and the like in square brackets.
  title = readableTitle(title.replaceAll(/\[[0-9A-F]{8}\]?/g, ''));
  title = title
    .replace(/\s*\[[^\]]{0,30}\]?$/, '')
    .replace(/\s*\((?:19|20)\d\d\)?$/, '')
    .replace(/^[([](?:end|fin)[)\]]$/i, '')
    .replace(/[)\]}]$/, (close) => (title.includes(close === ')' ? '(' : '[') ? close : ''))
    .trim();
  return title === '' || !/[\p{L}\p{N}]/u.test(title) ? undefined : title;
}

function unnumberedSpecial(place: ShowPlace, stem: string, evidence: PlacementClueText[]): Guess {
  const show = readShowName(place.name ?? '');
  const parsed = parseReleaseText(takeTags(stem).text);
  const title = parsed.title || stem;
  evidence.push(PLACEMENT_CLUES.amongSpecials, PLACEMENT_CLUES.noEpisodeNumber);
  const folder = place.showDirs?.join('/');
  return {
    kind: 'episode',
    title,
    sortTitle: sortTitleOf(title),
    ids: {},
    show: {
      title: show.title,
      sortTitle: sortTitleOf(show.title),
      ...(show.year === undefined ? {} : { year: show.year }),
      ids: show.ids,
      ...(folder === undefined ? {} : { folder }),
    },
    season: 0,
    episodeTitle: title,
    release: releaseFacts(parsed),
    confidence: 0.4,
    evidence,
    folderKey: `${folder ?? ''}/${fold(show.title)}/s0 ${fold(title)}`,
  };
}

function confidenceOf(
  numbers: FoundEpisode,
  facts: { isAgreed: boolean | undefined; differInSeason: boolean },
): number {
  let value = {
    sxxeyy: 0.95,
    words: 0.93,
    nxnn: 0.9,
    date: 0.85,
    episode: 0.65,
    bare: 0.6,
    special: 0.6,
    season: 0.3,
    part: 0.6,
  }[numbers.form];
  if (numbers.absolute !== undefined) value -= 0.05;
  if (numbers.isBetween === true) value = 0.4;
  if (facts.isAgreed === true) value += 0.03;
  if (facts.isAgreed === false) value -= 0.2;
  if (facts.differInSeason) value -= 0.2;
  return Math.round(Math.min(0.99, Math.max(0.05, value)) * 100) / 100;
}
