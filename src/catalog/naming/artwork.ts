/**
 * Finds pictures next to the media by their names: posters, backdrops, logos and thumbs.
 *
 * The names are those of Kodi, Plex and Jellyfin. Pure; unknown names are ignored.
 */
import { seasonFolder } from '../../lib/release/numbers.ts';

export type ArtworkKind = 'poster' | 'backdrop' | 'logo' | 'thumb';

export interface ArtworkFile {
  file: string;
  kind: ArtworkKind;
  for: 'movie' | 'show' | 'season' | 'episode';
  /** Number of the season if `for` is season; 0 means the specials. */
  season?: number;
  /** Video that the picture belongs to, if the name states one. */
  video?: string;
  /**
   * Preference among several of a kind, the lowest first: `poster.jpg` before `folder.jpg`, `fanart` before `fanart2`.
   */
  order: number;
}

export interface ArtFolder {
  /** The content of the folder: one film, the seasons of a show, one season, or many films side by side (flat). */
  holds: 'movie' | 'show' | 'season' | 'flat';
  /** Number of the season if the folder holds one. */
  season?: number;
  videos: readonly string[];
  files: readonly string[];
}

const PICTURES = /\.(?:jpe?g|png|webp|avif|gif|tbn)$/i;
/** Words for each kind, the most specific first. */
const WORDS: Readonly<Record<ArtworkKind, readonly string[]>> = {
  poster: ['poster', 'cover', 'folder', 'default', 'movie', 'show', 'season', 'keyart', 'jacket'],
  backdrop: ['backdrop', 'fanart', 'background', 'art', 'extrafanart'],
  logo: ['clearlogo', 'logo'],
  thumb: ['landscape', 'thumb', 'thumbnail', 'banner'],
};
const MEANING: ReadonlyMap<string, { kind: ArtworkKind; order: number }> = new Map(
  (Object.entries(WORDS) as [ArtworkKind, readonly string[]][]).flatMap(([kind, words]) =>
    words.map((word, order) => [word, { kind, order }] as const),
  ),
);
const MAX_NAME_LENGTH = 1024;
/** Numbered pictures come after the plain one, and every kind of plain one. */
const NUMBERED = 20;

export const isPictureName = (name: string): boolean => PICTURES.test(name) && !name.startsWith('.');

/** Returns every known picture of a folder, the preferred one of each kind first. */
export function artworkOf(folder: ArtFolder): ArtworkFile[] {
  const bases = new Map(folder.videos.map((video) => [folded(baseOf(video)), video]));
  return folder.files
    .filter((file) => file.length <= MAX_NAME_LENGTH && isPictureName(file))
    .flatMap((file) => single(file, folder, bases) ?? [])
    .sort((a, b) => a.order - b.order || (a.file < b.file ? -1 : 1));
}

function single(file: string, folder: ArtFolder, bases: ReadonlyMap<string, string>): ArtworkFile | undefined {
  const stem = folded(baseOf(file));
  return ofVideo(file, stem, folder, bases) ?? ofSeason(file, stem, folder) ?? ofFolder(file, stem, folder);
}

/** Reads `Film (1999)-poster.jpg`, `Show S01E02-thumb.jpg`, `Film (1999).jpg`. */
function ofVideo(
  file: string,
  stem: string,
  folder: ArtFolder,
  bases: ReadonlyMap<string, string>,
): ArtworkFile | undefined {
  const isEpisode = folder.holds === 'season' || folder.holds === 'show';
  const same = bases.get(stem);
  if (same !== undefined)
    return { file, kind: isEpisode ? 'thumb' : 'poster', for: isEpisode ? 'episode' : 'movie', video: same, order: 5 };
  const cut = Math.max(stem.lastIndexOf('-'), stem.lastIndexOf('.'));
  if (cut <= 0) return undefined;
  const video = bases.get(stem.slice(0, cut).trimEnd());
  const meaning = video === undefined ? undefined : meaningOf(stem.slice(cut + 1).trim());
  if (video === undefined || !meaning) return undefined;
  return { file, ...meaning, for: isEpisode ? 'episode' : 'movie', video };
}

/** Reads `season01-poster.jpg`, `season-specials-poster.jpg`, `Season 1.jpg`, `season-all-fanart.jpg` (the show's). */
function ofSeason(file: string, stem: string, folder: ArtFolder): ArtworkFile | undefined {
  if (folder.holds === 'flat' || folder.holds === 'movie') return undefined;
  const match = /^season[ _-]?(\d{1,4}|specials?|all)(?:[ _-](.{1,30}))?$/.exec(stem);
  const number = match?.[1];
  if (number !== undefined) {
    const meaning = match?.[2] === undefined ? { kind: 'poster' as const, order: 3 } : meaningOf(match[2]);
    if (!meaning) return undefined;
    if (number === 'all') return { file, ...meaning, for: 'show', order: meaning.order + NUMBERED };
    return { file, ...meaning, for: 'season', season: number.startsWith('special') ? 0 : Number(number) };
  }
  const season = folder.holds === 'show' ? seasonFolder(baseOf(file)) : undefined;
  return season && season.rest === ''
    ? { file, kind: 'poster', for: 'season', season: season.season, order: 4 }
    : undefined;
}

/** Reads `poster.jpg`, `fanart3.png`, `backdrop-2.webp`, which belong to the content of the folder. */
function ofFolder(file: string, stem: string, folder: ArtFolder): ArtworkFile | undefined {
  if (folder.holds === 'flat') return undefined;
  const meaning = meaningOf(stem);
  if (!meaning || (stem === 'movie' && folder.holds !== 'movie') || (stem === 'show' && folder.holds !== 'show'))
    return undefined;
  if (folder.holds !== 'season') return { file, ...meaning, for: folder.holds };
  return folder.season === undefined ? undefined : { file, ...meaning, for: 'season', season: folder.season };
}

function meaningOf(word: string): { kind: ArtworkKind; order: number } | undefined {
  const match = /^([a-z]{3,12})[ _-]?(\d{0,3})$/.exec(word);
  const meaning = match?.[1] === undefined ? undefined : MEANING.get(match[1]);
  if (!meaning) return undefined;
  const number = match?.[2] ? Number(match[2]) + NUMBERED : 0;
  return { kind: meaning.kind, order: meaning.order + number };
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

function baseOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
