/**
 * The tasks at work: started when they have a place, each stored before listeners are notified of it.
 *
 * Waiting and running tasks are held in memory and mirrored in the store; the functions here move one task from state
 * to state. A task leaves memory only when its end is written.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { TASK_ERRORS, type TaskError } from '../../contract/ops/task-errors.ts';
import { Failure } from '../failure.ts';
import { canonicalJson } from './json.ts';
import {
  changeTask,
  isTaskOpen,
  noteTask,
  notifyTaskChanged,
  type OpenTask,
  remarkOn,
  taskStatusOf,
  unwritten,
  type Works,
} from './open-task.ts';
import { admitTasks, runPiece, waitForTurn } from './places.ts';
import type { TaskRow } from './store.ts';
import type { TaskContext } from './types.ts';

/** How many that have ended are kept. */
export const HISTORY = 200;
/** The largest saved cursor, in UTF-16 units. */
const LARGEST_CURSOR = 65_536;
/** Whether a task has the input of a run that the schedule starts. */
export const isNothingGiven = ({ input }: Pick<TaskRow, 'input'>): boolean => canonicalJson(input) === '{}';

/** Starts and continues as many as have places. */
export function work(at: Works): void {
  if (!at.isWorking || at.isStopped) return;
  admitTasks(at, (task) => {
    changeTask(task, { state: 'running', startedAt: at.clock.now(), progress: 0 });
    remarkOn(task, { said: [], waiting: undefined });
    task.run = perform(at, task).finally(() => {
      task.place.isHeld = false;
      work(at);
    });
  });
}

async function perform(at: Works, task: OpenTask): Promise<void> {
  const { signal } = task.control;
  const names = { task: task.row.name, id: task.row.id };
  let failure: { error: unknown } | undefined;
  try {
    await task.written;
    await at.store.note(task.row);
    notifyTaskChanged(at, task, true);
    at.log.info('task.started', { ...names, isResumed: task.isResumed });
    signal.throwIfAborted();
    await task.declared.run(contextOf(at, task));
  } catch (error) {
    failure = { error };
  }
  if (task.row.isCancelled) return finishTask(at, task, { state: 'cancelled' });
  // It may have returned because the server stops rather than because it was done: better repeated than lost.
  if (at.isStopped) return putBack(at, task);
  if (!failure) return finishTask(at, task, { state: 'done', progress: 1 });
  const { error } = failure;
  if (!(error instanceof Failure)) at.log.fault('task.broke', error, names);
  return finishTask(
    at,
    task,
    failedWith(
      error instanceof Failure
        ? { reason: 'failed', values: { failure: error.reason, message: error.message } }
        : { reason: 'unexpected', values: {} },
    ),
  );
}

/** Returns the end of a failed run, with the reason and its English sentence. */
export const failedWith = (why: TaskError): Pick<TaskRow, 'state' | 'error' | 'why'> => ({
  state: 'failed',
  error: textOfReason(TASK_ERRORS, why),
  why,
});

export async function finishTask(
  at: Works,
  task: OpenTask,
  changes: Partial<TaskRow> & Pick<TaskRow, 'state'>,
): Promise<void> {
  if (at.open.get(task.row.id) !== task || !isTaskOpen(task)) return;
  clearTimeout(task.notice);
  const endedAt = at.clock.now();
  const isScheduled = isNothingGiven(task.row);
  remarkOn(task, { waiting: undefined });
  changeTask(task, { endedAt, cursor: undefined, ...changes });
  const seconds = Math.round((endedAt - (task.row.startedAt ?? endedAt)) / 1000);
  at.log.info(`task.${task.row.state}`, { task: task.row.name, id: task.row.id, seconds });
  await at.store.end(task.row, isScheduled, HISTORY).catch(unwritten(at, task));
  at.open.delete(task.row.id);
  if (isScheduled) at.schedule?.ended(task.row.name, endedAt);
  notifyTaskChanged(at, task, true);
  task.ended.resolve(taskStatusOf(at, task.row));
  at.schedule?.look();
}

/** Leaves a task that was cut off to the next start. */
export async function putBack(at: Works, task: OpenTask): Promise<void> {
  if (at.open.get(task.row.id) !== task || !isTaskOpen(task)) return;
  clearTimeout(task.notice);
  at.open.delete(task.row.id);
  // The start time stays: it shows that the next run is not the first.
  remarkOn(task, { waiting: undefined });
  changeTask(task, { state: 'queued' });
  await noteTask(at, task);
}

function contextOf(at: Works, task: OpenTask): TaskContext<unknown> {
  const { signal } = task.control;
  const isHeard = (): boolean => at.open.get(task.row.id) === task && task.row.state === 'running';
  const notice = (): void => {
    task.notice = undefined;
    if (!isHeard()) return;
    task.noticeAt = at.clock.monotonic();
    notifyTaskChanged(at, task, false);
    void noteTask(at, task);
  };
  const turn = (): Promise<void> => waitForTurn(at, task, () => work(at));
  return {
    id: task.row.id,
    input: task.input,
    signal,
    resumed: task.isResumed,
    saved: task.row.cursor,
    progress: (part, ...said) => {
      if (!isHeard()) return;
      changeTask(task, { progress: Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : task.row.progress });
      if (said.length > 0) remarkOn(task, { said });
      task.notice ??= setTimeout(
        notice,
        Math.min(at.noticeMs, Math.max(0, task.noticeAt + at.noticeMs - at.clock.monotonic())),
      );
    },
    save: async (cursor) => {
      if (JSON.stringify(cursor).length > LARGEST_CURSOR)
        throw new RangeError('a cursor says where to go on, not what was found');
      if (!isHeard()) return;
      changeTask(task, { cursor });
      await at.store.note(task.row);
    },
    turn,
    piece: (run) => runPiece({ turn, waitsFor: task.declared.heavy?.waitsFor, lookMs: at.lookMs, signal }, run),
  };
}
