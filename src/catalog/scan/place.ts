/**
 * Placing: from a folder's files, what their names, headers and NFO say, to the items they make.
 *
 * Pure. A folder is always placed as a whole, because its versions, parts and pictures belong
 * together; what the folder holds of unchanged files comes from the tables.
 */
import type { MediaInfo } from '../probe/types.ts';
import type { Artwork, ArtFolder } from '../naming/artwork.ts';
import { artworkOf } from '../naming/artwork.ts';
import type { Nfo } from '../naming/nfo.ts';
import { ceilingOf } from '../naming/ratings.ts';
import type { Guess, Ids } from '../naming/types.ts';
import { parseLanguage } from '../../lib/languages.ts';
import { RANK } from '../types.ts';

/** A file beside the videos: a subtitle, a picture, an NFO. */
export interface Aside {
  n: string;
  s: number;
  m: number;
}
/** Where a picture is: below the library's root, with what tells one picture of that name from the next. */
export interface ImagePlace {
  at: string;
  s: number;
  m: number;
}
export type ImagePlaces = Partial<Record<'poster' | 'backdrop' | 'thumb' | 'logo', ImagePlace>>;
export interface Person {
  name: string;
  role?: string;
  job: 'actor' | 'director' | 'writer' | 'creator' | 'producer' | 'composer';
}
/** What an item's `detail` column holds. */
export interface Detail {
  plot?: string;
  tagline?: string;
  studios: string[];
  people: Person[];
  ids: Record<string, string>;
  edition?: string;
  evidence: string[];
}
/** What an item is, before it has an id. */
export interface Draft {
  kind: 'movie' | 'show' | 'season' | 'episode';
  title: string;
  sortTitle: string;
  originalTitle?: string;
  year?: number;
  /** Days since the epoch. */
  released?: number;
  rating?: string;
  ratingRank: number;
  communityRating?: number;
  duration?: number;
  resolution?: string;
  genres: string[];
  languages: string[];
  images: ImagePlaces;
  season?: number;
  episode?: number;
  episodeEnd?: number;
  confidence: number;
  detail: Detail;
}
/** One video of the folder with all that is known of it. */
export interface Video {
  name: string;
  guess: Guess;
  info: MediaInfo | undefined;
  /** What its NFO holds; of a file of several episodes there may be several. */
  nfos: readonly Nfo[];
}
export interface FolderView {
  path: string;
  videos: readonly string[];
  asides: readonly Aside[];
}

const base = (name: string) => name.replace(/\.[^.]+$/, '');
const daysOf = (date: string | undefined) =>
  date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))
    ? undefined
    : Math.floor(Date.parse(date) / 86_400_000);
const defined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as never;
const ids = (...all: (Ids | Record<string, string> | undefined)[]): Record<string, string> =>
  Object.assign({}, ...all.map((one) => (one ? defined(one) : {}))) as Record<string, string>;

/** The height class that people speak of. Wide films are judged by their width, old ones by their height. */
export function resolutionOf(info: MediaInfo | undefined): string | undefined {
  const video = info?.streams.find(({ type, cover }) => type === 'video' && !cover);
  if (!video?.width || !video.height) return undefined;
  const [width, height] =
    video.rotation === 90 || video.rotation === 270 ? [video.height, video.width] : [video.width, video.height];
  if (width >= 7000 || height >= 4000) return '8k';
  if (width >= 3200 || height >= 1700) return '4k';
  if (width >= 1800 || height >= 1000) return '1080p';
  return width >= 1200 || height >= 700 ? '720p' : 'sd';
}

export function languagesOf(info: MediaInfo | undefined): string[] {
  const of = (info?.streams ?? [])
    .filter(({ type, commentary }) => type === 'audio' && !commentary)
    .map(({ languageTag, language }) => parseLanguage(languageTag ?? language ?? ''));
  return [...new Set(of.filter((tag): tag is string => tag !== undefined))];
}

const WORD_OF_JOB = { director: 'director', writer: 'writer', credits: 'writer' } as const;
function peopleOf(nfo: Nfo | undefined): Person[] {
  if (!nfo) return [];
  return [
    ...nfo.directors.map((name): Person => ({ name, job: WORD_OF_JOB.director })),
    ...nfo.writers.map((name): Person => ({ name, job: WORD_OF_JOB.writer })),
    ...nfo.actors
      .slice(0, 60)
      .map(({ name, role }): Person => ({ name, ...(role !== undefined && { role }), job: 'actor' })),
  ];
}

