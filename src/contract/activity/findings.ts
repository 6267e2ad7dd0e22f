/** Findings about the activity log. */
import { z } from 'zod';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

export const activityFindings = {
  'activity-log-broken': {
    summary: 'An entry of the activity log was changed, removed or added outside the server.',
    values: { number: z.int(), checkedAt: z.string() },
  },
} as const satisfies FindingTable;
export type ActivityFinding = FindingOf<typeof activityFindings>;
