/** Shapes of subtitle management: states of items, languages and providers, history, and results of batches. */
import { about, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { Language, LanguageCode, Time } from '../kernel/common.ts';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { ReportedFailure } from '../failures.ts';
import { EvidenceReason } from './evidence-reasons.ts';
import { MissingReason } from './missing-reasons.ts';
import { SubtitleNote } from './notes.ts';
import { RepliedPart } from './parts.ts';
import { PROVIDER_NAMES } from './providers.ts';

/** Source of the text that a restore without options brings back. */
export const RestoresTo = z
  .enum(['video', 'file'])
  .optional()
  .meta({
    description:
      'Source of what a restore without options brings back: the text inside the video, or a preserved file. ' +
      'Missing while restorable is false.',
  });

/** One reason for or against a match. The points of all reasons add up to the score. */
export const Evidence = z
  .strictObject({
    kind: z.string().meta(about('Code of the reason.', 'release')),
    detail: z.string().meta(about('The reason as a sentence fragment for people.', 'the release names agree')),
    points: z.number().meta(about('Points that it adds to the score; below 0 it speaks against the match.', 30)),
    notes: z
      .array(SubtitleNote)
      .optional()
      .meta(rarely('What `detail` says, as reasons with values. Only of the last change by a person.')),
    why: EvidenceReason.optional().meta(
      rarely('What `detail` says, as a reason with values. Left out in evidence of earlier versions.'),
    ),
  })
  .meta({
    id: 'Evidence',
    description: 'Reason for or against a match. The points of all reasons add up to the score.',
  });
export type Evidence = z.output<typeof Evidence>;

export const MATCHES = ['verified', 'unverified', 'embedded', 'found'] as const;

/** A subtitle as people want it: its language and its kind. */
export const WantedSubtitle = z
  .strictObject({
    language: LanguageCode.meta(about('Language that is wanted.', 'en')),
    role: z.enum(SUBTITLE_ROLES).meta(about('Kind that is wanted: normal, forced or sdh.', 'normal')),
  })
  .meta({ id: 'WantedSubtitle', description: 'Subtitle that is wanted: a language and a kind.' });
export type WantedSubtitle = z.output<typeof WantedSubtitle>;
export const WantedCount = z.strictObject({
  ...WantedSubtitle.shape,
  ready: z.int().min(0).meta(about('Number of items that have it.', 301)),
  wanted: z.int().min(0).meta(about('Number of items that lack it.', 17)),
});

/** Why a subtitle file cannot be read. */
export const UNREADABLE_REASONS = ['empty', 'no-cues', 'not-a-subtitle', 'damaged', 'too-large'] as const;
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number];

/** Whether the lines of a subtitle are in time with the speech of the video, as the timing audit found. */
export const TIMING_VERDICTS = ['fits', 'shifted', 'rate', 'cut', 'mismatch', 'language', 'unknown'] as const;
export type TimingVerdict = (typeof TIMING_VERDICTS)[number];
/** Why the timing audit could not judge a subtitle. */
export const UNJUDGED_REASONS = [
  'weak',
  'too-few-cues',
  'no-speech',
  'forced',
  'too-short',
  'no-audio',
  'audio-unreadable',
  'text-unreadable',
] as const;
export type UnjudgedReason = (typeof UNJUDGED_REASONS)[number];

