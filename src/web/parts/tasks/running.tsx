/** A task that waits or runs: how far it is, and ending it. */
import type { Task } from '../../../contract/ops/operations.ts';
import { call } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { ProgressBar } from '../../kit/states/states.tsx';
import { facts } from '../../lib/format.ts';
import css from './running.module.css';
import { accountWords as m } from '../../messages/account.ts';

/** Starts a task, or joins the one that runs. A refusal is said in a toast. True when it was taken. */
export const startTask = (name: string, more: { library?: string } = {}): Promise<boolean> =>
  runWithToast(() => call.tasks.start({ task: name, ...more })).then((isDone) => {
    readAgain('tasks');
    return isDone;
  });

export const cancelTask = (id: string): Promise<void> =>
  runWithToast(() => call.tasks.cancel({ task: id })).then(() => readAgain('tasks'));

export const TaskProgress = ({ task }: { task: Task }) => (
  <div className={css.progress}>
    <ProgressBar value={task.state === 'queued' ? undefined : task.progress} label={task.title} />
    <p className="muted small" role="status">
      {facts(task.state === 'queued' ? m.waiting : `${Math.round(task.progress * 100)} %`, task.detail).join(' · ')}
    </p>
  </div>
);
