/** Endpoints that serve files rather than JSON, under the same access rules as all others. */
import { about, byItem, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { DOWNLOADERS, PLAYERS } from '../kernel/access.ts';
import { Id, integer, Language } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { MEDIA } from '../kernel/surface.ts';
import { READING_ITEM } from './reasons.ts';

export const ticket = {
  ticket: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: 'Signature of a short-lived link from the playback plan.' }),
};
/** Parameters that select a file of an item. */
export const version = {
  version: Id.optional().meta({ description: 'Version of the item. Default: the version that the plan selects.' }),
  part: integer(0, 99).optional().meta({ description: 'Part of a version that consists of several files, from 1.' }),
};

export const media = {
  play: endpoint({
    method: 'GET',
    path: '/media/{id}',
    surface: MEDIA,
    summary: 'Stream the original media file. Supports range requests',
    description: 'Sends the file as it is stored. Players use the signed address of the plan, which needs no header.',
    access: { ...PLAYERS, link: 'media' },
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({
      ...version,
      session: Id.optional().meta({
        description:
          'Session id from the plan. The stream is listed with the session and ends when the session is stopped.',
      }),
      ...ticket,
    }),
    result: { bytes: ['video/*', 'audio/*', 'image/*'], ranged: true },
    fails: [...READING_ITEM, 'no-such-playback', 'playback-session-needed', 'limit', 'playback-ended', 'no-such-range'],
  }),
  subtitle: endpoint({
    method: 'GET',
    path: '/subtitle/{id}',
    surface: MEDIA,
    summary: 'Get a subtitle of an item, by track key or as the best one of a language',
    description: 'Text subtitles are converted to the format that is asked for. Give `track` or `language`.',
    access: { ...PLAYERS, link: 'subtitle' },
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({
      language: Language.optional().meta(about('Language of the subtitle, if no track is given.', 'en')),
      track: z
        .string()
        .regex(/^[sf]\d{1,4}$/, 'expected a track key')
        .optional()
        .meta(about('Key of a track, from the item or the plan.', 's2')),
      format: z.enum(['vtt', 'ass', 'sup', 'original']).default('vtt').meta({
        description: 'sup (PGS, the format of Blu-ray discs) converts any picture-based subtitle.',
      }),
      ...version,
      ...ticket,
    }),
    result: { bytes: ['text/vtt', 'text/x-ssa', 'application/x-subrip', 'application/octet-stream'], ranged: true },
    fails: [
      ...READING_ITEM,
      'track-or-language',
      'no-such-subtitle',
      'subtitle-too-large',
      'subtitle-is-pictures',
      'subtitle-is-text',
      'subtitle-unreadable',
      'subtitle-unavailable',
    ],
  }),
  font: endpoint({
    method: 'GET',
    path: '/font/{id}/{number}',
    surface: MEDIA,
    summary: 'Get a font that is embedded in the media file, for ASS subtitles',
    description: 'The plan lists the addresses of all fonts of a file.',
    access: { ...PLAYERS, link: 'subtitle' },
    reach: 'everywhere',
    params: z.strictObject({
      id: idOf('item', 'Id of the item.'),
      number: integer(0, 63).meta({ description: 'Index of the font in the file, from 0.', examples: [0] }),
    }),
    query: z.strictObject({ ...version, ...ticket }),
    result: { bytes: ['font/ttf', 'font/otf', 'font/collection', 'font/woff', 'font/woff2'], ranged: true },
    fails: [...READING_ITEM, 'no-such-font', 'no-such-range'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/download/{id}',
    surface: MEDIA,
    summary: 'Download the original media file',
    description: 'Sends the file with its name, to keep. Range requests continue a download that was interrupted.',
    access: { ...DOWNLOADERS, link: 'download' },
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({ ...version, ...ticket }),
    result: { bytes: ['application/octet-stream'], ranged: true },
    fails: [...READING_ITEM, 'downloads-not-allowed', 'no-such-range'],
  }),
};
