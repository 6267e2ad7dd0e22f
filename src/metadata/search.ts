/** Searches TMDB for the works that a title could mean. */
import type { MetadataClient } from './client.ts';
import { hasTitleOf, type WorkQuestion } from './confidence.ts';
import { yearOf } from './facts.ts';
import { FilmHits, ShowHits } from './replies.ts';

const MAX_CANDIDATES = 5;
/** Pages of a search that are read to know whether a title is the only one. */
const MAX_SEARCH_PAGES = 3;

interface SearchNeeds {
  client: Pick<MetadataClient, 'read'>;
  preferences: { language: string; country: string | undefined };
}

/**
 * Returns a function that returns the works that a title could mean, the likely ones first, and those that have exactly
 * a wanted title.
 */
export const createWorkSearch =
  ({ client, preferences }: SearchNeeds) =>
  async (
    wanted: WorkQuestion,
    query: string,
    signal: AbortSignal,
  ): Promise<{ ids: string[]; exact: ReadonlySet<string> }> => {
    const { language, country } = preferences;
    const year = wanted.year === undefined ? undefined : String(wanted.year);
    const common = { query, language };
    const ask = (of: string | undefined, page?: string) =>
      wanted.kind === 'movie'
        ? client.read(
            {
              path: '/search/movie',
              query: { ...common, region: country?.toUpperCase(), primary_release_year: of, page },
              shape: FilmHits,
            },
            signal,
          )
        : client.read(
            { path: '/search/tv', query: { ...common, first_air_date_year: of, page }, shape: ShowHits },
            signal,
          );
    const hits = await ask(undefined);
    // A common title has more works than one page, and the one of the year may not be on the first.
    const ofYear = year !== undefined && (hits?.total_pages ?? 1) > 1 ? await ask(year) : undefined;
    const found = [ofYear, hits];
    // Only titles distinguish works without a year, so all of them have to be known.
    const last = year === undefined ? Math.min(MAX_SEARCH_PAGES, hits?.total_pages ?? 1) : 1;
    for (let page = 2; page <= last; page++) found.push(await ask(undefined, String(page)));
    const results = found
      .flatMap((page) => (page?.results ?? []) as readonly (FilmHits | ShowHits)['results'][number][])
      .map((hit) => {
        const titles = 'title' in hit ? [hit.title, hit.original_title] : [hit.name, hit.original_name];
        const day = 'title' in hit ? hit.release_date : hit.first_air_date;
        const isExact = hasTitleOf(
          wanted,
          titles.flatMap((one) => one ?? []),
        );
        return { id: String(hit.id), isOfYear: String(yearOf(day)) === year, isExact };
      });
    const rank = ({ isOfYear, isExact }: (typeof results)[number]) => (isOfYear ? 0 : 2) + (isExact ? 0 : 1);
    // Works of the year come first, then those of the title, then the others in the order of the service.
    const ordered = results.toSorted((one, two) => rank(one) - rank(two));
    return {
      ids: [...new Set(ordered.map(({ id }) => id))].slice(0, MAX_CANDIDATES),
      exact: new Set(results.filter(({ isExact }) => isExact).map(({ id }) => id)),
    };
  };
