/** Preview pictures of a video: sheets of thumbnails with an index, and one picture for each chapter. */
import { idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { PLAYERS } from '../kernel/access.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { MEDIA } from '../kernel/surface.ts';
import { ticket, version } from './media.ts';
import { READING_ITEM } from './reasons.ts';

export const trickplay = {
  read: endpoint({
    method: 'GET',
    path: '/trickplay/{id}/{file}',
    surface: MEDIA,
    summary:
      'Get preview pictures. index.vtt maps each time to a region of a sheet. 202 while they are being generated',
    description: 'The plan has the address of the index, if the item has preview pictures.',
    access: { ...PLAYERS, link: 'media' },
    reach: 'everywhere',
    params: z.strictObject({
      id: idOf('item', 'Id of the item.'),
      file: z
        .string()
        .max(32)
        .regex(/^(index\.vtt|(chapter-)?\d{1,3}\.jpg)$/, 'expected index.vtt or the name of a picture')
        .meta({
          description: 'index.vtt, a sheet such as 0.jpg, or the picture of a chapter such as chapter-0.jpg.',
          examples: ['index.vtt'],
        }),
    }),
    query: z.strictObject({ ...version, ...ticket }),
    result: { bytes: ['text/vtt', 'image/jpeg', 'application/json'] },
    orElse: 202,
    fails: [...READING_ITEM, 'no-picture', 'no-video', 'undecodable', 'no-room'],
  }),
};
