/** HLS: the playlists and segments of a playback session. */
import { idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { PLAYERS } from '../kernel/access.ts';
import { Id } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { MEDIA } from '../kernel/surface.ts';
import { ticket } from './media.ts';
import { READING_ITEM } from './reasons.ts';

export const hls = {
  file: endpoint({
    method: 'GET',
    path: '/hls/{id}/{file}',
    surface: MEDIA,
    summary: 'Get a playlist or segment of a playback session. The plan has the address of the first playlist',
    description:
      'Players for HLS follow the addresses of the first playlist. Segments are made while they are asked for.',
    access: { ...PLAYERS, link: 'media' },
    reach: 'everywhere',
    params: z.strictObject({
      id: idOf('item', 'Id of the item.'),
      file: z.string().meta({
        description: 'Name of a playlist or segment: master.m3u8, or a file that it refers to.',
        examples: ['master.m3u8'],
      }),
    }),
    query: z.strictObject({ session: Id.meta({ description: 'Session id from the plan.' }), ...ticket }),
    result: { bytes: ['application/vnd.apple.mpegurl', 'video/mp4', 'audio/mp4', 'text/vtt'], ranged: true },
    fails: [
      ...READING_ITEM,
      'transcoding-not-allowed',
      'no-such-playback',
      'no-such-segment',
      'no-such-stream',
      'no-such-subtitle',
      'limit',
      'cannot-copy',
      'subtitle-too-large',
      'subtitle-is-pictures',
      'subtitle-unreadable',
      'playback-ended',
      'no-such-range',
      'cannot-decode',
      'still-converting',
      'still-reading',
      'superseded',
      'length-unknown',
      'subtitle-unavailable',
      'no-room',
    ],
  }),
};
