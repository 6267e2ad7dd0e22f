/**
 * Notes about a change to a subtitle, as the history and the evidence have them. Each is a reason with values, so that
 * a client can use its own words, and an English sentence made of them.
 */
import { evidenceDetail } from './evidence-reasons.ts';
import type { MoveValues } from './timing-moves.ts';
import { type ReasonText, reasonTextSchema, textOfReason } from '../kernel/reason-texts.ts';
import type { AppliedRule } from './warnings.ts';

/** Sources of a draft, as its view names them. */
type DraftSourceOfNote = 'ocr' | 'transcription' | 'translation-free' | 'alignment' | 'provider';

/** English sentences by reason. The parameters are the values that a note of this reason carries. */
export const SUBTITLE_NOTES = {
  edited: () => 'Edited.',
  'edited-by-line': () => 'Edited line by line.',
  uploaded: () => 'A file was uploaded.',
  'from-draft': () => 'Made from a draft.',
  'from-draft-by': ({ method }: { method: DraftSourceOfNote }) => `Made from a draft (${method}).`,
  // The editing engine knows no contract, so its English is a value.
  applied: ({ message }: { rule: AppliedRule; count: number; message: string }) => message,
  // Stored by earlier versions, without values.
  moved: ({ message }: { message: string }) => message,
  'moved-to-fit': (move: MoveValues) => evidenceDetail({ reason: 'moved', values: move }),
  cut: () => 'cut out of a subtitle of the whole film',
  chosen: () => 'Chosen by hand.',
  deleted: ({ file }: { file: string }) => `The file ${file} was deleted.`,
  'video-text-used-again': () => 'Removed: the text inside the video is used again.',
  'none-before': () => 'Removed: there was no subtitle before.',
  'original-restored': () => 'The original was restored.',
  'outside-change-undone': () => 'Restored as it was before it was changed outside this server.',
  'deleted-restored': () => 'The deleted file was restored.',
  'previous-restored': () => 'The previous subtitle was restored.',
} as const;

/** Makes the sentences of every note, in a language. */
export type SubtitleNoteTexts = typeof SUBTITLE_NOTES;
export type SubtitleNote = ReasonText<SubtitleNoteTexts>;
export const SubtitleNote = reasonTextSchema(SUBTITLE_NOTES, {
  id: 'SubtitleNote',
  description: 'Note about a change to a subtitle, for a client that has its own words.',
  example: { reason: 'edited', values: {} },
});

const MAX_TEXT_LENGTH = 300;
/** Returns the English text of notes. */
export const noteText = (notes: readonly SubtitleNote[]): string =>
  notes
    .map((note) => textOfReason(SUBTITLE_NOTES, note))
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH);
