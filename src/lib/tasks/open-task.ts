/**
 * Tasks that wait or run, as they are held in memory, and what listeners and the store get to know of them.
 *
 * The remarks of a task are those of its run, and after them why it waits.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { TASK_REMARKS, type TaskRemark } from '../../contract/ops/task-remarks.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Schedule } from './schedule.ts';
import type { TaskRow, TaskStore } from './store.ts';
import type { TaskDefinition, TaskStatus } from './types.ts';

const LONGEST_DETAIL = 200;

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
  /** Id of the Profile that asked for it in this process. */
  askedBy: string | undefined;
  /** Remarks of the run itself. */
  said: readonly TaskRemark[];
  /** Why it waits. */
  waiting: TaskRemark | undefined;
  /** Place of a heavy task. */
  place: {
    isHeld: boolean;
    /** When it took the place or began to wait for one, by the monotonic clock. */
    since: number;
    /** Continues the run. Set while the run waits for a place. */
    wake: (() => void) | undefined;
  };
}

/** Everything that the functions of this folder share. */
export interface Works {
  readonly store: TaskStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly declared: ReadonlyMap<string, TaskDefinition>;
  /** Number of places of heavy tasks. */
  readonly heavyPlaces: number;
  /** Interval in which `waitsFor` is asked, in ms. */
  readonly lookMs: number;
  readonly noticeMs: number;
  readonly open: Map<string, OpenTask>;
  readonly watchers: Set<(task: TaskStatus) => void>;
  schedule: Schedule | undefined;
  /** Looks again whether what heavy tasks wait for is over. */
  look: NodeJS.Timeout | undefined;
  isWorking: boolean;
  isStopped: boolean;
}

export const isTaskOpen = ({ row }: OpenTask): boolean => row.state === 'queued' || row.state === 'running';

export function openTask(at: Works, row: TaskRow, declared: TaskDefinition, input: unknown): OpenTask {
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
    askedBy: undefined,
    // Why it waited before a restart may be over.
    said: (row.remarks ?? []).filter(({ reason }) => !reason.startsWith('waiting-')),
    waiting: undefined,
    place: { isHeld: false, since: at.clock.monotonic(), wake: undefined },
  };
  at.open.set(row.id, task);
  return task;
}

export const changeTask = (task: OpenTask, changes: Partial<TaskRow>): void =>
  void (task.row = { ...task.row, ...changes });

/** Changes the remarks of a run, or why it waits. */
export function remarkOn(task: OpenTask, changes: Partial<Pick<OpenTask, 'said' | 'waiting'>>): void {
  Object.assign(task, changes);
  const remarks = [...task.said, ...(task.waiting ? [task.waiting] : [])];
  if (remarks.length === 0) return changeTask(task, { detail: null, remarks: null });
  const detail = remarks.map((remark) => textOfReason(TASK_REMARKS, remark)).join(', ');
  changeTask(task, { detail: detail.slice(0, LONGEST_DETAIL), remarks: remarks.map(boundedRemark) });
}

/** Names come from files, and are cut like the detail. */
const boundedRemark = (remark: TaskRemark): TaskRemark =>
  remark.reason === 'title' ? { ...remark, values: { title: remark.values.title.slice(0, LONGEST_DETAIL) } } : remark;

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

/** Writes how a task is. A failure is logged; the task itself continues. */
export const noteTask = (at: Works, task: OpenTask): Promise<void> =>
  at.store.note(rowToStore(task)).catch(unwritten(at, task));

/** A run that waits for its place is stored as one that waits: a death of the process is not its fault. */
const rowToStore = ({ row, place }: OpenTask): TaskRow => (place.wake ? { ...row, state: 'queued' } : row);

export const unwritten =
  (at: Works, task: OpenTask) =>
  (error: unknown): void =>
    at.log.fault('task.unwritten', error, { task: task.row.name, id: task.row.id });

export function taskStatusOf(at: Pick<Works, 'declared'>, row: TaskRow): TaskStatus {
  return {
    id: row.id,
    number: row.number,
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
