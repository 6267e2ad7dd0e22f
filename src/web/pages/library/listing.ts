/**
 * Reads from the address which items to list. Pure: takes the query of an address and returns the query for the server.
 */
import type { LibraryListing } from '../../parts/catalog/grid.tsx';

type View = NonNullable<LibraryListing['view']>;
export type Sort = NonNullable<LibraryListing['sort']>;
const VIEWS: readonly View[] = ['movies', 'shows', 'music', 'audiobooks', 'books', 'photos', 'unwatched'];
const SORTS: readonly Sort[] = ['title', 'added', 'year', 'released', 'rating', 'duration', 'random'];
const RESOLUTIONS: readonly NonNullable<LibraryListing['resolution']>[] = ['sd', '720p', '1080p', '4k', '8k'];
/** Filters of the list, by the names that they have in the address. */
export const FILTERS = ['view', 'genre', 'year', 'rating', 'resolution', 'language', 'artist', 'series'] as const;
export type Filter = (typeof FILTERS)[number];
/** Sorts that begin with the largest or newest. */
export const DOWN: readonly Sort[] = ['added', 'year', 'released', 'rating'];

const oneOf = <T extends string>(value: string | null, allowed: readonly T[]): T | undefined =>
  allowed.find((one) => one === value);

const idIn = (value: string | null): string | undefined =>
  value !== null && /^[0-9a-f]{16}$/.test(value) ? value : undefined;

/**
 * Anything the address has that is no known choice is left out. The list of all libraries is without photos, which are
 * far more than everything else and have a page of a separate form.
 */
export function libraryListingOf(params: URLSearchParams): LibraryListing {
  const library = idIn(params.get('library'));
  const series = idIn(params.get('series'));
  const year = Number(params.get('year'));
  const sort = oneOf(params.get('sort'), SORTS);
  const seed = Number(params.get('seed'));
  const view = oneOf(params.get('view'), VIEWS);
  const resolution = oneOf(params.get('resolution'), RESOLUTIONS);
  const isOfAll = !library && !view;
  const order = oneOf(params.get('order'), ['ascending', 'descending'] as const);
  return {
    ...(library && { library }),
    ...(view && { view }),
    ...(params.get('genre') && { genre: params.get('genre') ?? '' }),
    ...(year >= 1800 && year <= 2200 && { year }),
    ...(params.get('rating') && { rating: params.get('rating') ?? '' }),
    ...(resolution && { resolution }),
    ...(params.get('language') && { language: params.get('language') ?? '' }),
    ...(params.get('artist') && { artist: params.get('artist') ?? '' }),
    ...(series && { series }),
    ...(isOfAll && { personal: 'false' as const }),
    ...(sort && { sort }),
    ...(order && { order }),
    ...(sort === 'random' && { seed: Number.isInteger(seed) && seed > 0 ? seed : 1 }),
  };
}
export const hasLibraryFilters = (listing: LibraryListing): boolean =>
  FILTERS.some((name) => listing[name] !== undefined);
export const isByTitle = ({ sort }: LibraryListing): boolean => sort === undefined || sort === 'title';
