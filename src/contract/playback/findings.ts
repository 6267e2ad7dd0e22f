/**
 * Findings about playing, converting and preparing. `why` is a sentence fragment in English, and `cause` the same as a
 * code with values.
 */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';
import { TrialReason } from './trial-reasons.ts';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

const why = z.string();
const accelerator = z.string();
// Results that an earlier version kept have no code.
const cause = TrialReason.optional();

export const playbackFindings = {
  'conversion-accelerated': { summary: 'An accelerator that passed its test converts video.', values: { accelerator } },
  'no-graphics-device': { summary: 'The processor converts video, because there is no graphics device.' },
  'accelerator-unusable': {
    summary: 'The processor converts video, because the graphics device did not pass its test.',
    values: { accelerator, why, cause },
  },
  'chosen-accelerator-unusable': {
    summary: 'The accelerator that the settings choose did not pass its test, so the processor converts video.',
    values: { accelerator, why, cause },
  },
  'accelerator-failed': {
    summary: 'An accelerator failed while a film was played, and the processor took over.',
    values: { accelerator, why, cause: TrialReason, at: Time, isUsedAgain: z.boolean() },
  },
  'streams-not-kept': { summary: 'Converted video cannot be kept on the disk.', values: { why } },
  'indexes-not-kept': { summary: 'Indexes of recordings cannot be kept on the disk.', values: { why } },
  'previews-not-kept': { summary: 'Preview pictures cannot be kept on the disk.', values: { why } },
} as const satisfies FindingTable;
export type PlaybackFinding = FindingOf<typeof playbackFindings>;