export const SubtitleTiming = z
  .strictObject({
    verdict: z
      .enum(TIMING_VERDICTS)
      .meta(
        about(
          'fits: the lines are in time. shifted: all are off by the same time. rate: they were made for another ' +
            'frame rate. cut: the shift changes along the video, as with another cut. mismatch: they fit nowhere, as ' +
            'with another film or a very different cut. language: the text is in another language than its name ' +
            'says. unknown: it cannot be judged.',
          'shifted',
        ),
      ),
    shiftMilliseconds: z
      .int()
      .optional()
      .meta(about('Shift that would bring the first lines into time; above 0 is later.', -1500)),
    ratio: z
      .number()
      .min(0)
      .optional()
      .meta(rarely('Factor that would bring the times to the rate of the video. Missing if the rate is right.')),
    parts: z.int().min(2).optional().meta(rarely('Number of parts with different shifts. Only of another cut.')),
    detected: LanguageCode.optional().meta(
      rarely('Language that the text is in. Only where it is another one than its name says.'),
    ),
    why: z.enum(UNJUDGED_REASONS).optional().meta(rarely('Why it cannot be judged, as a code. Only of unknown.')),
    reason: z
      .string()
      .optional()
      .meta(rarely('Why it fits nowhere or cannot be judged, as a sentence fragment for people.')),
    reference: z
      .enum(['speech', 'embedded'])
      .optional()
      .meta(
        about('What the lines were compared with: speech in the sound, or a text track inside the video.', 'speech'),
      ),
    evidence: z.array(Evidence).meta(about('What was measured.')),
    checkedAt: Time.meta(about('When it was judged.', '2026-11-21T03:14:07.000Z')),
  })
  .meta({ id: 'SubtitleTiming', description: 'Result of the timing audit for one subtitle.' });
export type SubtitleTiming = z.output<typeof SubtitleTiming>;

export const LanguageState = z
  .strictObject({
    language: LanguageCode.meta(about('Language of the subtitle.', 'en')),
    role: z
      .enum(SUBTITLE_ROLES)
      .meta(about('normal, forced (foreign dialogue only) or sdh (for the hard of hearing).', 'normal')),
    installed: z
      .strictObject({
        source: z.string().meta({
          description:
            'embedded, sidecar, the name of a provider, or how it was made on this server: edited, imported, ' +
            'draft.',
          examples: ['subtitles_a'],
        }),
        score: z
          .number()
          .min(0)
          .max(100)
          .optional()
          .meta(about('Score of the match, from 0 to 100. Of fetched subtitles.', 92)),
        match: z
          .enum(MATCHES)
          .meta(
            about(
              'verified: it was checked against the speech or the file. unverified: it was not. embedded: ' +
                'inside the video. found: a file of yours.',
              'verified',
            ),
          ),
        installedAt: Time.optional().meta(about('When this server installed it.', '2026-11-21T18:32:40.000Z')),
        managed: z.boolean().meta({ description: 'Whether this server wrote it.', examples: [true] }),
        format: z.string().meta(about('Format as it is stored.', 'subrip')),
        hidden: z.boolean().meta(about('Whether the file is hidden by a clean-up, and not shown.', false)),
        unreadable: z
          .enum(UNREADABLE_REASONS)
          .optional()
          .meta(
            rarely(
              'Why the file cannot be read. It does not count, and its language is wanted. empty: no text. no-cues: ' +
                'text without a line that can be shown. not-a-subtitle: another kind of file. damaged: a subtitle ' +
                'that cannot be parsed. too-large: more than a subtitle can have.',
            ),
          ),
      })
      .optional()
      .meta(about('What is installed. Left out: nothing.')),
    evidence: z.array(Evidence).meta(about('Reasons for and against the match.')),
    timing: SubtitleTiming.optional().meta({
      description: 'Result of the timing audit. Missing until it has judged what is installed now.',
      examples: [],
    }),
    originalAvailable: z.boolean().meta(about('Whether the first subtitle is preserved.', false)),
    restorable: z.boolean().meta(about('Whether a restore has something to bring back.', false)),
    restoresTo: RestoresTo.meta({ examples: [] }),
    replaceable: z.boolean().meta(about('Whether a better subtitle may replace it.', true)),
    lastSearch: Time.optional().meta(about('When the providers were asked last.', '2026-11-21T18:32:38.000Z')),
    nextRetry: Time.optional().meta(rarely('When they are asked again. Left out: not planned.')),
    reason: z.string().optional().meta(rarely('Why nothing is installed, as a sentence fragment for people.')),
    why: MissingReason.optional().meta(
      rarely('What `reason` says, as a reason with values. Left out for searches of earlier versions.'),
    ),
  })
  .meta({ id: 'SubtitleLanguageState', description: 'State of the subtitle of one language and kind.' });
