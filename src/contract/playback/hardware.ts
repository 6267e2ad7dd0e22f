/** Endpoints that report and test the hardware accelerators of this machine. */
import { about } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNER_READERS } from '../kernel/access.ts';
import { Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { ACCELERATOR_NAMES, AcceleratorRow } from './accelerators.ts';

const Hardware = z
  .strictObject({
    state: z.enum(['untested', 'testing', 'tested']).meta(about('Whether the test was run.', 'tested')),
    progress: z
      .strictObject({
        name: z.enum(ACCELERATOR_NAMES).meta(about('Accelerator under test.', 'vaapi')),
        number: z.int().min(1).meta(about('Its number, from 1.', 1)),
        of: z.int().min(1).meta(about('Number of accelerators.', 8)),
      })
      .optional()
      .meta({
        description: 'Accelerator under test, with its number and the total. Present while a test runs.',
        examples: [],
      }),
    testedAt: Time.optional().meta(about('When the last test ended.', '2026-11-21T08:00:31.000Z')),
    accelerators: z
      .array(AcceleratorRow)
      .meta({ description: 'Accelerators in order of preference: `auto` uses the first that passed.' }),
    effective: z.enum(['none', ...ACCELERATOR_NAMES]).meta({
      description: 'Accelerator that converts video under the present settings; `none` means software.',
      examples: ['vaapi'],
    }),
    why: z.string().meta({
      description: 'Readable explanation of the choice.',
      examples: ['Video is converted by vaapi, which passed its test.'],
    }),
    codec: z
      .enum(['h264', 'hevc', 'av1', 'vp9'])
      .meta({ description: 'Codec sent to a player that supports all codecs.' }),
    software: z
      .strictObject({
        preset: z
          .enum(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast'])
          .meta(about('Preset of x264 that keeps up with playback.', 'veryfast')),
        speed: z.number().meta({
          description: 'Speed as a multiple of real time, for 1080p at 24 frames per second, including decoding.',
          examples: [2.4],
        }),
      })
      .meta(about('Conversion without an accelerator.')),
    filters: z.array(z.string()).meta({
      description: 'Filters that the installed ffmpeg has.',
      examples: [['tonemap', 'scale_vaapi', 'zscale']],
    }),
  })
  .meta({ id: 'Hardware', description: 'Way in which this machine converts video.' });

export const hardware = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/hardware',
    summary: 'Get how this machine converts video, how fast, and why accelerators failed their tests',
    description: 'Returns the results of the last hardware test and what follows from them.',
    access: OWNER_READERS,
    result: Hardware,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/transcoder/test',
    summary:
      'Test all accelerators, or the named one. 503 with the results if the named one (or the configured one) ' +
      'fails; 409 while a test is running',
    description: 'Converts short clips with each accelerator and looks at the result. It takes up to a minute.',
    access: OWNER_READERS,
    body: z.strictObject({
      accelerator: z.enum(ACCELERATOR_NAMES).optional().meta(about('Tests only this one. Left out: all.', 'vaapi')),
    }),
    result: Hardware,
    fails: ['testing', 'program-missing', 'test-failed'],
  }),
};
