/** Test results of hardware accelerators, for Owners. The error of a failed test includes them. */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';

const Trial = z
  .strictObject({
    passed: z.boolean(),
    reason: z
      .string()
      .optional()
      .meta({
        description: 'Reason for the failure, as a readable sentence fragment.',
        examples: ['no such device was found'],
      }),
    speed: z
      .number()
      .optional()
      .meta({ description: 'Speed as a multiple of real time, for 1080p at 24 frames per second.' }),
  })
  .meta({ id: 'AcceleratorTest' });

export const ACCELERATOR_NAMES = ['cuda', 'qsv', 'vaapi', 'videotoolbox', 'rkmpp', 'amf', 'mf', 'v4l2m2m'] as const;

export const AcceleratorRow = z
  .strictObject({
    name: z.enum(ACCELERATOR_NAMES),
    device: z
      .string()
      .optional()
      .meta({ description: 'Device of this machine that was tested.', examples: ['/dev/dri/renderD128'] }),
    found: z.boolean().meta({ description: 'Whether this machine has the device, usable or not.' }),
    encode: Trial.meta({ description: 'Result of a test encode. Keyframes, size and pictures are verified.' }),
    decode: Trial,
    toneMap: Trial.meta({ description: 'Result of a test encode with tone mapping from HDR to SDR.' }),
    codecs: z.array(z.enum(['h264', 'hevc', 'av1', 'vp9'])).meta({ description: 'Codecs that it encodes.' }),
    decodes: z
      .array(z.enum(['h264', 'hevc', 'av1', 'vp9']))
      .meta({ description: 'Codecs that it decodes. Software decodes the others.' }),
    lastFailure: z
      .strictObject({ at: Time, reason: z.string() })
      .optional()
      .meta({ description: 'Last failure during playback since the server was started.' }),
  })
  .meta({ id: 'Accelerator' });
