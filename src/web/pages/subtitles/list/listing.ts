/** The filters of the list as they stand in the address, read strictly: what makes no sense is left out. */
import type { Ask } from '../../../data/query.ts';

export const STATUSES = {
  all: 'All',
  wanted: 'Wanted',
  ready: 'Ready',
  checking: 'Being checked',
  unavailable: 'Not found or out of reach',
} as const;
export const KINDS = { all: 'All kinds', movie: 'Films', episode: 'Episodes' } as const;
export const SORTS = {
  wanted: 'Wanted first',
  title: 'Title',
  modified: 'Newest file',
  searched: 'Looked for last',
} as const;
/** What the page is for stands first. */
const USUAL_SORT: keyof typeof SORTS = 'wanted';
export const PAGE_SIZE = 40;

export type Listing = Ask<'subtitles', 'inventory'> & {
  page: number;
  status: keyof typeof STATUSES;
  kind: keyof typeof KINDS;
  sort: keyof typeof SORTS;
};
const oneOf = <T extends string>(all: Readonly<Record<T, string>>, value: string | null, usual: T): T =>
  value !== null && Object.prototype.hasOwnProperty.call(all, value) ? (value as T) : usual;

export function listingOf(query: URLSearchParams): Listing {
  const q = query.get('q')?.trim().slice(0, 128);
  const language = query.get('language');
  const library = query.get('library');
  const page = Number(query.get('page') ?? 1);
  return {
    status: oneOf(STATUSES, query.get('status'), 'all'),
    kind: oneOf(KINDS, query.get('kind'), 'all'),
    sort: oneOf(SORTS, query.get('sort'), USUAL_SORT),
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    limit: PAGE_SIZE,
    ...(q && { q }),
    ...(language !== null &&
      /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/.test(language) && { language: language.toLowerCase() }),
    ...(library !== null && /^[0-9a-f]{16}$/.test(library) && { library }),
  };
}

/** The filters as the query of an address; what is as usual is left out. */
export const queryOf = ({
  status,
  kind,
  sort,
  q,
  language,
  library,
  page,
}: Listing): Record<string, string | number | undefined> => ({
  q,
  status: status === 'all' ? undefined : status,
  kind: kind === 'all' ? undefined : kind,
  language,
  library,
  sort: sort === USUAL_SORT ? undefined : sort,
  page: page === 1 ? undefined : page,
});

/** Whether the list is less than everything, whatever its order. */
export const isFiltered = ({ status, kind, q, language, library }: Listing): boolean =>
  status !== 'all' || kind !== 'all' || [q, language, library].some((one) => one !== undefined);

/** The pages to link: the first, the last, and those around the one on show; undefined stands for what is left out. */
export function pageLinks(page: number, pages: number): (number | undefined)[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages);
  const sorted = [...new Set(wanted)].sort((a, b) => a - b);
  return sorted.flatMap((one, at) => {
    const before = sorted[at - 1];
    if (before === undefined || one - before === 1) return [one];
    return one - before === 2 ? [one - 1, one] : [undefined, one];
  });
}
