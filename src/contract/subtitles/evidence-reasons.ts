/**
 * Reasons for and against a match or a timing, with what was measured. Each has values, so that a client can use its
 * own words, and an English sentence fragment made of them.
 */
import { z } from 'zod';
import { about } from '../kernel/describe.ts';
import { type ReasonText, reasonTextSchema, textOfReason } from '../kernel/reason-texts.ts';
import { MAX_TIMING_BREAKS, type MoveValues, shiftsIn, type TimingReference } from './timing-moves.ts';

/** English sentence fragments about why cues cannot be aligned. */
export const TIMING_REFUSALS = {
  'beyond-limit': 'a cue would move beyond 36 hours',
  'too-few-cues': 'too few cues hold speech to compare them',
  'other-track-empty': 'the other track holds hardly any text',
  'no-speech': 'there is hardly any speech in this audio',
  'too-few-lines': 'too few lines hold speech to be sure',
  'other-episode': 'part of the cues matches no speech: they may belong to another episode that shares some scenes',
  drift: 'the timing drifts along the film, and no single rate corrects it',
  'fits-nowhere': 'the cues match no speech: they may belong to another film or another cut',
  'not-distinct': 'no offset fits clearly better than others',
  'text-without-speech': 'too much of the text is shown where there is no speech',
  'too-many-breaks': `the timing would break more than ${MAX_TIMING_BREAKS} times`,
  'part-unsure': 'one of the parts between two breaks is too uncertain',
  'hardly-better': 'it would fit hardly better than it does now',
} as const;
/** Why cues cannot be aligned, as a code. */
export type TimingRefusal = keyof typeof TIMING_REFUSALS;
export const TimingRefusal = z
  .enum(Object.keys(TIMING_REFUSALS) as [TimingRefusal, ...TimingRefusal[]])
  .meta(about('Why the cues cannot be aligned, as a code.', 'not-distinct'));

const TARGETS: Readonly<Record<TimingReference, string>> = {
  speech: 'the speech',
  text: 'the text inside the video',
};

const shiftText = (seconds: number): string => `${seconds < 0 ? '−' : '+'}${Math.abs(seconds).toFixed(2)} s`;
const moveText = ({ reference, ratio, ...move }: MoveValues): string =>
  `${ratio === 1 ? '' : `stretched to ${(ratio * 100).toFixed(2)} % and `}moved by ` +
  `${shiftsIn(move).map(shiftText).join(', then ')} to fit ${TARGETS[reference]}`;

interface SpokenShares {
  hit: number;
  needed: number;
  chance: number;
}
const sharesText = (what: string, { hit, needed, chance }: SpokenShares): string =>
  `during ${hit} % of the lines ${what}; ${needed} % is needed, and chance gives ${chance} %`;

