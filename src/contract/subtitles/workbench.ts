/**
 * The workbench: inspect the subtitle of one item in one language, preview a change next to it, apply the change, and
 * undo it. Only apply, restore, replacement and the clean-up write anything. Owners only.
 *
 * Times are in seconds, as everywhere; shifts are in milliseconds, because that is what people type.
 */
import { EXAMPLE_APPLIED, EXAMPLE_RESTORED } from './examples.ts';
import { about, byItem, EXAMPLE_IDS, rarely } from '../kernel/describe.ts';
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
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { Id, Language, LanguageCode, Seconds } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Apply, CurrentRole, Preview, SubtitleFingerprint } from './change.ts';
import { AskedPart, AskedPartInBody } from './parts.ts';
import { LanguageState } from './states.ts';
import { SkippedReason } from './skipped-reasons.ts';
import {
  SubtitleInspection,
  SubtitlePreview,
  DRAFT_METHODS,
  SubtitleDraft,
  EXPORTED,
  Digest,
  cleanup,
  CleanupFile,
} from './views.ts';

export const workbench = {
  inspect: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/inspect',
    summary: 'Return the installed subtitle in a language, with its evidence',
    description: 'Returns the cues with warnings and quality, and the fingerprint that apply needs.',
    access: OWNER_READERS,
    params: byItem,
    query: z.strictObject({
      part: AskedPart,
      language: Language.meta(about('Language of the subtitle.', 'en')),
      role: CurrentRole,
      unreadable: z
        .enum(['allow'])
        .optional()
        .meta(rarely('Returns a subtitle that cannot be read without its cues, so that another can replace it.')),
    }),
    result: SubtitleInspection,
    fails: READING_SUBTITLE,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/export',
    summary: 'Download the installed subtitle as a file; original returns the bytes as they were received',
    description: 'Converts to the format that is asked for. The reply is an attachment.',
    access: OWNER_READERS,
    params: byItem,
    query: z.strictObject({
      part: AskedPart,
      language: Language.meta(about('Language of the subtitle.', 'en')),
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
    description:
      'Starts from the installed subtitle, a file, a text or a draft, and returns both sides with rows ' +
      'that pair their cues.',
    access: OWNER_READERS,
    params: byItem,
    body: Preview,
    result: SubtitlePreview,
    fails: PREVIEWING_CHANGE,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/apply',
    summary: 'Apply a change; the replaced subtitle is preserved',
    description:
      'Takes the body of a preview, with the fingerprint of the subtitle that was looked at. If it was ' +
      'changed since, the reply is 409.',
    access: OWNERS,
    params: byItem,
    body: Apply,
    result: SubtitleInspection.meta({ examples: [EXAMPLE_APPLIED] }),
    fails: APPLYING_CHANGE,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/restore',
    summary:
      'Swap the installed subtitle and the preserved one, and freeze the language; {} uses the configured language',
    description:
      'Takes back fetches and edits. A frozen language is not upgraded until replacement is permitted again.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      part: AskedPartInBody,
      language: Language.optional().meta(about('Language of the subtitle. Default: the first configured one.', 'en')),
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
    result: LanguageState.meta({ examples: [EXAMPLE_RESTORED] }),
    fails: RESTORING_SUBTITLE,
  }),
  installed: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/installed',
    summary: 'Return the exact file that deleting a subtitle removes',
    description: 'A client shows it before it asks for the deletion, and sends its fingerprint along.',
    access: OWNER_READERS,
    params: byItem,
    query: z.strictObject({
      part: AskedPart,
      language: Language.meta(about('Language of the subtitle.', 'en')),
      role: CurrentRole,
    }),
    result: z
      .strictObject({
        language: LanguageCode.meta(about('Language of the subtitle.', 'en')),
        role: z.enum(SUBTITLE_ROLES).meta(about('Kind of the subtitle.', 'normal')),
        file: z.string().meta({
          description: 'Relative to its library.',
          examples: ['Charade (1963)/Charade (1963) - 1080p.en.srt'],
        }),
        format: z.string().meta(about('Format as it is stored.', 'subrip')),
        size: z
          .int()
          .min(0)
          .meta({ description: 'Bytes.', examples: [68420] }),
        fingerprint: SubtitleFingerprint,
      })
      .meta({ id: 'InstalledSubtitle', description: 'File of a subtitle.' }),
    fails: SHOWING_SUBTITLE_FILE,
  }),
  deleteInstalled: endpoint({
    method: 'DELETE',
    path: '/api/v1/subtitle-library/{id}/installed',
    summary: 'Delete the file of a subtitle; its bytes stay preserved, and restore brings it back',
    description: 'The language counts as missing afterwards. A subtitle inside the video cannot be deleted: 409.',
    access: OWNERS,
    params: byItem,
    query: z.strictObject({
      part: AskedPart,
      language: Language.meta(about('Language of the subtitle.', 'en')),
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
    description: 'A frozen subtitle stays, whatever providers offer.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      part: AskedPartInBody.meta(rarely('Part of a film in several files, from 1. Default: all parts.')),
      replaceable: z.boolean().meta({ description: 'Applies to all files of the language.', examples: [true] }),
      language: Language.optional().meta(about('Language of the subtitle. Default: the first configured one.', 'en')),
      role: CurrentRole,
    }),
    result: LanguageState,
    fails: FREEZING_SUBTITLE,
  }),
  draft: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/draft',
    summary: 'Return the draft of an item: its progress and its cues',
    description: 'A client reads it while a draft is made, and shows its cues once it is ready.',
    access: OWNER_READERS,
    params: byItem,
    query: z.strictObject({
      part: AskedPart,
      language: Language.optional().meta(about('Draft of this language. Default: the last one.', 'en')),
    }),
    result: SubtitleDraft,
    fails: ['no-such-item', 'no-such-part', 'no-such-draft'],
  }),
  startDraft: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/draft',
    summary: 'Start or cancel a draft; it is bound to the bytes of the video and installs nothing',
    description:
      'Reads picture subtitles, listens to speech, or aligns a subtitle. The result is looked at and ' +
      'applied by hand.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      part: AskedPartInBody,
      language: Language.meta(about('Language of the text.', 'en')),
      method: z.enum(DRAFT_METHODS).optional().meta(about('How to make the text. Needed to start.', 'ocr')),
      action: z.enum(['start', 'cancel']).optional().meta(about('Starts or cancels. Default: start.', 'start')),
      draftId: Id.optional().meta(rarely('Id of the draft to cancel.')),
    }),
    result: SubtitleDraft.meta({
      examples: [{ state: 'running', draftId: EXAMPLE_IDS.draft, language: 'en', method: 'ocr', progress: 0 }],
    }),
    status: 202,
    orElse: 200,
    fails: DRAFTING,
  }),
  audio: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/audio',
    summary: 'Return the loudness of the audio and the probability of speech',
    description: 'Both lists have one value for each of up to 1024 equal steps of the part that is asked for.',
    access: OWNER_READERS,
    params: byItem,
    body: z
      .strictObject({
        part: AskedPartInBody,
        language: Language.optional().meta(about('Language of the sound to analyse. Default: the first track.', 'en')),
        from: Seconds.optional().meta({
          description: 'Start of the requested part. Default: the start of the video.',
          examples: [0],
        }),
        to: Seconds.optional().meta(about('End of the requested part in seconds. Default: the end of the video.', 120)),
      })
      .refine(({ from = 0, to = Infinity }) => from <= to, 'from: expected no more than to'),
    result: z
      .strictObject({
        duration: Seconds.meta(about('Length of the video in seconds.', 6805.3)),
        from: Seconds.meta(about('Start of the part in seconds.', 0)),
        to: Seconds.meta(about('End of the part in seconds.', 120)),
        waveform: z
          .array(z.number().min(0).max(1))
          .max(1024)
          .meta(about('Loudness from 0 to 1.', [0.02, 0.31, 0.44])),
        speech: z
          .array(z.number().min(0).max(1))
          .max(1024)
          .meta({ description: 'Probability of speech at the same positions.', examples: [[0.01, 0.92, 0.97]] }),
      })
      .meta({ id: 'SubtitleAudio', description: 'Loudness and speech of a part of the sound.' }),
    fails: READING_AUDIO,
  }),
  planCleanup: endpoint({
    method: 'POST',
    path: '/api/v1/subtitles/cleanup/preview',
    summary: 'List the subtitle files that a clean-up would hide',
    description: 'Changes nothing. The digest names exactly this plan.',
    access: OWNER_READERS,
    body: z.strictObject(cleanup),
    result: z
      .strictObject({
        languages: z.array(LanguageCode).meta(about('Languages whose files are considered.', ['de'])),
        forced: z
          .enum(['keep', 'hide'])
          .meta(about('Whether files for foreign dialogue only are kept or hidden.', 'keep')),
        digest: Digest,
        count: z.int().min(0).meta(about('Number of files that would be hidden.', 1)),
        files: z.array(CleanupFile).max(100).meta({ description: 'The first hundred files.' }),
        skipped: z
          .array(
            z.strictObject({
              path: z
                .string()
                .meta(
                  about(
                    'Path of the file, from the name of its library.',
                    'Films/Charade (1963)/Charade (1963) - 1080p.de.forced.srt',
                  ),
                ),
              reason: z
                .string()
                .meta(about('Why it stays, as a sentence fragment for people.', 'forced subtitles are kept')),
              why: SkippedReason.meta(about('What `reason` says, as a reason with values.')),
            }),
          )
          .meta(about('Files that stay, with the reason.', [])),
      })
      .meta({ id: 'SubtitleCleanupPlan', description: 'Files that a clean-up would hide.' }),
  }),
  cleanup: endpoint({
    method: 'POST',
    path: '/api/v1/subtitles/cleanup',
    summary: 'Hide exactly the files of a plan by adding the suffix .hidden',
    description:
      'If a file or the library changed since the preview, the reply is 409 and nothing is hidden. To ' +
      'show a file again, remove the suffix.',
    access: OWNERS,
    body: z.strictObject({ ...cleanup, digest: Digest }),
    result: z
      .strictObject({ hidden: z.int().min(0).meta(about('Number of files that were hidden.', 1)) })
      .meta({ id: 'SubtitleCleanup', description: 'Result of a clean-up.' }),
    fails: HIDING_SUBTITLES,
  }),
};
