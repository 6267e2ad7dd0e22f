/** Words of tasks, by their names, and of their remarks. Empty in English, which the server says itself. */
import type { TaskError, TaskErrorTexts } from '../../contract/ops/task-errors.ts';
import type { TaskRemark, TaskRemarkTexts } from '../../contract/ops/task-remarks.ts';
import { area } from './catalogue.ts';
import type { TaskText } from './server.ts';
import { sayReason } from './server-reasons.ts';

interface Texts {
  tasks: Readonly<Record<string, TaskText | undefined>>;
  remarks?: TaskRemarkTexts;
  errors?: TaskErrorTexts;
}
let remarkTexts: TaskRemarkTexts | undefined;
let errorTexts: TaskErrorTexts | undefined;
export let taskTexts: Texts['tasks'] = {};
area<Texts>(
  {
    en: () => Promise.resolve({ tasks: {} }),
    de: () =>
      Promise.all([
        import('./de/server-tasks.ts'),
        import('./de/server-task-remarks.ts'),
        import('./de/server-task-errors.ts'),
      ]).then(([names, said, failed]) => ({
        tasks: names.taskTextsGerman,
        remarks: said.taskRemarksGerman,
        errors: failed.taskErrorsGerman,
      })),
  },
  ({ tasks, remarks, errors }) => {
    taskTexts = tasks;
    remarkTexts = remarks;
    errorTexts = errors;
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
  const said = remarks?.map((remark) => sayReason(remarkTexts, remark));
  return said && said.length > 0 && said.every((one) => one !== undefined) ? said.join(', ') : detail;
}

/** Returns why a run failed in the language that is spoken; a run of an earlier version as it was stored. */
export const taskErrorText = ({
  error,
  why,
}: {
  error?: string | undefined;
  why?: TaskError | undefined;
}): string | undefined => sayReason(errorTexts, why) ?? error;
