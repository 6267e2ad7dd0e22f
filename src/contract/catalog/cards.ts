/**
 * Cards: items as lists show them, with their pictures and what the Profile has watched. Also the counts of a listing.
 */
import { z } from 'zod';
import { Id, Seconds, Time } from '../kernel/common.ts';
import { ITEM_KINDS, kindNames } from './kinds.ts';

export const RESOLUTIONS = ['sd', '720p', '1080p', '4k', '8k'] as const;
export const ART_KINDS = ['poster', 'backdrop', 'thumb', 'logo'] as const;
/** Widths of artwork in pixels. A request for another width gets the next larger one. */
export const ART_WIDTHS = [160, 320, 480, 720, 1280, 1920] as const;

export const UserData = z
  .strictObject({
    position: Seconds,
    watched: z.boolean(),
    playCount: z.int().min(0),
    listed: z.boolean(),
    rating: z.number().min(0).max(10).optional(),
    lastPlayedAt: Time.optional(),
  })
  .meta({ id: 'UserData' });
export type UserData = z.output<typeof UserData>;

/** The pictures of an item. Each value is a version that changes with the picture and becomes part of its address. */
export const Images = z.partialRecord(z.enum(ART_KINDS), z.string()).meta({ id: 'Images' });

export const Card = z
  .strictObject({
    id: Id,
    kind: z.enum(kindNames(ITEM_KINDS)),
    title: z.string(),
    sortTitle: z.string(),
    year: z.int().optional(),
    rating: z.string().optional().meta({ description: 'Content rating, as the file or its metadata states it.' }),
    communityRating: z.number().optional(),
    library: Id,
    added: Time,
    released: z.iso.date().optional(),
    duration: Seconds.optional(),
    resolution: z.enum(RESOLUTIONS).optional(),
    show: z.strictObject({ id: Id, title: z.string() }).optional(),
    season: z.int().optional(),
    episode: z.int().optional(),
    episodeEnd: z.int().optional(),
    episodes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'For a show or season: the number of episodes that this Profile may see.' }),
    unwatched: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'For a show or season: the number of those episodes that are not watched.' }),
    available: z.boolean().meta({ description: 'False while the file or its library cannot be reached.' }),
    images: Images,
    userData: UserData,
  })
  .meta({ id: 'Card' });
export type Card = z.output<typeof Card>;

const Count = z.strictObject({ value: z.string(), count: z.int().min(1) });
/** Number of items for each value that the result of a listing can be filtered by. */
export const Facets = z
  .strictObject({
    genres: z.array(Count),
    years: z.array(Count),
    ratings: z.array(Count),
    resolutions: z.array(Count),
    languages: z.array(Count),
    libraries: z.array(Count),
  })
  .meta({ id: 'Facets' });
export type Facets = z.output<typeof Facets>;
