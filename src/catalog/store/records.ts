/**
 * Records: rows of the catalogue's tables as its stores hand them out and take them, with their JSON columns parsed.
 * The members of a record have the names of its columns.
 */
import type { ExtraType, TrailerSite } from '../../contract/catalog/extras.ts';
import type { PersonJob } from '../../contract/catalog/person-jobs.ts';
import type { BookMetadata } from '../../lib/books/types.ts';
import type { AirsPlace, ExtraPlace } from '../naming/types.ts';
import type { AudioTags, MediaInfo } from '../probe/types.ts';
import type { FileWindow } from '../probe/window.ts';
import type { FactName } from './layers/names.ts';
import {
  AIRS_PER_SEASON,
  type MediaFileTable,
  type FolderTable,
  type CatalogItemTable,
  type WindowTable,
} from './tables.ts';

/**
 * A file next to the videos of a folder: a subtitle, a picture, an NFO, an edit list. The names are short because many
 * are stored.
 */
export interface CompanionFile {
  /** Name. */
  n: string;
  /** Size in bytes. */
  s: number;
  /** Time of the last change in milliseconds. */
  m: number;
}

/**
 * A picture in a library: its path relative to the root, and the size and time by which a new picture is recognised.
 */
export interface ImagePlace {
  at: string;
  s: number;
  m: number;
  /** Whether the server keeps it in its own folder of pictures, so that `at` is a name there. */
  kept?: true;
  /** Number of the stream if the picture is inside a file of sound. */
  stream?: number;
  /** Name of the entry if the picture is inside that file, such as the cover in a book. */
  entry?: string;
}
export type ImagePlaces = Partial<Record<'poster' | 'backdrop' | 'thumb' | 'logo', ImagePlace>>;

export interface Person {
  name: string;
  role?: string;
  job: PersonJob;
  /** Ids in other databases, which distinguish people of the same name. */
  ids?: { tmdb?: string; imdb?: string };
  /** Path of the picture at the metadata service. */
  picture?: string;
}

/** A picture of a person in a library. */
export interface PortraitPlace extends Pick<ImagePlace, 'at' | 's' | 'm'> {
  /** Folded name of the person. */
  name: string;
}

/** Local time at which a photo or clip was taken, and what says so. */
export interface TakenAt {
  /** `2024-07-01T12:30:45`. */
  local: string;
  /** `+02:00`. */
  offset?: string;
  by: 'camera' | 'sidecar' | 'name' | 'file';
}
/** Facts of a book: its format, its place in a series, and what its page shows. */
export interface BookDetails extends Pick<
  BookMetadata,
  'format' | 'authors' | 'series' | 'volume' | 'chapter' | 'publisher' | 'isbn' | 'pages' | 'direction'
> {}

/** Facts of an audiobook that are shown on its page only. */
export interface AudiobookDetails {
  narrators: string[];
  /** Chapters of cue sheets, in seconds of the whole book. */
  chapters?: { start: number; end: number; title: string }[];
  series?: { name: string; position?: string };
}

/** Facts of an album or track that are shown on its page only. */
export interface MusicDetails {
  /** Whether the tags say that the album has various artists. */
  isCompilation?: true;
  /** Names of discs, by their number. */
  discTitle?: string;
  /** For the search; lists have them from the index. */
  artists?: string[];
  /** Artists of a track of an album whose tags name no album artist, for the search. */
  trackArtists?: string[];
  /** Notes about its artist in the folder around the album. */
  artist?: ArtistNotes;
}

/** Notes in the folder of an artist, as each album in it stores it: an artist has no row. */
export interface ArtistNotes {
  /** The artist, as the tags or folders of the album have the name. */
  name: string;
  biography?: string;
  images: Pick<ImagePlaces, 'poster' | 'backdrop'>;
}

/** The set of films that a film belongs to, as one source names it: a trilogy, for example. */
export interface FilmSet {
  /** Number of the set at TMDB, if the source knows it. Sets with the same number are one. */
  id?: string;
  name: string;
}

/** A trailer at a video service. The address is made of both parts, so that no other address can be stored. */
export interface TrailerLink {
  site: TrailerSite;
  /** Id of the video at the site. */
  key: string;
  title: string;
}