/** Pictures by kind; the first of a kind wins, which is how the naming ordered them. */
function imagesOf(folder: FolderView, art: readonly Artwork[], isIts: (one: Artwork) => boolean): ImagePlaces {
  const places: ImagePlaces = {};
  for (const one of art) {
    if (places[one.kind] !== undefined || !isIts(one)) continue;
    const file = folder.asides.find(({ n }) => n === one.file);
    if (file) places[one.kind] = { at: folder.path === '' ? file.n : `${folder.path}/${file.n}`, s: file.s, m: file.m };
  }
  return places;
}
const artOf = (folder: FolderView, holds: ArtFolder['holds'], season?: number) =>
  artworkOf({
    holds,
    ...(season !== undefined && { season }),
    videos: folder.videos,
    files: folder.asides.map(({ n }) => n),
  });

function rated(nfo: Nfo | undefined): Pick<Draft, 'ratingRank' | 'rating'> {
  const rating = nfo?.mpaa;
  return { ...(rating !== undefined && { rating }), ratingRank: RANK[ceilingOf(rating)] };
}

/** What an NFO says beyond names: it was written for this very film, so it goes before a guess. */
function told(nfo: Nfo | undefined) {
  return defined({
    originalTitle: nfo?.originalTitle,
    released: daysOf(nfo?.premiered ?? nfo?.aired),
    communityRating: nfo?.rating,
    ...rated(nfo),
  });
}

function detailOf({ nfo, guess, known }: { nfo: Nfo | undefined; guess: Guess; known?: Ids | undefined }): Detail {
  return defined({
    plot: nfo?.plot ?? nfo?.outline,
    tagline: nfo?.tagline,
    studios: nfo?.studios ?? [],
    people: peopleOf(nfo),
    ids: ids(known ?? guess.ids, nfo?.ids),
    edition: guess.edition,
    evidence: nfo ? [...guess.evidence, 'an NFO file beside it says so'] : guess.evidence,
  }) as Detail;
}

/** The film that these versions and parts make. `isAlone` says that the folder holds no other film, so that its pictures are this film's. */
export function filmOf(folder: FolderView, videos: readonly Video[], isAlone: boolean): Draft {
  const first = videos.find(({ nfos }) => nfos.length > 0) ?? (videos[0] as Video);
  const {
    guess,
    nfos: [nfo],
  } = first;
  const art = artOf(folder, isAlone ? 'movie' : 'flat');
  const names = new Set(videos.map(({ name }) => name));
  const best = videos.reduce((a, b) => (height(b.info) > height(a.info) ? b : a));
  return {
    kind: 'movie',
    title: nfo?.title ?? guess.title,
    sortTitle: nfo?.sortTitle ?? (nfo?.title === undefined ? guess.sortTitle : ''),
    ...defined({ year: nfo?.year ?? guess.year, duration: durationOf(videos), resolution: resolutionOf(best.info) }),
    ...told(nfo),
    ratingRank: rated(nfo).ratingRank,
    genres: nfo?.genres ?? [],
    languages: [...new Set(videos.flatMap(({ info }) => languagesOf(info)))],
    images: imagesOf(folder, art, (one) => (one.video === undefined ? isAlone : names.has(one.video))),
    confidence: nfo ? Math.max(guess.confidence, 0.95) : guess.confidence,
    detail: detailOf({ nfo, guess }),
  };
}

const height = (info: MediaInfo | undefined) =>
  info?.streams.find(({ type, cover }) => type === 'video' && !cover)?.height ?? 0;

/** How long it plays: all parts of the longest version. */
function durationOf(videos: readonly Video[]): number | undefined {
  const byVersion = new Map<string, number>();
  for (const { guess, info } of videos) {
    if (info?.duration === undefined) continue;
    const key = `${guess.version ?? ''}|${guess.edition ?? ''}`;
    byVersion.set(key, (byVersion.get(key) ?? 0) * (guess.part === undefined ? 0 : 1) + info.duration);
  }
  return byVersion.size === 0 ? undefined : Math.max(...byVersion.values());
}

/** The show of some episodes; `folder` is the show's own, where it has one. */
export function showOf(guess: Guess, folder: FolderView | undefined, nfo: Nfo | undefined): Draft {
  const show = guess.show ?? { title: guess.title, sortTitle: guess.sortTitle, ids: {} };
  return {
    kind: 'show',
    title: nfo?.title ?? show.title,
    sortTitle: nfo?.sortTitle ?? (nfo?.title === undefined ? show.sortTitle : ''),
    ...defined({ year: nfo?.year ?? show.year }),
    ...told(nfo),
    ratingRank: rated(nfo).ratingRank,
    genres: nfo?.genres ?? [],
    languages: [],
    images: folder ? imagesOf(folder, artOf(folder, 'show'), (one) => one.for === 'show') : {},
    // Not that of the episode which happened to be placed first.
    confidence: nfo ? 0.95 : folder ? 0.8 : 0.6,
    detail: detailOf({ nfo, guess: { ...guess, evidence: [] }, known: show.ids }),
  };
}

