/**
 * Working on the subtitle of one item in one language: look at it, try a change, see both side by side, apply it,
 * and take it back. Nothing is written but by apply, restore and the clean-up of files. Owners only.
 *
 * Times are seconds, as everywhere; what a caller changes is milliseconds, because that is what people type.
 */
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../catalog/items.ts';
import { byId, Id, Language, LanguageCode, Seconds } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { SUBTITLE_FORMATS } from './formats.ts';
import { Evidence, LanguageState } from './library.ts';

const owner = { role: 'owner', via: 'admin', recent: true } as const;
/** Looking changes nothing, and asks for no fresh proof. */
const looks = { role: 'owner', via: 'admin' } as const;

/** WHATWG labels of the encodings that subtitles come in; `auto` looks at the bytes. */
export const SUBTITLE_ENCODINGS = [
  'auto',
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'ibm866',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'windows-874',
  'gbk',
  'gb18030',
  'big5',
  'euc-jp',
  'shift_jis',
  'iso-2022-jp',
  'euc-kr',
] as const;

type SubtitleEncoding = (typeof SUBTITLE_ENCODINGS)[number];

/** The encoding that a label means (WHATWG Encoding, section 4.2): in any case, and by any of its names. */
function encodingOf(label: string): SubtitleEncoding | undefined {
  try {
    const name = /^auto$/i.test(label) ? 'auto' : new TextDecoder(label).encoding;
    return SUBTITLE_ENCODINGS.find((one) => one === name);
  } catch {
    return undefined;
  }
}
const EncodingLabel = z
  .string()
  .regex(/^[A-Za-z0-9_:.-]{2,40}$/, 'expected the label of an encoding')
  .refine((label) => encodingOf(label) !== undefined, 'expected the label of an encoding that subtitles come in')
  .transform((label): SubtitleEncoding => encodingOf(label) ?? 'auto')
  .meta({
    description: `auto, or a WHATWG label of one of: ${SUBTITLE_ENCODINGS.slice(1).join(', ')}.`,
    examples: ['auto'],
  });

/** A fingerprint: what a change was made against. */
const Fingerprint = z
  .string()
  .regex(/^(?:[0-9a-f]{64}|missing)$/, 'expected a fingerprint')
  .meta({ description: 'SHA-256 of the installed bytes in hex, or missing.', examples: ['missing'] });

export const CueView = z
  .strictObject({
    index: z.int().min(0),
    start: Seconds,
    end: Seconds,
    text: z.string().meta({ description: 'With the marks of SRT: <i>, <b>, <u>, <font color>.' }),
    warnings: z.array(z.string()),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Of a draft: how sure the reading is, from its least sure word.' }),
  })
  .meta({ id: 'SubtitleCue' });
export type CueView = z.output<typeof CueView>;

