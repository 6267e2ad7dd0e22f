/** Says a task in the language of the dashboard. A task of an earlier version keeps the words that the server has. */
import { taskTexts } from '../../messages/server-tasks.ts';

/** Returns the task with its translated title, and summary if it has one. */
export function translatedTask<T extends { name: string; title: string; summary?: string }>(task: T): T {
  const text = taskTexts[task.name];
  if (!text) return task;
  return { ...task, title: text.title, ...(task.summary !== undefined && { summary: text.summary }) };
}
