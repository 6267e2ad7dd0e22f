/**
 * Layers: what each source says about an item. The row of an item has their fold, which is what people see.
 *
 * For each fact the highest source that states it counts: an edit, then a manual match, NFO files, tags, TMDB, and the
 * name of the file. Pictures differ: one that an Owner chose counts before one in the folder, and that before one from
 * the internet. Pure functions.
 */
import { canHaveFact, type EditableFact } from '../../../contract/catalog/editable-facts.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import { fold, sortTitleOf } from '../../naming/text.ts';
import { numberingOf } from '../../../lib/books/types.ts';
import { sortedInSeries } from '../../naming/series.ts';
import type { FactName } from './names.ts';
import type { FilmSet, ImagePlace, ImagePlaces, ItemToStore, Person, TrailerLink } from '../records.ts';

/** The sources, the highest first. */
export const LAYER_SOURCES = ['edit', 'match', 'nfo', 'tags', 'tmdb', 'name'] as const;
export type LayerSource = (typeof LAYER_SOURCES)[number];
/** Sources that a scan writes. All others are written over its results. */
export const SCANNED_SOURCES = ['nfo', 'tags', 'name'] as const satisfies readonly LayerSource[];
const INTERNET: readonly LayerSource[] = ['match', 'tmdb'];
const IMAGE_SOURCES = ['edit', 'name', 'nfo', 'tags', 'match', 'tmdb'] as const satisfies readonly LayerSource[];
const MS_PER_DAY = 86_400_000;

/** Facts of one source. A fact that is left out is not stated; null says that the item has none. */
export interface LayerFacts {
  title?: string;
  sortTitle?: string;
  originalTitle?: string | null;
  /** Artists of a track or an album. An album without any has those of its tracks. */
  artists?: readonly string[];
  /** Numbers of a track and of its disc. */
  disc?: number | null;
  track?: number | null;
  /** Name of the series of a book or audiobook, and the place of an audiobook in it: `2.5`. */
  series?: string | null;
  seriesNumber?: string | null;
  /** Numbers of a book in its series, as they are written: `1-8`. */
  volume?: string | null;
  chapter?: string | null;
  year?: number | null;
  /** Day of release: `1999-03-31`. */
  released?: string | null;
  /** Certification, as `DE:12` or as a file states it. */
  rating?: string | null;
  /** 0 to 10. */
  communityRating?: number | null;
  plot?: string | null;
  tagline?: string | null;
  genres?: readonly string[];
  studios?: readonly string[];
  people?: readonly Person[];
  /** Ids in other databases. Those of all sources are joined. */
  ids?: Readonly<Record<string, string>>;
  images?: ImagePlaces;
  /**
   * Set of films that it belongs to; null says that it belongs to none. Shown is that of the highest source, with the
   * number of a lower source that names the same set.
   */
  set?: FilmSet | null;
  /** Trailers on the internet. */
  trailers?: readonly TrailerLink[];
  /** Set by an NFO with `lockdata`: nothing from the internet applies. */
  locked?: true;
}
export type FactLayers = Partial<Record<LayerSource, LayerFacts>>;

/** Returns the sources that apply, the highest first. */
export const applyingSources = (layers: FactLayers): LayerSource[] =>
  LAYER_SOURCES.filter(
    (source) => layers[source] !== undefined && !(layers.nfo?.locked === true && INTERNET.includes(source)),
  );

/** Returns the source that a fact is from; undefined if none states it. Ids and pictures may have several. */
export const sourceOfFact = (layers: FactLayers, name: FactName): LayerSource | undefined =>
  applyingSources(layers).find((source) => layers[source]?.[name] !== undefined);

/** Returns the source of the picture of a kind. */
export const sourceOfImage = (layers: FactLayers, kind: keyof ImagePlaces): LayerSource | undefined => {
  const applying = applyingSources(layers);
  return IMAGE_SOURCES.find((source) => applying.includes(source) && layers[source]?.images?.[kind] !== undefined);
};

const dayOf = (released: number | null): string | undefined =>
  released === null ? undefined : new Date(released * MS_PER_DAY).toISOString().slice(0, 10);
