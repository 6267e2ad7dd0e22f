/**
 * Remarks of tasks: the stage of a run, or its result. Each has a reason with values, so that a client can use its own
 * words, and an English sentence fragment made of them.
 */
import { z } from 'zod';
import { about } from '../kernel/describe.ts';

/** English fragments by reason. The parameters are the values that a remark of this reason carries. */
export const TASK_REMARKS = {
  title: ({ title }: { title: string }) => title,
  'nothing-new': () => 'nothing is new',
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
  'no-room-for-recordings': () => 'the cache is full; further recordings are looked through when they are played',
  'no-room-for-previews': () => 'the cache is full; further pictures are made when a video is played',
  misfits: ({ count }: { count: number }) => `${count} misfits`,
  'not-checked': ({ count }: { count: number }) => `${count} could not be checked now`,
  'waiting-for-playback': () => 'waiting while something is played',
  'no-subtitle-language': () => 'no subtitle language is configured',
  'no-subtitle-provider': () => 'no subtitle provider is configured',
  'subtitles-written': ({ count }: { count: number }) => `${count} fetched`,
  'subtitles-upgraded': ({ count }: { count: number }) => `${count} upgraded`,
  'subtitles-nothing': ({ count }: { count: number }) => `${count} not found`,
  'subtitles-refused': ({ count }: { count: number }) => `${count} not trusted`,
  'subtitles-kept': ({ count }: { count: number }) => `${count} kept`,
  'subtitles-failed': ({ count }: { count: number }) => `${count} failed`,
  'providers-paused': () => 'the providers may not be asked for now',
} as const;

type TaskRemarkReason = keyof typeof TASK_REMARKS;
/** Makes the fragments of every reason, in a language. */
export type TaskRemarkTexts = typeof TASK_REMARKS;
type RemarkValues<Reason extends TaskRemarkReason> =
  Parameters<TaskRemarkTexts[Reason]> extends [infer Values] ? Values : Readonly<Record<string, never>>;
type RemarkOf<Reason extends TaskRemarkReason> = { reason: Reason; values: RemarkValues<Reason> };
export type TaskRemark = { [Reason in TaskRemarkReason]: RemarkOf<Reason> }[TaskRemarkReason];

// The type is narrower than the shape: which values a remark carries depends on its reason.
export const TaskRemark = z
  .strictObject({
    reason: z
      .enum(Object.keys(TASK_REMARKS) as [TaskRemarkReason, ...TaskRemarkReason[]])
      .meta(about('Code of the remark.', 'scanning')),
    values: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta(about('Numbers and names of the remark.', { added: 12, changed: 0 })),
  })
  .meta({
    id: 'TaskRemark',
    description: 'The stage of a run or its result, for a client that has its own words.',
  }) as unknown as z.ZodType<TaskRemark>;

/** Returns the fragment of a remark in the words of a table. */
export const remarkText = (texts: TaskRemarkTexts, { reason, values }: TaskRemark): string =>
  (texts[reason] as (values: object) => string)(values);
