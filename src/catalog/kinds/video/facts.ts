/**
 * Facts of videos that films, shows and episodes share: what headers, NFO files and pictures say about them.
 * Pure functions.
 */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import { foldPersonName } from '../../core/people/identity.ts';
import type { FolderView, PlacedFile } from '../../core/scan/placement.ts';
import { type ArtworkFile, type ArtFolder, artworkOf } from '../../naming/artwork.ts';
import type { Nfo } from '../../naming/nfo.ts';
import type { Guess, ExternalIds } from '../../naming/types.ts';
import { heightOf } from '../../probe/media-facts.ts';
import type { FactName } from '../../store/layers/names.ts';
import { portraitPerson } from '../../naming/portraits.ts';
import type { Details, FilmSet, ImagePlaces, Person, PortraitPlace } from '../../store/records.ts';

/** A video of an item with what its NFO says. For a file of several episodes there may be several documents. */
export interface Video extends PlacedFile<Guess> {
  nfos: readonly Nfo[];
}

const MAX_ACTORS = 60;
const MS_PER_DAY = 86_400_000;
/** Confidence of an item that an NFO describes. */
export const NFO_CONFIDENCE = 0.95;

/** Returns a copy without the members that are undefined. */
export const defined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as never;

export const daysOf = (date: string | undefined): number | undefined =>
  date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))
    ? undefined
    : Math.floor(Date.parse(date) / MS_PER_DAY);

const idsOf = (...all: (ExternalIds | Record<string, string> | undefined)[]): Record<string, string> =>
  Object.assign({}, ...all.map((one) => (one ? defined(one) : {}))) as Record<string, string>;

function peopleOf(nfo: Nfo | undefined): Person[] {
  if (!nfo) return [];
  return [
    ...nfo.directors.map((name): Person => ({ name, job: 'director' })),
    ...nfo.writers.map((name): Person => ({ name, job: 'writer' })),
    ...nfo.actors.slice(0, MAX_ACTORS).map(({ name, role, ids, picture }): Person => ({
      name,
      ...(role !== undefined && { role }),
      job: 'actor',
      ...(ids !== undefined && { ids }),
      ...(picture !== undefined && { picture }),
    })),
  ];
}

/** Returns the first picture of each kind that belongs to the item; the naming has sorted them by preference. */
export function imagesOf(
  folder: FolderView,
  art: readonly ArtworkFile[],
  isOwn: (picture: ArtworkFile) => boolean,
): ImagePlaces {
  const places: ImagePlaces = {};
  for (const picture of art) {
    if (places[picture.kind] !== undefined || !isOwn(picture)) continue;
    const file = folder.companions.find(({ n }) => n === picture.file);
    if (file)
      places[picture.kind] = { at: folder.path === '' ? file.n : `${folder.path}/${file.n}`, s: file.s, m: file.m };
  }
  return places;
}

/**
 * Returns the pictures of people in the folders of an item, those of the first folder preferred; with `names`, only of
 * these people, for items that share a folder.
 */
export function portraitsOf(
  folders: readonly (FolderView | undefined)[],
  names?: readonly string[],
): Pick<Details, 'portraits'> {
  const wanted = names && new Set(names.map((name) => foldPersonName(name)));
  const found = new Map<string, PortraitPlace>();
  for (const folder of folders)
    for (const { n, s, m } of folder?.companions ?? []) {
      const name = portraitPerson(n);
      if (name === undefined || found.has(name) || wanted?.has(name) === false) continue;
      found.set(name, { name, at: folder?.path ? `${folder.path}/${n}` : n, s, m });
    }
  return found.size === 0 ? {} : { portraits: [...found.values()] };
}

export const artOf = (folder: FolderView, holds: ArtFolder['holds'], season?: number): ArtworkFile[] =>
  artworkOf({
    holds,
    ...(season !== undefined && { season }),
    videos: folder.videos,
    files: folder.companions.map(({ n }) => n),
  });

/** Returns what an NFO states in addition to names. It was written for this item, so it has precedence over a guess. */
export const nfoFacts = (nfo: Nfo | undefined) =>
  defined({
    originalTitle: nfo?.originalTitle,
    released: daysOf(nfo?.premiered ?? nfo?.aired),
    communityRating: nfo?.rating,
    rating: nfo?.mpaa,
  });

/** Returns the set of a film. Shows and episodes belong to none, so a set in their NFO is left out. */
const setOf = ({ kind, set, setId }: Nfo): FilmSet | undefined =>
  kind !== 'movie' || set === undefined ? undefined : { name: set, ...(setId !== undefined && { id: setId }) };

/** Returns the names of the facts that an NFO states, and whether it locks them all. */
const statedBy = (nfo: Nfo): NonNullable<Details['stated']> => {
  const facts: Partial<Record<FactName, boolean>> = {
    title: nfo.title !== undefined,
    originalTitle: nfo.originalTitle !== undefined,
    year: nfo.year !== undefined,
    released: (nfo.premiered ?? nfo.aired) !== undefined,
    rating: nfo.mpaa !== undefined,
    communityRating: nfo.rating !== undefined,
    plot: (nfo.plot ?? nfo.outline) !== undefined,
    tagline: nfo.tagline !== undefined,
    genres: nfo.genres.length > 0,
    studios: nfo.studios.length > 0,
    people: nfo.directors.length + nfo.writers.length + nfo.actors.length > 0,
    ids: Object.keys(nfo.ids).length > 0,
    set: setOf(nfo) !== undefined,
  };
  return {
    nfo: (Object.keys(facts) as FactName[]).filter((name) => facts[name] === true),
    ...(nfo.isLocked === true && { locked: true }),
  };
};

export const detailsOf = ({
  nfo,
  guess,
  ids,
}: {
  nfo: Nfo | undefined;
  guess: Guess;
  ids?: ExternalIds | undefined;
}): Details =>
  defined({
    plot: nfo?.plot ?? nfo?.outline,
    tagline: nfo?.tagline,
    set: nfo && setOf(nfo),
    studios: nfo?.studios ?? [],
    people: peopleOf(nfo),
    ids: idsOf(ids ?? guess.ids, nfo?.ids),
    edition: guess.edition,
    airs: nfo?.airs,
    ...(nfo && { stated: statedBy(nfo) }),
    evidence: nfo ? [...guess.evidence, PLACEMENT_CLUES.nfoSaysSo] : guess.evidence,
  }) as Details;

/** Returns the video that speaks for an item: the first one with an NFO, else the first one. */
export const leadingVideo = (videos: readonly Video[]): Video =>
  videos.find(({ nfos }) => nfos.length > 0) ?? (videos[0] as Video);

export const highestVideo = (videos: readonly Video[]): Video =>
  videos.reduce((a, b) => (heightOf(b.info) > heightOf(a.info) ? b : a));

/** Returns the duration in seconds: that of all parts of the longest version. */
export function videoDuration(videos: readonly Video[]): number | undefined {
  const byVersion = new Map<string, number>();
  for (const { guess, info } of videos) {
    if (info?.duration === undefined) continue;
    const key = `${guess.version ?? ''}|${guess.edition ?? ''}`;
    byVersion.set(key, (byVersion.get(key) ?? 0) * (guess.part === undefined ? 0 : 1) + info.duration);
  }
  return byVersion.size === 0 ? undefined : Math.max(...byVersion.values());
}

export const baseName = (name: string): string => name.replace(/\.[^.]+$/, '');
