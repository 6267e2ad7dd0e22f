/** Finds which folders of a path are those of a show and of a season. */
import { findYear, parseReleaseText, readableTitle } from '../../../lib/release-name.ts';
import { findNumbers, findSeason, findSeasons, seasonFolder } from '../../../lib/release/numbers.ts';
import { isCollectionFolder } from '../../naming/collection-folders.ts';
import { articleInFront, fold, takeTags } from '../../naming/text.ts';
import type { ExternalIds, GuessInput } from '../../naming/types.ts';

export interface ShowPlace {
  /** The folders down to the show's own; undefined when no folder is the show's. */
  showDirs?: readonly string[];
  /** The name of the show, if a folder states it: the name of its folder, or the text before `S01` in a season pack. */
  name?: string;
  season?: number;
  seasonAt?: number;
  /** The folder that holds this episode alone. */
  episodeFolder?: string;
}
export interface ShowName {
  title: string;
  year?: number;
  ids: ExternalIds;
}

const DISC_FOLDER = /^(?:cd|disc|disk|dvd)[ ._-]{0,2}\d{1,2}$/i;
/** Words after the name of a show that say how much of it a folder holds. */
const PACK_WORDS =
  /[ ._(–-]{1,4}(?:the[ ._])?(?:complete(?:[ ._](?:tv[ ._])?(?:series|collection|show))?|full[ ._]series)(?=[ ._)–-]{0,4}(?:$|[([]))/i;
/** `(01-12)`: all episodes of a season. */
const BATCH = /[ ._]{0,2}[[(]\d{1,3} ?[-–~] ?\d{1,3}[\])]/;

export function findPlace(dirs: readonly string[], kind: GuessInput['kind']): ShowPlace {
  const inner = dirs.at(-1);
  if (inner !== undefined && dirs.length > 1 && DISC_FOLDER.test(inner)) return findPlace(dirs.slice(0, -1), kind);
  // A folder of a single episode is skipped.
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
    const text = takeTags(name).text;
    const pack = at === last ? packSeason(text) : undefined;
    const before = pack ? readableTitle(withoutPackWords(text.slice(0, pack.start))) : '';
    if (pack?.season !== undefined && before !== '') return inPack(dirs, at, pack.season, before);
  }
  const name = dirs[last];
  return name === undefined ? {} : { showDirs: dirs.slice(0, last + 1), name };
}

/** Returns the season of a pack. A season in front is the title if another follows: `Series.7.S01`. */
function packSeason(text: string): { season?: number; start: number } | undefined {
  const first = findSeason(text);
  if (!first || first.start > 0) return first;
  const second = findSeason(text.slice(first.end));
  return second ? { ...second, start: first.end + second.start } : first;
}

/** `Show/1/…` and `Show/2011/…`: seasons as bare numbers, in libraries of shows. */
function numberFolder(
  name: string,
  parent: string | undefined,
  at: number,
  kind: GuessInput['kind'],
): { season: number; rest: string } | undefined {
  return kind === 'shows' &&
    at > 0 &&
    parent !== undefined &&
    !isCollectionFolder(parent) &&
    /^(?:\d{1,2}|(?:19|20)\d\d)$/.test(name)
    ? { season: Number(name), rest: '' }
    : undefined;
}

/** `Show.S01.1080p-GRP`: the folder above is the show's when it has the same title. */
function inPack(dirs: readonly string[], at: number, season: number, before: string): ShowPlace {
  const parent = dirs[at - 1];
  const isParent = parent !== undefined && agree(fold(readShowName(parent).title), fold(readShowName(before).title));
  return isParent
    ? { season, seasonAt: at, showDirs: dirs.slice(0, at), name: parent }
    : { season, seasonAt: at, name: before };
}

/** Returns the name before `Complete Series`, `S01-S03` and `(01-12)`. */
function withoutPackWords(text: string): string {
  const seasons = findSeasons(text);
  const cut = (seasons && seasons.start > 0 ? text.slice(0, seasons.start) : text).replace(BATCH, '');
  const words = PACK_WORDS.exec(cut);
  return words === null || words.index === 0
    ? cut
    : cut.slice(0, words.index) + cut.slice(words.index + words[0].length);
}

/** A show's name with its year and ids: `Show (2010) {tvdb-123}`. */
export function readShowName(name: string): ShowName {
  const tags = takeTags(name);
  const text = withoutPackWords(tags.text);
  const year = findYear(text);
  const release = parseReleaseText(text);
  const isDated = year !== undefined && (year.enclosed || release.year === year.year);
  const title = articleInFront(release.title === '' ? readableTitle(text) : release.title);
  return { title: withoutBrackets(title), ids: tags.ids, ...(isDated ? { year: year.year } : {}) };
}

/** `[Show]` as in `[Group][Show][05]` is `Show`. */
const withoutBrackets = (title: string): string =>
  /^[[【]([^[\]【】]{1,200})[\]】]?$/.exec(title)?.[1]?.trim() ?? title;

/** Whether two folded titles can mean one show: one begins or ends with the other, or is its initials. */
export function agree(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const initials = long
    .split(' ')
    .map((word) => word[0] ?? '')
    .join('');
  return (
    long.startsWith(`${short} `) ||
    long.endsWith(` ${short}`) ||
    (short.length >= 3 && short === initials) ||
    tight(a) === tight(b)
  );
}

/** Returns a folded title without its article and spaces. */
export const tight = (text: string): string => text.replaceAll(/^(?:the|a|an) | /g, '');