const daysSinceEpoch = (day: string | null | undefined): number | null =>
  day == null || Number.isNaN(Date.parse(day)) ? null : Math.floor(Date.parse(day) / MS_PER_DAY);

const stated = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], null | undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined)) as never;

/** Returns the facts of a row. */
export const factsOfItem = (item: ItemToStore): LayerFacts =>
  stated({
    title: item.title,
    sortTitle: item.sort_title,
    originalTitle: item.original_title,
    year: item.year,
    released: dayOf(item.released),
    rating: item.rating,
    communityRating: item.community_rating,
    plot: item.detail.plot,
    tagline: item.detail.tagline,
    genres: item.genres,
    studios: item.detail.studios,
    people: item.detail.people,
    ids: item.detail.ids,
    images: item.images,
    set: item.detail.set,
    trailers: item.detail.trailers,
    ...factsOfKind(item),
  });

const canHave = (item: Pick<ItemToStore, 'kind'>, fact: EditableFact): boolean =>
  canHaveFact(fact, item.kind as ItemKind);

/** Returns the facts that only items of its kind have. */
export function factsOfKind(item: ItemToStore): LayerFacts {
  const { audiobook, book } = item.detail;
  const all = {
    artists: item.artists ?? [],
    disc: item.season_number,
    track: item.episode_number,
    series: book?.series ?? audiobook?.series?.name,
    seriesNumber: audiobook?.series?.position,
    volume: book?.volume?.text,
    chapter: book?.chapter?.text,
  };
  const own = Object.entries(all).filter(([fact]) => canHave(item, fact as keyof typeof all));
  return stated(Object.fromEntries(own));
}

/** Splits an item as a scan made it into the layers of the scan. */
export function scannedLayers(item: ItemToStore): FactLayers {
  const name = factsOfItem(item) as Record<string, unknown>;
  const layers: FactLayers = {};
  for (const source of ['nfo', 'tags'] as const) {
    const names = item.detail.stated?.[source];
    if (!names) continue;
    const own: Record<string, unknown> = {};
    for (const fact of names) {
      own[fact] = name[fact];
      if (fact === 'title') own['sortTitle'] = name['sortTitle'];
    }
    for (const fact of Object.keys(own)) delete name[fact];
    layers[source] = stated(own);
  }
  if (item.detail.stated?.locked === true) layers.nfo = { ...layers.nfo, locked: true };
  return { ...layers, name: name as LayerFacts };
}

/** Returns an item with the facts that its layers say. The members that are no facts stay. */
export function foldLayers<I extends ItemToStore>(item: I, layers: FactLayers): I {
  const value = <N extends FactName>(name: N): LayerFacts[N] | undefined => {
    const source = sourceOfFact(layers, name);
    return source === undefined ? undefined : layers[source]?.[name];
  };
  const title = value('title') ?? item.title;
  const { plot: _plot, tagline: _tagline, set: _set, trailers: _trailers, ...detail } = item.detail;
  const folded: I = {
    ...item,
    title,
    sort_title: sortTitleFor(layers, title),
    original_title: value('originalTitle') ?? null,
    year: value('year') ?? null,
    released: daysSinceEpoch(value('released')),
    rating: value('rating') ?? null,
    community_rating: value('communityRating') ?? null,
    genres: [...(value('genres') ?? [])],
    images: foldImages(layers),
    detail: {
      ...stated({
        plot: value('plot'),
        tagline: value('tagline'),
        set: foldSet(layers),
        trailers: value('trailers'),
      }),
      ...detail,
      studios: [...(value('studios') ?? [])],
      people: [...(value('people') ?? [])],
      ids: Object.assign(
        {},
        ...applyingSources(layers)
          .toReversed()
          .map((source) => layers[source]?.ids),
      ) as Record<string, string>,
    },
  };
  // A row of a version before people were among the facts of an audiobook names them in its details only.
  const hasPeople = folded.detail.people.length > 0 || sourceOfFact(layers, 'people') === 'edit';
  return withFactsOfKind(hasPeople ? withCredits(folded) : folded, value, layers.edit);
}

