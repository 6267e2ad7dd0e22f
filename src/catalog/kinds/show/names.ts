/** Placing an episode: which folder is the show's, which the season's, and which episodes a file holds. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import { findYear, parseReleaseText, readableTitle, type Release } from '../../../lib/release-name.ts';
import { findNumbers, findSeason, seasonFolder, type EpisodeNumbers } from '../../../lib/release/numbers.ts';
import { bareNumber, countingKey, factsOf, partOfFile, type FolderFacts } from '../../naming/folder.ts';
import { articleInFront, fold, hasIds, sortTitleOf, stemOf, takeTags } from '../../naming/text.ts';
import type { Guess, GuessInput, ExternalIds } from '../../naming/types.ts';
import { releaseFacts } from '../video/release.ts';

interface Place {
  /** The folders down to the show's own; undefined when no folder is the show's. */
  showDirs?: readonly string[];
  /** The name of the show, if a folder states it: the name of its folder, or the text before `S01` in a season pack. */
  name?: string;
  season?: number;
  seasonAt?: number;
  /** The folder that holds this episode alone. */
  episodeFolder?: string;
}
interface ShowName {
  title: string;
  year?: number;
  ids: ExternalIds;
}
type Numbers = Omit<EpisodeNumbers, 'form'> & { form: EpisodeNumbers['form'] | 'bare'; absolute?: number };

/** Folders that sort and hold many shows. */
const COLLECTION_FOLDERS = new Set(
  `tv,tv shows,tvshows,shows,series,tv series,anime,downloads,download,complete,completed,media,video,videos,serien,series tv,séries,séries tv,serie tv,series de tv,сериалы,cartoons,kids,documentaries,docs,
  incoming,new,unsorted,torrents,usenet,archive,episodes,television,animes,animation,kdrama,k dramas,dramas,sitcoms,comedy,drama`
    .split(',')
    .map((name) => fold(name)),
);