export const QualityView = z
  .strictObject({
    cues: z.int().min(0),
    first: Seconds.optional(),
    last: Seconds.optional(),
    medianSpeed: z.number().min(0).meta({ description: 'Characters a second.' }),
    fastSpeed: z.number().min(0).meta({ description: 'Characters a second of the fastest twentieth.' }),
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
  fingerprint: Fingerprint,
  role: z.enum(SUBTITLE_ROLES),
  source: z.string().meta({ description: 'embedded, sidecar, a provider, edited, imported, draft, or none.' }),
  evidence: z.array(Evidence),
  originalAvailable: z.boolean(),
  restorable: z.boolean(),
  replaceable: z.boolean(),
  current: Side.meta({ id: 'SubtitleSide' }).optional(),
  warnings: z.array(z.string()).meta({ description: 'What was noticed, in words.' }),
  duration: Seconds,
};
export const Inspected = z.strictObject(inspected).meta({ id: 'SubtitleInspection' });
export type Inspected = z.output<typeof Inspected>;

export const ROW_KINDS = ['matched', 'merged', 'removed', 'unpaired-current', 'unpaired-proposed'] as const;
export const ComparisonRow = z
  .strictObject({
    kind: z.enum(ROW_KINDS),
    current: z.array(z.int().min(0)).optional(),
    proposed: z.array(z.int().min(0)).optional(),
  })
  .meta({ id: 'SubtitleComparisonRow' });
export type ComparisonRow = z.output<typeof ComparisonRow>;

/** How cues were brought to the speech of the video, or why they were left alone. */
export const AlignmentView = z
  .strictObject({
    outcome: z
      .enum(['fits', 'moved', 'refused'])
      .meta({ description: 'fits: right as it is. refused: the evidence is weak, and nothing was moved.' }),
    reason: z.string().optional(),
    reference: z.enum(['speech', 'embedded']),
    ratio: z.number().min(0),
    segments: z
      .array(z.strictObject({ from: z.int().min(0), to: z.int().min(0), offsetMilliseconds: z.int() }))
      .meta({ description: 'From which cue to which (inclusive) by how much.' }),
    evidence: z.array(Evidence),
  })
  .meta({ id: 'SubtitleAlignment' });
export type AlignmentView = z.output<typeof AlignmentView>;

export const Previewed = z
  .strictObject({
    ...inspected,
    file: z.string().meta({ description: 'What apply would write, relative to its library.' }),
    changes: z
      .boolean()
      .meta({ description: 'False when apply would refuse, because nothing would be other than it is.' }),
    proposed: z.strictObject({ format: z.string(), cues: z.array(CueView), quality: QualityView }),
    comparison: z.array(ComparisonRow),
    alignment: AlignmentView.optional(),
  })
  .meta({ id: 'SubtitlePreview' });

const MOST_SHIFT = 120_000;
const shift = z.int().min(-MOST_SHIFT).max(MOST_SHIFT);
const Anchor = z.strictObject({
  atMilliseconds: z
    .int()
    .min(0)
    .max(36 * 3_600_000),
  offsetMilliseconds: shift,
});
const rate = z.number().min(10).max(120);

/** The sources of a change, of which there is at most one. Without one, what is installed is edited. */
const SOURCES = ['data', 'draftId', 'text'] as const;
/** The changes of timing, of which there is at most one. */
const TIMINGS = ['offsetMilliseconds', 'anchors', 'framerate', 'automaticSync'] as const;

/** Which file of a language is meant, where there are several. */
const Role = z.enum(SUBTITLE_ROLES).optional().meta({
  description:
    'Which file, when the language has several. Left out: the regular one, else the one for the hard of hearing, else the forced one.',
});

const change = {
  language: Language,
  currentRole: Role,
  data: z
    .base64()
    .max(1_000_000)
    .optional()
    .meta({ description: 'A subtitle file of any format that can be read, in base64.' }),
  draftId: Id.optional(),
  text: z.string().max(1_000_000).optional().meta({ description: 'The whole subtitle as SRT.' }),
  encoding: EncodingLabel.optional(),
  offsetMilliseconds: shift.optional(),
  anchors: z
    .array(Anchor)
    .min(1)
    .max(8)
    .refine(
      (anchors) => anchors.every((one, n) => n === 0 || one.atMilliseconds > (anchors[n - 1]?.atMilliseconds ?? -1)),
      'expected anchors in order of time',
    )
    .optional(),
  framerate: z.strictObject({ from: rate, to: rate }).optional(),
  automaticSync: z.boolean().optional(),
  removeCredits: z.boolean().optional(),
  mergeRepeated: z.boolean().optional(),
  removeHearingImpaired: z.boolean().optional(),
  fixCommonErrors: z.boolean().optional(),
  fixOverlaps: z.boolean().optional(),
  role: z
    .enum(SUBTITLE_ROLES)
    .optional()
    .meta({ description: 'The role that the subtitle shall have; left out: the one that it has.' }),
};
type Changing = { [K in (typeof SOURCES)[number] | (typeof TIMINGS)[number]]?: unknown };
const isSet = (value: unknown): boolean => value !== undefined && value !== false;
const hasOneSource = (body: Changing): boolean => SOURCES.filter((name) => isSet(body[name])).length <= 1;
const hasOneTiming = (body: Changing): boolean => TIMINGS.filter((name) => isSet(body[name])).length <= 1;
const ONE_SOURCE = 'expected at most one of data, draftId and text';
const ONE_TIMING = 'expected at most one of offsetMilliseconds, anchors, framerate and automaticSync';
/** Leaves one source and one timing in an example: a request may have only one of each. */
const EXAMPLE = {
  language: 'en',
  fingerprint: 'missing',
  text: '1\n00:00:01,000 --> 00:00:02,500\nGood evening.\n',
  offsetMilliseconds: 500,
  removeCredits: true,
};
const Preview = z
  .strictObject({ ...change, fingerprint: Fingerprint.optional() })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ examples: [EXAMPLE] });
const Apply = z
  .strictObject({ ...change, fingerprint: Fingerprint })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ examples: [EXAMPLE] });
export type Change = Omit<z.output<typeof Preview>, 'fingerprint'>;

export const DRAFT_STATES = ['none', 'running', 'ready', 'failed', 'stopped'] as const;
/** `translation-free` takes whichever gives the words in this very language: pictures of it, or speech in it. */
export const DRAFT_METHODS = ['ocr', 'transcription', 'translation-free', 'alignment'] as const;
export const Draft = z
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
      .meta({ description: 'The words of each cue in order, with how sure each is.' }),
    alignment: AlignmentView.optional(),
  })
  .meta({ id: 'SubtitleDraft' });
