/** Shapes of the workbench: cues, inspections, comparisons, alignments, drafts and clean-ups. */
import { EXAMPLE_SHIFTED_CUES, EXAMPLE_FINGERPRINT } from './examples.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { Language, LanguageCode, Seconds } from '../kernel/common.ts';
import { SubtitleFingerprint } from './change.ts';
import { SUBTITLE_FORMATS } from './formats.ts';
import { DraftNote } from './draft-notes.ts';
import { TimingRefusal } from './evidence-reasons.ts';
import { Evidence, RestoresTo } from './states.ts';
import { repliedWarnings } from './warnings.ts';

export const CueView = z
  .strictObject({
    index: z.int().min(0).meta(about('Number of the cue, from 0.', 0)),
    start: Seconds.meta(about('Start in seconds.', 61.2)),
    end: Seconds.meta(about('End in seconds.', 63.4)),
    text: z
      .string()
      .meta({ description: 'Text with SRT markup: <i>, <b>, <u>, <font color>.', examples: ['Good evening.'] }),
    warnings: z.array(z.string()).meta(about('What a viewer may stumble over, as codes.', [])),
    confidence: z.number().min(0).max(1).optional().meta({
      description: 'Only in drafts: confidence of the recognition, that of its least certain word.',
      examples: [],
    }),
  })
  .meta({ id: 'SubtitleCue', description: 'Cue of a subtitle.' });
export type CueView = z.output<typeof CueView>;

export const QualityView = z
  .strictObject({
    cues: z.int().min(0).meta(about('Number of cues.', 1284)),
    first: Seconds.optional().meta(about('Start of the first cue in seconds.', 61.2)),
    last: Seconds.optional().meta(about('End of the last cue in seconds.', 6631.8)),
    medianSpeed: z
      .number()
      .min(0)
      .meta({ description: 'Median reading speed in characters per second.', examples: [13.4] }),
    fastSpeed: z
      .number()
      .min(0)
      .meta({ description: 'Reading speed of the fastest 5% of cues, in characters per second.', examples: [21.7] }),
    overlaps: z.int().min(0).meta(about('Cues that begin before the one before has ended.', 0)),
    longestLine: z.int().min(0).meta(about('Characters of the longest line.', 41)),
    longestGap: Seconds.meta(about('Longest time between two cues in seconds.', 94.6)),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta(rarely('Part of the speech during which a cue is shown, from 0 to 1. Once the sound was analysed.')),
    warnings: z
      .int()
      .min(0)
      .meta({ description: 'Cues with at least one warning.', examples: [3] }),
  })
  .meta({ id: 'SubtitleQuality', description: 'Measures of a subtitle.' });

const Side = z.strictObject({
  format: z.string().meta(about('Format as it is stored.', 'subrip')),
  encoding: z.string().meta(about('Encoding of the text.', 'utf-8')),
  cues: z.array(CueView).meta(about('Cues in order.')),
  quality: QualityView,
});

const inspected = {
  id: idOf('item', 'Id of the item.'),
  title: z.string().meta(about('Title of the film, or of the show.', 'Charade')),
  language: LanguageCode.meta(about('Language of the subtitle.', 'en')),
  fingerprint: SubtitleFingerprint.meta({
    examples: [EXAMPLE_FINGERPRINT],
  }),
  role: z
    .enum(SUBTITLE_ROLES)
    .meta(about('normal, forced (foreign dialogue only) or sdh (for the hard of hearing).', 'normal')),
  source: z.string().meta({
    description: 'embedded, sidecar, a provider, edited, imported, draft, or none.',
    examples: ['subtitles_a'],
  }),
  evidence: z.array(Evidence).meta(about('Reasons for and against the match.')),
  originalAvailable: z.boolean().meta(about('Whether the first subtitle is preserved.', false)),
  restorable: z.boolean().meta(about('Whether a restore has something to bring back.', false)),
  restoresTo: RestoresTo.meta({ examples: [] }),
  replaceable: z.boolean().meta(about('Whether a better subtitle may replace it.', true)),
  current: Side.meta({ id: 'SubtitleSide', description: 'Subtitle with its cues.' })
    .optional()
    .meta(about('The installed subtitle. Left out: none.')),
  unreadable: z
    .literal(true)
    .optional()
    .meta(
      rarely(
        'Only when asked with unreadable: there is a subtitle, and it cannot be read. The first warning says why.',
      ),
    ),
  ...repliedWarnings,
  duration: Seconds.meta(about('Length of the video in seconds.', 6805.3)),
};
export const SubtitleInspection = z
  .strictObject(inspected)
  .meta({ id: 'SubtitleInspection', description: 'Installed subtitle with its cues and its evidence.' });
export type SubtitleInspection = z.output<typeof SubtitleInspection>;

export const COMPARISON_ROW_KINDS = ['matched', 'merged', 'removed', 'unpaired-current', 'unpaired-proposed'] as const;
export const ComparisonRow = z
  .strictObject({
    kind: z
      .enum(COMPARISON_ROW_KINDS)
      .meta(
        about(
          'matched, merged and removed pair cues with their sources. unpaired-current and unpaired-proposed ' +
            'claim nothing about a pair.',
          'matched',
        ),
      ),
    current: z
      .array(z.int().min(0))
      .optional()
      .meta(about('Indexes of installed cues, from 0. Left out: none.', [0])),
    proposed: z
      .array(z.int().min(0))
      .optional()
      .meta(about('Indexes of proposed cues, from 0. Left out: none.', [0])),
  })
  .meta({ id: 'SubtitleComparisonRow', description: 'Row that puts installed and proposed cues next to each other.' });
export type ComparisonRow = z.output<typeof ComparisonRow>;

