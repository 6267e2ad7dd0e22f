/** Findings about remote access, its certificate, and trusted HTTPS at home. */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

export const remoteFindings = {
  'home-port-forwarded': {
    summary: 'A request from outside came in at the home port, so the router forwards it.',
    values: { at: Time },
  },
  'remote-listener-failed': {
    summary: 'The server cannot listen for remote access.',
    values: { reason: z.string(), port: z.int() },
  },
  'certificate-ending': {
    summary: 'A certificate expires soon, because it could not be renewed.',
    values: { name: z.string(), until: Time },
    expires: [14, 7, 3, 1],
  },
  'certificate-ended': {
    summary: 'A certificate has expired, because it could not be renewed.',
    values: { name: z.string(), until: Time },
    expires: [0],
  },
  'trusted-name-dropped': {
    summary: 'The router drops the name of trusted HTTPS, because it leads to a private address.',
    values: { name: z.string() },
  },
} as const satisfies FindingTable;
export type RemoteFinding = FindingOf<typeof remoteFindings>;
