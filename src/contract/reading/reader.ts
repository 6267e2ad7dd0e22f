/** Endpoints for reading books: contents, parts, pages, search, and where a Profile stopped. */
import { z } from 'zod';
import { LIBRARY_READERS, OWN_DATA_WRITERS, PLAYERS } from '../kernel/access.ts';
import { Id, integer, Time } from '../kernel/common.ts';
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { MEDIA } from '../kernel/surface.ts';

const MAX_PARTS = 100_000;
/** Matches that one search returns. */
const MAX_MATCHES = 100;

const READING = [
  'no-such-item',
  'library-offline',
  'file-unavailable',
  'book-unreadable',
  'book-encrypted',
  'too-many-book-questions',
] as const;
const version = {
  version: Id.optional().meta({ description: 'Version of the book, such as another format. Default: the best one.' }),
};
const part = z.int().min(0).max(MAX_PARTS);
const PART = about('Part of an EPUB, or page of a comic or PDF, from 0.', 3);
const OFFSET = about('Place in that part, from 0 at its start to 1 at its end.', 0.42);

/** The place of a Profile in a book. */
const ReadingPlace = z
  .strictObject({
    part: part.meta(PART),
    offset: z.number().min(0).max(1).meta(OFFSET),
    percent: z.number().min(0).max(100).meta(about('How much of the book is read, in percent.', 28.5)),
    finished: z.boolean().meta(about('Whether the book was read to its end.', false)),
    readAt: Time.optional().meta(about('When it was read last. Left out: never.', '2026-11-20T21:14:05.000Z')),
  })
  .meta({ id: 'ReadingPlace', description: 'Place of a Profile in a book.' });

const ContentsEntry = z
  .strictObject({
    title: z.string().meta(about('Title of the chapter.', 'Down the rabbit hole')),
    part: part.meta(PART),
    fragment: z.string().optional().meta(rarely('Id of the element in the part at which it begins.')),
    depth: z.int().min(0).meta(about('Level, from 0.', 0)),
  })
  .meta({ id: 'ContentsEntry', description: 'Line of the contents of a book.' });

export const reader = {
  open: endpoint({
    method: 'GET',
    path: '/api/v1/books/{id}/reader',
    summary: 'Get what a reader needs to show a book: its kind, contents, and number of parts',
    description:
      'Parts of an EPUB are read at `/read/{id}/part/{n}`, and pages of a comic or PDF at `/read/{id}/page/{n}`. All ' +
      'are counted from 0.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject(version),
    result: z
      .strictObject({
        kind: z.enum(['epub', 'pdf', 'comic']).meta(about('How the book is read.', 'epub')),
        direction: z.enum(['ltr', 'rtl']).meta(about('Direction in which pages are turned.', 'ltr')),
        contents: z.array(ContentsEntry).meta(about('Contents, in reading order. Empty: the book has none.')),
        parts: z.int().min(0).meta(about('Number of parts, or of pages of a comic or PDF.', 12)),
        pages: z.int().min(0).optional().meta(rarely('Number of pages, of a comic or PDF.')),
        version: z.string().meta(about('Changes with the file: the value of `v` in addresses.', 'k3f9a1c')),
        place: ReadingPlace,
      })
      .meta({ id: 'Reader', description: 'Facts that a reader needs to show a book.' }),
    fails: READING,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/v1/books/{id}/reader/search',
    summary: 'Search the text of an EPUB or PDF',
    description: `Returns the first ${MAX_MATCHES} matches in reading order, whatever their case. Comics have no text.`,
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({
      ...version,
      q: z
        .string()
        .trim()
        .min(2)
        .max(128)
        .meta({ description: 'Text to search for.', examples: ['rabbit'] }),
      limit: integer(1, MAX_MATCHES).default(50).meta({ description: 'Maximum number of matches.' }),
    }),
    result: z
      .strictObject({
        items: z
          .array(
            z.strictObject({
              part: part.meta(PART),
              number: z.int().min(0).meta(about('Number of the match in its part, from 0.', 0)),
              offset: z.number().min(0).max(1).meta(OFFSET),
              before: z.string().meta(about('Text before the match.', 'a White ')),
              match: z.string().meta(about('The match, as it is written.', 'Rabbit')),
              after: z.string().meta(about('Text after the match.', ' with pink eyes ran close by her.')),
            }),
          )
          .meta(about('Matches in reading order.')),
        total: z.int().min(0).meta(about('Number of matches that are returned.', 1)),
      })
      .meta({ id: 'BookMatches', description: 'Matches of a search in a book.' }),
    fails: READING,
  }),
  text: endpoint({
    method: 'GET',
    path: '/api/v1/books/{id}/reader/pages/{n}/text',
    summary: 'Get the text of a page of a PDF, line by line, with the place of each line',
    description:
      'A reader lays it over the picture of the page, so that it can be selected and read aloud. A scanned page has ' +
      'no lines.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: z.strictObject({
      id: idOf('book', 'Id of the book.'),
      n: integer(0, MAX_PARTS).meta({ description: 'Number of the page, from 0.', examples: [3] }),
    }),
    query: z.strictObject(version),
    result: z
      .strictObject({
        ratio: z.number().meta(about('Width of the page, divided by its height.', 0.707)),
        lines: z
          .array(
            z.strictObject({
              text: z.string().meta(about('Text of the line.', 'Down the rabbit hole')),
              x: z.number().meta(about('Left edge, as a share of the width of the page.', 0.12)),
              y: z.number().meta(about('Upper edge, as a share of the height of the page.', 0.3)),
              width: z.number().meta(about('Width, as a share of the width of the page.', 0.5)),
              height: z.number().meta(about('Height, as a share of the height of the page.', 0.02)),
            }),
          )
          .meta(about('Lines in reading order.')),
      })
      .meta({ id: 'PageText', description: 'Text of a page of a PDF.' }),
    fails: [...READING, 'no-such-part', 'not-in-parts'],
  }),
  place: endpoint({
    method: 'GET',
    path: '/api/v1/books/{id}/reader/progress',
    summary: 'Get where this Profile stopped in a book',
    description: 'A book that was never opened is at its start.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    result: ReadingPlace,
    fails: ['no-such-item'],
  }),
  progress: endpoint({
    method: 'PUT',
    path: '/api/v1/books/{id}/reader/progress',
    summary: 'Save where this Profile is in a book. In a session, a sequence that is not above the last one is stale',
    description:
      'A reader sends it after a page is turned and when the book is closed. The book is finished when its last ' +
      'page, or the end of its last part, was shown. An offset of 0 says that a page of a comic or PDF is shown as a ' +
      'whole. A reader that shows a piece of a high page sends the place in it: above 0, and 1 at its end.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    body: z.strictObject({
      part: part.meta(PART),
      offset: z.number().min(0).max(1).meta(OFFSET),
      session: z
        .string()
        .regex(/^[A-Za-z0-9_-]{8,64}$/)
        .optional()
        .meta(about('Any text that stays the same while the book is open.', EXAMPLE_IDS.playback)),
      sequence: z
        .int()
        .min(0)
        .optional()
        .meta(about('Number of this report in its session, each higher than the last.', 42)),
    }),
    result: ReadingPlace,
    fails: ['no-such-item', 'no-such-part', 'stale-progress'],
  }),
};

