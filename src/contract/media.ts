/** The byte routes and the plan that leads to them. They carry no JSON, and the same access rules as everything else. */
import { z } from 'zod';
import { Chapter, SubtitleTrack } from './catalog.ts';
import { byId, Id, integer, Language, LanguageCode, Seconds } from './common.ts';
import { endpoint } from './endpoint.ts';

const ticket = { ticket: z.string().min(1).max(512).optional().meta({ description: 'A signed short-lived link from the playback plan.' }) };
const version = { version: Id.optional().meta({ description: 'Which version of the item; the default one when left out.' }), part: integer(0, 99).optional() };

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

const names = z.string().max(512).regex(/^[A-Za-z0-9_.+-]*(,[A-Za-z0-9_.+-]+)*$/, 'expected names with commas between them').optional();

export const playback = {
  plan: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/playback',
    summary: 'How this client can play an item, and the links for it',
    access: { role: 'viewer', via: 'stream' },
    params: byId,
    query: z.strictObject({
      videoCodecs: names,
      audioCodecs: names,
      containers: names,
      hdrFormats: names,
      maxAudioChannels: integer(1, 64).optional(),
      maxBitrate: integer(1, 1_000_000_000).optional(),
      maxHeight: integer(1, 16_384).optional(),
      audio: integer(0, 999).optional(),
      subtitle: z.string().regex(/^[sf]\d{1,4}$/).optional(),
      start: integer(0, 1_000_000).optional(),
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
