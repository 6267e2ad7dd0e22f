/** Playback sessions: who plays what, and how it is stopped. */
import { z } from 'zod';
import { Card } from '../catalog/cards.ts';
import { byId, Id, Seconds, Time } from '../kernel/common.ts';
import { endpoint, NOTHING, PlayReason } from '../kernel/endpoint.ts';

const PlaybackSession = z
  .strictObject({
    id: Id,
    profile: z.strictObject({ id: Id, name: z.string() }),
    device: z.string().meta({ description: 'What the device is called.', examples: ['Living room'] }),
    item: Card,
    way: z
      .enum(['direct', 'remux', 'remux-audio', 'transcode'])
      .meta({ description: 'remux-audio is remux with converted audio.' }),
    reasons: z.array(PlayReason).meta({
      description:
        'Why it is not direct play, and `hardware-failed` as soon as the processor had to take over from hardware.',
    }),
    position: Seconds.meta({ description: 'Where the player said it is.' }),
    duration: Seconds,
    active: z.boolean().meta({ description: 'Whether something was asked for within the last 90 seconds.' }),
    accelerator: z.string().optional().meta({ description: 'The hardware that converts the video.' }),
    speed: z.number().optional().meta({ description: 'Seconds of film that are converted in a second.' }),
    since: Time,
  })
  .meta({ id: 'PlaybackSession' });

export const playbackSessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/playback-sessions',
    summary: 'Who plays what, how, and why it is converted; the newest first',
    access: { role: 'owner', via: 'admin' },
    result: z.strictObject({ items: z.array(PlaybackSession), total: z.int().min(0) }).meta({ id: 'PlaybackSessions' }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/playback-sessions/{id}',
    summary:
      'One playback session as it is now: one of this Profile, or any for an Owner. `reasons` also has what happened since the plan, such as hardware-failed',
    access: { role: 'viewer', via: 'stream' },
    params: byId,
    result: PlaybackSession,
    fails: ['missing'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/v1/playback-sessions/{id}',
    summary: 'Stop a playback session: one of this Profile, or any for an Owner. Its player is told so',
    access: { role: 'viewer', via: 'stream' },
    params: byId,
    result: NOTHING,
    fails: ['missing'],
  }),
};
