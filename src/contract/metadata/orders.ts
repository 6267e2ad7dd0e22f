/** Other orders of the episodes of a show, as the metadata provider lists them. */
import { z } from 'zod';
import { about } from '../kernel/describe.ts';

export const ORDERED_BY = ['aired', 'absolute', 'dvd', 'digital', 'arc', 'production', 'tv'] as const;
export type OrderedBy = (typeof ORDERED_BY)[number];

export const OrderId = z
  .string()
  .regex(/^[0-9a-f]{8,32}$/)
  .meta(about('Id of the order at the provider.', '5acf93e60e0a26346d0000ce'));
export const EpisodeOrders = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          order: OrderId,
          name: z.string().meta(about('Name of the order.', 'Absolute order')),
          type: z.enum(ORDERED_BY).optional().meta(about('Kind of order. Left out if it is not known.', 'absolute')),
          episodes: z.int().min(0).meta(about('Number of its episodes.', 24)),
          seasons: z.int().min(0).meta(about('Number of its seasons.', 1)),
        }),
      )
      .meta(about('Orders of the show. Empty if it is not matched.')),
    chosen: OrderId.nullable().meta(about('Id of the chosen order; null for the usual one.', null)),
  })
  .meta({ id: 'EpisodeOrders', description: 'Orders of the episodes of a show.' });
export type EpisodeOrders = z.output<typeof EpisodeOrders>;
