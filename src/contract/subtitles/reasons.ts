/** Reasons of failures of subtitles: the inventory, providers, installing, drafts and the workbench. */
import type { ReasonTable } from '../kernel/failure.ts';

export const subtitlesReasons = {
  invalid: {
    'format-unknown': 'The file is not a subtitle in a known format.',
    'subtitle-malformed': 'The subtitle cannot be read: it is not text, or its markup is damaged.',
    'subtitle-over-limit': 'The subtitle is over a limit: 4 MiB, 100,000 cues, 36 hours, or the size of one cue.',
    'subtitle-empty': 'The subtitle has no cues.',
    'change-invalid': 'The change of timing is not possible.',
  },
  forbidden: {
    'change-not-permitted': 'The terms of the provider of this subtitle do not allow changing its file.',
  },
  missing: {
    'no-subtitle-in-language': 'The item has no subtitle in this language.',
    'no-such-candidate': 'The candidate is of another item or language, or the list has expired; list again.',
    'no-such-draft': 'The item has no such draft.',
    'no-such-subtitle-library': 'There is no such library.',
  },
  conflict: {
    'no-language-configured': 'No subtitle language is configured, and the request names none.',
    'not-needed': 'The item needs no subtitle in this language, or its subtitle must not be replaced.',
    'own-subtitle': 'The change would replace a file that this server did not write; the request has to permit that.',
    'audit-outdated': 'The subtitle or the video changed since it was judged; the audit judges it again.',
    'not-fixable': 'The timing audit found nothing that moving the lines of this subtitle would fix.',
    'nothing-preserved': 'No earlier subtitle of this language is preserved.',
    'subtitle-embedded': 'The subtitle is inside the video and cannot be deleted.',
    'pictures-not-preserved': 'A picture subtitle is too large to be preserved, so it is not deleted here.',
    'nothing-changed': 'The change would leave the subtitle as it is.',
    'nothing-left': 'The change would remove every cue.',
    'no-subtitle-to-change': 'The language has no text subtitle that could be changed or aligned.',
    'subtitle-changed': 'The subtitle was changed or removed in the meantime; inspect it again.',
    'installed-unreadable': 'The installed subtitle cannot be read.',
    'track-too-large': 'The subtitle or track is too large.',
    'text-track-unreadable': 'The text track of the video cannot be read.',
    'item-changed': 'The item was changed in the meantime.',
    'item-not-scanned': 'The file of the item has not been analysed yet.',
    'file-name-too-long': 'The name of the video is too long for a subtitle file next to it.',
    'evidence-weak': 'The evidence for a change of timing is too weak.',
    'no-audio-track': 'The video has no audio, or none in this language.',
    'audio-undecodable': 'The audio of the video cannot be read.',
    'no-pictures': 'The item has no picture subtitles in this language.',
    'pictures-unreadable': 'The picture subtitles cannot be read.',
    'no-text-recognised': 'No text was recognised in the pictures or the audio.',
    'no-method': 'No method can make this draft; `error` says why.',
    'tool-not-installed': 'A program or its data for this language is not installed.',
    'model-not-configured': 'No transcription model is configured.',
    'model-unusable': 'The transcription model cannot be used.',
    'language-unsupported': 'The transcription does not support this language.',
    'draft-running': 'Another draft is being made.',
    'draft-not-running': 'No such draft is being made.',
    'draft-unfinished': 'The draft is not finished.',
    'draft-cancelled': 'The draft was cancelled.',
    'draft-outdated': 'The subtitle changed since the draft was made from it.',
    'video-changed': 'The video changed since the draft was made.',
    'batch-running': 'Another batch is running.',
    'cleanup-disabled': 'The plan says that the clean-up is off.',
    'plan-outdated': 'The files are no longer those of the previewed plan.',
  },
  gone: { 'preserved-bytes-lost': 'The preserved subtitle is no longer there.' },
  unavailable: {
    'no-room-to-preserve': 'There is no room to preserve the replaced subtitle.',
    'no-room-in-cache': 'There is no room in the cache folder.',
    'changed-not-shown': 'The subtitle was changed, but the result cannot be shown now.',
    'nothing-fetched': 'Nothing could be fetched; `error` says what happened to the first item.',
    'no-detector': 'This server cannot run speech detection.',
    'none-configured': 'No subtitle provider is configured.',
    'waits-for-restart': 'A provider is set up and is used after a restart of the server.',
    'none-offered': 'The providers have no subtitle for this video in this language.',
    'none-trusted':
      'The providers have no subtitle whose timing and contents could be verified; list the candidates to choose one.',
    'candidate-refused': 'The chosen candidate cannot be used; `error` says why. Choose another one.',
    'providers-failing':
      'The providers do not answer, or their limits are used up; Retry-After says when to ask again.',
  },
} as const satisfies ReasonTable;

