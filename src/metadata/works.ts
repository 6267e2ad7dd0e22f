/** Reads films and shows from TMDB: the page of one, those that a title could mean, and their pictures. */
import type { CatalogBackground, LayerFacts } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import type { MetadataClient } from './client.ts';
import { confidenceOf, type WorkOffer, type WorkQuestion } from './confidence.ts';
import { titlesOf, yearOf } from './facts.ts';
import { FilmHits, FilmPage, ShowHits, ShowPage } from './replies.ts';

const MAX_CANDIDATES = 5;
const FILM_PARTS = 'credits,external_ids,release_dates,images,alternative_titles';
const SHOW_PARTS = 'aggregate_credits,content_ratings,external_ids,images,alternative_titles';
const PICTURES = [
  ['poster', 'w780', 'poster_path'],
  ['backdrop', 'w1280', 'backdrop_path'],
] as const;

export type Work = FilmPage | ShowPage;

export interface WorksNeeds {
  client: MetadataClient;
  catalog: { layers: Pick<CatalogBackground['layers'], 'keepPicture'> };
  preferences(): { language: string; country: string | undefined };
}

export function createWorks({ client, catalog, preferences }: WorksNeeds) {
  const ids = (kind: WorkQuestion['kind']) => (kind === 'movie' ? 'movie' : 'tv');
  const work = (kind: WorkQuestion['kind'], id: string, signal: AbortSignal): Promise<Work | undefined> => {
    const { language } = preferences();
    const [base] = language.split('-');
    const request = {
      path: `/${ids(kind)}/${id}`,
      query: {
        language,
        include_image_language: [...new Set([base, 'en', 'null'])].join(','),
        append_to_response: kind === 'movie' ? FILM_PARTS : SHOW_PARTS,
      },
    };
    return kind === 'movie'
      ? client.read<Work>({ ...request, shape: FilmPage }, signal)
      : client.read<Work>({ ...request, shape: ShowPage }, signal);
  };

  const search = async (wanted: WorkQuestion, query: string, signal: AbortSignal): Promise<string[]> => {
    const { language, country } = preferences();
    const year = wanted.year === undefined ? undefined : String(wanted.year);
    const common = { query, language };
    const hits =
      wanted.kind === 'movie'
        ? await client.read(
            { path: '/search/movie', query: { ...common, region: country?.toUpperCase() }, shape: FilmHits },
            signal,
          )
        : await client.read({ path: '/search/tv', query: common, shape: ShowHits }, signal);
    // Works of the year come first, then those in the order of the service.
    const results = (hits?.results ?? []).map((hit) => ({
      id: String(hit.id),
      isOfYear: String(yearOf('title' in hit ? hit.release_date : hit.first_air_date)) === year,
    }));
    return [...results.filter(({ isOfYear }) => isOfYear), ...results.filter(({ isOfYear }) => !isOfYear)]
      .map(({ id }) => id)
      .slice(0, MAX_CANDIDATES);
  };

  const compare = async (wanted: WorkQuestion, query: string | undefined, signal: AbortSignal) => {
    const isId = wanted.id !== undefined && /^\d{1,9}$/.test(wanted.id);
    const own = isId && query === undefined ? [wanted.id ?? ''] : [];
    const title = query ?? wanted.titles[0] ?? '';
    const works: Work[] = [];
    const add = async (some: readonly string[]): Promise<void> => {
      const pages = await Promise.all(some.map((one) => work(wanted.kind, one, signal)));
      works.push(...pages.flatMap((page) => page ?? []));
    };
    await add(own);
    // An id that the service no longer has is searched for by its title.
    if (works.length === 0) await add(await search(wanted, title, signal));
    return works
      .map((page) => ({ page, ...confidenceOf(wanted, offerOf(page)) }))
      .toSorted((one, two) => two.confidence - one.confidence);
  };

  const pictures = async (page: Work, signal: AbortSignal): Promise<NonNullable<LayerFacts['images']>> => {
    const images: NonNullable<LayerFacts['images']> = {};
    for (const [kind, size, member] of PICTURES) {
      const bytes = page[member] && (await client.picture(size, page[member], signal));
      const kept = bytes && (await catalog.layers.keepPicture(bytes).catch(ignoreUnreadable));
      if (kept) images[kind] = kept;
    }
    return images;
  };

  return { work, compare, pictures };
}

export const offerOf = (page: Work): WorkOffer => {
  const minutes = 'title' in page ? page.runtime : page.episode_run_time?.[0];
  return {
    id: String(page.id),
    titles: titlesOf(page),
    year: yearOf('title' in page ? page.release_date : page.first_air_date),
    duration: minutes ? minutes * 60 : undefined,
    seasons:
      'title' in page ? undefined : Math.max(0, ...(page.seasons ?? []).map(({ season_number: number }) => number)),
  };
};

/** A damaged picture is left out; what the provider says in words still counts. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof Failure && error.kind === 'invalid') return undefined;
  throw error;
}
