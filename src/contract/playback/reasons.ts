/** Reasons of failures of playback: plans, streams, subtitles of players, markers, previews and hardware. */
import { about } from '../kernel/describe.ts';
import { z } from 'zod';
import type { ReasonTable } from '../kernel/failure.ts';
import { AcceleratorRow } from './accelerators.ts';

export const playbackReasons = {
  invalid: {
    'track-or-language': 'Give a track or a language.',
    'marker-range': 'The end of a marker comes after its start and not after the end of the item.',
  },
  forbidden: {
    'watch-time-over': 'The time of this Profile is up for today; GET /api/v1/me/time says when its next day begins.',
    'playback-session-needed': 'A Profile with a daily time limit plays within a session; ask for a plan.',
    'downloads-not-allowed': 'This Profile may not download.',
    'transcoding-not-allowed': 'This Profile may not have video or audio converted.',
    'no-way': 'This player and Profile cannot play this item; `reasons` says why.',
  },
  missing: {
    'no-such-quality': 'There is no such quality of this item.',
    'no-such-audio-track': 'There is no such audio track.',
    'no-such-subtitle': 'There is no such subtitle.',
    'no-such-stream': 'The file has no such stream.',
    'no-such-segment': 'The stream has no such segment.',
    'no-such-font': 'The file has no such font.',
    'no-such-show': 'There is no such show, or this Profile may not see it.',
    'no-such-playback': 'There is no such playback session.',
    'no-picture': 'There is no picture of this moment.',
    'no-video': 'The item has no video.',
  },
  conflict: {
    'not-analysed': 'The file has not been analysed yet.',
    busy: 'The server is converting as many films as it can.',
    limit: 'This Profile plays as many streams as it may; stop one of them first.',
    testing: 'A hardware test is running already.',
    'too-many-markers': 'The item has as many markers as it can have.',
    'no-audio': 'The video has no audio that can be read.',
    'audio-unreadable': 'The audio of the video cannot be read.',
    'no-fingerprint': 'The fingerprint program returned nothing.',
    'analysis-not-possible': 'Markers cannot be analysed: a program is missing or the analysis is turned off.',
    'cannot-copy': 'The stream cannot be delivered without converting it.',
    'subtitle-too-large': 'The subtitle is larger than what is served.',
    'subtitle-is-pictures': 'The subtitle is made of pictures and has no text.',
    'subtitle-is-text': 'The subtitle is text and has no pictures.',
    'subtitle-unreadable': 'The subtitle cannot be read; `error` says why.',
    undecodable: 'No pictures can be made of this video.',
  },
  gone: { 'playback-ended': 'The playback session has ended; `error` says why.' },
  unavailable: {
    'cannot-decode': 'The stream cannot be converted on this machine.',
    'still-converting': 'This part is still being converted.',
    'still-reading': 'This subtitle is still being read.',
    superseded: 'A later request of the same session replaced this one.',
    'length-unknown': 'The length of the file is not known, so it cannot be converted.',
    'subtitle-unavailable': 'The subtitle cannot be read out of its file at present.',
    'test-failed': 'The hardware test was not passed; `accelerators` has the results.',
    'no-room': 'The cache folder has no room for this.',
  },
} as const satisfies ReasonTable;

/** Reasons of every operation that reads the file of an item. */
export const READING_ITEM = [
  'no-such-item',
  'no-such-file',
  'changed',
  'not-analysed',
  'file-unreadable',
  'not-an-ordinary-file',
  'library-offline',
  'file-unavailable',
  'stream-ended-early',
  'helper-failed',
  'program-missing',
  'program-failed',
  'too-busy',
] as const;

/** Reasons why an item is not played as it is. */
export const PLAY_REASONS = [
  'not-analysed',
  'mode',
  'container-not-supported',
  'video-codec-not-supported',
  'video-profile-not-supported',
  'hdr-not-supported',
  'dolby-vision-profile',
  'resolution',
  'bitrate',
  'quality',
  'interlaced',
  'rotated',
  'audio-codec-not-supported',
  'audio-channels',
  'audio-track',
  'subtitle-burn-in',
  'open-gop',
  'sparse-keyframes',
  'edit-list',
  'no-index',
  'policy-transcode',
  'busy',
  'cannot-decode',
  'hardware-failed',
  'empty-track',
  'quality-refused',
  'protected',
] as const;
export type PlayReasonCode = (typeof PLAY_REASONS)[number];

/** One reason why an item is not played as it is: a code for programs and a sentence for a person. */
export const PlayReason = z
  .strictObject({
    code: z.enum(PLAY_REASONS).meta(about('Code for programs.', 'audio-codec-not-supported')),
    stream: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Index of the stream that it is about.', examples: [1] }),
    detail: z.string().meta({ description: 'A sentence for a person.', examples: ['the client does not play DTS'] }),
  })
  .meta({ id: 'PlayReason', description: 'Reason why an item is not played as it is.' });

/** Members of an error of these operations. */
export const playbackMembers = {
  reasons: z
    .array(PlayReason)
    .optional()
    .meta({ description: 'With the reason no-way or busy: why each way to play the item is not taken.' }),
  accelerators: z
    .array(AcceleratorRow)
    .optional()
    .meta({ description: 'With the reason test-failed: the results of the hardware test.' }),
};