/** Reading any file of a library. */
const READING_FILE = [
  'no-such-file',
  'outside-library',
  'not-an-ordinary-file',
  'file-unreadable',
  'file-too-large',
  'changed',
  'library-offline',
] as const;
/** Finding the subtitle of an item that is meant. */
const FINDING_SUBTITLE = ['no-such-item', 'no-such-part', 'subtitle-changed', ...READING_FILE] as const;
/** Reading its text, from a file or out of the video, in the process that works on subtitles. */
const READING_TEXT = [
  'text-track-unreadable',
  'track-too-large',
  'installed-unreadable',
  'helper-failed',
  'too-busy',
] as const;
/** Listening to the audio of a video. */
const LISTENING = [
  'no-audio-track',
  'audio-undecodable',
  'no-detector',
  'helper-failed',
  'program-missing',
  'program-failed',
  'too-busy',
] as const;
/** Writing a subtitle next to a video. */
const INSTALLING = [
  'locked',
  'item-changed',
  'item-not-scanned',
  'subtitle-changed',
  'file-exists',
  'file-name-too-long',
  'file-unwritable',
  'not-a-name',
  'no-room-to-preserve',
] as const;

/** Reasons of reading the installed subtitle. */
export const READING_SUBTITLE = [...FINDING_SUBTITLE, ...READING_TEXT] as const;

/** Reasons of showing the file that would be deleted, and of deleting it. */
export const SHOWING_SUBTITLE_FILE = [
  ...FINDING_SUBTITLE,
  'subtitle-embedded',
  'no-subtitle-to-change',
  'pictures-not-preserved',
] as const;
export const DELETING_SUBTITLE = [...SHOWING_SUBTITLE_FILE, ...INSTALLING] as const;

/** Reasons of exporting it. */
export const EXPORTING_SUBTITLE = [...READING_SUBTITLE, 'no-subtitle-in-language', 'file-name-too-long'] as const;

/** Reasons of trying a change. */
export const PREVIEWING_CHANGE = [
  ...READING_SUBTITLE,
  ...LISTENING,
  'no-subtitle-to-change',
  'change-invalid',
  'change-not-permitted',
  'format-unknown',
  'subtitle-malformed',
  'subtitle-over-limit',
  'subtitle-empty',
  'file-name-too-long',
  'no-such-draft',
  'draft-unfinished',
  'draft-outdated',
  'video-changed',
] as const;

/** Reasons of applying it. */
export const APPLYING_CHANGE = [
  ...PREVIEWING_CHANGE,
  ...INSTALLING,
  'evidence-weak',
  'nothing-changed',
  'nothing-left',
  'changed-not-shown',
] as const;

/** Reasons of showing what a fix of the timing audit would do. */
export const PREVIEWING_FIX = [...PREVIEWING_CHANGE, 'audit-outdated', 'not-fixable'] as const;

/** Reasons of restoring an earlier subtitle. */
export const RESTORING_SUBTITLE = [
  ...FINDING_SUBTITLE,
  ...INSTALLING,
  'no-language-configured',
  'nothing-preserved',
  'preserved-bytes-lost',
] as const;

/** Reasons of permitting or freezing replacement. */
export const FREEZING_SUBTITLE = [
  ...FINDING_SUBTITLE,
  'no-language-configured',
  'no-subtitle-to-change',
  'locked',
] as const;

/** Reasons of returning the loudness and the speech of a video. */
export const READING_AUDIO = ['no-such-item', 'no-such-part', ...READING_FILE, ...LISTENING] as const;

/**
 * Reasons of starting or cancelling a draft. A failure while it is made is in the message of the draft: the reply was
 * sent before.
 */
export const DRAFTING = [
  ...READING_SUBTITLE,
  'file-unavailable',
  'item-not-scanned',
  'no-subtitle-to-change',
  'no-pictures',
  'no-method',
  'no-audio-track',
  'tool-not-installed',
  'program-failed',
  'model-not-configured',
  'model-unusable',
  'language-unsupported',
  'draft-running',
  'draft-not-running',
  'draft-cancelled',
] as const;

/** Reasons of hiding the files of a plan. */
export const HIDING_SUBTITLES = [
  ...READING_FILE,
  'cleanup-disabled',
  'plan-outdated',
  'file-exists',
  'file-unwritable',
  'not-a-name',
  'locked',
] as const;

/** Reasons of listing what the providers offer. */
export const LISTING_CANDIDATES = [
  'no-such-item',
  'no-such-part',
  'no-language-configured',
  'file-unavailable',
  'item-not-scanned',
  ...READING_FILE,
  'none-configured',
  'waits-for-restart',
  'providers-failing',
] as const;

/** Reasons of fetching a subtitle for one item. */
export const FETCHING_SUBTITLE = [
  'no-such-item',
  'no-such-part',
  'no-language-configured',
  'not-needed',
  'file-unavailable',
  ...READING_FILE,
  ...INSTALLING,
  'none-configured',
  'waits-for-restart',
  'none-offered',
  'none-trusted',
  'no-such-candidate',
  'candidate-refused',
  'own-subtitle',
  'change-not-permitted',
  'draft-running',
  'track-too-large',
  'providers-failing',
  'helper-failed',
  'too-busy',
] as const;

/**
 * Reasons of fetching for many items. The failure of one item is in its row; when nothing was fetched, the reply is the
 * first failure if that is of the server or the moment, and `nothing-fetched` otherwise.
 */
export const FETCHING_SUBTITLES = [
  'no-language-configured',
  'batch-running',
  'nothing-fetched',
  'none-configured',
  'waits-for-restart',
  'providers-failing',
  'library-offline',
  'file-unavailable',
  'no-room-to-preserve',
  'helper-failed',
  'too-busy',
] as const;