export type LanguageState = z.output<typeof LanguageState>;

export const PROVIDER_STATES = ['not-configured', 'untested', 'connected', 'limited', 'unavailable'] as const;
export const ProviderState = z
  .strictObject({
    name: z.enum(PROVIDER_NAMES).meta(about('Name of the provider in the configuration.', 'subtitles_a')),
    title: z.string().meta({ description: 'Its name for people.', examples: ['SubDL'] }),
    state: z
      .enum(PROVIDER_STATES)
      .meta(about('Whether it can be used: limited means that its quota is used up.', 'connected')),
    configured: z.boolean().meta(about('Whether its key is set.', true)),
    restartPending: z.literal(true).optional().meta({
      description: 'Its saved settings are not those in use: they take effect after a restart.',
    }),
    lastSuccess: Time.optional().meta(about('When it answered last.', '2026-11-21T18:32:38.000Z')),
    remaining: z.int().optional().meta(about('Downloads that are left, as far as the provider says.', 96)),
    resetAt: Time.optional().meta(about('When the quota begins again.', '2026-11-22T00:00:00.000Z')),
    lastError: z.string().optional().meta(rarely('What went wrong last, as a sentence fragment for people.')),
    nextRetry: Time.optional().meta(rarely('When it is asked again after a failure.')),
  })
  .meta({ id: 'SubtitleProvider', description: 'State of a subtitle provider.' });
export type ProviderState = z.output<typeof ProviderState>;

/** How lists of subtitles name an item. */
export const itemNames = {
  title: z.string().meta(about('Title of the film, or of the show.', 'Charade')),
  kind: z.enum(['movie', 'episode']).meta(about('Kind of item.', 'movie')),
  year: z.int().optional().meta(about('Year of release.', 1963)),
  context: z
    .string()
    .optional()
    .meta({ description: 'Number and title of an episode: S01E02 · The Storm.', examples: [] }),
};

/** Coverage of one file, or of all parts of a film. */
const coverage = {
  file: z
    .string()
    .meta({ description: 'Relative to its library.', examples: ['Charade (1963)/Charade (1963) - 1080p.mkv'] }),
  ready: z.boolean().meta(about('Whether no wanted subtitle is missing.', true)),
  missing: z.array(LanguageCode).meta({ description: 'Languages that lack a wanted kind.', examples: [[]] }),
  lacks: z
    .array(WantedSubtitle)
    .meta({ description: 'Wanted subtitles that are missing, by language and kind.', examples: [[]] }),
};
const SubtitlePart = z
  .strictObject({
    part: z.int().min(0).meta(about('Number of the part, from 1.', 1)),
    ...coverage,
    languages: z.array(LanguageState).meta(about('What is known about each language and kind.')),
  })
  .meta({ id: 'SubtitlePart', description: 'Part of a film with the state of its subtitles.' });
export type SubtitlePart = z.output<typeof SubtitlePart>;

export const SubtitleItem = z
  .strictObject({
    id: idOf('item', 'Id of the item.'),
    ...itemNames,
    ...coverage,
    modified: Time.meta(about('When the video was changed last.', '2026-11-02T09:58:31.000Z')),
    languages: z.array(LanguageState).meta({
      description:
        'State of each language and kind. A film in several files has the state of the first part that lacks it, ' +
        'otherwise that of its first part.',
    }),
    parts: z
      .array(SubtitlePart)
      .optional()
      .meta(rarely('Parts of a film in several files. It is ready when each part has what is wanted.')),
  })
  .meta({ id: 'SubtitleItem', description: 'Film or episode with the state of its subtitles.' });