/** English sentence fragments by reason. The parameters are the values that a reason carries; shares are in percent. */
export const EVIDENCE_REASONS = {
  'same-film': () => 'the same film by its id',
  'same-episode': () => 'the same episode by its id',
  'same-show': () => 'the same show by its id',
  'same-hash': () => "the provider's hash is that of this file",
  'same-title': () => 'the same title',
  'same-year': () => 'the same year',
  'same-day': () => 'the same day in its name',
  'same-number': () => 'the same season and episode',
  'season-pack': () => 'a pack of this season, of which only an entry that names this episode is taken',
  'same-release': () => 'made for exactly this release',
  'same-group': () => 'the same release group',
  'same-source': () => 'the same kind of source',
  'other-service': () => 'the same kind of source, but another service',
  'same-resolution': () => 'the same resolution',
  'same-codec': () => 'the same codec',
  'same-edition': () => 'the same edition',
  'other-edition': ({ edition }: { edition: string }) => `for another edition (${edition})`,
  'edition-unclear': () => 'perhaps for another edition: only one of the two names says which',
  trusted: () => 'a trusted uploader',
  'impaired-preferred': () => 'for the hard of hearing, as preferred',
  'plain-preferred': () => 'plain text, as preferred',
  'same-frame-rate': () => 'the same frame rate',
  'other-frame-rate': () => 'a frame rate at which it runs faster or slower',
  'made-for-file': () => 'made for this file: its hash, its release and its ids agree',
  'too-few-to-compare': () => 'too few lines to compare their timing with the audio',
  'not-compared': () => 'the timing was not compared with the audio',
  'no-audio': () => 'the video has no audio to compare the timing with',
  'audio-failed': () => 'the timing could not be compared with the audio',
  'video-too-short': () => 'the video is too short to compare the timing with its audio',
  'fits-as-is': ({ reference }: { reference: TimingReference }) => `the lines fit ${TARGETS[reference]} as they are`,
  unconfirmed: ({ refusal }: { refusal: TimingRefusal }) =>
    `the timing could not be confirmed: ${TIMING_REFUSALS[refusal]}`,
  moved: (move: MoveValues) => moveText(move),
  'cut-from-film': () => 'cut out of a subtitle of the whole film',
  'video-text': () => 'a text track of this video',
  chosen: () => 'chosen by hand',
  'track-language-found': () => 'the track names no language, and its text is in the requested one',
  'no-language': () => 'names no language',
  'first-language': () => 'names no language, so it counts for the first wanted one',
  'requested-language': () => 'the text is in the requested language',
  'several-languages': () => 'the requested language is one of those that the text has',
  'other-language': ({ confidence }: { confidence: number }) =>
    `the text is in another language than its name says; the confidence is ${(confidence / 100).toFixed(2)}`,
  'for-impaired': () => 'its text is for the hard of hearing',
  pictures: () => 'made of pictures, which not every player can show',
  distinct: ({ found, needed }: { found: number; needed: number }) =>
    `this timing is better than the others by a z-score of ${found.toFixed(1)}; ${needed.toFixed(1)} is needed`,
  spoken: (shares: SpokenShares) => sharesText('someone speaks', shares),
  'with-text': (shares: SpokenShares) => sharesText('the other track has text', shares),
  'best-already': () => 'no other timing would fit better',
  improved: ({ share }: { share: number }) => `it fits better than where it was, by ${share} %`,
  'simple-detector': () => 'heard with the simpler of two detectors of speech, because the better one cannot run here',
  breaks: ({ count, found }: { count: number; found: number }) =>
    `the shift changes ${count === 1 ? 'once' : `${count} times`} along the film; its least sure part stands out by ` +
    found.toFixed(1),
  steady: ({ share, parts }: { share: number; parts: number }) =>
    `${share} % of ${parts} parts of the film fit best within 0.2 s of this timing`,
  stretched: ({ share }: { share: number }) => `the whole is stretched by ${share.toFixed(2)} %`,
  shortened: ({ share }: { share: number }) => `the whole is shortened by ${share.toFixed(2)} %`,
  clamped: ({ count }: { count: number }) =>
    `${count === 1 ? '1 cue' : `${count} cues`} would begin before the video and begin at 0`,
} as const;

/** Makes the sentence fragments of every reason, in a language. */
export type EvidenceTexts = typeof EVIDENCE_REASONS;
export type EvidenceReason = ReasonText<EvidenceTexts>;
export const EvidenceReason = reasonTextSchema(EVIDENCE_REASONS, {
  id: 'EvidenceReason',
  description: 'Reason for or against a match, for a client that has its own words.',
  example: { reason: 'same-title', values: {} },
});

/** Returns the English fragment of a reason. */
export const evidenceDetail = (why: EvidenceReason): string => textOfReason(EVIDENCE_REASONS, why);

/** Returns evidence with its English fragment. */
export const evidenceOf = <Kind extends string>(
  kind: Kind,
  points: number,
  why: EvidenceReason,
): { kind: Kind; points: number; detail: string; why: EvidenceReason } => ({
  kind,
  points,
  detail: evidenceDetail(why),
  why,
});
