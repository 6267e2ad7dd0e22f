/**
 * Remarks of tasks: the stage of a run, or its result. Each has a reason with values, so that a client can use its own
 * words, and an English sentence fragment made of them.
 */
import { type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';

/** English fragments by reason. The parameters are the values that a remark of this reason carries. */
export const TASK_REMARKS = {
  title: ({ title }: { title: string }) => title,
  'nothing-new': () => 'nothing new',
  'nothing-due': () => 'nothing is due',
  'no-library': () => 'no library to scan',
  scanning: ({ added, changed }: { added: number; changed: number }) => `${added} new, ${changed} changed`,
  scanned: ({ added, changed, moved, missing }: { added: number; changed: number; moved: number; missing: number }) =>
    `${added} new, ${changed} changed, ${moved} moved, ${missing} gone`,
  'libraries-away': ({ count }: { count: number }) =>
    count === 1
      ? 'a library cannot be reached, its items are kept'
      : `${count} libraries cannot be reached, their items are kept`,
  forgotten: ({ count }: { count: number }) => `${count} items forgotten`,
  'metadata-updated': ({ count }: { count: number }) => `${count} updated`,
  'metadata-unsure': ({ count }: { count: number }) => `${count} without a certain match`,
  'metadata-not-found': ({ count }: { count: number }) => `${count} not found`,
  'metadata-left': ({ count }: { count: number }) => `${count} left until the provider can be used`,
  'videos-of': ({ done, total }: { done: number; total: number }) => `${done} of ${total} videos`,
  videos: ({ count }: { count: number }) => `${count} videos`,
  albums: ({ count }: { count: number }) => `${count} albums`,
  'lyrics-of': ({ done, total }: { done: number; total: number }) => `lyrics of ${done} of ${total} tracks`,
  recording: ({ number }: { number: number }) => `recording ${number}`,
  'no-room-for-recordings': () => 'the cache is full; further recordings are indexed when they are played',
  'no-room-for-previews': () => 'the cache is full; further preview pictures are made when a video is played',
  misfits: ({ count }: { count: number }) => `${count} do not fit`,
  'not-checked': ({ count }: { count: number }) => `${count} could not be checked now`,
  'waiting-for-playback': () => 'waiting while something is played',
  'waiting-for-conversion': () => 'waiting while video is converted',
  'waiting-for-speech': () => 'waiting while a person needs the speech of a video',
  'waiting-for-scan': () => 'waiting until the libraries are scanned',
  'waiting-for-place': () => 'waiting for other work in the background',
  'no-subtitle-language': () => 'no subtitle language is configured',
  'no-subtitle-provider': () => 'no subtitle provider is configured',
  'subtitles-written': ({ count }: { count: number }) => `${count} fetched`,
  'subtitles-upgraded': ({ count }: { count: number }) => `${count} upgraded`,
  'subtitles-nothing': ({ count }: { count: number }) => `${count} not found`,
  'subtitles-refused': ({ count }: { count: number }) => `${count} not trusted`,
  'subtitles-kept': ({ count }: { count: number }) => `${count} kept`,
  'subtitles-failed': ({ count }: { count: number }) => `${count} failed`,
  'providers-paused': () => 'the providers cannot be used for now',
} as const;

/** Makes the fragments of every reason, in a language. */
export type TaskRemarkTexts = typeof TASK_REMARKS;
export type TaskRemark = ReasonText<TaskRemarkTexts>;
export const TaskRemark = reasonTextSchema(TASK_REMARKS, {
  id: 'TaskRemark',
  description: 'The stage of a run or its result, for a client that has its own words.',
  example: { reason: 'scanning', values: { added: 12, changed: 0 } },
});
