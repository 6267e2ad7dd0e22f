/** Reads films and shows from TMDB: the page of one, those that a title could mean, and their pictures. */
import type { CatalogBackground, ImagePlace, LayerFacts } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import type { MetadataClient } from './client.ts';
import { confidenceOf, hasTitleOf, type WorkOffer, type WorkQuestion } from './confidence.ts';
import { titlesOf, yearOf } from './facts.ts';
import { FilmPage, FoundWorks, ShowPage } from './replies.ts';
import { createWorkSearch } from './search.ts';
import type { ProviderPictureKind } from './sizes.ts';

const FILM_PARTS = 'credits,external_ids,release_dates,images,videos,alternative_titles';
const SHOW_PARTS = 'aggregate_credits,content_ratings,external_ids,images,videos,alternative_titles';
/** Other databases whose ids are looked up before a title is searched for. */
const FOREIGN = [
  ['imdb', 'imdb_id', /^tt\d{1,12}$/],
  ['tvdb', 'tvdb_id', /^\d{1,9}$/],
  ['wikidata', 'wikidata_id', /^Q\d{1,12}$/],
] as const;

export type Work = FilmPage | ShowPage;

/** Fetches a picture and stores it; undefined if there is none at this path, or none that can be read. */
export type PictureFetcher = (
  kind: ProviderPictureKind,
  path: string,
  signal: AbortSignal,
) => Promise<ImagePlace | undefined>;

export interface WorksNeeds {
  client: MetadataClient;
  picture: PictureFetcher;
  preferences: MetadataPreferences;
}

/** Preferences of the items of a library. */
export interface MetadataPreferences {
  /** Language of texts. */
  language: string;
  /** Country of certifications. */
  country: string | undefined;
  /** False if new items are not looked up, and known ones not renewed, unless a person asks for it. */
  isAskedFor: boolean;
}

/** Returns a function that fetches pictures in the size that suits their kind. */
export const createPictureFetcher =
  ({
    client,
    catalog,
    sizeOf,
  }: {
    client: MetadataClient;
    catalog: { layers: Pick<CatalogBackground['layers'], 'keepPicture'> };
    /** Returns the name of the size in which a kind of picture is fetched. */
    sizeOf(kind: ProviderPictureKind, signal: AbortSignal): Promise<string>;
  }): PictureFetcher =>
  async (kind, path, signal) => {
    const bytes = await client.picture(await sizeOf(kind, signal), path, signal);
    return bytes && (await catalog.layers.keepPicture(bytes).catch(ignoreUnreadable));
  };

/** Languages of texts and of pictures in a request. */
export const languageQuery = ({ language }: Pick<MetadataPreferences, 'language'>) => {
  const [base] = language.split('-');
  return { language, include_image_language: [...new Set([base, 'en', 'null'])].join(',') };
};

