/** Test results of accelerators, as an Owner sees them. The error of a failed test has them, too. */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';

const Trial = z
  .strictObject({
    passed: z.boolean(),
    reason: z
      .string()
      .optional()
      .meta({
        description: 'Why it did not pass: a sentence fragment for a person.',
        examples: ['no such device was found'],
      }),
    speed: z.number().optional().meta({ description: 'Times real time, for 1080p with 24 frames a second.' }),
  })
  .meta({ id: 'AcceleratorTest' });

export const ACCELERATOR_NAMES = ['cuda', 'qsv', 'vaapi', 'videotoolbox', 'rkmpp', 'amf', 'mf', 'v4l2m2m'] as const;

export const AcceleratorRow = z
  .strictObject({
    name: z.enum(ACCELERATOR_NAMES),
    device: z
      .string()
      .optional()
      .meta({ description: 'The device of this machine that was tested.', examples: ['/dev/dri/renderD128'] }),
    found: z.boolean().meta({ description: 'Whether its device is on this machine, usable or not.' }),
    encode: Trial.meta({ description: 'A test encode whose keyframes, size and pictures were verified.' }),
    decode: Trial,
    toneMap: Trial.meta({ description: 'HDR mapped to an ordinary range on the way.' }),
    codecs: z.array(z.enum(['h264', 'hevc', 'av1', 'vp9'])).meta({ description: 'What it encodes.' }),
    decodes: z
      .array(z.enum(['h264', 'hevc', 'av1', 'vp9']))
      .meta({ description: 'What it decodes. Software decodes the rest.' }),
    lastFailure: z
      .strictObject({ at: Time, reason: z.string() })
      .optional()
      .meta({ description: 'When it failed while a film was played, since the server was started.' }),
  })
  .meta({ id: 'Accelerator' });
