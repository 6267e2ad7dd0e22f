/** Candidates: the subtitles that providers offer for an item, from which a person may choose one. */
import { about, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { Id, Language, LanguageCode, Seconds, Time } from '../kernel/common.ts';
import { SubtitleFingerprint } from './change.ts';
import { AskedPartInBody } from './parts.ts';
import { CANDIDATE_REFUSALS } from './missing-reasons.ts';
import { PROVIDER_NAMES } from './providers.ts';
import { Evidence } from './states.ts';

/** Maximum number of candidates of a list. */
export const MAX_CANDIDATES = 60;
/** Uses that a person may make of a candidate. */
export const CANDIDATE_ACTIONS = ['install', 'open'] as const;

const SubtitleCandidate = z
  .strictObject({
    id: idOf('candidate', 'Id of the candidate. Valid for this item, language and kind, for an hour.'),
    provider: z.enum(PROVIDER_NAMES).meta(about('Provider that offers it.', 'subtitles_a')),
    release: z
      .string()
      .meta(about('Release that it was made for, or its title.', 'Charade.1963.1080p.BluRay.x264-PARIS')),
    uploader: z.string().optional().meta(about('Name of its uploader.', 'Regina')),
    role: z.enum(SUBTITLE_ROLES).meta(about('Kind that the provider says it is of.', 'normal')),
    format: z.string().optional().meta(rarely('Format of the file. Missing until it was downloaded.')),
    score: z.number().min(0).max(100).meta(about('Score of the match, from 0 to 100.', 57)),
    match: z
      .enum(['exact', 'strong', 'weak'])
      .meta(
        about(
          'exact: made for this file. strong: made for this release. weak: it has to be compared with the audio.',
          'weak',
        ),
      ),
    evidence: z.array(Evidence).meta(about('Reasons for and against the match.')),
    installed: z.boolean().meta(about('Whether it is the installed subtitle.', false)),
    actions: z
      .array(z.enum(CANDIDATE_ACTIONS))
      .meta(
        about(
          'install: fetch with this candidate. open: fetch with install: false, which makes a draft of it. Files of ' +
            'some providers must stay as they are, and cannot be opened.',
          ['install', 'open'],
        ),
      ),
    refused: z
      .strictObject({
        reason: z
          .enum(CANDIDATE_REFUSALS)
          .meta(
            about(
              'score: too little speaks for it. unverified: nothing confirms its timing. rejected: it was refused or ' +
                'replaced here before. download: it could not be downloaded. A person may install these; the others ' +
                'are for another video, or cannot be used.',
              'score',
            ),
          ),
        error: z
          .string()
          .meta(about('The reason as a sentence fragment.', 'too little speaks for it: 57 points, and 60 are needed')),
      })
      .optional()
      .meta(about('Why it is not chosen automatically.')),
    preview: z
      .array(
        z.strictObject({
          start: Seconds.meta(about('Start of the line in seconds.', 61.5)),
          text: z.string().meta(about('Text of the line.', 'Good evening.')),
        }),
      )
      .optional()
      .meta(rarely('The first lines. Missing until it was downloaded.')),
  })
  .meta({ id: 'SubtitleCandidate', description: 'Subtitle that a provider offers for an item.' });

export const SubtitleCandidates = z
  .strictObject({
    language: LanguageCode.meta(about('Language of the list.', 'en')),
    role: z.enum(SUBTITLE_ROLES).meta(about('Kind of the list.', 'normal')),
    at: Time.meta(about('Time when the providers were asked. A list is kept for ten minutes.')),
    items: z.array(SubtitleCandidate).max(MAX_CANDIDATES).meta(about('Candidates, the best first.')),
    total: z.int().min(0).meta(about('Number of candidates before the list was cut.', 1)),
    unanswered: z
      .array(
        z.strictObject({
          provider: z.enum(PROVIDER_NAMES).meta(about('Provider that is missing in the list.', 'subtitles_c')),
          error: z.string().meta(about('The reason as a sentence fragment.', 'the provider does not answer')),
          nextRetry: Time.optional().meta(about('Time when it may be asked again.')),
        }),
      )
      .meta(about('Configured providers that failed or could not be asked.')),
  })
  .meta({ id: 'SubtitleCandidates', description: 'Subtitles that the providers offer for an item in a language.' });
export type SubtitleCandidates = z.output<typeof SubtitleCandidates>;

/** The body of a fetch. */
export const FetchBody = z
  .strictObject({
    part: AskedPartInBody.meta(
      rarely('Part of a film in several files, from 1. Default: all parts; with a candidate, the first one.'),
    ),
    language: Language.optional().meta(about('Language to fetch. Default: the first configured one.', 'en')),
    role: z
      .enum(SUBTITLE_ROLES)
      .optional()
      .meta(about('Kind of the subtitle. Default: normal, for which one for the hard of hearing will do.', 'normal')),
    candidate: Id.optional().meta(rarely('Id of a listed candidate of this item, language and kind.')),
    install: z
      .boolean()
      .optional()
      .meta(rarely('false: makes a draft of the candidate, to be reviewed and applied, and installs nothing.')),
    fingerprint: SubtitleFingerprint.optional().meta(
      rarely(
        'SHA-256 of the subtitle that the candidate may replace, as inspect returns it. Needed only if that subtitle ' +
          'is a file that this server did not write.',
      ),
    ),
  })
  .refine(
    ({ candidate, install, fingerprint }) =>
      candidate !== undefined || (install === undefined && fingerprint === undefined),
    'install and fingerprint: expected a candidate',
  )
  .meta({ examples: [{ language: 'en' }] });
