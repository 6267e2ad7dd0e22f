/**
 * The workbench: inspect the subtitle of one item in one language, preview a change next to it, apply the change, and
 * undo it. Only apply, restore, replacement and the clean-up write anything. Owners only.
 *
 * Times are in seconds, as everywhere; shifts are in milliseconds, because that is what people type.
 */
import {
  APPLYING_CHANGE,
  DELETING_SUBTITLE,
  DRAFTING,
  EXPORTING_SUBTITLE,
  FREEZING_SUBTITLE,
  HIDING_SUBTITLES,
  PREVIEWING_CHANGE,
  READING_AUDIO,
  READING_SUBTITLE,
  RESTORING_SUBTITLE,
  SHOWING_SUBTITLE_FILE,
} from './reasons.ts';
import { z } from 'zod';
import { OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { SUBTITLE_ROLES } from '../catalog/items.ts';
import { byId, Id, Language, LanguageCode, Seconds } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Apply, CurrentRole, SubtitleFingerprint, Preview } from './change.ts';
import { SUBTITLE_FORMATS } from './formats.ts';
import { Evidence, LanguageState, RestoresTo } from './library.ts';

export const CueView = z
  .strictObject({
    index: z.int().min(0),
    start: Seconds,
    end: Seconds,
    text: z.string().meta({ description: 'Text with SRT markup: <i>, <b>, <u>, <font color>.' }),
    warnings: z.array(z.string()),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Only in drafts: confidence of the recognition, that of its least certain word.' }),
  })
  .meta({ id: 'SubtitleCue' });
export type CueView = z.output<typeof CueView>;

export const QualityView = z
  .strictObject({
    cues: z.int().min(0),
    first: Seconds.optional(),
    last: Seconds.optional(),
    medianSpeed: z.number().min(0).meta({ description: 'Median reading speed in characters per second.' }),
    fastSpeed: z
      .number()
      .min(0)
      .meta({ description: 'Reading speed of the fastest 5% of cues, in characters per second.' }),
    overlaps: z.int().min(0),
    longestLine: z.int().min(0),
    longestGap: Seconds,
    coverage: z.number().min(0).max(1).optional(),
    warnings: z.int().min(0).meta({ description: 'Cues with at least one warning.' }),
  })
  .meta({ id: 'SubtitleQuality' });

const Side = z.strictObject({ format: z.string(), encoding: z.string(), cues: z.array(CueView), quality: QualityView });

const inspected = {
  id: Id,
  title: z.string(),
  language: LanguageCode,
  fingerprint: SubtitleFingerprint,
  role: z.enum(SUBTITLE_ROLES),
  source: z.string().meta({ description: 'embedded, sidecar, a provider, edited, imported, draft, or none.' }),
  evidence: z.array(Evidence),
  originalAvailable: z.boolean(),
  restorable: z.boolean(),
  restoresTo: RestoresTo,
  replaceable: z.boolean(),
  current: Side.meta({ id: 'SubtitleSide' }).optional(),
  warnings: z.array(z.string()).meta({ description: 'Problems that were found, as sentences.' }),
  duration: Seconds,
};
export const SubtitleInspection = z.strictObject(inspected).meta({ id: 'SubtitleInspection' });
export type SubtitleInspection = z.output<typeof SubtitleInspection>;

export const COMPARISON_ROW_KINDS = ['matched', 'merged', 'removed', 'unpaired-current', 'unpaired-proposed'] as const;
export const ComparisonRow = z
  .strictObject({
    kind: z.enum(COMPARISON_ROW_KINDS),
    current: z.array(z.int().min(0)).optional(),
    proposed: z.array(z.int().min(0)).optional(),
  })
  .meta({ id: 'SubtitleComparisonRow' });
export type ComparisonRow = z.output<typeof ComparisonRow>;

/** Result of aligning cues with the speech of the video, or the reason why they were left unchanged. */
export const AlignmentView = z
  .strictObject({
    outcome: z.enum(['fits', 'moved', 'refused']).meta({
      description:
        'fits: the timing is already right. moved: the cues were moved. refused: the evidence is too weak, so ' +
        'nothing was moved.',
    }),
    reason: z.string().optional(),
    reference: z.enum(['speech', 'embedded']),
    ratio: z.number().min(0),
    segments: z
      .array(z.strictObject({ from: z.int().min(0), to: z.int().min(0), offsetMilliseconds: z.int() }))
      .meta({ description: 'Ranges of cues (inclusive) and the offset of each range.' }),
    evidence: z.array(Evidence),
  })
  .meta({ id: 'SubtitleAlignment' });
