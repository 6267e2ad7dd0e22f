/**
 * Findings of diagnostics: what the server noticed about itself, its files and its machine.
 *
 * Each domain declares its codes in `<domain>/findings.ts`, and its value says that it reports them. Programs and
 * the dashboard decide by the code; `subject` and `sentence` are English and for people.
 */
import { about } from './kernel/describe.ts';
import { z } from 'zod';
import { activityFindings } from './activity/findings.ts';
import { catalogFindings } from './catalog/findings.ts';
import { identityFindings } from './identity/findings.ts';
import type { FindingOf, FindingTable } from './kernel/finding.ts';
import { opsFindings } from './ops/findings.ts';
import { playbackFindings } from './playback/findings.ts';
import { remoteFindings } from './remote/findings.ts';
import { subtitlesFindings } from './subtitles/findings.ts';

const TABLES = [
  activityFindings,
  catalogFindings,
  identityFindings,
  opsFindings,
  playbackFindings,
  remoteFindings,
  subtitlesFindings,
] as const;

/** A finding of any domain. */
export type Finding = FindingOf<
  typeof activityFindings &
    typeof catalogFindings &
    typeof identityFindings &
    typeof opsFindings &
    typeof playbackFindings &
    typeof remoteFindings &
    typeof subtitlesFindings
>;
export type FindingCode = Finding['code'];
/** Returns all codes of some tables with their sentences. Throws if two tables declare the same code. */
export function findingRows(tables: readonly FindingTable[]): Map<string, string> {
  const all = new Map<string, string>();
  for (const table of tables)
    for (const [code, { summary }] of Object.entries(table)) {
      if (all.has(code)) throw new Error(`the finding ${code} is declared twice`);
      all.set(code, summary);
    }
  return all;
}

/** Returns the days before its end on which Owners are notified of a finding; undefined if it is not about an end. */
export const expiryDaysOf = (code: string): readonly number[] | undefined =>
  TABLES.map((table: FindingTable) => table[code]?.expires).find((days) => days !== undefined);

/** Every code with its sentence. */
export const FINDINGS: Readonly<Record<FindingCode, string>> = Object.fromEntries(findingRows(TABLES)) as Record<
  FindingCode,
  string
>;

const Cause = z.strictObject({
  reason: z.string().meta(about('Code of the cause.', 'no-such-device')),
  values: z.record(z.string(), z.union([z.string(), z.number()])).meta(about('Numbers and names in it.', {})),
});

// The type is narrower than the shape: which values a finding carries depends on its code.
export const Finding = z
  .strictObject({
    level: z.enum(['ok', 'warning', 'error']).meta(about('How serious it is.', 'ok')),
    code: z.enum(Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]).meta({
      description: [
        'Code for programs.',
        ...Object.entries(FINDINGS).map(([code, summary]) => `\`${code}\`: ${summary}`),
      ].join(' '),
      examples: ['program-installed'],
    }),
    subject: z
      .string()
      .meta({ description: 'Subject for people: a name, a setting or a feature.', examples: ['ffmpeg'] }),
    sentence: z.string().meta(about('What was found, as a sentence for people.', 'ffmpeg is installed.')),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), Cause])).meta({
      description: 'Numbers, times, names and causes of the sentence, for a client that has its own words.',
      examples: [{}],
    }),
    setting: z.string().optional().meta({ description: 'The setting that changes it.', examples: [] }),
  })
  .meta({ id: 'Finding', description: 'Result of a check of this installation.' }) as unknown as z.ZodType<Finding>;
