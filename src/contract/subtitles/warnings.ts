/**
 * Warnings of the workbench about a subtitle or a change of it. Each has a reason with values, so that a client can use
 * its own words, and an English sentence made of them.
 */
import { z } from 'zod';
import { textOfReason, type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';

/** Codes of defects that a parser corrected or left out. */
const DEFECT_CODES = [
  'no-header',
  'bad-header',
  'bad-timing',
  'bad-setting',
  'bad-tag',
  'bad-line',
  'bad-number',
  'bad-character',
  'loose-time',
  'over-limit',
  'negative-duration',
  'missing-end',
  'blank-line',
  'empty-cue',
  'stray-text',
  'unsorted',
  'no-frame-rate',
  'unknown-style',
  'drawing',
  'more-languages',
  'more',
] as const;
export type DefectCode = (typeof DEFECT_CODES)[number];
/** Reasons of failures why the current subtitle cannot be read. */
export const UNREADABLE_CAUSES = [
  'format-unknown',
  'subtitle-malformed',
  'subtitle-over-limit',
  'subtitle-empty',
  'text-track-unreadable',
  'track-too-large',
  'installed-unreadable',
] as const;
export type UnreadableCause = (typeof UNREADABLE_CAUSES)[number];
/** Rules of a change that say how many cues they changed. */
export type AppliedRule =
  | 'moved'
  | 'startedAtZero'
  | 'fixCommonErrors'
  | 'removeCredits'
  | 'removeHearingImpaired'
  | 'mergeRepeated'
  | 'fixOverlaps';

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** English sentences by reason. The parameters are the values that a warning of this reason carries. */
export const SUBTITLE_WARNINGS = {
  'changed-outside': () =>
    'This file was changed outside this server. The version that the server wrote can be restored.',
  deleted: () => 'The file that this server wrote was deleted. It can be restored.',
  pictures: () => 'The subtitle in this language is made of pictures. A draft can read them into text.',
  'inside-video': () =>
    'This text is a track inside the video, which stays as it is: a change is written to a file next to it.',
  'track-without-language': () => 'The track names no language.',
  'name-without-language': () => 'The file name has no language.',
  'first-language-assumed': () =>
    'The file name has no language, so the file counts for the first configured language.',
  variant: ({ tag }: { tag: string }) => `This is a variant of the language (${tag}).`,
  'character-set-uncertain': ({ encoding }: { encoding: string }) =>
    `The character set is not certain: ${encoding} was assumed. Another one can be chosen.`,
  'characters-unread': ({ count }: { count: number }) =>
    count === 1 ? 'One character could not be read.' : `${count} characters could not be read.`,
  'no-cues': () => 'The file has no cues.',
  // The parser and the editing engine know no contract, so their English is a value.
  defect: ({ line, message }: { code: DefectCode; line: number; message: string }) =>
    line > 0 ? `Line ${line}: ${message}.` : `${message}.`,
  'more-defects': ({ count }: { count: number }) => `${count} more like these.`,
  unreadable: ({ message }: { why: UnreadableCause; message: string }) => `${capital(message)}.`,
  applied: ({ message }: { rule: AppliedRule; count: number; message: string }) => message,
} as const;

/** Makes the sentences of every reason, in a language. */
export type SubtitleWarningTexts = typeof SUBTITLE_WARNINGS;
export type SubtitleWarning = ReasonText<SubtitleWarningTexts>;
export const SubtitleWarning = reasonTextSchema(SUBTITLE_WARNINGS, {
  id: 'SubtitleWarning',
  description: 'Problem of a subtitle, for a client that has its own words.',
  example: { reason: 'characters-unread', values: { count: 3 } },
});

/** Warnings as an API reply carries them: as English sentences, and with reasons in the same order. */
export const repliedWarnings = {
  warnings: z.array(z.string()).meta({ description: 'Problems that were found, as sentences.', examples: [[]] }),
  warningReasons: z
    .array(SubtitleWarning)
    .meta({ description: 'The warnings in the same order, each with a reason and its values.', examples: [[]] }),
};

/** Returns both forms of warnings, for a reply. */
export const warningsInReply = (
  warningReasons: readonly SubtitleWarning[],
): { warnings: string[]; warningReasons: SubtitleWarning[] } => ({
  warnings: warningReasons.map((one) => textOfReason(SUBTITLE_WARNINGS, one)),
  warningReasons: [...warningReasons],
});