/** Facts of an item that are shown on its page. They are neither filtered nor sorted by. */
export interface Details {
  plot?: string;
  tagline?: string;
  studios: string[];
  people: Person[];
  /** Pictures of people next to the media. Those of people whom no source names are not used. */
  portraits?: PortraitPlace[];
  ids: Record<string, string>;
  edition?: string;
  /** Films only. */
  set?: FilmSet;
  /** Place of a special among the regular episodes, if its NFO states one. */
  airs?: AirsPlace;
  /** Films and shows only. */
  trailers?: readonly TrailerLink[];
  evidence: string[];
  /** The facts that an NFO or tags state, and whether an NFO locks all of them. All others are from names. */
  stated?: { nfo?: readonly FactName[]; tags?: readonly FactName[]; locked?: true };
  /** When a photo or clip was taken. */
  taken?: TakenAt;
  /** Album or track only. */
  music?: MusicDetails;
  /** Audiobook only. */
  audiobook?: AudiobookDetails;
  /** Books only. */
  book?: BookDetails;
  /** Type and place; extras only. */
  extra?: ExtraPlace & { type: ExtraType };
}

export type ItemRecord = Omit<
  CatalogItemTable,
  'airs_at' | 'film_set' | 'series' | 'studios' | 'genres' | 'languages' | 'artists' | 'codecs' | 'images' | 'detail'
> & {
  genres: readonly string[];
  languages: readonly string[];
  artists: readonly string[];
  codecs: readonly string[];
  images: ImagePlaces;
  detail: Details;
};
/** An item before it is written and gets the number of its change. */
export type ItemToStore = Omit<ItemRecord, 'change' | 'layered' | 'camera' | 'folder' | 'artists' | 'hdr' | 'codecs'> &
  Partial<Pick<ItemRecord, 'camera' | 'folder' | 'artists' | 'hdr' | 'codecs'>>;
export type FileRecord = Omit<MediaFileTable, 'evidence'> & {
  evidence: readonly string[];
  /** The part of the file that the item is, if the file holds several tracks. `item` is then that of the window. */
  window?: FileWindow;
};
/** The windows of a file, each with its item. */
export interface FileWindows {
  file: string;
  windows: readonly (FileWindow & { item: string })[];
}
export type FolderRecord = Omit<FolderTable, 'aside'> & { aside: readonly CompanionFile[] };

/**
 * Every stored fact of an item, by name. A fact that is missing here does not compile, and a new one changes the
 * placement version (`core/scan/placement-version.ts`), so that the next scan fills it in for files that did not
 * change.
 */
export const ITEM_FACTS = {
  id: true,
  library: true,
  key: true,
  kind: true,
  title: true,
  sort_title: true,
  original_title: true,
  year: true,
  released: true,
  rating: true,
  community_rating: true,
  added: true,
  duration: true,
  resolution: true,
  hdr: true,
  codecs: true,
  camera: true,
  folder: true,
  genres: true,
  languages: true,
  artists: true,
  images: true,
  show: true,
  season: true,
  season_number: true,
  episode_number: true,
  episode_end: true,
  confidence: true,
  detail: {
    plot: true,
    tagline: true,
    studios: true,
    people: true,
    portraits: true,
    ids: true,
    edition: true,
    set: true,
    trailers: true,
    airs: true,
    evidence: true,
    stated: true,
    taken: true,
    book: true,
    extra: true,
    music: true,
    audiobook: true,
  },
  present: true,
  missing: true,
} as const satisfies Record<Exclude<keyof ItemToStore, 'detail'>, true> & { detail: Record<keyof Details, true> };

const strings = (json: string): string[] => JSON.parse(json) as string[];
const parseImages = (json: string): ImagePlaces => JSON.parse(json) as ImagePlaces;
const parseDetails = (json: string): Details => JSON.parse(json) as Details;
export const parseMediaInfo = (json: string): MediaInfo => JSON.parse(json) as MediaInfo;
export { parseDetails, parseImages, strings as parseStrings };

