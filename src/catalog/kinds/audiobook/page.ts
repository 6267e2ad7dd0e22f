/** The page of an audiobook, with its neighbours in its series. */
import type { Item } from '../../../contract/catalog/items.ts';
import { itemPage } from '../../core/item/page.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import type { IndexRow } from '../../core/library-index/types.ts';
import type { ItemRecord } from '../../store/records.ts';

/** Maximum number of books of a series among which neighbours are looked for. */
const MAX_BOOKS = 2_000;

export async function audiobookPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Item> {
  const page = await itemPage(needs, item, viewer);
  const books = inSameSeries(needs, needs.index.row(item.id), viewer);
  const at = books.indexOf(item.id);
  const [previous, next] = at < 0 ? [] : [books[at - 1], books[at + 1]];
  return { ...page, ...(next !== undefined && { next }), ...(previous !== undefined && { previous }) };
}

/**
 * Returns the visible books of the series in the same library, by their numbers; those without a number are last, by
 * title. Other libraries may hold the same books again.
 */
function inSameSeries({ index }: PageNeeds, row: IndexRow | undefined, { policy }: Viewer): string[] {
  const [series] = row?.series ?? [];
  if (row === undefined || series === undefined) return [];
  const { kind, library } = row;
  const { ids } = index.page(
    { kinds: [kind], library, series, sort: 'title', order: 'ascending', offset: 0, limit: MAX_BOOKS },
    policy,
  );
  const numberOf = (id: string): number => {
    const number = Number.parseFloat(index.row(id)?.series?.[1] ?? '');
    return Number.isNaN(number) ? Infinity : number;
  };
  const numbers = new Map(ids.map((id) => [id, numberOf(id)]));
  // Equal numbers, infinite ones among them, keep the order of the titles.
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
  return ids.toSorted((a, b) => compare(numbers.get(a) ?? Infinity, numbers.get(b) ?? Infinity));
}
