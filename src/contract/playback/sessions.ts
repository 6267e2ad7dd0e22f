/** Playback sessions: the streams in progress, and stopping them. */
import { z } from 'zod';
import { OWNER_READERS, PLAYERS } from '../kernel/access.ts';
import { Card } from '../catalog/cards.ts';
import { byId, Id, Seconds, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { PlayReason } from './reasons.ts';

const PlaybackSession = z
  .strictObject({
    id: Id,
    profile: z.strictObject({ id: Id, name: z.string() }),
    device: z.string().meta({ description: 'Name of the device.', examples: ['Living room'] }),
    item: Card,
    way: z
      .enum(['direct', 'remux', 'remux-audio', 'transcode'])
      .meta({ description: 'remux-audio is remux with converted audio.' }),
    reasons: z.array(PlayReason).meta({
      description:
        'Reasons against direct play. Includes `hardware-failed` after a fallback from hardware to software.',
    }),
    position: Seconds.meta({ description: 'Last position that the player reported.' }),
    duration: Seconds,
    active: z.boolean().meta({ description: 'Whether the player made a request in the last 90 seconds.' }),
    accelerator: z.string().optional().meta({ description: 'Hardware accelerator that converts the video.' }),
    speed: z.number().optional().meta({ description: 'Conversion speed as a multiple of real time.' }),
    since: Time,
  })
  .meta({ id: 'PlaybackSession' });

export const playbackSessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/playback-sessions',
    summary: 'List playback sessions with their method and reasons, newest first',
    access: OWNER_READERS,
    result: z.strictObject({ items: z.array(PlaybackSession), total: z.int().min(0) }).meta({ id: 'PlaybackSessions' }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/playback-sessions/{id}',
    summary:
      'Get a playback session of this Profile; Owners can read any. `reasons` includes events since the plan, ' +
      'such as hardware-failed',
    access: PLAYERS,
    params: byId,
    result: PlaybackSession,
    fails: ['no-such-playback'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/v1/playback-sessions/{id}',
    summary: 'Stop a playback session of this Profile; Owners can stop any. The player is notified',
    access: PLAYERS,
    params: byId,
    result: NOTHING,
    fails: ['no-such-playback'],
  }),
};