export type AlignmentView = z.output<typeof AlignmentView>;

export const SubtitlePreview = z
  .strictObject({
    ...inspected,
    file: z.string().meta({ description: 'File that apply would write, relative to its library.' }),
    changes: z
      .boolean()
      .meta({ description: 'False when the result equals the installed subtitle, in which case apply is refused.' }),
    proposed: z.strictObject({ format: z.string(), cues: z.array(CueView), quality: QualityView }),
    comparison: z.array(ComparisonRow),
    alignment: AlignmentView.optional(),
  })
  .meta({ id: 'SubtitlePreview' });

export const DRAFT_STATES = ['none', 'running', 'ready', 'failed', 'stopped'] as const;
/**
 * `translation-free` chooses a method that yields text in the requested language: pictures or speech in that language.
 */
export const DRAFT_METHODS = ['ocr', 'transcription', 'translation-free', 'alignment'] as const;
export const SubtitleDraft = z
  .strictObject({
    state: z.enum(DRAFT_STATES),
    draftId: Id.optional(),
    language: LanguageCode.optional(),
    method: z.enum(DRAFT_METHODS).optional(),
    progress: z.number().min(0).max(1).optional(),
    message: z.string().optional(),
    cues: z.array(CueView).optional(),
    words: z
      .array(z.strictObject({ cue: z.int().min(0), text: z.string(), confidence: z.number().min(0).max(1) }))
      .optional()
      .meta({ description: 'The words of each cue in order, with the confidence of each.' }),
    alignment: AlignmentView.optional(),
  })
  .meta({ id: 'SubtitleDraft' });
export type SubtitleDraft = z.output<typeof SubtitleDraft>;

/** Media types of an exported file. Retained source bytes can be in any format, or in an unknown one. */
const EXPORTED = [...new Set([...SUBTITLE_FORMATS.map(({ mediaType }) => mediaType), 'application/octet-stream'])];

