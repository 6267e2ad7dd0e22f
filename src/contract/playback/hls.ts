/** HLS: the playlists and segments of a playback session. */
import { z } from 'zod';
import { Id } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { ticket } from './media.ts';

export const hls = {
  file: endpoint({
    method: 'GET',
    path: '/hls/{id}/{file}',
    surface: 'media',
    summary: 'A playlist or a segment of a playback session; the plan says where to begin',
    access: { role: 'viewer', via: 'stream', link: 'media' },
    params: z.strictObject({
      id: Id,
      file: z.string().meta({ description: 'master.m3u8 and what it leads to.', examples: ['master.m3u8'] }),
    }),
    query: z.strictObject({ session: Id.meta({ description: 'The session of the plan.' }), ...ticket }),
    result: { bytes: ['application/vnd.apple.mpegurl', 'video/mp4', 'audio/mp4', 'text/vtt'], ranged: true },
    fails: ['forbidden', 'missing', 'conflict', 'gone', 'range', 'unavailable'],
  }),
};
