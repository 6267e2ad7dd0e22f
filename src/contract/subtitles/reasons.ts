/** Reasons of failures of subtitles: the inventory, providers, installing, drafts and the workbench. */
import type { ReasonTable } from '../kernel/failure.ts';

export const subtitlesReasons = {
  unavailable: {
    'none-configured': 'No subtitle provider is configured.',
    'none-trusted': 'The providers have no subtitle whose timing and contents could be verified.',
    'providers-failing':
      'The providers do not answer, or their limits are used up; Retry-After says when to ask again.',
  },
} as const satisfies ReasonTable;
