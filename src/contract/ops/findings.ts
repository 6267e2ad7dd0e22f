/** Findings about the machine, its folders and programs, the database and the settings. */
import { z } from 'zod';
import { Time } from '../kernel/common.ts';
import type { FindingOf, FindingTable } from '../kernel/finding.ts';

const feature = z.string();
const program = { program: z.string(), feature };
const folder = { folder: z.enum(['paths.data', 'paths.cache', 'paths.media']) };
const room = { ...folder, freeBytes: z.int() };
/** When the file was checked, and when the last verified copy of it was made. */
const checked = { checkedAt: Time, copiedAt: Time.optional() };

export const opsFindings = {
  'program-missing': { summary: 'A program is not installed, so a feature does not work.', values: program },
  'program-installed': { summary: 'The program of a feature is installed.', values: program },
  'folder-unreachable': { summary: 'A folder of the server cannot be reached.', values: folder },
  'folder-full': { summary: 'A folder of the server has little room left.', values: room },
  'folder-has-room': { summary: 'A folder of the server has room.', values: room },
  'sandbox-full': { summary: 'Media programs see only the file they work on, and no network.' },
  'sandbox-limits': { summary: 'Media programs run with limits, and see all files.' },
  'sandbox-none': { summary: 'Media programs run without limits by the system.' },
  'part-unchecked': {
    summary: 'A part of the server could not say how it is.',
    values: { part: z.string(), why: z.string() },
  },
  'feature-later': {
    summary: 'A setting is set, and this version does not have its feature yet.',
    values: { feature },
  },
  'database-unchecked': { summary: 'The database has not been checked yet.' },
  'database-read-only': { summary: 'The database was opened on a full disk, so nothing can be saved.' },
  'database-damaged': { summary: 'The file of the database is damaged.', values: checked },
  'database-copy-without-room': { summary: 'There is too little room for a verified copy of the database.' },
  'database-sound': { summary: 'The database was intact when it was checked.', values: checked },
} as const satisfies FindingTable;
export type OpsFinding = FindingOf<typeof opsFindings>;
