/** Books and comics: what their cards and pages show, and the page of a series. */
import { z } from 'zod';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { LanguageCode } from '../kernel/common.ts';
import { about, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';

export const BOOK_FORMATS = ['epub', 'pdf', 'cbz', 'cbr', 'cb7'] as const;
export const READING_DIRECTIONS = ['ltr', 'rtl'] as const;

/** A volume or chapter. The two are never mixed: volume 1.5 is not chapter 1. */
const Numbering = z
  .strictObject({
    text: z.string().meta(about('As the file or its name states it.', '1-8')),
    number: z.number().min(0).optional().meta(about('Its first number, with decimals. Left out: it has none.', 1)),
  })
  .meta({ id: 'Numbering', description: 'Volume or chapter: its text, and its number if it has one.' });

/** Members of the card of a book. */
export const bookOnCard = {
  authors: z.array(z.string()).optional().meta(rarely('Authors of a book.')),
  series: z
    .strictObject({
      id: idOf('series', 'Id of the series.'),
      title: z.string().meta(about('Title of the series.', 'Little Nemo')),
    })
    .optional()
    .meta(rarely('Series of a book or audiobook.')),
  volume: Numbering.optional().meta(rarely('Volume of a book or audiobook in its series.')),
  chapter: Numbering.optional().meta(rarely('Chapter or issue of a book in its series.')),
  books: z.int().min(0).optional().meta(rarely('For a series: the number of books that this Profile may see.')),
  unread: z.int().min(0).optional().meta(rarely('For a series: the number of those books that are not read.')),
  cover: idOf('book', 'For a group without a poster: the item whose poster stands for it.')
    .optional()
    .meta(rarely('For a group without a poster: the item whose poster stands for it.')),
};

/** The facts of a book that its page shows. */
export const BookFacts = z
  .strictObject({
    format: z.enum(BOOK_FORMATS).meta(about('Format of the file that is read.', 'epub')),
    pages: z.int().min(0).optional().meta(about('Pages of a comic or PDF; parts of an EPUB.', 12)),
    publisher: z.string().optional().meta(about('Publisher.', 'Macmillan')),
    isbn: z.string().optional().meta(about('ISBN, without dashes.', '9780141439617')),
    language: LanguageCode.optional().meta(about('Language of the text.', 'en')),
    direction: z
      .enum(READING_DIRECTIONS)
      .optional()
      .meta(about('Direction of the pages. Left out: not stated.', 'ltr')),
  })
  .meta({ id: 'BookFacts', description: 'Facts of a book or comic.' });

export const showSeries = <T extends z.ZodType>(Series: T) =>
  endpoint({
    method: 'GET',
    path: '/api/v1/series/{id}',
    summary: 'Get a series with its books in order',
    description: 'Returns the books that the Profile may see, by volume and chapter, and the one to continue with.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: z.strictObject({ id: idOf('series', 'Id of the series.') }),
    result: Series,
    fails: ['no-such-item'],
  });

export const EXAMPLE_BOOK = {
  id: EXAMPLE_IDS.book,
  kind: 'book',
  title: 'Little Nemo #1',
  sortTitle: 'little nemo 999999.000 000001.000',
  year: 1905,
  library: EXAMPLE_IDS.library,
  added: '2026-11-02T10:15:00.000Z',
  authors: ['Winsor McCay'],
  series: { id: EXAMPLE_IDS.series, title: 'Little Nemo' },
  chapter: { text: '1', number: 1 },
  available: true,
  images: { poster: '5d10b2' },
  userData: { position: 0, watched: false, playCount: 0, listed: false },
};
export const EXAMPLE_SERIES = {
  id: EXAMPLE_IDS.series,
  kind: 'series',
  title: 'Little Nemo',
  sortTitle: 'little nemo',
  library: EXAMPLE_IDS.library,
  added: '2026-11-02T10:15:00.000Z',
  books: 1,
  unread: 1,
  cover: EXAMPLE_IDS.book,
  available: true,
  images: {},
  userData: { position: 0, watched: false, playCount: 0, listed: false },
};
