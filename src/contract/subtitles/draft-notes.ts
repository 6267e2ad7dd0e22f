/**
 * Notes about a draft: what it waits for, why it was not made, and what is uncertain in it. Each is a reason with
 * values, so that a client can use its own words, and an English sentence made of them.
 */
import type { FailureReason } from '../failures.ts';
import { type ReasonText, reasonTextSchema, textOfReason } from '../kernel/reason-texts.ts';

/** English sentence fragments about defects in files of picture subtitles, which were corrected or left out. */
export const PICTURE_DEFECTS = {
  'picture-endless': 'a picture has no end',
  'bytes-left-out': 'bytes that belong to no segment were left out',
  'file-cut-short': 'the file ends within a segment',
  'composition-unreadable': 'a composition cannot be read',
  'too-many-pictures': 'only the first 20,000 pictures were read',
  'object-unreadable': 'an object cannot be read',
  'object-size': 'an object has an impossible size',
  'object-without-start': 'a piece of an object came without its beginning',
  'too-many-objects': 'an epoch has too many objects',
  'object-undefined': 'an object that is shown was never defined',
  'object-outside': 'an object lies outside the picture',
  'picture-cut-short': 'a picture is cut short',
  'size-unreadable': 'the size cannot be read',
  'colours-unreadable': 'the colours cannot be read',
  'language-number': 'a language has an impossible number',
  'delay-unreadable': 'a delay cannot be read',
  'time-unreadable': 'a time cannot be read',
  'time-without-language': 'a time came before any language',
  'picture-missing': 'the index names a picture that is not there',
  'picture-invisible': 'a picture that cannot be seen was left out',
} as const;
export type PictureDefect = keyof typeof PICTURE_DEFECTS;

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** English sentences by reason. The parameters are the values that a note of this reason carries. */
export const DRAFT_NOTES = {
  preparing: () => 'It is being prepared.',
  'waits-for-audio': () => 'It waits until another video has been listened to.',
  'server-stopped': () => 'The server was stopped while it was made.',
  cancelled: () => 'It was cancelled.',
  'video-changed': () => 'The video changed since this draft was made.',
  // The failure says more in English than its code does.
  failed: ({ message }: { failure: FailureReason; message: string }) => `${capital(message)}.`,
  unexpected: () => 'An unexpected error occurred; see the log.',
  fits: () => 'It fits the video as it is.',
  'made-for': ({ release }: { release: string }) => `Made for ${release}.`,
  'model-not-as-set': ({ model, architecture }: { model: string; architecture: string }) =>
    `The model is ${model}, and the settings say ${architecture}.`,
  'model-not-as-named': ({ used, model }: { used: string; model: string }) =>
    `The program says that its model is ${used}, and the file is ${model}.`,
  'cues-repeat': ({ count }: { count: number }) =>
    `${count} cues repeat themselves, as where nothing is said, and are marked as hardly sure.`,
  'picture-defect': ({ defect, count }: { defect: PictureDefect; count: number }) =>
    `${capital(PICTURE_DEFECTS[defect])}${count === 1 ? '' : ` (${count} times)`}.`,
  'pictures-left-out': ({ count }: { count: number }) =>
    `The last ${count} pictures were not read: the pictures of this track are too large in total.`,
  'picture-without-text': ({ at }: { at: string }) => `No text could be read in the picture at ${at}.`,
} as const;

/** Makes the sentences of every note, in a language. */
export type DraftNoteTexts = typeof DRAFT_NOTES;
export type DraftNote = ReasonText<DraftNoteTexts>;
export const DraftNote = reasonTextSchema(DRAFT_NOTES, {
  id: 'SubtitleDraftNote',
  description: 'Note about a draft, for a client that has its own words.',
  example: { reason: 'preparing', values: {} },
});

/** Returns the English text of notes. */
export const draftText = (notes: readonly DraftNote[]): string =>
  notes.map((note) => textOfReason(DRAFT_NOTES, note)).join(' ');
