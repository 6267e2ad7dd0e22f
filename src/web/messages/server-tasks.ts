/** Words of tasks, by their names, and of their remarks. Empty in English, which the server says itself. */
import type { TaskRemark, TaskRemarkTexts } from '../../contract/ops/task-remarks.ts';
import { area } from './catalogue.ts';
import type { TaskText } from './server.ts';

interface Texts {
  tasks: Readonly<Record<string, TaskText | undefined>>;
  remarks?: TaskRemarkTexts;
}
let remarkTexts: TaskRemarkTexts | undefined;
export let taskTexts: Texts['tasks'] = {};
area<Texts>(
  {
    en: () => Promise.resolve({ tasks: {} }),
    de: () =>
      Promise.all([import('./de/server-tasks.ts'), import('./de/server-task-remarks.ts')]).then(([names, said]) => ({
        tasks: names.taskTextsGerman,
        remarks: said.taskRemarksGerman,
      })),
  },
  ({ tasks, remarks }) => {
    taskTexts = tasks;
    remarkTexts = remarks;
  },
);

/** Returns the stage or result of a run in the language that is spoken; one of an earlier version as it was stored. */
export function taskDetail({
  detail,
  remarks,
}: {
  detail?: string | undefined;
  remarks?: readonly TaskRemark[] | undefined;
}): string | undefined {
  const texts: Partial<TaskRemarkTexts> | undefined = remarkTexts;
  if (!texts || !remarks) return detail;
  const said = remarks.map(({ reason, values }) => (texts[reason] as ((from: object) => string) | undefined)?.(values));
  // A server that was updated while the dashboard stayed open may know more reasons.
  return said.every((one) => one !== undefined) ? said.join(', ') : detail;
}