/** The set of a film as the library index holds it. */
export interface IndexedFilmSet extends FilmSet {
  /** Whether files name it, and not only a metadata service. */
  isFromFiles?: true;
}
export const parseFilmSet = (json: string): IndexedFilmSet => JSON.parse(json) as IndexedFilmSet;
/** The series of an audiobook as the library index holds it: its name, and the number of the book if it has one. */
const formatSeries = ({ audiobook }: Details): string => {
  const { name, position } = audiobook?.series ?? {};
  return JSON.stringify([name, position].filter((one) => one !== undefined));
};
const formatFilmSet = ({ set, stated }: Details): string | null =>
  set === undefined
    ? null
    : JSON.stringify({ ...set, ...(stated?.nfo?.includes('set') === true && { isFromFiles: true }) });

/** The place of a special as the library index holds it: see `airs_at` of the table. */
const formatAirs = ({ airs }: Details): number | null =>
  airs === undefined ? null : airs.season * AIRS_PER_SEASON + Math.min(airs.before ?? Infinity, AIRS_PER_SEASON - 1);

export const parseItem = ({
  airs_at: _airs,
  film_set: _,
  series: _series,
  studios: _studios,
  ...row
}: CatalogItemTable): ItemRecord => ({
  ...row,
  genres: strings(row.genres),
  languages: strings(row.languages),
  artists: strings(row.artists),
  codecs: strings(row.codecs),
  images: parseImages(row.images),
  detail: parseDetails(row.detail),
});
export const formatItem = (item: ItemToStore, change: number): CatalogItemTable => ({
  ...item,
  camera: item.camera ?? null,
  folder: item.folder ?? null,
  genres: JSON.stringify(item.genres),
  languages: JSON.stringify(item.languages),
  artists: JSON.stringify(item.artists ?? []),
  hdr: item.hdr ?? null,
  codecs: JSON.stringify(item.codecs ?? []),
  studios: JSON.stringify(item.detail.studios),
  images: JSON.stringify(item.images),
  detail: JSON.stringify(item.detail),
  film_set: formatFilmSet(item.detail),
  airs_at: formatAirs(item.detail),
  series: formatSeries(item.detail),
  change,
  layered: 0,
});

export const parseFile = (row: MediaFileTable): FileRecord => ({ ...row, evidence: strings(row.evidence) });
export const formatFile = ({ window: _, ...file }: FileRecord): MediaFileTable => ({
  ...file,
  evidence: JSON.stringify(file.evidence),
});

export const parseWindow = ({ number, starts, ends, tags }: Omit<WindowTable, 'file' | 'item'>): FileWindow => ({
  number,
  start: starts,
  end: ends,
  tags: JSON.parse(tags) as AudioTags,
});
export const formatWindow = (
  file: string,
  { item, number, start, end, tags }: FileWindow & { item: string },
): WindowTable => ({ file, number, item, starts: start, ends: end, tags: JSON.stringify(tags) });
/** A file and the window of it that an item is, in one row. */
export type WindowedFile = Omit<MediaFileTable, 'item'> & Omit<WindowTable, 'file'>;
export function parseWindowedFile({ number, starts, ends, tags, ...file }: WindowedFile): FileRecord {
  return { ...parseFile(file), window: parseWindow({ number, starts, ends, tags }) };
}

/** The companions that were parsed last. A folder of many films is read once for each of them. */
const parsedLately = new Map<string, readonly CompanionFile[]>();
const MAX_PARSED_LATELY = 4;
export function parseCompanions(json: string): readonly CompanionFile[] {
  const known = parsedLately.get(json);
  if (known) return known;
  const files = JSON.parse(json) as CompanionFile[];
  parsedLately.set(json, files);
  if (parsedLately.size > MAX_PARSED_LATELY) parsedLately.delete(parsedLately.keys().next().value ?? '');
  return files;
}
export const parseFolder = (row: FolderTable): FolderRecord => ({ ...row, aside: parseCompanions(row.aside) });
export const formatFolder = (folder: FolderRecord): FolderTable => ({ ...folder, aside: JSON.stringify(folder.aside) });

/** Returns whether two records have the same values. Lists and objects are compared by their content. */
export const isSameRecord = <T extends object>(a: T, b: T, names: readonly (keyof T)[]): boolean =>
  names.every((name) => {
    const [x, y] = [a[name], b[name]];
    return x === y || (typeof x === 'object' && typeof y === 'object' && JSON.stringify(x) === JSON.stringify(y));
  });
