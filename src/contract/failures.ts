/**
 * Every reason of a failure, and the body of an error reply.
 *
 * Each domain declares its reasons in `<domain>/reasons.ts`. An operation lists the ones that it can answer with in
 * `fails`; those that any request can meet on the way (`kernel/reasons.ts`) are added to its document automatically.
 */
import { z } from 'zod';
import { catalogReasons } from './catalog/reasons.ts';
import { configReasons } from './config/reasons.ts';
import { identityMembers, identityReasons } from './identity/reasons.ts';
import type { FailureKind, ReasonTable } from './kernel/failure.ts';
import { kernelMembers, kernelReasons } from './kernel/reasons.ts';
import { listsReasons } from './lists/reasons.ts';
import { metadataReasons } from './metadata/reasons.ts';
import { opsReasons } from './ops/reasons.ts';
import { playbackMembers, playbackReasons } from './playback/reasons.ts';
import { readingReasons } from './reading/reasons.ts';
import { remoteReasons } from './remote/reasons.ts';
import { requestReasons } from './requests/reasons.ts';
import { supporterReasons } from './supporter/reasons.ts';
import { scimReasons } from './scim/reasons.ts';
import { subtitlesReasons } from './subtitles/reasons.ts';

const TABLES = [
  kernelReasons,
  configReasons,
  identityReasons,
  scimReasons,
  catalogReasons,
  listsReasons,
  metadataReasons,
  subtitlesReasons,
  playbackReasons,
  readingReasons,
  remoteReasons,
  requestReasons,
  supporterReasons,
  opsReasons,
] as const;

type CodesIn<T, K extends FailureKind> = T extends Readonly<Record<K, infer Codes>> ? keyof Codes & string : never;
/** The reasons of one kind of failure. */
export type ReasonOf<K extends FailureKind> = CodesIn<(typeof TABLES)[number], K>;
export type FailureReason = { [K in FailureKind]: ReasonOf<K> }[FailureKind];

export interface ReasonRow {
  kind: FailureKind;
  /** A sentence for the API document. */
  summary: string;
}

/** Every reason with its kind and its sentence. */
export const FAILURE_REASONS: Readonly<Record<FailureReason, ReasonRow>> = Object.fromEntries(
  reasonRows(TABLES),
) as Record<FailureReason, ReasonRow>;

/** Code of a failure that a reply reports next to what succeeded. */
export const ReportedFailure = z.enum(Object.keys(FAILURE_REASONS) as [FailureReason, ...FailureReason[]]).meta({
  id: 'ReportedFailure',
  description: 'Code of a failure, as error replies have it.',
  examples: ['none-offered'],
});

/** Returns the rows of all tables. Throws if two tables declare the same code. */
export function reasonRows(tables: readonly ReasonTable[]): Map<string, ReasonRow> {
  const all = new Map<string, ReasonRow>();
  for (const table of tables)
    for (const [kind, codes] of Object.entries(table))
      for (const [code, summary] of Object.entries(codes)) {
        if (all.has(code)) throw new Error(`the reason ${code} is declared twice`);
        all.set(code, { kind: kind as FailureKind, summary });
      }
  return all;
}

/** The body of every error. */
export const FailureBody = z
  .strictObject({
    error: z
      .string()
      .meta({ description: 'A lower-case sentence fragment for a person.', examples: ['there is no such item'] }),
    reason: z.string().meta({
      description: 'Code for programs: one of those that the operation documents for this status.',
      examples: ['no-such-item'],
    }),
    ...kernelMembers,
    ...identityMembers,
    ...playbackMembers,
  })
  .meta({ id: 'Error', description: 'Failure of a request.' });
/** Members of an error in addition to its sentence and its reason. */
export type FailureMembers = Omit<Partial<z.output<typeof FailureBody>>, 'error' | 'reason'>;
