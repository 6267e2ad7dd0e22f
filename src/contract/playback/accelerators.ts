/** Test results of hardware accelerators, for Owners. The error of a failed test includes them. */
import { about } from '../kernel/describe.ts';
import { z } from 'zod';
import { Time } from '../kernel/common.ts';
import { TrialReason } from './trial-reasons.ts';

const Trial = z
  .strictObject({
    passed: z.boolean().meta(about('Whether the test succeeded.', true)),
    reason: z.string().optional().meta({
      description: 'Reason for the failure, as a readable sentence fragment.',
      examples: [],
    }),
    why: TrialReason.optional().meta({
      description: 'The same reason as a code with values. Left out in results that an earlier version kept.',
      examples: [],
    }),
    speed: z
      .number()
      .optional()
      .meta({ description: 'Speed as a multiple of real time, for 1080p at 24 frames per second.', examples: [6.5] }),
  })
  .meta({ id: 'AcceleratorTest', description: 'Result of one test of an accelerator.' });

export const ACCELERATOR_NAMES = ['cuda', 'qsv', 'vaapi', 'videotoolbox', 'rkmpp', 'amf', 'mf', 'v4l2m2m'] as const;

export const AcceleratorRow = z
  .strictObject({
    name: z.enum(ACCELERATOR_NAMES).meta(about('Name of the accelerator.', 'vaapi')),
    device: z
      .string()
      .optional()
      .meta({ description: 'Device of this machine that was tested.', examples: ['/dev/dri/renderD128'] }),
    found: z.boolean().meta({ description: 'Whether this machine has the device, usable or not.', examples: [true] }),
    encode: Trial.meta({ description: 'Result of a test encode. Keyframes, size and pictures are verified.' }),
    decode: Trial.meta(about('Result of a test decode.')),
    toneMap: Trial.meta({ description: 'Result of a test encode with tone mapping from HDR to SDR.' }),
    codecs: z
      .array(z.enum(['h264', 'hevc', 'av1', 'vp9']))
      .meta({ description: 'Codecs that it encodes.', examples: [['h264', 'hevc']] }),
    decodes: z
      .array(z.enum(['h264', 'hevc', 'av1', 'vp9']))
      .meta({ description: 'Codecs that it decodes. Software decodes the others.', examples: [['h264', 'hevc']] }),
    lastFailure: z
      .strictObject({
        at: Time.meta(about('When it failed.', '2026-11-20T21:14:05.000Z')),
        reason: z.string().meta(about('Why it failed, as a sentence fragment for people.', 'it stopped answering')),
        why: TrialReason.meta(about('The same reason as a code with values.', { reason: 'silent', values: {} })),
      })
      .optional()
      .meta({ description: 'Last failure during playback since the server was started.', examples: [] }),
  })
  .meta({ id: 'Accelerator', description: 'Hardware that can convert video, with the results of its tests.' });
