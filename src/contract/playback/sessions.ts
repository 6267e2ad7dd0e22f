/** Playback sessions: the streams in progress, and stopping them. */
import { about, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNER_READERS, PLAYERS } from '../kernel/access.ts';
import { Card } from '../catalog/cards.ts';
import { list, paging, Seconds, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { PlayReason } from './reasons.ts';

const byPlayback = z.strictObject({ id: idOf('playback', 'Id of the playback session.') });

const PlaybackSession = z
  .strictObject({
    id: idOf('playback', 'Id of the session, as in the plan.'),
    profile: z
      .strictObject({
        id: idOf('profile', 'Id of the Profile.'),
        name: z.string().meta(about('Name of the Profile.', 'Ada')),
      })
      .meta(about('Profile that is watching.')),
    device: z.string().meta({ description: 'Name of the device.', examples: ['Living room'] }),
    item: Card,
    way: z
      .enum(['direct', 'remux', 'remux-audio', 'transcode'])
      .meta({ description: 'remux-audio is remux with converted audio.' }),
    reasons: z.array(PlayReason).meta({
      description:
        'Reasons against direct play. Includes `hardware-failed` after a fallback from hardware to software.',
      examples: [[]],
    }),
    position: Seconds.meta({ description: 'Last position that the player reported.', examples: [1810.5] }),
    duration: Seconds.meta(about('Length of the item in seconds.', 6805.3)),
    active: z
      .boolean()
      .meta({ description: 'Whether the player made a request in the last 90 seconds.', examples: [true] }),
    accelerator: z
      .string()
      .optional()
      .meta({ description: 'Hardware accelerator that converts the video.', examples: [] }),
    speed: z.number().optional().meta({ description: 'Conversion speed as a multiple of real time.', examples: [] }),
    since: Time.meta(about('When the session was opened.', '2026-11-21T18:30:00.000Z')),
  })
  .meta({ id: 'PlaybackSession', description: 'Stream in progress.' });

export const playbackSessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/playback-sessions',
    summary: 'List playback sessions with their method and reasons, newest first',
    description: 'Shows an Owner who is watching what, and what is converted for whom.',
    access: OWNER_READERS,
    query: z.strictObject({ ...paging }),
    result: list(PlaybackSession),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/playback-sessions/{id}',
    summary:
      'Get a playback session of this Profile; Owners can read any. `reasons` includes events since the plan, ' +
      'such as hardware-failed',
    description: 'A player reads it to learn of a fallback, or that it was stopped.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byPlayback,
    result: PlaybackSession,
    fails: ['no-such-playback'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/v1/playback-sessions/{id}',
    summary: 'Stop a playback session of this Profile; Owners can stop any. The player is notified',
    description: 'Its addresses stop working, and the conversion ends.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byPlayback,
    result: NOTHING,
    fails: ['no-such-playback'],
  }),
};
