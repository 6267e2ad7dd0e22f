/**
 * The timing audit: which subtitles are out of time, previews of what would put them in time, and applying and undoing
 * such fixes. Owners only. The audit runs as the task `audit`.
 */
import { ReportedFailure } from '../failures.ts';
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { LIBRARY_OWNERS, OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { Id, integer, LanguageCode, Seconds, Time } from '../kernel/common.ts';
import { about, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { EXAMPLE_FINGERPRINT } from './examples.ts';
import { PREVIEWING_FIX } from './reasons.ts';
import { itemNames, SubtitleTiming, TIMING_VERDICTS } from './states.ts';
import { RepliedPart } from './parts.ts';
import { repliedWarnings } from './warnings.ts';

/** Verdicts that say that a subtitle is wrong for its video. */
export const MISFITS = ['shifted', 'rate', 'cut', 'mismatch', 'language'] as const;

const MAX_FIXES = 20;
const EXAMPLE_FILE = 'Charade (1963)/Charade (1963) - 1080p.en.srt';
const EXAMPLE_TRACK = `file:${EXAMPLE_FILE}`;

const track = z
  .string()
  .regex(/^(?:file:[^\0]{1,4096}|stream:\d{1,5})$/, 'expected a subtitle of the list')
  .meta(about('Subtitle of the item, as the list names it.', EXAMPLE_TRACK));
const judgement = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected the digest of a judgement')
  .meta(about('Identifies exactly this judgement of these bytes.', EXAMPLE_FINGERPRINT));
const fingerprint = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected a fingerprint')
  .meta(about('SHA-256 of the bytes that the fix wrote, in hex.', EXAMPLE_FINGERPRINT));

const audited = {
  id: idOf('item', 'Id of the item.'),
  part: RepliedPart,
  track,
  ...itemNames,
  language: LanguageCode.meta(about('Language of the subtitle.', 'en')),
  role: z.enum(SUBTITLE_ROLES).meta(about('Kind of the subtitle.', 'normal')),
  file: z
    .string()
    .optional()
    .meta({
      description: 'File, relative to its library. Missing for a track inside the video.',
      examples: [EXAMPLE_FILE],
    }),
  source: z
    .string()
    .meta(about('Where it comes from: embedded, sidecar, a provider, edited, imported or draft.', 'subtitles_a')),
  own: z
    .boolean()
    .meta(
      about(
        'Whether a person made, changed or froze it. Such a file is fixed only if the request permits it for this ' +
          'file.',
        false,
      ),
    ),
  fixable: z.boolean().meta(about('Whether moving its lines would put it in time.', true)),
  judgement,
  timing: SubtitleTiming,
};

export const AuditedSubtitle = z
  .strictObject(audited)
  .meta({ id: 'AuditedSubtitle', description: 'Subtitle with the result of the timing audit.' });
export type AuditedSubtitle = z.output<typeof AuditedSubtitle>;

const FixedLine = z.strictObject({
  text: z.string().meta(about('Text of the line.', 'Good evening.')),
  before: Seconds.meta(about('When it begins now, in seconds.', 62.7)),
  after: Seconds.meta(about('When it would begin, in seconds.', 61.2)),
});

export const FixPreview = z
  .strictObject({
    ...audited,
    target: z.string().meta(about('File that the fix would write, relative to its library.', EXAMPLE_FILE)),
    lines: z.int().min(0).meta(about('Number of lines.', 1284)),
    first: z.array(FixedLine).meta(about('The first lines.')),
    last: z.array(FixedLine).meta({ description: 'The last lines.', examples: [[]] }),
    ...repliedWarnings,
  })
  .meta({ id: 'SubtitleFixPreview', description: 'Result of a fix of the timing audit, before it is applied.' });
export type FixPreview = z.output<typeof FixPreview>;

const failed = {
  reason: ReportedFailure.optional().meta(rarely('Why nothing was changed, as a code.')),
  error: z.string().optional().meta(rarely('Why nothing was changed, for people.')),
};
const FixResult = z
  .strictObject({
    id: idOf('item', 'Id of the item.'),
    part: RepliedPart,
    track,
    outcome: z.enum(['fixed', 'refused']).meta(about('Whether the subtitle was changed.', 'fixed')),
    written: z
      .strictObject({ track, fingerprint })
      .optional()
      .meta(about('The subtitle that was written, for the undo. Missing if nothing was.')),
    ...failed,
  })
  .meta({ id: 'SubtitleFixResult', description: 'Result of one fix.' });
const UndoResult = z
  .strictObject({
    id: idOf('item', 'Id of the item.'),
    part: RepliedPart,
    track,
    outcome: z.enum(['undone', 'refused']).meta(about('Whether the earlier subtitle is back.', 'undone')),
    ...failed,
  })
  .meta({ id: 'SubtitleFixUndone', description: 'Result of one undo.' });

export const subtitleAudit = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-audit',
    summary: 'List what the timing audit found',
    description:
      'Returns the subtitles that are out of time or in another language, and how many fit. Judgements of a video or ' +
      'a subtitle that changed are left out until they were made again.',
    access: LIBRARY_OWNERS,
    query: z.strictObject({
      verdict: z
        .enum(['misfits', 'all', ...TIMING_VERDICTS])
        .default('misfits')
        .meta({
          description: 'Only subtitles with this verdict. misfits: everything but fits and unknown.',
        }),
      page: integer(1, 1_000_000).default(1).meta({ description: 'Number of the page, from 1.' }),
      limit: integer(1, 200).default(40).meta({ description: 'Subtitles on a page.' }),
    }),
    result: z
      .strictObject({
        automatic: z.boolean().meta(about('Whether the audit also runs after scans: subtitles.audit.', true)),
        counts: z
          .strictObject(
            Object.fromEntries(
              TIMING_VERDICTS.map((verdict) => [
                verdict,
                z
                  .int()
                  .min(0)
                  .meta(about('Number of subtitles with this verdict.', verdict === 'shifted' ? 1 : 0)),
              ]),
            ) as Record<(typeof TIMING_VERDICTS)[number], z.ZodInt>,
          )
          .meta({ description: 'Number of subtitles with each verdict.' }),
        pending: z.int().min(0).meta(about('Number of films and episodes that were not judged yet.', 0)),
        checkedAt: Time.optional().meta(about('When a subtitle was judged last.', '2026-11-21T03:14:07.000Z')),
        page: z.int().min(1).meta(about('Number of this page, from 1.', 1)),
        pages: z.int().min(0).meta(about('Number of pages.', 1)),
        matched: z.int().min(0).meta(about('Number of subtitles that match the query, on all pages.', 1)),
        items: z.array(AuditedSubtitle).meta(about('Subtitles of this page.')),
      })
      .meta({ id: 'SubtitleAudit', description: 'Results of the timing audit.' }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-audit/preview',
    summary: 'Return what a fix would do, without writing anything',
    description: 'Moves the lines as the audit measured, and returns the first and last ones at both times.',
    access: OWNER_READERS,
    body: z.strictObject({
      id: Id.meta(about('Id of the item.', EXAMPLE_IDS.item)),
      part: RepliedPart,
      track,
      judgement,
    }),
    result: FixPreview,
    fails: PREVIEWING_FIX,
  }),
  fix: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-audit/fix',
    summary: 'Fix the timing of some subtitles; each result says whether the file was changed',
    description:
      'Moves the lines as the audit measured. A subtitle or video that changed since it was judged is refused, and ' +
      'so is a file of yours unless own is true for it. The replaced files are preserved.',
    access: OWNERS,
    body: z.strictObject({
      fixes: z
        .array(
          z.strictObject({
            id: Id.meta(about('Id of the item.', EXAMPLE_IDS.item)),
            part: RepliedPart,
            track,
            judgement,
            own: z.literal(true).optional().meta(rarely('Permits changing this file although it is your own.')),
          }),
        )
        .min(1)
        .max(MAX_FIXES)
        .meta(about('Subtitles to fix.')),
    }),
    result: z
      .strictObject({
        fixed: z.int().min(0).meta(about('Number of subtitles that were changed.', 1)),
        refused: z.int().min(0).meta(about('Number of subtitles that were left as they are.', 0)),
        results: z.array(FixResult).meta(about('Results, fix by fix.')),
      })
      .meta({ id: 'SubtitleFixes', description: 'Results of fixes of the timing audit.' }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-audit/undo',
    summary: 'Undo fixes; each result says whether the earlier subtitle is back',
    description:
      'Restores what each fix replaced, byte for byte. A subtitle that changed since the fix is refused. Like every ' +
      'restore, it freezes the language.',
    access: OWNERS,
    body: z.strictObject({
      fixes: z
        .array(
          z.strictObject({
            id: Id.meta(about('Id of the item.', EXAMPLE_IDS.item)),
            part: RepliedPart,
            track,
            fingerprint,
          }),
        )
        .min(1)
        .max(MAX_FIXES)
        .meta(about('What the fixes wrote, as their results say.')),
    }),
    result: z
      .strictObject({
        undone: z.int().min(0).meta(about('Number of subtitles that are back.', 1)),
        refused: z.int().min(0).meta(about('Number of fixes that were left as they are.', 0)),
        results: z.array(UndoResult).meta(about('Results, fix by fix.')),
      })
      .meta({ id: 'SubtitleFixesUndone', description: 'Results of undoing fixes.' }),
  }),
};
