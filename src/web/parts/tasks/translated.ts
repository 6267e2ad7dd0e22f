/** Says a task in the language of the dashboard. A task of an earlier version keeps the words that the server has. */
import { taskTexts, taskDetail, taskErrorText } from '../../messages/server-tasks.ts';
import type { TaskError } from '../../../contract/ops/task-errors.ts';
import type { TaskRemark } from '../../../contract/ops/task-remarks.ts';

/** Returns the task with its translated title, and summary, detail and error if it has them. */
export function translatedTask<
  T extends {
    name: string;
    title: string;
    summary?: string;
    detail?: string | undefined;
    remarks?: TaskRemark[] | undefined;
    error?: string | undefined;
    why?: TaskError | undefined;
  },
>(task: T): T {
  const text = taskTexts[task.name];
  const detail = taskDetail(task);
  const error = taskErrorText(task);
  return {
    ...task,
    ...(text && { title: text.title, ...(task.summary !== undefined && { summary: text.summary }) }),
    ...(detail !== undefined && { detail }),
    ...(error !== undefined && { error }),
  };
}
