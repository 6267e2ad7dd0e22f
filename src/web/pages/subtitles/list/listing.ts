/** Filters of the list, read strictly from the address: values that make no sense are left out. */
import type { RequestOf } from '../../../data/query.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export const statusNames = () =>
  ({
    all: m.all,
    wanted: m.missing,
    ready: m.ready,
    checking: m.checking,
    unavailable: m.notFoundOrUnavailable,
  }) as const;
export const kindChoices = () => ({ all: m.allTypes, movie: m.films, episode: m.episodes }) as const;
export const sortChoices = () =>
  ({
    wanted: m.missingFirst,
    title: m.title,
    modified: m.newestFile,
    searched: m.lastSearchedLabel,
  }) as const;
/** Missing subtitles come first, because the page is for them. */
const USUAL_SORT: keyof ReturnType<typeof sortChoices> = 'wanted';
export const INVENTORY_PAGE_SIZE = 40;

export type InventoryListing = RequestOf<'subtitles', 'inventory'> & {
  page: number;
  status: keyof ReturnType<typeof statusNames>;
  kind: keyof ReturnType<typeof kindChoices>;
  sort: keyof ReturnType<typeof sortChoices>;
};
const oneOf = <T extends string>(all: Readonly<Record<T, string>>, value: string | null, usual: T): T =>
  value !== null && Object.prototype.hasOwnProperty.call(all, value) ? (value as T) : usual;

export function inventoryListingOf(query: URLSearchParams): InventoryListing {
  const q = query.get('q')?.trim().slice(0, 128);
  const language = query.get('language');
  const library = query.get('library');
  const page = Number(query.get('page') ?? 1);
  return {
    status: oneOf(statusNames(), query.get('status'), 'all'),
    kind: oneOf(kindChoices(), query.get('kind'), 'all'),
    sort: oneOf(sortChoices(), query.get('sort'), USUAL_SORT),
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    limit: INVENTORY_PAGE_SIZE,
    ...(q && { q }),
    ...(language !== null &&
      /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/.test(language) && { language: language.toLowerCase() }),
    ...(library !== null && /^[0-9a-f]{16}$/.test(library) && { library }),
  };
}

/** The filters as the query of an address; what is as usual is left out. */
export const inventoryQueryOf = ({
  status,
  kind,
  sort,
  q,
  language,
  library,
  page,
}: InventoryListing): Record<string, string | number | undefined> => ({
  q,
  status: status === 'all' ? undefined : status,
  kind: kind === 'all' ? undefined : kind,
  language,
  library,
  sort: sort === USUAL_SORT ? undefined : sort,
  page: page === 1 ? undefined : page,
});

/** Whether the list is less than everything, whatever its order. */
export const hasInventoryFilters = ({ status, kind, q, language, library }: InventoryListing): boolean =>
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