/** A season, whose pictures may lie in the show's folder or in its own. */
export function seasonOf(number: number, show: FolderView | undefined, own: FolderView | undefined): Draft {
  const title = number === 0 ? 'Specials' : `Season ${number}`;
  const isIts = (one: Artwork) => one.for === 'season' && one.season === number;
  return {
    kind: 'season',
    title,
    sortTitle: String(number).padStart(4, '0'),
    ratingRank: RANK.all,
    genres: [],
    languages: [],
    images: {
      ...(show ? imagesOf(show, artOf(show, 'show'), isIts) : {}),
      ...(own && own !== show ? imagesOf(own, artOf(own, 'season', number), isIts) : {}),
    },
    season: number,
    confidence: 1,
    detail: { studios: [], people: [], ids: {}, evidence: [] },
  };
}

/** An episode, or the several of one file; what its own NFO does not say of its rating, its show says. */
export function episodeOf(folder: FolderView, videos: readonly Video[], show: Draft, season: number): Draft {
  const first = videos.find(({ nfos }) => nfos.length > 0) ?? (videos[0] as Video);
  const { guess } = first;
  const nfo = episodeNfo(first);
  const names = new Set(videos.map(({ name }) => name));
  const number = nfo?.episode ?? guess.episode ?? guess.absolute;
  const own = rated(nfo);
  const title =
    nfo?.title ?? guess.episodeTitle ?? guess.date ?? (number === undefined ? guess.title : `Episode ${number}`);
  return {
    kind: 'episode',
    title,
    sortTitle: '',
    ...defined({
      year: nfo?.year ?? guess.year ?? (guess.date === undefined ? undefined : Number(guess.date.slice(0, 4))),
      duration: durationOf(videos),
      resolution: resolutionOf(first.info),
    }),
    ...told(nfo),
    ...defined({ released: daysOf(nfo?.aired ?? nfo?.premiered ?? guess.date), rating: own.rating ?? show.rating }),
    ratingRank: own.rating === undefined ? show.ratingRank : own.ratingRank,
    genres: show.genres,
    languages: [...new Set(videos.flatMap(({ info }) => languagesOf(info)))],
    images: imagesOf(
      folder,
      artOf(folder, 'season', season),
      (one) => one.for === 'episode' && one.video !== undefined && names.has(one.video),
    ),
    season,
    ...defined({ episode: number, episodeEnd: endOf(first, number) }),
    confidence: nfo ? Math.max(guess.confidence, 0.95) : guess.confidence,
    detail: detailOf({ nfo, guess }),
  };
}

/** The last episode of a file that holds several: as its name says, else its NFO. */
function endOf({ guess, nfos }: Video, number: number | undefined): number | undefined {
  if (guess.episodeEnd !== undefined || nfos.length < 2) return guess.episodeEnd;
  const last = Math.max(...nfos.map(({ episode }) => episode ?? 0));
  return number !== undefined && last > number ? last : undefined;
}

/** Several episodes in one file are one item here: with the titles of all, and the plots one after the other. */
function episodeNfo({ guess, nfos }: Video): Nfo | undefined {
  const [from, to] = [guess.episode, guess.episodeEnd ?? guess.episode];
  const isIts = ({ season, episode }: Nfo) =>
    episode !== undefined &&
    from !== undefined &&
    to !== undefined &&
    episode >= from &&
    episode <= to &&
    (season === undefined || guess.season === undefined || season === guess.season);
  // One NFO that names another number than the file does was still put beside this very file.
  const own = nfos.length > 1 && nfos.some(isIts) ? nfos.filter(isIts) : nfos;
  const [first] = own;
  if (!first || own.length === 1) return first;
  const all = (of: (nfo: Nfo) => string | undefined, between: string) =>
    own
      .map(of)
      .filter((text) => text !== undefined && text !== '')
      .join(between);
  return {
    ...first,
    ...defined({
      title: all(({ title }) => title, ' / ') || undefined,
      plot: all(({ plot, outline }) => plot ?? outline, '\n\n') || undefined,
    }),
  };
}

/** The NFO that speaks for a video: of its own name, or `movie.nfo` where the film has the folder to itself. */
export function nfoNameFor(folder: FolderView, video: string, isAlone: boolean): string | undefined {
  const has = (name: string) => folder.asides.find(({ n }) => n.toLowerCase() === name.toLowerCase())?.n;
  return has(`${base(video)}.nfo`) ?? (isAlone ? has('movie.nfo') : undefined);
}

/** What an episode is found again by, inside its show. */
export function episodeKey(guess: Guess, name: string): string {
  if (guess.date !== undefined && guess.episode === undefined) return `d:${guess.date}`;
  if (guess.episode !== undefined) return `s:${guess.season ?? 1}:${guess.episode}`;
  if (guess.absolute !== undefined) return `a:${guess.absolute}`;
  return `n:${base(name).toLowerCase()}`;
}
