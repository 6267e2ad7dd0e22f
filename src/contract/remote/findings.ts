/** Findings about access from outside. */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

export const remoteFindings = {
  'home-port-forwarded': {
    summary: 'A request from outside came in at the home port, so the router forwards it.',
    values: { at: Time },
  },
  'remote-listener-failed': {
    summary: 'The server cannot listen for access from outside.',
    values: { reason: z.string(), port: z.int() },
  },
} as const satisfies FindingTable;
export type RemoteFinding = FindingOf<typeof remoteFindings>;
