/**
 * The tasks at work: a queue by priority, a few at a time, each stored before listeners are notified of it.
 *
 * Waiting and running tasks are held in memory and mirrored in the store; the functions here move one task from state
 * to state. A task leaves memory only when its end is written.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { TASK_ERRORS, type TaskError } from '../../contract/ops/task-errors.ts';
import { TASK_REMARKS, type TaskRemark } from '../../contract/ops/task-remarks.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import { canonicalJson } from './json.ts';
import type { Schedule } from './schedule.ts';
import type { TaskRow, TaskStore } from './store.ts';
import type { TaskDefinition, TaskContext, TaskStatus } from './types.ts';

/** How many that have ended are kept. */
export const HISTORY = 200;
const LONGEST_DETAIL = 200;
/** Names come from files, and are cut like the detail. */
const boundedRemark = (remark: TaskRemark): TaskRemark =>
  remark.reason === 'title' ? { ...remark, values: { title: remark.values.title.slice(0, LONGEST_DETAIL) } } : remark;
/** The largest saved cursor, in UTF-16 units. */
const LARGEST_CURSOR = 65_536;
/** Whether a task has the input of a run that the schedule starts. */
export const isNothingGiven = ({ input }: Pick<TaskRow, 'input'>): boolean => canonicalJson(input) === '{}';

/** A task that waits or runs, or whose end is being written. */
export interface OpenTask {
  row: TaskRow;
  readonly declared: TaskDefinition;
  /** As the schema gave it out; what is stored is what came in. */
  readonly input: unknown;
  readonly control: AbortController;
  /** Whether an earlier run was cut off. */
  readonly isResumed: boolean;
  /** Settles when the store first has it. */
  written: Promise<void>;
  readonly ended: PromiseWithResolvers<TaskStatus>;
  run?: Promise<void>;
  /** Time of the last progress notice, by the monotonic clock. */
  noticeAt: number;
  notice: NodeJS.Timeout | undefined;
}

/** Everything the functions below share. */
export interface Works {
  readonly store: TaskStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly declared: ReadonlyMap<string, TaskDefinition>;
  readonly atOnce: number;
  readonly noticeMs: number;
  readonly open: Map<string, OpenTask>;
  readonly watchers: Set<(task: TaskStatus) => void>;
  schedule: Schedule | undefined;
  isWorking: boolean;
  isStopped: boolean;
}

export const isTaskOpen = (task: OpenTask): boolean => task.row.state === 'queued' || task.row.state === 'running';

export function add(at: Works, row: TaskRow, declared: TaskDefinition, input: unknown): OpenTask {
  const task: OpenTask = {
    row,
    declared,
    input,
    control: new AbortController(),
    isResumed: row.startedAt !== null,
    written: Promise.resolve(),
    ended: Promise.withResolvers(),
    noticeAt: -Infinity,
    notice: undefined,
  };
  at.open.set(row.id, task);
  return task;
}

export const changeTask = (task: OpenTask, changes: Partial<TaskRow>): void =>
  void (task.row = { ...task.row, ...changes });

export function notifyTaskChanged(at: Works, task: OpenTask, isStateNew: boolean): void {
  const status = taskStatusOf(at, task.row);
  for (const watcher of at.watchers) {
    try {
      watcher(status);
    } catch (error) {
      at.log.fault('task.watcher', error);
    }
  }
  if (isStateNew) at.bus.announce('tasks.changed');
}

/** A row that could not be written is a fault to report; the task itself continues. */
const unwritten = (at: Works, task: OpenTask) => (error: unknown) =>
  at.log.fault('task.unwritten', error, { task: task.row.name, id: task.row.id });

/** Starts as many as may run, the highest priority first and then the oldest. */
export function work(at: Works): void {
  if (!at.isWorking || at.isStopped) return;
  const all = [...at.open.values()];
  const waiting = all
    .filter((task) => task.row.state === 'queued')
    .sort((a, b) => b.declared.priority - a.declared.priority || a.row.number - b.row.number);
  for (const task of waiting) {
    const running = all.filter((other) => other.row.state === 'running');
    if (running.length >= at.atOnce) return;
    if (running.filter((other) => other.row.name === task.row.name).length >= (task.declared.atOnce ?? 1)) continue;
    changeTask(task, { state: 'running', startedAt: at.clock.now(), progress: 0, detail: null, remarks: null });
    task.run = perform(at, task).finally(() => work(at));
  }
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
  changeTask(task, { state: 'queued' });
  await at.store.note(task.row).catch(unwritten(at, task));
}

function contextOf(at: Works, task: OpenTask): TaskContext<unknown> {
  const isHeard = (): boolean => at.open.get(task.row.id) === task && task.row.state === 'running';
  const notice = (): void => {
    task.notice = undefined;
    if (!isHeard()) return;
    task.noticeAt = at.clock.monotonic();
    notifyTaskChanged(at, task, false);
    void at.store.note(task.row).catch(unwritten(at, task));
  };
  return {
    id: task.row.id,
    input: task.input,
    signal: task.control.signal,
    resumed: task.isResumed,
    saved: task.row.cursor,
    progress: (part, ...remarks) => {
      if (!isHeard()) return;
      const progress = Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : task.row.progress;
      const detail = remarks.map((remark) => textOfReason(TASK_REMARKS, remark)).join(', ');
      changeTask(task, {
        progress,
        ...(remarks.length > 0 && { detail: detail.slice(0, LONGEST_DETAIL), remarks: remarks.map(boundedRemark) }),
      });
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
  };
}

export function taskStatusOf(at: Pick<Works, 'declared'>, row: TaskRow): TaskStatus {
  return {
    id: row.id,
    name: row.name,
    title: at.declared.get(row.name)?.title ?? row.name,
    state: row.state,
    progress: row.progress,
    createdAt: row.createdAt,
    ...(row.detail !== null && { detail: row.detail }),
    ...(row.remarks !== null && { remarks: row.remarks }),
    ...(row.startedAt !== null && row.state !== 'queued' && { startedAt: row.startedAt }),
    ...(row.endedAt !== null && { endedAt: row.endedAt }),
    ...(row.error !== null && { error: row.error }),
    ...(row.why !== null && { why: row.why }),
  };
}