export type Draft = z.output<typeof Draft>;

/** Media types of an exported file: retained source bytes may be of any format, or of none. */
const EXPORTED = [...new Set([...SUBTITLE_FORMATS.map(({ mediaType }) => mediaType), 'application/octet-stream'])];

const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected the digest of a plan')
  .meta({
    description: 'Names exactly one plan.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

const cleanup = { enabled: z.boolean(), languages: z.array(Language).min(1).max(64), forced: z.enum(['keep', 'hide']) };
const CleanupFile = z.strictObject({ path: z.string().meta({ description: 'The library and the way below it.' }) });

export const workbench = {
  inspect: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/inspect',
    summary: 'The installed subtitle in a language, with its evidence',
    access: looks,
    params: byId,
    query: z.strictObject({ language: Language, role: Role }),
    result: Inspected,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/export',
    summary: 'The installed subtitle as a file; original is the bytes as they came',
    access: looks,
    params: byId,
    query: z.strictObject({
      language: Language,
      role: Role,
      format: z
        .enum(['srt', 'vtt', 'original'])
        .meta({ description: 'Format of the file; original: the retained source bytes.' }),
    }),
    result: { bytes: EXPORTED },
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/preview',
    summary: 'What a change would make of the subtitle; nothing is written',
    access: looks,
    params: byId,
    body: Preview,
    result: Previewed,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/apply',
    summary: 'Make that change; what was there is preserved',
    access: owner,
    params: byId,
    body: Apply,
    result: Inspected,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/restore',
    summary:
      'Swap the installed subtitle and the preserved one, and freeze the language; {} uses the configured language',
    access: owner,
    params: byId,
    body: z.strictObject({
      language: Language.optional(),
      role: Role,
      to: z.enum(['original', 'previous']).optional().meta({
        description:
          'original (or left out): the first one, or when it stands there already the one that took its place. previous: the one before the last change; where there was none, the file goes, and can be brought back. A file that somebody deleted or changed by hand is the one before that change.',
      }),
    }),
    result: LanguageState,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  replacement: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/replacement',
    summary: 'Permit or freeze replacement of the subtitle',
    access: owner,
    params: byId,
    body: z.strictObject({
      replaceable: z.boolean().meta({ description: 'Of the language, whichever of its files is named.' }),
      language: Language.optional(),
      role: Role,
    }),
    result: LanguageState,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  draft: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/draft',
    summary: 'The draft of an item: how far it is, and its cues',
    access: looks,
    params: byId,
    query: z.strictObject({ language: Language.optional() }),
    result: Draft,
    fails: ['missing'],
  }),
  startDraft: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/draft',
    summary: 'Start or cancel a draft; it is bound to the bytes of the video and installs nothing',
    access: owner,
    params: byId,
    body: z.strictObject({
      language: Language,
      method: z.enum(DRAFT_METHODS).optional(),
      action: z.enum(['start', 'cancel']).optional(),
      draftId: Id.optional(),
    }),
    result: Draft,
    status: 202,
    orElse: 200,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  audio: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/audio',
    summary: 'The loudness of the video and where people speak in it',
    access: looks,
    params: byId,
    body: z
      .strictObject({
        language: Language.optional(),
        from: Seconds.optional().meta({ description: 'Only this part, for a closer look.' }),
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
          .meta({ description: 'How likely somebody speaks, at the same places.' }),
      })
      .meta({ id: 'SubtitleAudio' }),
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  planCleanup: endpoint({
    method: 'POST',
    path: '/api/v1/subtitles/cleanup/preview',
    summary: 'Which subtitle files beside videos would be hidden',
    access: looks,
    body: z.strictObject(cleanup),
    result: z
      .strictObject({
        languages: z.array(LanguageCode),
        forced: z.enum(['keep', 'hide']),
        digest: Digest,
        count: z.int().min(0),
        files: z.array(CleanupFile).max(100).meta({ description: 'The first hundred.' }),
        skipped: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
      })
      .meta({ id: 'SubtitleCleanupPlan' }),
    fails: ['conflict'],
  }),
  cleanup: endpoint({
    method: 'POST',
    path: '/api/v1/subtitles/cleanup',
    summary: 'Hide exactly the files of a plan, by a .hidden suffix',
    access: owner,
    body: z.strictObject({ ...cleanup, digest: Digest }),
    result: z.strictObject({ hidden: z.int().min(0) }).meta({ id: 'SubtitleCleanup' }),
    fails: ['conflict', 'unavailable'],
  }),
};
