/** Findings about libraries and files. */
import { z } from 'zod';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

export const catalogFindings = {
  'library-offline': { summary: 'A library cannot be reached or is empty.', values: { library: z.string() } },
  'library-not-scanned': {
    summary: 'Libraries of this kind are not scanned yet.',
    values: { library: z.string(), kind: z.string() },
  },
  'files-unplaced': { summary: 'Files could not be identified or read.', values: { count: z.int() } },
} as const satisfies FindingTable;
export type CatalogFinding = FindingOf<typeof catalogFindings>;
