/**
 * Reasons why a run of a task failed. Each has values, so that a client can use its own words, and an English fragment
 * made of them.
 */
import type { FailureReason } from '../failures.ts';
import { type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';

/** English fragments by reason. The parameters are the values that such a reason carries. */
export const TASK_ERRORS = {
  // The English of a failure is a value, because the reason of the failure has words already.
  failed: ({ message }: { failure: FailureReason; message: string }) => message,
  unexpected: () => 'something unexpected went wrong; the log says where',
  'no-such-task': () => 'this version of the server has no such task',
  'given-up': ({ deaths }: { deaths: number }) =>
    `the server stopped ${deaths} times while this ran, so it was given up`,
} as const;

/** Makes the fragments of every reason, in a language. */
export type TaskErrorTexts = typeof TASK_ERRORS;
export type TaskError = ReasonText<TaskErrorTexts>;
export const TaskError = reasonTextSchema(TASK_ERRORS, {
  id: 'TaskError',
  description: 'Why a run failed, for a client that has its own words.',
  example: { reason: 'unexpected', values: {} },
});
