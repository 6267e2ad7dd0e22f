/** Recognises trailers, samples and discs copied as folders by their names. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../contract/catalog/clues.ts';
import type { ExtraType } from '../../contract/catalog/extras.ts';
import { findNumbers, seasonFolder } from '../../lib/release/numbers.ts';
import { isCollectionFolder } from './collection-folders.ts';
import { endingOf, fold, isVideoName } from './text.ts';

const FOLDERS: ReadonlyMap<string, ExtraType | 'sample'> = new Map([
  ['extras', 'other'],
  ['extra', 'other'],
  ['bonus', 'other'],
  ['bonus features', 'other'],
  ['special features', 'other'],
  ['specials features', 'other'],
  ['other', 'other'],
  ['others', 'other'],
  ['trailers', 'trailer'],
  ['trailer', 'trailer'],
  ['teasers', 'trailer'],
  ['featurettes', 'featurette'],
  ['featurette', 'featurette'],
  ['behind the scenes', 'behind-the-scenes'],
  ['making of', 'behind-the-scenes'],
  ['deleted scenes', 'deleted-scene'],
  ['deleted', 'deleted-scene'],
  ['interviews', 'interview'],
  ['interview', 'interview'],
  ['scenes', 'scene'],
  ['shorts', 'short'],
  ['clips', 'clip'],
  ['theme music', 'theme'],
  ['backdrops', 'theme'],
  ['samples', 'sample'],
  ['sample', 'sample'],
  ['proof', 'sample'],
  ['bonusmaterial', 'other'],
  ['bonus material', 'other'],
  ['bonus disc', 'other'],
  ['bonus disk', 'other'],
  ['bonus dvd', 'other'],
  ['extras disc', 'other'],
  ['bloopers', 'other'],
  ['gag reel', 'other'],
  ['outtakes', 'other'],
  ['promos', 'trailer'],
  ['nc', 'clip'],
  ['ncop', 'clip'],
  ['nced', 'clip'],
  ['creditless', 'clip'],
  ['menus', 'other'],
]);
/** `Season 1 Extras`, `S01 Featurettes`: the folder of the extras of one season. */
const SEASON_BEFORE = /^(?:s|season |series |staffel |saison |disc )(\d{1,3}) /;
const folderType = (name: string): ExtraType | 'sample' | undefined => {
  const folded = fold(name);
  return FOLDERS.get(folded) ?? FOLDERS.get(folded.replace(SEASON_BEFORE, ''));
};
/** Openings and endings without credits, as fansub groups name them. */
const CREDITLESS =
  /(?<![\p{L}\p{N}])(?:nc[ ._-]?(?:op|ed)|(?:creditless|clean|textless)[ ._](?:op|ed|opening|ending))[ ._-]{0,2}\d{0,2}[a-z]?(?:v\d)?(?![\p{L}\p{N}])/iu;
