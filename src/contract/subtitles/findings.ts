/** Findings about subtitles. */
import { z } from 'zod';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

export const subtitlesFindings = {
  'transcription-model-different': {
    summary: 'The model for transcription has another architecture than the settings say.',
    values: { model: z.string(), architecture: z.string() },
  },
  'transcription-model-unusable': {
    summary: 'The model for transcription cannot be used; `why` is a sentence fragment.',
    values: { why: z.string() },
  },
} as const satisfies FindingTable;
export type SubtitlesFinding = FindingOf<typeof subtitlesFindings>;