/** Result of aligning cues with the speech of the video, or the reason why they were left unchanged. */
export const AlignmentView = z
  .strictObject({
    outcome: z.enum(['fits', 'moved', 'refused']).meta({
      description:
        'fits: the timing is already right. moved: the cues were moved. refused: the evidence is too weak, so ' +
        'nothing was moved.',
      examples: ['moved'],
    }),
    reason: z.string().optional().meta(rarely('Why nothing was moved, as a sentence fragment for people.')),
    why: TimingRefusal.optional(),
    reference: z
      .enum(['speech', 'embedded'])
      .meta(
        about('What the cues were compared with: speech in the sound, or a text track inside the video.', 'speech'),
      ),
    ratio: z.number().min(0).meta(about('Factor by which times were stretched; 1 is none.', 1)),
    segments: z
      .array(
        z.strictObject({
          from: z.int().min(0).meta(about('Index of the first cue.', 0)),
          to: z.int().min(0).meta(about('Index of the last cue.', 1283)),
          offsetMilliseconds: z.int().meta(about('Shift in milliseconds; above 0 is later.', 1500)),
        }),
      )
      .meta({ description: 'Ranges of cues (inclusive) and the offset of each range.' }),
    evidence: z.array(Evidence).meta(about('Reasons for and against the result.')),
  })
  .meta({ id: 'SubtitleAlignment', description: 'Result of comparing cues with the speech of the video.' });
export type AlignmentView = z.output<typeof AlignmentView>;

export const SubtitlePreview = z
  .strictObject({
    ...inspected,
    file: z.string().meta({
      description: 'File that apply would write, relative to its library.',
      examples: ['Charade (1963)/Charade (1963) - 1080p.en.srt'],
    }),
    changes: z.boolean().meta({
      description: 'False when the result equals the installed subtitle, in which case apply is refused.',
      examples: [true],
    }),
    proposed: z
      .strictObject({
        format: z.string().meta(about('Format that it is written in.', 'subrip')),
        cues: z.array(CueView).meta(about('Cues in order.', EXAMPLE_SHIFTED_CUES)),
        quality: QualityView,
      })
      .meta(about('The subtitle that apply would write.')),
    comparison: z.array(ComparisonRow).meta(about('Rows that put the two next to each other.')),
    alignment: AlignmentView.optional().meta(rarely('Result of `automaticSync`.')),
  })
  .meta({ id: 'SubtitlePreview', description: 'Result of a change, next to what is installed.' });

export const DRAFT_STATES = ['none', 'running', 'ready', 'failed', 'stopped'] as const;
/**
 * `translation-free` chooses a method that yields text in the requested language: pictures or speech in that language.
 */
export const DRAFT_METHODS = ['ocr', 'transcription', 'translation-free', 'alignment'] as const;
/** Sources of a draft: the methods, or a candidate of a provider that was opened. */
export const DRAFT_SOURCES = [...DRAFT_METHODS, 'provider'] as const;
export const SubtitleDraft = z
  .strictObject({
    state: z.enum(DRAFT_STATES).meta(about('State of the draft.', 'ready')),
    draftId: idOf('draft', 'Id of the draft, to preview, apply or cancel it.').optional(),
    language: LanguageCode.optional().meta(about('Language of its text.', 'en')),
    method: z
      .enum(DRAFT_SOURCES)
      .optional()
      .meta(
        about(
          'How the text is made: from pictures (ocr) or from speech (transcription), or the timing of a ' +
            'subtitle by alignment.',
          'ocr',
        ),
      ),
    progress: z.number().min(0).max(1).optional().meta(about('Part that is done, from 0 to 1.', 1)),
    message: z.string().optional().meta(rarely('What it is at, or why it failed, for people.')),
    notes: z
      .array(DraftNote)
      .optional()
      .meta(rarely('What `message` says, as reasons with values. Left out in drafts of earlier versions.')),
    cues: z.array(CueView).optional().meta(about('Cues of a draft that is ready.')),
    words: z
      .array(
        z.strictObject({
          cue: z.int().min(0).meta(about('Index of the cue.', 0)),
          text: z.string().meta(about('Word.', 'Good')),
          confidence: z.number().min(0).max(1).meta(about('Confidence of the recognition, from 0 to 1.', 0.97)),
        }),
      )
      .optional()
      .meta({ description: 'The words of each cue in order, with the confidence of each.' }),
    alignment: AlignmentView.optional().meta(rarely('Result of a draft by alignment.')),
  })
  .meta({
    id: 'SubtitleDraft',
    description: 'Text or timing that is made on this server, to be looked at before it is installed.',
  });
export type SubtitleDraft = z.output<typeof SubtitleDraft>;

/** Media types of an exported file. Retained source bytes can be in any format, or in an unknown one. */
export const EXPORTED = [
  ...new Set([...SUBTITLE_FORMATS.map(({ mediaType }) => mediaType), 'application/octet-stream']),
];

export const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected the digest of a plan')
  .meta({
    description: 'Identifies exactly one plan.',
    examples: [EXAMPLE_FINGERPRINT],
  });

export const cleanup = {
  enabled: z.boolean().meta(about('Has to be true: nothing is cleaned up unless it is asked for.', true)),
  languages: z
    .array(Language)
    .min(1)
    .max(64)
    .meta(about('Languages whose files are considered.', ['de'])),
  forced: z.enum(['keep', 'hide']).meta(about('Whether files for foreign dialogue only are kept or hidden.', 'keep')),
};
export const CleanupFile = z.strictObject({
  path: z.string().meta({
    description: 'Path of the file, from the name of its library.',
    examples: ['Films/Charade (1963)/Charade (1963) - 1080p.de.srt'],
  }),
});
