/** Endpoints that read the library: listings, item pages, artwork, and the files that could not be identified. */
import { EXAMPLE_EPISODE, EXAMPLE_SHOW } from './examples.ts';
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { LIBRARY_OWNERS, LIBRARY_READERS } from '../kernel/access.ts';
import { integer, Language, PAGE_LIMIT, paging, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { MatchCandidate } from './candidates.ts';
import { ART_KINDS, Card, Facets, RESOLUTIONS } from './cards.ts';
import { listExtras } from './extras.ts';
import { showSeries } from './books.ts';
import { Item, Series, Show } from './items.ts';
import { VIEWS } from './kinds.ts';
import { photoFilters } from './photos.ts';

const byShow = z.strictObject({ id: idOf('show', 'Id of the show.') });
const byPictured = z.strictObject({ id: idOf('item', 'Id of the item, show or season.') });

export const SORTS = ['title', 'added', 'year', 'released', 'rating', 'duration', 'random'] as const;

const offset = integer(0, 100_000_000)
  .optional()
  .meta({ description: 'Number of entries to skip; not together with a cursor.' });

const personal = z
  .enum(['true', 'false'])
  .optional()
  .meta(about('false leaves out photos and video clips of the household.', 'false'));

/** Maximum number of ids that are asked for at once. */
const MAX_ASKED_IDS = 100;

export const catalog = {
  cards: endpoint({
    method: 'GET',
    path: '/api/v1/items',
    summary: 'Cards of items by their ids',
    description:
      'Returns the items in the order of the ids. Those that do not exist, or that this Profile may not see, are ' +
      'left out.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      ids: z
        .string()
        .regex(new RegExp(`^[0-9a-f]{16}(,[0-9a-f]{16}){0,${MAX_ASKED_IDS - 1}}$`), 'expected ids between commas')
        .meta({ description: 'Ids between commas, at most 100.', examples: [EXAMPLE_IDS.item] }),
    }),
    result: z
      .strictObject({
        items: z.array(Card).max(MAX_ASKED_IDS).meta(about('The items.')),
        total: z.int().min(0).meta(about('Number of items.', 1)),
      })
      .meta({ id: 'Cards', description: 'Items that were asked for by their ids.' }),
  }),
  library: endpoint({
    method: 'GET',
    path: '/api/v1/library',
    summary: 'List, search, filter and count the items that this Profile may see',
    description:
      'One operation for every list of the dashboard: a search, a kind, a genre, or what the Profile ' +
      'listed, began or watched. The reply also has the counts of each filter.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      q: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .meta({
          description: 'Words to search for in titles, people and plots; matches in titles come first.',
          examples: ['charade'],
        }),
      view: z.enum(VIEWS).default('all').meta({
        description: 'Part of the library: one kind, or the items that this Profile listed, began or watched.',
      }),
      library: idOf('library', 'Only items of this library.').optional(),
      genre: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: 'Only items of this genre.', examples: ['Comedy'] }),
      year: integer(1800, 2200).optional().meta({ description: 'Only items of this year.' }),
      rating: z
        .string()
        .min(1)
        .max(32)
        .optional()
        .meta({ description: 'Only items of this content rating.', examples: ['PG'] }),
      resolution: z.enum(RESOLUTIONS).optional().meta({ description: 'Only items of this resolution.' }),
      ...photoFilters,
      language: Language.optional().meta(about('Only items with sound in this language.', 'en')),
      artist: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .meta({ description: 'Only albums and tracks of this artist.', examples: ['Miles Davis'] }),
      series: idOf('series', 'Only books or audiobooks of this series, each by itself.').optional(),
      sort: z
        .enum(SORTS)
        .optional()
        .meta({
          description:
            'Default: title, and the day for photos; with q, the quality of the match; for history and continue, the ' +
            'last time played.',
        }),
      order: z
        .enum(['ascending', 'descending'])
        .optional()
        .meta({ description: 'Default: titles and durations ascending, all others descending.' }),
      letter: z
        .string()
        .regex(/^([a-z]|#)$/, 'expected a to z or #')
        .optional()
        .meta({ description: 'Starts the page at that letter, if the list is sorted by title.' }),
      seed: integer(0, 2 ** 31 - 1)
        .optional()
        .meta({ description: 'Keeps a random order the same on all pages.' }),
      personal,
      offset,
      ...paging,
    }),
    result: z
      .strictObject({
        items: z.array(Card).meta(about('Entries of this page.')),
        total: z.int().min(0).meta(about('Number of entries on all pages.', 1)),
        nextCursor: z.string().optional().meta(rarely('Cursor of the next page. Left out on the last one.')),
        facets: Facets,
        letters: z
          .array(
            z.strictObject({
              letter: z.string().meta(about('Letter, or # for digits and signs.', 'c')),
              offset: z.int().min(0).meta(about('Number of entries before it.', 0)),
            }),
          )
          .meta(about('First letters of the titles, if the list is sorted by title.')),
      })
      .meta({ id: 'LibraryPage', description: 'Page of a list of items, with the counts of its filters.' }),
  }),
  recent: endpoint({
    method: 'GET',
    path: '/api/v1/library/recent',
    summary: 'Recently added items; new episodes are listed as their show',
    description: 'Returns what scans added last, newest first.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      library: idOf('library', 'Only items of this library.').optional(),
      limit: integer(PAGE_LIMIT.least, PAGE_LIMIT.most)
        .default(24)
        .meta({ description: 'Maximum number of entries in the reply.' }),
      personal,
    }),
    result: z
      .strictObject({
        items: z.array(Card).meta(about('Items, newest first.')),
        total: z.int().min(0).meta(about('Number of entries in the reply.', 1)),
      })
      .meta({ id: 'RecentItems', description: 'Items that were added last.' }),
  }),
  nextUp: endpoint({
    method: 'GET',
    path: '/api/v1/library/next-up',
    summary:
      'The next episode of each show that this Profile watched recently, except shows with an episode in progress',
    description:
      'Returns one episode for each show, the last watched show first: the first unwatched one after the regular ' +
      'episode that was finished last. Shows that nothing happened in for a year are left out, and those that this ' +
      'Profile hid.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      limit: integer(PAGE_LIMIT.least, PAGE_LIMIT.most)
        .default(24)
        .meta({ description: 'Maximum number of episodes.' }),
      rewatch: z
        .enum(['true', 'false'])
        .optional()
        .meta(about('true offers the next episode of shows that are watched completely, too.', 'false')),
    }),
    result: z
      .strictObject({
        items: z.array(Card).meta(about('Episodes, by when their show was watched last.', [EXAMPLE_EPISODE])),
        total: z.int().min(0).meta(about('Number of entries in the reply.', 1)),
      })
      .meta({ id: 'NextUp', description: 'Episodes to watch next.' }),
  }),
  shows: endpoint({
    method: 'GET',
    path: '/api/v1/shows',
    summary: 'List the shows',
    description: 'Returns the shows by title, a page at a time.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      library: idOf('showLibrary', 'Only shows of this library.').optional(),
      offset,
      ...paging,
    }),
    result: z
      .strictObject({
        items: z.array(Card).meta(about('Shows of this page.', [EXAMPLE_SHOW])),
        total: z.int().min(0).meta(about('Number of shows on all pages.', 1)),
        nextCursor: z.string().optional().meta(rarely('Cursor of the next page. Left out on the last one.')),
      })
      .meta({ id: 'ShowPage', description: 'Page of a list of shows.' }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/v1/shows/{id}',
    summary: 'A show with its seasons and episodes, and the episode to watch next',
    description: 'Returns everything that the page of a show needs, with the state of each episode for this Profile.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byShow,
    result: Show,
    fails: ['no-such-show'],
  }),
  series: showSeries(Series),
  item: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}',
    summary: 'An item with its streams, chapters and subtitles',
    description:
      'Returns everything that the page of a film or episode needs: its files, tracks, people and what ' +
      'the Profile has watched.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    result: Item,
    fails: ['no-such-item'],
  }),
  extras: listExtras,
  art: endpoint({
    method: 'GET',
    path: '/api/v1/art/{id}',
    summary: 'Artwork of an item in one of several fixed widths',
    description: 'Returns the picture in the best format that the client accepts. It has an ETag and can be cached.',
    access: { ...LIBRARY_READERS, link: 'art' },
    reach: 'everywhere',
    params: byPictured,
    query: z.strictObject({
      kind: z.enum(ART_KINDS).default('poster').meta({ description: 'Kind of picture.' }),
      width: integer(1, 4000)
        .default(320)
        .meta({ description: 'Width in pixels; the reply has the next larger fixed width.' }),
      v: z
        .string()
        .max(32)
        .optional()
        .meta({
          description: 'The version from images; with it the picture may be cached for a year.',
          examples: ['3f9a1c'],
        }),
      ticket: z.string().max(512).optional().meta({ description: 'The signature of a short-lived link.' }),
    }),
    result: { bytes: ['image/webp', 'image/jpeg', 'image/png'] },
    fails: ['no-such-item', 'no-such-picture', 'picture-unreadable', 'library-offline', 'file-unavailable', 'too-busy'],
  }),
  unplaced: endpoint({
    method: 'GET',
    path: '/api/v1/library/unplaced',
    summary: 'List files that a scan could not identify or read, with the reason',
    description:
      'Returns files that lie in a library and are shown nowhere, so that an Owner can rename them. They are ' +
      'followed by films and shows that no work of the metadata provider is certain to be, with candidates ' +
      'to match them by hand: `POST /items/{item}/match`.',
    access: LIBRARY_OWNERS,
    query: z.strictObject({ library: idOf('library', 'Only files of this library.').optional(), offset, ...paging }),
    result: z
      .strictObject({
        items: z
          .array(
            z.strictObject({
              id: idOf('file', 'Id of the entry.'),
              library: idOf('library', 'Library that the file lies in.'),
              file: z.string().meta(about('Path relative to the library.', 'Unsorted/VTS_01_1.vob')),
              reason: z
                .string()
                .meta(
                  about(
                    'Why it could not be identified, as a sentence fragment for people.',
                    'nothing in its name says what it is',
                  ),
                ),
              evidence: z
                .array(z.string())
                .meta(about('What was recognised nevertheless.', ['the name contains no year'])),
              seenAt: Time.meta(about('When a scan found the file.', '2026-11-21T18:30:09.000Z')),
              item: idOf('item', 'The film or show, if no work of the metadata provider is certain.').optional(),
              title: z.string().optional().meta(rarely('Title of the film or show.')),
              candidates: z
                .array(MatchCandidate)
                .optional()
                .meta(rarely('Works that the film or show could be, the best first.')),
            }),
          )
          .meta(about('Files of this page.')),
        total: z.int().min(0).meta(about('Number of files on all pages.', 1)),
        nextCursor: z.string().optional().meta(rarely('Cursor of the next page. Left out on the last one.')),
      })
      .meta({ id: 'UnplacedPage', description: 'Page of files that could not be identified.' }),
  }),
};
