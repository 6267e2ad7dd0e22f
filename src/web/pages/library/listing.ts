/** What of the listing the address asks for, and how a choice changes the address. */
import { go } from '../../app/navigate.ts';
import type { Listing } from '../../catalog/grid.tsx';

type View = NonNullable<Listing['view']>;
type Sort = NonNullable<Listing['sort']>;
const VIEWS: readonly View[] = ['movies', 'shows', 'unwatched'];
const SORTS: readonly Sort[] = ['title', 'added', 'year', 'released', 'rating', 'duration', 'random'];
const RESOLUTIONS: readonly NonNullable<Listing['resolution']>[] = ['sd', '720p', '1080p', '4k', '8k'];
/** What may be filtered by, as the address names it. */
export const FILTERS = ['view', 'genre', 'year', 'rating', 'resolution', 'language'] as const;
export type Filter = (typeof FILTERS)[number];
/** Sorts that begin with the largest or newest. */
const DOWN: readonly Sort[] = ['added', 'year', 'released', 'rating'];

const oneOf = <T extends string>(value: string | null, allowed: readonly T[]): T | undefined => allowed.find((one) => one === value);

/** Anything the address has that is no known choice is left out. */
export function listingOf(params: URLSearchParams): Listing {
  const library = params.get('library');
  const year = Number(params.get('year'));
  const sort = oneOf(params.get('sort'), SORTS);
  const seed = Number(params.get('seed'));
  const view = oneOf(params.get('view'), VIEWS);
  const resolution = oneOf(params.get('resolution'), RESOLUTIONS);
  const order = oneOf(params.get('order'), ['ascending', 'descending'] as const);
  return {
    ...(library && /^[0-9a-f]{16}$/.test(library) && { library }),
    ...(view && { view }),
    ...(params.get('genre') && { genre: params.get('genre') ?? '' }),
    ...(year >= 1800 && year <= 2200 && { year }),
    ...(params.get('rating') && { rating: params.get('rating') ?? '' }),
    ...(resolution && { resolution }),
    ...(params.get('language') && { language: params.get('language') ?? '' }),
    ...(sort && { sort }),
    ...(order && { order }),
    ...(sort === 'random' && { seed: Number.isInteger(seed) && seed > 0 ? seed : 1 }),
  };
}
export const isFiltered = (listing: Listing): boolean => FILTERS.some((name) => listing[name] !== undefined);
export const isByTitle = ({ sort }: Listing): boolean => sort === undefined || sort === 'title';

const change = (how: (params: URLSearchParams) => void) => {
  const params = new URLSearchParams(location.search);
  how(params);
  const text = params.toString();
  window.scrollTo(0, 0);
  go(text ? `${location.pathname}?${text}` : location.pathname, { replace: true });
};
/** Chooses a value for a filter; undefined takes it away. */
export const choose = (name: Filter, value: string | undefined): void => change((params) => (value === undefined ? params.delete(name) : params.set(name, value)));
export const clear = (): void =>
  change((params) => {
    for (const name of FILTERS) params.delete(name);
  });
export const sortBy = (sort: Sort): void =>
  change((params) => {
    params.set('sort', sort);
    if (DOWN.includes(sort)) params.set('order', 'descending');
    else params.delete('order');
    if (sort === 'random') params.set('seed', String(1 + Math.floor(Math.random() * 2_000_000_000)));
    else params.delete('seed');
  });
export const turnAround = (): void => change((params) => (params.get('order') === 'descending' ? params.set('order', 'ascending') : params.set('order', 'descending')));
