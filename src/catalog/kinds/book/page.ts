/** The pages of a book and of a series. */
import type { Item, Series } from '../../../contract/catalog/items.ts';
import { named, shownPeople } from '../../core/people/identity.ts';
import { cardOf, cardsOf } from '../../core/cards/cards.ts';
import { certificationFor, itemPage } from '../../core/item/page.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import type { IndexRow } from '../../core/library-index/types.ts';
import type { WatchRows } from '../../core/watch-rows.ts';
import type { ItemRecord } from '../../store/records.ts';
import { nextEpisode } from '../show/next-up.ts';

export async function bookPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Item> {
  const { links, ...page } = await itemPage(needs, item, viewer);
  const { book } = item.detail;
  const [language] = item.languages;
  const row = needs.index.row(item.id);
  const books = row?.parent == null ? [] : needs.index.itemsOf(row.parent, viewer.policy);
  const at = books.indexOf(item.id);
  const [previous, next] = at < 0 ? [] : [books[at - 1], books[at + 1]];
  return {
    ...page,
    ...(book && {
      book: {
        format: book.format,
        ...(book.pages !== undefined && { pages: book.pages }),
        ...(book.publisher !== undefined && { publisher: book.publisher }),
        ...(book.isbn !== undefined && { isbn: book.isbn }),
        ...(language !== undefined && { language }),
        ...(book.direction !== undefined && { direction: book.direction }),
      },
    }),
    ...(next !== undefined && { next }),
    ...(previous !== undefined && { previous }),
    links: links.media === undefined ? {} : { read: `/read/${item.id}/file` },
  };
}

export async function seriesPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Series> {
  const { store, index } = needs;
  const ids = index.itemsOf(item.id, viewer.policy);
  const items = await cardsOf(needs, ids, viewer);
  const details = await store.details(ids);
  const authors = new Set(ids.flatMap((id) => details.get(id)?.book?.authors ?? []));
  const next = items.find(({ id }) => id === nextBook(ids, viewer.watched));
  const { plot } = item.detail;
  return {
    ...cardOf(needs, index.row(item.id) as IndexRow, { more: item, viewer }),
    ...certificationFor(needs, item.id, viewer),
    ...(plot !== undefined && { plot }),
    people: shownPeople(named([...authors], 'author')),
    items,
    ...(next && { next }),
  };
}

/** Returns the book in progress, else the first unread one after the last that was read, else the first. */
export const nextBook = (books: readonly string[], watched: WatchRows): string | undefined =>
  nextEpisode(books, watched, () => undefined);

export function countBooks(books: readonly string[], watched: WatchRows): { books: number; unread: number } {
  let unread = 0;
  for (const id of books) if (watched.get(id)?.watched !== 1) unread++;
  return { books: books.length, unread };
}
