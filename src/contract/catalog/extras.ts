/** Extras: trailers, featurettes and other short videos that belong to a film, a show, a season or an episode. */
import { z } from 'zod';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { Seconds } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { Images } from './cards.ts';

export const EXTRA_TYPES = [
  'trailer',
  'featurette',
  'behind-the-scenes',
  'deleted-scene',
  'interview',
  'scene',
  'short',
  'clip',
  'theme',
  'other',
] as const;
export type ExtraType = (typeof EXTRA_TYPES)[number];

const Extra = z
  .strictObject({
    id: idOf('extra', 'Id of the extra. It is played as an item is.'),
    type: z.enum(EXTRA_TYPES).meta(about('What it is, by its name or its folder.', 'trailer')),
    title: z.string().meta(about('Title.', 'Theatrical trailer')),
    season: z.int().min(0).optional().meta(rarely('Number of the season that it belongs to.')),
    duration: Seconds.optional().meta(about('Length in seconds.', 142.5)),
    available: z.boolean().meta(about('False while the file or its library cannot be reached.', true)),
    images: Images.meta({ examples: [{ thumb: 'f3k9a1c' }] }),
  })
  .meta({ id: 'Extra', description: 'Extra of a film, show, season or episode.' });
export type Extra = z.output<typeof Extra>;

export const TRAILER_SITES = ['youtube', 'vimeo'] as const;
export type TrailerSite = (typeof TRAILER_SITES)[number];

const TrailerPage = z
  .strictObject({
    site: z.enum(TRAILER_SITES).meta(about('Service that shows the video.', 'youtube')),
    title: z.string().meta(about('Title at the metadata provider.', 'Official trailer')),
    url: z.url().meta(about('Page of the video.', 'https://www.youtube.com/watch?v=abcdefghijk')),
  })
  .meta({ id: 'TrailerPage', description: 'Trailer on the internet. The server neither fetches nor embeds it.' });
export type TrailerPage = z.output<typeof TrailerPage>;

export const listExtras = endpoint({
  method: 'GET',
  path: '/api/v1/items/{id}/extras',
  summary: 'List the trailers and other extras of an item, show or season',
  description:
    'Extras are videos next to a film or show that the scan recognised by name or folder. A Profile sees those of ' +
    'what it may see. They are played like items, and are never watched, searched or listed.',
  access: LIBRARY_READERS,
  reach: 'everywhere',
  params: z.strictObject({ id: idOf('item', 'Id of the item, show or season.') }),
  result: z
    .strictObject({
      items: z.array(Extra).meta(about('Extras, trailers first. Those of a show include those of its seasons.')),
      links: z.array(TrailerPage).meta(about('Trailers that the metadata provider names, as links out.')),
      total: z.int().min(0).meta(about('Number of extras, without the links.', 1)),
    })
    .meta({ id: 'Extras', description: 'Extras of an item, show or season.' }),
  fails: ['no-such-item'],
});
