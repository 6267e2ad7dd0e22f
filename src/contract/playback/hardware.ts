/** Endpoints that report and test the encoders of this machine. */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { ACCELERATOR_NAMES, AcceleratorRow } from './accelerators.ts';

const Hardware = z
  .strictObject({
    state: z.enum(['untested', 'testing', 'tested']),
    progress: z
      .strictObject({ name: z.enum(ACCELERATOR_NAMES), number: z.int().min(1), of: z.int().min(1) })
      .optional()
      .meta({ description: 'While a test runs: the accelerator that is tried, as one of how many.' }),
    testedAt: Time.optional(),
    accelerators: z
      .array(AcceleratorRow)
      .meta({ description: 'In the order in which `auto` takes the first that passed.' }),
    effective: z
      .enum(['none', ...ACCELERATOR_NAMES])
      .meta({ description: 'What converts video now, by the settings; none is software.' }),
    why: z.string().meta({
      description: 'Sentences for a person.',
      examples: ['Video is converted by vaapi, which passed its test.'],
    }),
    codec: z.enum(['h264', 'hevc', 'av1', 'vp9']).meta({ description: 'What a player of every codec gets.' }),
    software: z.strictObject({
      preset: z.enum(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast']),
      speed: z.number().meta({ description: 'Times real time for 1080p with 24 frames a second, decoding included.' }),
    }),
    filters: z.array(z.string()).meta({ description: 'Filters of this ffmpeg.' }),
  })
  .meta({ id: 'Hardware' });

export const hardware = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/hardware',
    summary:
      'What this machine converts video with, how fast, and why each accelerator that did not pass its test did not',
    access: { role: 'owner', via: 'admin' },
    result: Hardware,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/transcoder/test',
    summary:
      'Test the accelerators again, or one of them. 503 with the rows when what was asked for (without a name, what the settings choose) did not pass; 409 while a test runs',
    access: { role: 'owner', via: 'admin' },
    body: z.strictObject({ accelerator: z.enum(ACCELERATOR_NAMES).optional() }),
    result: Hardware,
    fails: ['conflict', 'unavailable'],
  }),
};