/** Changes that the history of an item records. */
export const ACTS = ['fetched', 'upgraded', 'applied', 'restored', 'hidden', 'deleted'] as const;
/** Author of a change. An API key acts for the Owner who created it; the server acts on its own in batches. */
export const Actor = z
  .strictObject({
    is: z
      .enum(['person', 'key', 'server'])
      .meta(about('Who made the change: a person, an API key, or the server in a batch.', 'person')),
    profile: idOf('profile', 'Id of the Profile that the person or key belongs to.').optional(),
    name: z
      .string()
      .optional()
      .meta({ description: 'Name of the Profile at the time.', examples: ['Ada'] }),
  })
  .meta({ id: 'SubtitleActor', description: 'Author of a change.' });
export type Actor = z.output<typeof Actor>;

export const SubtitleHistoryEntry = z
  .strictObject({
    part: RepliedPart,
    at: Time.meta(about('When it happened.', '2026-11-21T18:32:40.000Z')),
    act: z.enum(ACTS).meta(about('Kind of change.', 'fetched')),
    by: Actor.optional().meta({ description: 'Missing in entries of versions that did not record it.' }),
    language: LanguageCode.meta(about('Language of the subtitle.', 'en')),
    role: z.enum(SUBTITLE_ROLES).meta(about('Kind of the subtitle.', 'normal')),
    source: z
      .string()
      .meta(
        about(
          'Source of what is installed since: a provider, edited, imported, draft, embedded or sidecar.',
          'subtitles_a',
        ),
      ),
    score: z.number().min(0).max(100).optional().meta(about('Score of the match, from 0 to 100.', 92)),
    detail: z.string().optional().meta({
      description: 'Short description of the change, such as: shifted by 1.5 s, credits removed.',
      examples: [],
    }),
    notes: z
      .array(SubtitleNote)
      .optional()
      .meta(rarely('What `detail` says, as reasons with values. Left out in entries of earlier versions.')),
  })
  .meta({ id: 'SubtitleHistoryEntry', description: 'Change to the subtitles of an item.' });
export type SubtitleHistoryEntry = z.output<typeof SubtitleHistoryEntry>;

/** State of the audio analysis. One video is analysed at a time; requests of people run before the server's own. */
export const ListeningView = z
  .strictObject({
    state: z
      .enum(['waiting', 'listening'])
      .meta(about('waiting: another video is analysed first. listening: this one is.', 'listening')),
    progress: z.number().min(0).max(1).optional().meta(about('Part that is done, from 0 to 1.', 0.35)),
    waitsFor: z
      .string()
      .optional()
      .meta({ description: 'Title of the video that is being analysed now.', examples: [] }),
  })
  .meta({
    id: 'SubtitleListening',
    description: 'State of the analysis of the sound of a video. One video is analysed at a time.',
  });

const BATCH = { least: 1, most: 50 } as const;
/** Body of a batch request. */
export const batchBody = z.strictObject({
  language: Language.optional().meta({
    description: 'Only this language, in the kinds that are wanted of it. Default: everything that is wanted.',
    examples: ['en'],
  }),
  limit: z
    .int()
    .min(BATCH.least)
    .max(BATCH.most)
    .optional()
    .meta({ description: 'Maximum number of items. Default: 10.', examples: [10] }),
});
export const OUTCOMES = ['written', 'upgraded', 'kept', 'nothing', 'refused', 'failed', 'skipped'] as const;
export const BatchResult = z
  .strictObject({
    id: idOf('item', 'Id of the item.'),
    part: RepliedPart,
    language: LanguageCode.meta(about('Language that was looked for.', 'en')),
    role: z.enum(SUBTITLE_ROLES).meta(about('Kind that was looked for.', 'normal')),
    outcome: z
      .enum(OUTCOMES)
      .meta(about('Result: written and upgraded changed a file, all others did not.', 'written')),
    reason: z.string().optional().meta(rarely('Why no file was changed, as a sentence fragment for people.')),
    failure: ReportedFailure.optional().meta(
      rarely('Why no file was changed, as a code. Left out if it took too long or an unexpected error occurred.'),
    ),
  })
  .meta({ id: 'SubtitleBatchResult', description: 'Result of one search of a batch.' });