/** Commercials, previews and menus of discs, which groups number as they do episodes. */
const DISC_CLIP =
  /(?:[-–] ?|[-–]_|\[)(?:pv|cm|menu|preview|promo|trailer|teaser)[ ._-]{0,2}\d{0,2}(?:v\d)?(?=$|[ ._]{0,2}[[(\]])/iu;
const SIGNED = /^\s{0,3}[[【]/;
/** Sites and groups that put a clip next to what they publish. */
const PROMO =
  /^(?:(?:rarbg|yts|yify|etrg|ettv|eztv|1337x|torrentgalaxy|tgx|ganool|ctrlhd|hdbits|x265)(?:[ ._](?:com|to|mx|am|lt|ag|me|re|do[ ._]not[ ._]mirror))?|www[ ._-][a-z0-9-]{2,40}[ ._][a-z]{2,4}|(?:downloaded|download|visit|torrent|get|more)[ ._].{0,40}www[ ._][a-z0-9-]{2,40}[ ._][a-z]{2,4}.{0,40})$/i;
/** A name that is a site and nothing more. It may be a title, so it needs a video next to it. */
const SITE = /^[a-z0-9-]{3,40}\.(?:com|org|net|info|xyz)$/i;
const SUFFIX =
  /[-](trailer|teaser|sample|scene|clip|interview|behindthescenes|deleted|deletedscene|featurette|short|other|extra|theme|making-?of)[ ._-]?\d{0,2}$/i;
const LOOSE_SUFFIX = /[ ._](trailer|sample)[ ._-]?\d{0,2}$/i;
const PREFIX = /^sample[-_.]/i;
const SUFFIX_TYPES: Readonly<Record<string, ExtraType | 'sample'>> = {
  trailer: 'trailer',
  teaser: 'trailer',
  sample: 'sample',
  scene: 'scene',
  clip: 'clip',
  interview: 'interview',
  behindthescenes: 'behind-the-scenes',
  deleted: 'deleted-scene',
  deletedscene: 'deleted-scene',
  featurette: 'featurette',
  short: 'short',
  other: 'other',
  extra: 'other',
  theme: 'theme',
  makingof: 'behind-the-scenes',
  'making-of': 'behind-the-scenes',
};

/** Returns the season that one of these folders of extras names: `Season 1`, `Season 1 Extras`. */
export function seasonOfExtras(folders: readonly string[]): number | undefined {
  for (const folder of folders) {
    const folded = fold(folder);
    const before = folded.startsWith('disc ') ? undefined : SEASON_BEFORE.exec(folded)?.[1];
    const season = before === undefined ? seasonFolder(folder)?.season : Number(before);
    if (season !== undefined) return season;
  }
  return undefined;
}

export interface FoundExtra {
  type: ExtraType | 'sample';
  /** The name without the mark. */
  title: string;
  /** Number of leading folders that belong to the item of the extra. */
  depth: number;
  evidence: PlacementClueText;
}

/**
 * Finds the mark of an extra. `hasMain`: the folder has another video, which an extra with a mark in its name belongs
 * to.
 */
export function findExtra(dirs: readonly string[], stem: string, hasMain: boolean): FoundExtra | undefined {
  if (PROMO.test(stem) || (hasMain && SITE.test(stem)))
    return { type: 'sample', title: stem, depth: dirs.length, evidence: PLACEMENT_CLUES.promoClip };
  for (let at = dirs.length - 1; at >= 1; at--) {
    const type = folderType(dirs[at] ?? '');
    if (type === undefined) continue;
    if (!isShowFolder(dirs, at, stem))
      return {
        type,
        title: stem,
        depth: at,
        evidence: type === 'sample' ? PLACEMENT_CLUES.inSamplesFolder : PLACEMENT_CLUES.inExtrasFolder,
      };
  }
  if (CREDITLESS.test(stem) || (SIGNED.test(stem) && DISC_CLIP.test(stem)))
    return { type: 'clip', title: stem, depth: dirs.length, evidence: PLACEMENT_CLUES.namedAsExtra };
  const lower = stem.toLowerCase();
  const whole = SUFFIX_TYPES[lower];
  if ((lower === 'trailer' || lower === 'sample' || lower === 'movie-trailer') && dirs.length > 0) {
    return { type: whole ?? 'trailer', title: stem, depth: dirs.length, evidence: PLACEMENT_CLUES.namedAsExtra };
  }
  if (PREFIX.test(stem) && hasMain)
    return { type: 'sample', title: stem, depth: dirs.length, evidence: PLACEMENT_CLUES.namedAsSample };
  const match = SUFFIX.exec(stem.slice(-40)) ?? LOOSE_SUFFIX.exec(stem.slice(-40));
  const mark = match?.[1]?.toLowerCase() ?? '';
  const type = match && Object.hasOwn(SUFFIX_TYPES, mark) ? SUFFIX_TYPES[mark] : undefined;
  if (!match || type === undefined || !hasMain) return undefined;
  return {
    type,
    title: stem.slice(0, stem.length - match[0].length).trim() || stem,
    depth: dirs.length,
    evidence: PLACEMENT_CLUES.markedAsExtra,
  };
}

/**
 * Returns whether a folder is a show of that name, such as Extras: it is in a folder of shows and has seasons below it,
 * or its episodes have its name in theirs.
 */
function isShowFolder(dirs: readonly string[], at: number, stem: string): boolean {
  const isNamed = fold(stem).startsWith(`${fold(dirs[at] ?? '')} s`) && findNumbers(stem)?.form === 'sxxeyy';
  const hasSeasons = dirs.slice(at + 1).some((dir) => seasonFolder(dir) !== undefined);
  return isNamed || (hasSeasons && isCollectionFolder(dirs[at - 1] ?? ''));
}

const DVD_FILE = /^(?:VIDEO_TS|VTS_\d\d_\d)\.(?:IFO|BUP|VOB)$/i;
const BLURAY_FILE = /^(?:index|MovieObject)\.bdmv$/i;
const isDiscFile = (name: string): boolean => DVD_FILE.test(name) || BLURAY_FILE.test(name);

/**
 * Returns which of the folders is a disc that was copied as a folder or an image. It is listed once, and cannot be
 * played as it is.
 */
export function findDisc(
  dirs: readonly string[],
  file: string,
): { depth: number; kind: 'dvd' | 'bluray' | 'image' } | undefined {
  const at = dirs.findIndex((dir) => /^(?:VIDEO_TS|BDMV|AVCHD|HVDVD_TS)$/i.test(dir));
  if (at >= 0) return { depth: at, kind: /^(?:VIDEO_TS|HVDVD_TS)$/i.test(dirs[at] ?? '') ? 'dvd' : 'bluray' };
  if (DVD_FILE.test(file)) return { depth: dirs.length, kind: 'dvd' };
  if (BLURAY_FILE.test(file)) return { depth: dirs.length, kind: 'bluray' };
  return ['iso', 'img', 'bin'].includes(endingOf(file)) ? { depth: dirs.length, kind: 'image' } : undefined;
}

const firstVideos = new WeakMap<readonly string[], string>();

/**
 * Returns whether a file is the one that its disc is listed by: the first one of its folder of streams. `below` are the
 * folders from that of the disc on; none if its files are among others.
 */
export function isListedForDisc(below: readonly string[], file: string, siblings: readonly string[]): boolean {
  const inner = below.at(-1) ?? '';
  const isOfStreams = below.length === 0 || /^(?:STREAM|VIDEO_TS|HVDVD_TS)$/i.test(inner) || /\.m2?ts$/i.test(file);
  if (!isOfStreams || /^(?:BACKUP|SSIF)$/i.test(inner)) return false;
  let first = firstVideos.get(siblings);
  if (first === undefined) {
    const own = siblings.filter((name) => (below.length === 0 ? isDiscFile(name) : isVideoName(name)));
    first = own.reduce((least, name) => (name < least ? name : least), file);
    firstVideos.set(siblings, first);
  }
  return first === file;
}

/** Returns the folder of the disc that a file belongs to; the path itself if it has none. */
export const discFolderOf = (path: string): string =>
  /^(?:.*\/)?(?:VIDEO_TS|BDMV|AVCHD|HVDVD_TS)(?=\/)/i.exec(path)?.[0] ?? path;
