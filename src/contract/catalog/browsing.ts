/** Endpoints that read the library: listings, item pages, artwork, and the files that could not be identified. */
import { z } from 'zod';
import { LIBRARY_OWNERS, LIBRARY_READERS } from '../kernel/access.ts';
import { byId, Id, integer, Language, PAGE_LIMIT, paging, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { ART_KINDS, Card, Facets, RESOLUTIONS } from './cards.ts';
import { Item, Show } from './items.ts';
import { VIEWS } from './kinds.ts';

export const SORTS = ['title', 'added', 'year', 'released', 'rating', 'duration', 'random'] as const;

const offset = integer(0, 100_000_000)
  .optional()
  .meta({ description: 'Number of entries to skip; not together with a cursor.' });

export const catalog = {
  library: endpoint({
    method: 'GET',
    path: '/api/v1/library',
    summary: 'List, search, filter and count the items that this Profile may see',
    access: LIBRARY_READERS,
    query: z.strictObject({
      q: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .meta({ description: 'Words to search for in titles, people and plots; matches in titles come first.' }),
      view: z.enum(VIEWS).default('all').meta({
        description: 'Part of the library: one kind, or the items that this Profile listed, began or watched.',
      }),
      library: Id.optional(),
      genre: z.string().min(1).max(64).optional().meta({ description: 'Only items of this genre.' }),
      year: integer(1800, 2200).optional().meta({ description: 'Only items of this year.' }),
      rating: z.string().min(1).max(32).optional().meta({ description: 'Only items of this content rating.' }),
      resolution: z.enum(RESOLUTIONS).optional().meta({ description: 'Only items of this resolution.' }),
      language: Language.optional(),
      sort: z.enum(SORTS).optional().meta({
        description:
          'Default: title; with q, the quality of the match; for history and continue, the last time played.',
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
      offset,
      ...paging,
    }),
    result: z
      .strictObject({
        items: z.array(Card),
        total: z.int().min(0),
        nextCursor: z.string().optional(),
        facets: Facets,
        letters: z.array(z.strictObject({ letter: z.string(), offset: z.int().min(0) })),
      })
      .meta({ id: 'LibraryPage' }),
  }),
  recent: endpoint({
    method: 'GET',
    path: '/api/v1/library/recent',
    summary: 'Recently added items; new episodes are listed as their show',
    access: LIBRARY_READERS,
    query: z.strictObject({
      library: Id.optional(),
      limit: integer(PAGE_LIMIT.least, PAGE_LIMIT.most)
        .default(24)
        .meta({ description: 'Maximum number of entries in the reply.' }),
    }),
    result: z.strictObject({ items: z.array(Card), total: z.int().min(0) }).meta({ id: 'RecentItems' }),
  }),
  nextUp: endpoint({
    method: 'GET',
    path: '/api/v1/library/next-up',
    summary:
      'The next episode of each show that this Profile watched recently, except shows with an episode in progress',
    access: LIBRARY_READERS,
    query: z.strictObject({
      limit: integer(PAGE_LIMIT.least, PAGE_LIMIT.most)
        .default(24)
        .meta({ description: 'Maximum number of episodes.' }),
    }),
    result: z.strictObject({ items: z.array(Card), total: z.int().min(0) }).meta({ id: 'NextUp' }),
  }),
  shows: endpoint({
    method: 'GET',
    path: '/api/v1/shows',
    summary: 'List the shows',
    access: LIBRARY_READERS,
    query: z.strictObject({ library: Id.optional(), offset, ...paging }),
    result: z
      .strictObject({ items: z.array(Card), total: z.int().min(0), nextCursor: z.string().optional() })
      .meta({ id: 'ShowPage' }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/v1/shows/{id}',
    summary: 'A show with its seasons and episodes, and the episode to watch next',
    access: LIBRARY_READERS,
    params: byId,
    result: Show,
    fails: ['no-such-show'],
  }),
  item: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}',
    summary: 'An item with its streams, chapters and subtitles',
    access: LIBRARY_READERS,
    params: byId,
    result: Item,
    fails: ['no-such-item'],
  }),
  art: endpoint({
    method: 'GET',
    path: '/api/v1/art/{id}',
    summary: 'Artwork of an item in one of several fixed widths',
    access: { ...LIBRARY_READERS, link: 'art' },
    params: byId,
    query: z.strictObject({
      kind: z.enum(ART_KINDS).default('poster').meta({ description: 'Kind of picture.' }),
      width: integer(1, 4000)
        .default(320)
        .meta({ description: 'Width in pixels; the reply has the next larger fixed width.' }),
      v: z
        .string()
        .max(32)
        .optional()
        .meta({ description: 'The version from images; with it the picture may be cached for a year.' }),
      ticket: z.string().max(512).optional().meta({ description: 'The signature of a short-lived link.' }),
    }),
    result: { bytes: ['image/webp', 'image/jpeg', 'image/png'] },
    fails: ['no-such-item', 'no-such-picture', 'picture-unreadable', 'library-offline', 'file-unavailable', 'too-busy'],
  }),
  unplaced: endpoint({
    method: 'GET',
    path: '/api/v1/library/unplaced',
    summary: 'List files that a scan could not identify or read, with the reason',
    access: LIBRARY_OWNERS,
    query: z.strictObject({ library: Id.optional(), offset, ...paging }),
    result: z
      .strictObject({
        items: z.array(
          z.strictObject({
            id: Id,
            library: Id,
            file: z.string(),
            reason: z.string(),
            evidence: z.array(z.string()),
            seenAt: Time,
          }),
        ),
        total: z.int().min(0),
        nextCursor: z.string().optional(),
      })
      .meta({ id: 'UnplacedPage' }),
  }),
};
