/** Endpoints of audiobooks as a Profile listens to them: its last places, its speed and how far it skips. */
import { z } from 'zod';
import { LIBRARY_READERS, OWN_DATA_WRITERS } from '../kernel/access.ts';
import { Seconds, Time } from '../kernel/common.ts';
import { about, byItem } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';

/** Limits of the speed of an audiobook, and of the seconds that a skip button goes. */
const BOOK_SPEED = { min: 0.5, max: 3 } as const;
const SKIP_SECONDS = { min: 1, max: 300 } as const;

const speed = z
  .number()
  .min(BOOK_SPEED.min)
  .max(BOOK_SPEED.max)
  .meta(about('Speed of the book: 1 is as it was recorded.', 1.25));
const skip = (button: string) =>
  z
    .int()
    .min(SKIP_SECONDS.min)
    .max(SKIP_SECONDS.max)
    .meta(about(`Seconds that the ${button} button goes.`, 30));
const skipBack = skip('back');
const skipForward = skip('forward');

const ListeningPreferences = z
  .strictObject({ speed, skipBack, skipForward })
  .meta({ id: 'ListeningPreferences', description: 'How a Profile listens to an audiobook.' });

/** Maximum number of places of a Profile in an audiobook that are kept. */
export const MAX_LAST_PLACES = 20;

export const audiobooks = {
  positions: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/positions',
    summary: 'List the last places of this Profile in an audiobook, the latest first',
    description:
      'Returns up to 20 places: where each device stopped, and where a jump of more than a minute began. They stay ' +
      'when the progress is reset, and keep their file and offset when files of the book change.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    result: z
      .strictObject({
        items: z
          .array(
            z.strictObject({
              position: Seconds.meta(about('Seconds of the whole book.', 5025.5)),
              at: Time.meta(about('When the place was reached last.', '2026-11-20T21:14:05.000Z')),
              device: z
                .string()
                .optional()
                .meta(about('Name of the device, if it has one; of an API key, the name of the key.', 'Living room')),
            }),
          )
          .max(MAX_LAST_PLACES)
          .meta(about('The places.')),
        total: z.int().min(0).meta(about('Number of places.', 1)),
      })
      .meta({ id: 'LastPlaces', description: 'Last places of a Profile in an audiobook.' }),
    fails: ['no-such-item'],
  }),
  preferences: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/preferences',
    summary: 'How this Profile listens to an audiobook',
    description:
      'Returns the speed of the book and how far the skip buttons go. A book without its own choice has the usual ' +
      'speed, and the skip buttons go as far as this Profile chose last for any book.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    result: ListeningPreferences,
    fails: ['no-such-item'],
  }),
  prefer: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/preferences',
    summary: 'Change how this Profile listens to an audiobook; what is left out stays',
    description: 'Saves the choices for this book on the server, so that they hold on every device.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    body: z.strictObject({
      speed: speed.optional(),
      skipBack: skipBack.optional(),
      skipForward: skipForward.optional(),
    }),
    result: ListeningPreferences,
    fails: ['no-such-item'],
  }),
};