/** Returns an item with the facts that only its kind has, where lists, orders and searches read them. */
function withFactsOfKind<I extends ItemToStore>(
  item: I,
  value: <N extends FactName>(name: N) => LayerFacts[N] | undefined,
  edit: LayerFacts | undefined,
): I {
  const artists = [...(value('artists') ?? [])];
  const [series, seriesNumber] = [value('series') ?? undefined, value('seriesNumber') ?? undefined];
  const withArtists: I = !canHave(item, 'artists')
    ? item
    : {
        ...item,
        artists,
        ...(canHave(item, 'track') && { season_number: value('disc') ?? null, episode_number: value('track') ?? null }),
        detail: { ...item.detail, music: { ...item.detail.music, artists } },
      };
  const { detail } = withArtists;
  if (detail.audiobook) {
    const { series: _series, ...audiobook } = detail.audiobook;
    const place = series === undefined ? {} : { series: { name: series, ...stated({ position: seriesNumber }) } };
    return { ...withArtists, detail: { ...detail, audiobook: { ...audiobook, ...place } } };
  }
  if (!detail.book) return withArtists;
  const { series: _series, volume: _volume, chapter: _chapter, ...book } = detail.book;
  const numbers = {
    volume: numberingOf(value('volume') ?? undefined),
    chapter: numberingOf(value('chapter') ?? undefined),
  };
  return {
    ...withArtists,
    // Books of a series are sorted by their numbers, whatever their titles are.
    ...(series !== undefined &&
      edit?.sortTitle === undefined && { sort_title: sortedInSeries({ series, ...numbers }) }),
    detail: { ...detail, book: { ...book, ...stated({ series, ...numbers }) } },
  };
}

/** Returns a book with the authors and narrators that its people name, where lists, series and searches read them. */
function withCredits<I extends ItemToStore>(item: I): I {
  const { people, audiobook, book, music } = item.detail;
  if (!audiobook && !book) return item;
  const namesOf = (job: Person['job']) => people.filter((one) => one.job === job).map(({ name }) => name);
  const [authors, narrators] = [namesOf('author'), namesOf('narrator')];
  return {
    ...item,
    ...(audiobook && { artists: authors }),
    detail: {
      ...item.detail,
      ...(book && { book: { ...book, authors } }),
      ...(audiobook && {
        audiobook: { ...audiobook, narrators },
        music: { ...music, artists: [...authors, ...narrators] },
      }),
    },
  };
}

/** An NFO names a set and rarely states its number, by which collections of the same set are recognised. */
function foldSet(layers: FactLayers): FilmSet | null | undefined {
  const sets = applyingSources(layers).flatMap((source) => {
    const set = layers[source]?.set;
    return set === undefined ? [] : [set];
  });
  const [first] = sets;
  if (!first || first.id !== undefined) return first;
  const same = sets.find((set) => set?.id !== undefined && fold(set.name) === fold(first.name));
  return same?.id === undefined ? first : { ...first, id: same.id };
}

/** A sort title belongs to the title that it was made for: one below the source of the title does not apply. */
function sortTitleFor(layers: FactLayers, title: string): string {
  const sources = applyingSources(layers);
  const ofTitle = sourceOfFact(layers, 'title');
  const above = sources.slice(0, ofTitle === undefined ? undefined : sources.indexOf(ofTitle) + 1);
  const source = above.find((one) => layers[one]?.sortTitle !== undefined);
  return (source && layers[source]?.sortTitle) ?? sortTitleOf(title);
}

function foldImages(layers: FactLayers): ImagePlaces {
  const places: ImagePlaces = {};
  const kinds = new Set(Object.values(layers).flatMap(({ images = {} }) => Object.keys(images)));
  for (const kind of kinds as Set<keyof ImagePlaces>) {
    const source = sourceOfImage(layers, kind);
    const place: ImagePlace | undefined = source && layers[source]?.images?.[kind];
    if (place) places[kind] = place;
  }
  return places;
}