const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected the digest of a plan')
  .meta({
    description: 'Identifies exactly one plan.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

const cleanup = { enabled: z.boolean(), languages: z.array(Language).min(1).max(64), forced: z.enum(['keep', 'hide']) };
const CleanupFile = z.strictObject({
  path: z.string().meta({ description: 'Path of the file, from the name of its library.' }),
});

export const workbench = {
  inspect: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/inspect',
    summary: 'Return the installed subtitle in a language, with its evidence',
    access: OWNER_READERS,
    params: byId,
    query: z.strictObject({ language: Language, role: CurrentRole }),
    result: SubtitleInspection,
    fails: READING_SUBTITLE,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/export',
    summary: 'Download the installed subtitle as a file; original returns the bytes as they were received',
    access: OWNER_READERS,
    params: byId,
    query: z.strictObject({
      language: Language,
      role: CurrentRole,
      format: z
        .enum(['srt', 'vtt', 'original'])
        .meta({ description: 'Format of the file. original: the retained source bytes.' }),
    }),
    result: { bytes: EXPORTED },
    fails: EXPORTING_SUBTITLE,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/preview',
    summary: 'Return the result of a change without writing anything',
    access: OWNER_READERS,
    params: byId,
    body: Preview,
    result: SubtitlePreview,
    fails: PREVIEWING_CHANGE,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/apply',
    summary: 'Apply a change; the replaced subtitle is preserved',
    access: OWNERS,
    params: byId,
    body: Apply,
    result: SubtitleInspection,
    fails: APPLYING_CHANGE,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/restore',
    summary:
      'Swap the installed subtitle and the preserved one, and freeze the language; {} uses the configured language',
    access: OWNERS,
    params: byId,
    body: z.strictObject({
      language: Language.optional(),
      role: CurrentRole,
      to: z
        .enum(['original', 'previous'])
        .optional()
        .meta({
          description:
            'original (default): the first subtitle, or, when that one is installed, the one that replaced it. The ' +
            'text inside the video is the first subtitle if what is installed was written over it; then the file is ' +
            'removed and preserved. ' +
            'previous: the subtitle before the last change; when there was none, the file is removed and can be ' +
            'restored later. A file that was deleted or changed by hand counts as the one before that change.',
        }),
    }),
    result: LanguageState,
    fails: RESTORING_SUBTITLE,
  }),
  installed: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/installed',
    summary: 'Return the exact file that deleting a subtitle removes',
    access: OWNER_READERS,
    params: byId,
    query: z.strictObject({ language: Language, role: CurrentRole }),
    result: z
      .strictObject({
        language: LanguageCode,
        role: z.enum(SUBTITLE_ROLES),
        file: z.string().meta({ description: 'Relative to its library.' }),
        format: z.string(),
        size: z.int().min(0).meta({ description: 'Bytes.' }),
        fingerprint: SubtitleFingerprint,
      })
      .meta({ id: 'InstalledSubtitle' }),
    fails: SHOWING_SUBTITLE_FILE,
  }),
  deleteInstalled: endpoint({
    method: 'DELETE',
    path: '/api/v1/subtitle-library/{id}/installed',
    summary: 'Delete the file of a subtitle; its bytes stay preserved, and restore brings it back',
    access: OWNERS,
    params: byId,
    query: z.strictObject({
      language: Language,
      role: CurrentRole,
      fingerprint: SubtitleFingerprint.optional().meta({
        description: 'Fingerprint of the file that was shown; a file that changed since is kept.',
      }),
    }),
    result: NOTHING,
    fails: DELETING_SUBTITLE,
  }),
  replacement: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/replacement',
    summary: 'Permit or freeze replacement of the subtitle',
    access: OWNERS,
    params: byId,
    body: z.strictObject({
      replaceable: z.boolean().meta({ description: 'Applies to all files of the language.' }),
      language: Language.optional(),
      role: CurrentRole,
    }),
    result: LanguageState,
    fails: FREEZING_SUBTITLE,
  }),
  draft: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/draft',
    summary: 'Return the draft of an item: its progress and its cues',
    access: OWNER_READERS,
    params: byId,
    query: z.strictObject({ language: Language.optional() }),
    result: SubtitleDraft,
    fails: ['no-such-item', 'no-such-draft'],
  }),
  startDraft: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/draft',
    summary: 'Start or cancel a draft; it is bound to the bytes of the video and installs nothing',
    access: OWNERS,
    params: byId,
    body: z.strictObject({
      language: Language,
      method: z.enum(DRAFT_METHODS).optional(),
      action: z.enum(['start', 'cancel']).optional(),
      draftId: Id.optional(),
    }),
    result: SubtitleDraft,
    status: 202,
    orElse: 200,
    fails: DRAFTING,
  }),
  audio: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/audio',
    summary: 'Return the loudness of the audio and the probability of speech',
    access: OWNER_READERS,
    params: byId,
    body: z
      .strictObject({
        language: Language.optional(),
        from: Seconds.optional().meta({ description: 'Start of the requested part. Default: the start of the video.' }),
        to: Seconds.optional(),
      })
      .refine(({ from = 0, to = Infinity }) => from <= to, 'from: expected no more than to'),
    result: z
      .strictObject({
        duration: Seconds,
        from: Seconds,
        to: Seconds,
        waveform: z.array(z.number().min(0).max(1)).max(1024),
        speech: z
          .array(z.number().min(0).max(1))
          .max(1024)
          .meta({ description: 'Probability of speech at the same positions.' }),
      })
      .meta({ id: 'SubtitleAudio' }),
    fails: READING_AUDIO,
  }),
  planCleanup: endpoint({
    method: 'POST',
    path: '/api/v1/subtitles/cleanup/preview',
    summary: 'List the subtitle files that a clean-up would hide',
    access: OWNER_READERS,
    body: z.strictObject(cleanup),
    result: z
      .strictObject({
        languages: z.array(LanguageCode),
        forced: z.enum(['keep', 'hide']),
        digest: Digest,
        count: z.int().min(0),
        files: z.array(CleanupFile).max(100).meta({ description: 'The first hundred files.' }),
        skipped: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
      })
      .meta({ id: 'SubtitleCleanupPlan' }),
  }),
  cleanup: endpoint({
    method: 'POST',
    path: '/api/v1/subtitles/cleanup',
    summary: 'Hide exactly the files of a plan by adding the suffix .hidden',
    access: OWNERS,
    body: z.strictObject({ ...cleanup, digest: Digest }),
    result: z.strictObject({ hidden: z.int().min(0) }).meta({ id: 'SubtitleCleanup' }),
    fails: HIDING_SUBTITLES,
  }),
};