/** The guess for a file that is taken to be an episode; undefined when nothing in the names says so. */
export function placeEpisode(input: GuessInput, dirs: readonly string[], file: string): Guess | undefined {
  const stem = stemOf(file);
  const facts = factsOf(input.siblings);
  const piece = partOfFile(stem, facts);
  const evidence: PlacementClueText[] = [];
  const place = findPlace(dirs, input.kind);
  const own = takeTags(piece?.text ?? stem);
  // A file alone in its folder may have a short name; then the name of the folder states the episode.
  const isShort = place.episodeFolder !== undefined && findNumbers(own.text) === undefined;
  const text = isShort ? takeTags(place.episodeFolder ?? '').text : own.text;
  const ownIds = own.ids;
  const numbers = numbersOf({ text, place, facts, kind: input.kind, evidence });
  if (!numbers)
    return place.season === 0 && place.name !== undefined ? unnumberedSpecial(place, stem, evidence) : undefined;
  const parsed = parseReleaseText(text);
  const lead = leadingName(text, numbers, place.episodeFolder);
  const show = chooseShow({ place, lead, facts, kind: input.kind, evidence });
  if (!show) return undefined;
  const season = seasonOf(numbers, place, evidence);
  const episodeTitle = titleAfter(text, numbers, parsed);
  const folder = show.folder;
  const ids = { ...(show.isFolder ? {} : ownIds), ...lead.ids, ...show.ids };
  const title = episodeTitle ?? show.title;
  const part =
    piece?.part ?? (numbers.half === undefined ? undefined : numbers.half.charCodeAt(0) - 'a'.charCodeAt(0) + 1);
  const number = numbers.date ?? `${numbers.episode}-${numbers.episodeEnd ?? numbers.episode}`;
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
    ...(season === undefined ? {} : { season }),
    ...(numbers.episode === undefined ? {} : { episode: numbers.episode }),
    ...(numbers.episodeEnd === undefined ? {} : { episodeEnd: numbers.episodeEnd }),
    ...(numbers.absolute === undefined ? {} : { absolute: numbers.absolute }),
    ...(numbers.date === undefined ? {} : { date: numbers.date }),
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
function leadingName(text: string, numbers: Numbers, episodeFolder: string | undefined): ShowName {
  const own = readShowName(leadOf(text, numbers.start));
  const folder = takeTags(episodeFolder ?? '').text;
  const there = findNumbers(folder);
  const outer = there && readShowName(leadOf(folder, there.start));
  return outer && outer.title !== '' && !(own.title !== '' && fold(own.title).startsWith(fold(outer.title)))
    ? outer
    : own.title === own.title.toLowerCase() && outer && fold(outer.title) === fold(own.title)
      ? { ...own, title: outer.title }
      : own;
}

function findPlace(dirs: readonly string[], kind: GuessInput['kind']): Place {
  // A folder of a single episode is skipped.
  const inner = dirs.at(-1);
  if (inner !== undefined && findNumbers(inner)?.form === 'sxxeyy')
    return { ...findPlace(dirs.slice(0, -1), kind), episodeFolder: inner };
  const last = dirs.length - 1;
  for (let at = last; at >= 0; at--) {
    const name = dirs[at] ?? '';
    const found = seasonFolder(name) ?? numberFolder(name, dirs[at - 1], at, kind);
    const isNamed = at > 0 || found?.rest === '';
    if (found && isNamed)
      return {
        season: found.season,
        seasonAt: at,
        ...(at > 0 ? { showDirs: dirs.slice(0, at), name: dirs[at - 1] ?? '' } : {}),
      };
    const pack = at === last ? findSeason(takeTags(name).text) : undefined;
    const before = pack ? readableTitle(takeTags(name).text.slice(0, pack.start)) : '';
    if (pack?.season !== undefined && before !== '') return inPack(dirs, at, pack.season, before);
  }
  const name = dirs[last];
  return name === undefined ? {} : { showDirs: dirs.slice(0, last + 1), name };
}

/** `Show/1/…` and `Show/2011/…`: seasons as bare numbers, in libraries of shows. */
function numberFolder(
  name: string,
  parent: string | undefined,
  at: number,
  kind: GuessInput['kind'],
): { season: number; rest: string } | undefined {
  return kind === 'shows' && at > 0 && parent !== undefined && /^(?:\d{1,2}|(?:19|20)\d\d)$/.test(name)
    ? { season: Number(name), rest: '' }
    : undefined;
}

/** `Show.S01.1080p-GRP`: the folder above is the show's when it has the same title. */
function inPack(dirs: readonly string[], at: number, season: number, before: string): Place {
  const parent = dirs[at - 1];
  const isParent = parent !== undefined && agrees(fold(readShowName(parent).title), fold(readShowName(before).title));
  return isParent
    ? { season, seasonAt: at, showDirs: dirs.slice(0, at), name: parent }
    : { season, seasonAt: at, name: before };
}

/** A show's name with its year and ids: `Show (2010) {tvdb-123}`. */
export function readShowName(name: string): ShowName {
  const { text, ids } = takeTags(name);
  const year = findYear(text);
  const release = parseReleaseText(text);
  const isDated = year !== undefined && (year.enclosed || release.year === year.year);
  const title = articleInFront(release.title === '' ? readableTitle(text) : release.title);
  return { title, ids, ...(isDated ? { year: year.year } : {}) };
}

/** Returns the text before the numbers, without the name of a fansub group. */
const leadOf = (text: string, start: number): string =>
  text
    .slice(0, start)
    .replace(/^\s{0,3}[[【][^\]】]{1,60}[\]】]/, '')
    .replace(/[ ._[({–-]{1,6}$/, '');

function numbersOf(of: {
  text: string;
  place: Place;
  facts: FolderFacts;
  kind: GuessInput['kind'];
  evidence: PlacementClueText[];
}): Numbers | undefined {
  const { text, place, facts, kind, evidence } = of;
  const found = findNumbers(text);
  const inSeason = place.seasonAt !== undefined;
  if (found && isBelieved(found, of)) {
    evidence.push(NUMBERS_SAY[found.form]);
    return found;
  }
  const number = bareNumber(text);
  if (!number) return undefined;
  const bare = (episode: number): Numbers => ({ form: 'bare', episode, start: number.start, end: number.end });
  const isSigned = /^\s{0,3}[[【]/.test(text);
  if (
    inSeason &&
    (number.number < 1888 || isSigned) &&
    (kind === 'shows' || number.after !== 'title' || (facts.counted.get(countingKey(text) ?? '') ?? 0) > 1)
  ) {
    evidence.push(PLACEMENT_CLUES.numberedInSeason);
    const season = place.season ?? 0;
    // "102" in the first season is its second episode.
    return season > 0 && number.number > season * 100 && number.number < season * 100 + 100 && !isSigned
      ? bare(number.number % 100)
      : bare(number.number);
  }
  const together = facts.counted.get(countingKey(text) ?? '') ?? 0;
  const isYear = number.number >= 1888 && number.number <= 2039;
  if (isYear && !isSigned) return undefined;
  const isCounted =
    (isSigned && number.after !== 'title') ||
    (kind === 'shows' && place.name !== undefined) ||
    (kind === 'mixed' && number.after !== 'title' && together >= 3 && fold(text.slice(0, number.start)) !== '');
  if (!isCounted || kind === 'movies') return undefined;
  evidence.push(
    isSigned || number.after === 'dash' ? PLACEMENT_CLUES.countedWithoutSeasons : PLACEMENT_CLUES.numberWithoutSeason,
  );
  return { ...bare(number.number), absolute: number.number };
}

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
function isBelieved(
  found: EpisodeNumbers,
  { text, place, facts, kind }: { text: string; place: Place; facts: FolderFacts; kind: GuessInput['kind'] },
): boolean {
  if (found.form === 'sxxeyy' || found.form === 'words' || kind === 'shows') return true;
  if (place.seasonAt !== undefined) return true;
  const isFilmLike = findYear(text, text.length)?.enclosed === true || findYear(place.name ?? '')?.enclosed === true;
  if (found.form === 'nxnn') return !isFilmLike || /x\d{2}/i.test(text.slice(found.start, found.end));
  if (kind === 'movies') return false;
  return found.form === 'date' ? fold(text.slice(0, found.start)) !== '' : !isFilmLike && facts.mains > 1;
}

const differInSeason = (numbers: Numbers, place: Place): boolean =>
  numbers.season !== undefined && place.season !== undefined && place.season !== numbers.season;

function seasonOf(numbers: Numbers, place: Place, evidence: PlacementClueText[]): number | undefined {
  if (numbers.season !== undefined) {
    if (differInSeason(numbers, place)) evidence.push(PLACEMENT_CLUES.differentSeasons);
    return numbers.season;
  }
  if (place.season !== undefined) return place.season;
  if (numbers.date !== undefined) return Number(numbers.date.slice(0, 4));
  evidence.push(PLACEMENT_CLUES.firstSeasonAssumed);
  return 1;
}

interface ChosenShow extends ShowName {
  folder?: string;
  isFolder: boolean;
  /** Whether folder and file name the same show, if both name one. */
  isAgreed?: boolean;
}
function chooseShow(of: {
  place: Place;
  lead: ShowName;
  facts: FolderFacts;
  kind: GuessInput['kind'];
  evidence: PlacementClueText[];
}): ChosenShow | undefined {
  const { place, lead, facts, kind, evidence } = of;
  const folder = place.name === undefined ? undefined : readShowName(place.name);
  const own = fold(lead.title);
  const fromFile = own === '' ? undefined : { ...lead, isFolder: false };
  if (!folder || fold(folder.title) === '') return fromFile;
  // The folder of one season is not that of the show, whose other seasons are next to it.
  if (!place.showDirs) return { ...folder, isFolder: true };
  const fromFolder = {
    ...folder,
    ids: { ...lead.ids, ...folder.ids },
    folder: place.showDirs.join('/'),
    isFolder: true,
    ...(folder.year === undefined && lead.year !== undefined ? { year: lead.year } : {}),
  };
  if (own === '') return fromFolder;
  if (agrees(fold(folder.title), own)) {
    evidence.push(PLACEMENT_CLUES.sameShow);
    return { ...fromFolder, isAgreed: true };
  }
  const isCollectionFolder =
    COLLECTION_FOLDERS.has(fold(folder.title)) ||
    (place.seasonAt === undefined && (facts.showTitles.size > 1 || kind === 'mixed'));
  const isNamed = folder.year !== undefined || hasIds(folder.ids) || place.seasonAt !== undefined;
  if (isCollectionFolder && !isNamed) {
    evidence.push(PLACEMENT_CLUES.severalShows);
    return fromFile;
  }
  evidence.push(PLACEMENT_CLUES.differentShows);
  return { ...fromFolder, isAgreed: false };
}

/** Whether two folded titles can mean one show: one begins or ends with the other, or is its initials. */
function agrees(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const initials = long
    .split(' ')
    .map((word) => word[0] ?? '')
    .join('');
  const tight = (text: string) => text.replaceAll(/^(?:the|a|an) | /g, '');
  return (
    long.startsWith(`${short} `) ||
    long.endsWith(` ${short}`) ||
    (short.length >= 3 && short === initials) ||
    tight(a) === tight(b)
  );
}

/** The words between the numbers and the release words. */
function titleAfter(text: string, numbers: Numbers, parsed: Release): string | undefined {
  const rest = text.slice(numbers.end).replace(/^[ ._-]{0,4}\((?:19|20)\d\d\)/, '');
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
    .replace(/[)\]}]$/, (close) => (title.includes(close === ')' ? '(' : '[') ? close : ''))
    .trim();
  return title === '' || !/[\p{L}\p{N}]/u.test(title) ? undefined : title;
}

function unnumberedSpecial(place: Place, stem: string, evidence: PlacementClueText[]): Guess {
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

function confidenceOf(numbers: Numbers, facts: { isAgreed: boolean | undefined; differInSeason: boolean }): number {
  let value = { sxxeyy: 0.95, words: 0.93, nxnn: 0.9, date: 0.85, episode: 0.65, bare: 0.6, season: 0.3, part: 0.3 }[
    numbers.form
  ];
  if (numbers.absolute !== undefined) value -= 0.05;
  if (facts.isAgreed === true) value += 0.03;
  if (facts.isAgreed === false) value -= 0.2;
  if (facts.differInSeason) value -= 0.2;
  return Math.round(Math.min(0.99, Math.max(0.05, value)) * 100) / 100;
}
