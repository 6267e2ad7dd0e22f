/** The byte routes and the plan that leads to them. They carry no JSON, and the same access rules as everything else. */
import { z } from 'zod';
import { Chapter, SubtitleTrack } from './catalog.ts';
import { byId, Id, integer, Language, LanguageCode, Seconds } from './common.ts';
import { endpoint } from './endpoint.ts';

const ticket = { ticket: z.string().min(1).max(512).optional().meta({ description: 'A signed short-lived link from the playback plan.' }) };
const version = { version: Id.optional().meta({ description: 'Which version of the item; the default one when left out.' }), part: integer(0, 99).optional().meta({ description: 'Which part of a version in several files, from 0.' }) };

export const media = {
  play: endpoint({
    method: 'GET',
    path: '/media/{id}',
    surface: 'media',
    summary: 'The media file as it is, in ranges',
    access: { role: 'viewer', via: 'stream', link: 'media' },
    params: byId,
    query: z.strictObject({ ...version, ...ticket }),
    result: { bytes: ['video/*', 'audio/*'], ranged: true },
    fails: ['forbidden', 'missing', 'range', 'unavailable'],
  }),
  subtitle: endpoint({
    method: 'GET',
    path: '/subtitle/{id}',
    surface: 'media',
    summary: 'A subtitle of an item: by track, or the best one of a language',
    access: { role: 'viewer', via: 'stream', link: 'subtitle' },
    params: byId,
    query: z.strictObject({
      language: Language.optional(),
      track: z.string().regex(/^[sf]\d{1,4}$/, 'expected a track key').optional(),
      format: z.enum(['vtt', 'ass', 'original']).default('vtt'),
      ...version,
      ...ticket,
    }),
    result: { bytes: ['text/vtt', 'text/x-ssa', 'application/x-subrip', 'application/octet-stream'], ranged: true },
    fails: ['forbidden', 'missing', 'conflict', 'unavailable'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/download/{id}',
    surface: 'media',
    summary: 'The media file as a download',
    access: { role: 'viewer', via: 'download', link: 'download' },
    params: byId,
    query: z.strictObject({ ...version, ...ticket }),
    result: { bytes: ['application/octet-stream'], ranged: true },
    fails: ['forbidden', 'missing', 'range', 'unavailable'],
  }),
};

const names = (of: string) =>
  z
    .string()
    .max(512)
    .regex(/^[A-Za-z0-9_.+-]*(,[A-Za-z0-9_.+-]+)*$/, 'expected names with commas between them')
    .optional()
    .meta({ description: `${of} that this client plays, with commas between them; left out: what browsers play.` });

export const playback = {
  plan: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/playback',
    summary: 'How this client can play an item, and the links for it',
    access: { role: 'viewer', via: 'stream' },
    params: byId,
    query: z.strictObject({
      videoCodecs: names('Video codecs'),
      audioCodecs: names('Audio codecs'),
      containers: names('Containers'),
      hdrFormats: names('HDR formats'),
      maxAudioChannels: integer(1, 64).optional().meta({ description: 'Maximum number of audio channels.' }),
      maxBitrate: integer(1, 1_000_000_000).optional().meta({ description: 'Maximum bits a second.' }),
      maxHeight: integer(1, 16_384).optional().meta({ description: 'Maximum height of the picture in pixels.' }),
      audio: integer(0, 999).optional().meta({ description: 'Index of the audio stream to play.' }),
      subtitle: z.string().regex(/^[sf]\d{1,4}$/).optional().meta({ description: 'Key of the subtitle track to show.' }),
      start: integer(0, 1_000_000).optional().meta({ description: 'Where to start, in seconds.' }),
      ...version,
    }),
    result: z
      .strictObject({
        mode: z.enum(['direct', 'remux', 'transcode']).meta({ description: 'What this client needs. urls has only what the server can give.' }),
        reasons: z.array(z.strictObject({ code: z.string(), detail: z.string() })).meta({ description: 'Why it is not direct play.' }),
        urls: z.strictObject({ media: z.string().optional(), download: z.string().optional() }),
        linksExpireAt: z.iso.datetime().optional(),
        container: z.string().optional(),
        type: z.string().optional().meta({ description: 'The content type with codecs, for a media element.' }),
        duration: Seconds.optional(),
        audio: z.array(z.strictObject({ index: z.int(), codec: z.string(), language: LanguageCode.optional(), title: z.string(), channels: z.int().optional(), default: z.boolean(), selected: z.boolean() })),
        subtitles: z.array(SubtitleTrack),
        chapters: z.array(Chapter),
        position: Seconds,
        next: Id.optional(),
        session: z.string().meta({ description: 'Give it back with progress.' }),
      })
      .meta({ id: 'PlaybackPlan' }),
    fails: ['forbidden', 'missing', 'unavailable'],
  }),
};
