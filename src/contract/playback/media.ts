/** The byte routes. They carry no JSON, and the same access rules as everything else. */
import { z } from 'zod';
import { byId, Id, integer, Language } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';

export const ticket = {
  ticket: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: 'A signed short-lived link from the playback plan.' }),
};
/** Which file of an item. */
export const version = {
  version: Id.optional().meta({ description: 'Which version of the item; the default one when left out.' }),
  part: integer(0, 99).optional().meta({ description: 'Which part of a version in several files, from 0.' }),
};

export const media = {
  play: endpoint({
    method: 'GET',
    path: '/media/{id}',
    surface: 'media',
    summary: 'The media file as it is, in ranges',
    access: { role: 'viewer', via: 'stream', link: 'media' },
    params: byId,
    query: z.strictObject({
      ...version,
      session: Id.optional().meta({
        description: 'The session of the plan: it is shown as being played, and ends with it.',
      }),
      ...ticket,
    }),
    result: { bytes: ['video/*', 'audio/*'], ranged: true },
    fails: ['forbidden', 'missing', 'conflict', 'gone', 'range', 'unavailable'],
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
      track: z
        .string()
        .regex(/^[sf]\d{1,4}$/, 'expected a track key')
        .optional(),
      format: z.enum(['vtt', 'ass', 'sup', 'original']).default('vtt').meta({
        description: 'sup is for subtitles that are pictures, whatever they are in the file: PGS, as a Blu-ray has it.',
      }),
      ...version,
      ...ticket,
    }),
    result: { bytes: ['text/vtt', 'text/x-ssa', 'application/x-subrip', 'application/octet-stream'], ranged: true },
    fails: ['forbidden', 'missing', 'conflict', 'unavailable'],
  }),
  font: endpoint({
    method: 'GET',
    path: '/font/{id}/{number}',
    surface: 'media',
    summary: 'A font that is in the file of an item, for subtitles that name it',
    access: { role: 'viewer', via: 'stream', link: 'subtitle' },
    params: z.strictObject({
      id: Id,
      number: integer(0, 63).meta({ description: 'Which font of the file, from 0.', examples: [0] }),
    }),
    query: z.strictObject({ ...version, ...ticket }),
    result: { bytes: ['font/ttf', 'font/otf', 'font/collection', 'font/woff', 'font/woff2'], ranged: true },
    fails: ['forbidden', 'missing', 'conflict', 'range', 'unavailable'],
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
