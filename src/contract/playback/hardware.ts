/** Endpoints that report and test the hardware accelerators of this machine. */
import { z } from 'zod';
import { OWNER_READERS } from '../kernel/access.ts';
import { Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { ACCELERATOR_NAMES, AcceleratorRow } from './accelerators.ts';

const Hardware = z
  .strictObject({
    state: z.enum(['untested', 'testing', 'tested']),
    progress: z
      .strictObject({ name: z.enum(ACCELERATOR_NAMES), number: z.int().min(1), of: z.int().min(1) })
      .optional()
      .meta({ description: 'Accelerator under test, with its number and the total. Present while a test runs.' }),
    testedAt: Time.optional(),
    accelerators: z
      .array(AcceleratorRow)
      .meta({ description: 'Accelerators in order of preference: `auto` uses the first that passed.' }),
    effective: z
      .enum(['none', ...ACCELERATOR_NAMES])
      .meta({ description: 'Accelerator that converts video under the present settings; `none` means software.' }),
    why: z.string().meta({
      description: 'Readable explanation of the choice.',
      examples: ['Video is converted by vaapi, which passed its test.'],
    }),
    codec: z
      .enum(['h264', 'hevc', 'av1', 'vp9'])
      .meta({ description: 'Codec sent to a player that supports all codecs.' }),
    software: z.strictObject({
      preset: z.enum(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast']),
      speed: z.number().meta({
        description: 'Speed as a multiple of real time, for 1080p at 24 frames per second, including decoding.',
      }),
    }),
    filters: z.array(z.string()).meta({ description: 'Filters that the installed ffmpeg has.' }),
  })
  .meta({ id: 'Hardware' });

export const hardware = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/hardware',
    summary: 'Get how this machine converts video, how fast, and why accelerators failed their tests',
    access: OWNER_READERS,
    result: Hardware,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/transcoder/test',
    summary:
      'Test all accelerators, or the named one. 503 with the results if the named one (or the configured one) ' +
      'fails; 409 while a test is running',
    access: OWNER_READERS,
    body: z.strictObject({ accelerator: z.enum(ACCELERATOR_NAMES).optional() }),
    result: Hardware,
    fails: ['testing', 'program-missing', 'test-failed'],
  }),
};