const byPart = (what: string) =>
  z.strictObject({
    id: idOf('book', 'Id of the book.'),
    n: integer(0, MAX_PARTS).meta({ description: what, examples: [3] }),
  });
const v = z
  .string()
  .max(32)
  .optional()
  .meta({ description: 'The version from the reader; with it the reply may be cached.', examples: ['k3f9a1c'] });

export const bookBytes = {
  file: endpoint({
    method: 'GET',
    path: '/read/{id}/file',
    surface: MEDIA,
    summary: 'Get the file of a book. Supports range requests',
    description: 'Sends the file as it is stored.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({ ...version, v }),
    result: {
      bytes: [
        'application/epub+zip',
        'application/pdf',
        'application/vnd.comicbook+zip',
        'application/vnd.comicbook-rar',
        'application/x-cb7',
      ],
      ranged: true,
    },
    fails: [...READING, 'no-such-range'],
  }),
  part: endpoint({
    method: 'GET',
    path: '/read/{id}/part/{n}',
    surface: MEDIA,
    summary: 'Get a part of an EPUB, to show in a frame',
    description:
      'The part is rewritten: no script, form or outside address remains. Its Content-Security-Policy allows ' +
      'pictures, styles and fonts of the book only.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byPart('Number of the part, from 0.'),
    query: z.strictObject({ ...version, v }),
    result: { bytes: ['application/xhtml+xml; charset=utf-8'] },
    fails: [...READING, 'no-such-part', 'not-in-parts'],
  }),
  asset: endpoint({
    method: 'GET',
    path: '/read/{id}/asset/{n}',
    surface: MEDIA,
    summary: 'Get a picture, style sheet or font of an EPUB',
    description: 'The parts of the book have these addresses. Style sheets are rewritten as parts are.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byPart('Number of the file in the book, from 0.'),
    query: z.strictObject({ ...version, v }),
    result: { bytes: ['image/*', 'text/css; charset=utf-8', 'font/*', 'audio/*', 'video/*'], ranged: true },
    fails: [...READING, 'no-such-part', 'not-in-parts', 'no-such-range'],
  }),
  page: endpoint({
    method: 'GET',
    path: '/read/{id}/page/{n}',
    surface: MEDIA,
    summary: 'Get a page of a comic or PDF as a picture',
    description: 'A page of a comic is sent as it is stored if no width is given. One of a PDF is drawn in the width.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byPart('Number of the page, from 0.'),
    query: z.strictObject({
      ...version,
      v,
      width: integer(1, 4000)
        .optional()
        .meta({ description: 'Width in pixels. A page that is narrower is sent as it is.', examples: [1280] }),
    }),
    result: { bytes: ['image/*'] },
    fails: [...READING, 'no-such-part', 'not-in-parts', 'picture-unreadable'],
  }),
};