/** Reads works for the items of one library. */
export function createWorks({ client, picture, preferences }: WorksNeeds) {
  const ids = (kind: WorkQuestion['kind']) => (kind === 'movie' ? 'movie' : 'tv');
  const work = (kind: WorkQuestion['kind'], id: string, signal: AbortSignal): Promise<Work | undefined> => {
    const request = {
      path: `/${ids(kind)}/${id}`,
      query: {
        ...languageQuery(preferences),
        include_video_language: languageQuery(preferences).include_image_language,
        append_to_response: kind === 'movie' ? FILM_PARTS : SHOW_PARTS,
      },
    };
    return kind === 'movie'
      ? client.read<Work>({ ...request, shape: FilmPage }, signal)
      : client.read<Work>({ ...request, shape: ShowPage }, signal);
  };

  const search = createWorkSearch({ client, preferences });

  /** Returns the id of the work that has one of these ids in another database. */
  const lookUp = async ({ kind, foreign = {} }: WorkQuestion, signal: AbortSignal): Promise<string | undefined> => {
    for (const [name, source, form] of FOREIGN) {
      const value = foreign[name];
      if (value === undefined || !form.test(value)) continue;
      const request = { path: `/find/${value}`, query: { language: preferences.language, external_source: source } };
      const found = await client.read({ ...request, shape: FoundWorks }, signal);
      const [first] = (kind === 'movie' ? found?.movie_results : found?.tv_results) ?? [];
      if (first) return String(first.id);
    }
    return undefined;
  };
  /**
   * Returns the works that an item could be, the best first. `isIdUnknown` says that a file states ids of which the
   * service knows none, so that none of the works is certain.
   */
  const compare = async (asked: WorkQuestion, query: string | undefined, signal: AbortSignal) => {
    let wanted = asked;
    const isId = wanted.id !== undefined && /^\d{1,9}$/.test(wanted.id);
    const own = isId && query === undefined ? [wanted.id ?? ''] : [];
    const title = query ?? wanted.titles[0] ?? '';
    const works: Work[] = [];
    const add = async (some: readonly string[]): Promise<void> => {
      const pages = await Promise.all(some.map((one) => work(wanted.kind, one, signal)));
      works.push(...pages.flatMap((page) => page ?? []));
    };
    await add(own);
    // An id that the service no longer has is looked up by others, and then searched for by its title.
    if (works.length === 0 && query === undefined) {
      const found = await lookUp(wanted, signal);
      if (found !== undefined) {
        wanted = { ...wanted, id: found };
        await add([found]);
      }
    }
    const isIdUnknown = works.length === 0 && query === undefined && asked.isIdStated === true;
    let exact: ReadonlySet<string> = new Set();
    if (works.length === 0) {
      const hits = await search(wanted, title, signal);
      await add(hits.ids);
      const offered = works.map(offerOf).filter(({ titles }) => hasTitleOf(wanted, titles));
      exact = new Set([...hits.exact, ...offered.map(({ id }) => id)]);
    }
    const compared = works
      .map((page) => {
        const isOnlyTitle = exact.size === 1 && exact.has(String(page.id));
        return { page, ...confidenceOf(wanted, offerOf(page), { isOnlyTitle }) };
      })
      .toSorted((one, two) => two.confidence - one.confidence);
    return { compared, isIdUnknown };
  };

  const pictures = async (page: Work, signal: AbortSignal): Promise<NonNullable<LayerFacts['images']>> => {
    const images: NonNullable<LayerFacts['images']> = {};
    const [logo] = (page.images?.logos ?? []).toSorted(byLanguage(preferences.language));
    const paths = { poster: page.poster_path, backdrop: page.backdrop_path, logo: logo?.file_path };
    for (const kind of ['poster', 'backdrop', 'logo'] as const) {
      const path = paths[kind];
      const kept = path && (await picture(kind, path, signal));
      if (kept) images[kind] = kept;
    }
    return images;
  };

  return { work, compare, pictures, preferences };
}

/** Orders pictures by the language of their words: that of descriptions, English, none. */
export const byLanguage = (language: string) => {
  const order = [language.split('-')[0], 'en', null, undefined];
  const rank = ({ iso_639_1: one }: { iso_639_1?: string | null | undefined }) => {
    const at = order.indexOf(one);
    return at < 0 ? order.length : at;
  };
  return (one: Parameters<typeof rank>[0], two: Parameters<typeof rank>[0]): number => rank(one) - rank(two);
};

export const offerOf = (page: Work): WorkOffer => {
  const minutes = 'title' in page ? [page.runtime ?? 0] : (page.episode_run_time ?? []);
  const seasons = 'title' in page ? undefined : (page.seasons ?? []);
  return {
    id: String(page.id),
    titles: titlesOf(page),
    year: yearOf('title' in page ? page.release_date : page.first_air_date),
    durations: minutes.filter((one) => one > 0).map((one) => one * 60),
    ...(seasons && {
      seasons: Math.max(0, ...seasons.map(({ season_number: number }) => number)),
      episodes: new Map(seasons.map(({ season_number: number, episode_count: last }) => [number, last])),
    }),
  };
};

/** A damaged picture is left out; what the provider says in words still counts. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof Failure && error.kind === 'invalid') return undefined;
  throw error;
}
