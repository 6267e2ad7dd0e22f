/** Books and comics, and the series that hold some of them. */
import type { CatalogKind } from '../../core/kind.ts';
import type { ItemOrder } from '../../core/library-index/groups.ts';
import type { KindPlacement } from '../../core/scan/placement.ts';
import { endingOf, fold, stemOf } from '../../naming/text.ts';
import { castAndPlot, WHOLE_WORK_WEIGHT } from '../video/rows.ts';
import { draftBook } from './draft.ts';
import { type BookGuess, bookFiles } from './names.ts';
import { bookPage, countBooks, nextBook, seriesPage } from './page.ts';

const placement: KindPlacement<BookGuess> = {
  version: 5,
  item: 'book',
  fileType: bookFiles,
  // Formats of one book lie next to each other under one name.
  itemKey: ({ folder }, name) => `book:${folder}/${fold(stemOf(name)) || stemOf(name)}`,
  groupKey: () => undefined,
  isSameWork: (a, b) => endingOf(a.row.name) !== endingOf(b.row.name),
  home: () => undefined,
  ownsFolder: true,
  draft: draftBook,
};

/** The sort title of a book in a series is made of volume and chapter. */
const byNumber: ItemOrder =
  ({ sortTitles }) =>
  (a, b) =>
    sortTitles.compare(a, b) || a - b;

export const series: CatalogKind<'series'> = {
  placement,
  facets: ['genres', 'years', 'ratings', 'languages', 'series', 'libraries'],
  sorts: ['title', 'added', 'year', 'rating', 'released', 'random'],
  rows: {
    series: {
      searchWeight: WHOLE_WORK_WEIGHT,
      searchTexts: castAndPlot,
      card: () => ({}),
      collection: 'series',
      page: seriesPage,
      itemOrder: byNumber,
      counts: countBooks,
      cover: true,
      next: nextBook,
    },
    book: {
      searchWeight: 0.2,
      searchTexts: castAndPlot,
      card: (_row, more, group) => {
        const { authors = [], volume, chapter } = more?.detail?.book ?? {};
        return {
          ...(authors.length > 0 && { authors }),
          ...(group && { series: { id: group.id, title: group.title } }),
          ...(volume && { volume }),
          ...(chapter && { chapter }),
        };
      },
      collection: 'items',
      page: bookPage,
    },
  },
};
