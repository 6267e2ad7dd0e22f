/**
 * Puts the tasks together: what callers may ask of them, and what happens at start and stop.
 *
 * A process that dies leaves rows that say so, and the next one queues them again. A task that was running at the
 * third such death is given up, since it may be the cause.
 */
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/types.ts';
import { Failure, found } from '../failure.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { canonicalJson, type JsonValue } from './json.ts';
import { createSchedule } from './schedule.ts';
import { taskStore } from './store.ts';
import type { TaskRow } from './store.ts';
import { changeTask, isTaskOpen, notifyTaskChanged, noteTask, openTask, taskStatusOf } from './open-task.ts';
import type { OpenTask, Works } from './open-task.ts';
import { heavyPlacesOf } from './places.ts';
import type { TaskDefinition, Tasks, TaskStatus } from './types.ts';
import { failedWith, finishTask, HISTORY, isNothingGiven, putBack, work } from './work.ts';

/** Runs that one Profile may have queued or running. */
const MAX_ASKED = 50;
const LOOK_MS = 1_000;
/** The least time between two notices of progress of one task, in ms. */
const NOTICE_MS = 250;
const DEATHS = 3;

export interface TasksOptions {
  db: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  /** The first tasks; `declare` adds others. */
  declarations?: readonly TaskDefinition[];
  /** Number of places of heavy tasks; for half of the processors if left out. */
  heavyPlaces?: number;
  /** Interval in which `waitsFor` of heavy tasks is asked, in ms. */
  lookMs?: number;
  noticeMs?: number;
}

export function createTasks({
  db,
  bus,
  clock,
  log,
  declarations: given = [],
  heavyPlaces = heavyPlacesOf(),
  lookMs = LOOK_MS,
  noticeMs = NOTICE_MS,
}: TasksOptions): Tasks {
  const declarations: TaskDefinition[] = [];
  const declared = new Map<string, TaskDefinition>();
  const declare: Tasks['declare'] = (tasks) => {
    for (const task of tasks) {
      if (declared.has(task.name)) throw new Error(`two tasks are called ${task.name}`);
      declarations.push(task);
      declared.set(task.name, task);
    }
  };
  declare(given);
  const at: Works = {
    store: taskStore(db),
    bus,
    clock,
    log,
    declared,
    heavyPlaces,
    lookMs,
    noticeMs,
    open: new Map(),
    watchers: new Set(),
    schedule: undefined,
    look: undefined,
    isWorking: false,
    isStopped: false,
  };
  const start = starter(at);
  let unlisten = (): void => {};

  return {
    declare,
    declarations,
    start,
    list: async () => {
      const rows = await at.store.newest(HISTORY + at.open.size);
      return rows.map((row) => taskStatusOf(at, at.open.get(row.id)?.row ?? row));
    },
    get: async (id) => {
      const row = at.open.get(id)?.row ?? (await at.store.one(id));
      return row && taskStatusOf(at, row);
    },
    cancel: (id) => cancel(at, id),
    ended: async (id) =>
      at.open.get(id)?.ended.promise ?? taskStatusOf(at, found(await at.store.one(id), 'no such task', 'no-such-task')),
    watch: (listener) => {
      // Wrapped, so that one function may listen twice and each stop ends only its own.
      const own = (task: TaskStatus): void => listener(task);
      at.watchers.add(own);
      return () => void at.watchers.delete(own);
    },
    resume: async () => {
      await resume(at, start);
      unlisten = bus.on('config.changed', () => at.schedule?.look());
    },
    stop: async (deadlineMs) => {
      unlisten();
      await stop(at, deadlineMs);
    },
  };
}

function starter(at: Works): Tasks['start'] {
  let last: number | undefined;
  const check = (): void => {
    if (at.isStopped) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
  };
  return async (name, given = {}, { evenIfRunning = false, askedBy } = {}) => {
    check();
    const declared = found(at.declared.get(name), 'no such task', 'no-such-task');
    const parsed = declared.input.safeParse(given);
    if (!parsed.success) throw new Failure('invalid', 'this task does not take that input', { reason: 'task-input' });
    const input = canonicalJson(given);
    const stored = last ?? (await at.store.lastNumber());
    last ??= stored;
    check();
    // From here to `add` nothing waits, so two equal calls cannot both miss each other.
    const same = [...at.open.values()].find(
      (other) =>
        (evenIfRunning ? other.row.state === 'queued' : isTaskOpen(other)) &&
        other.row.name === name &&
        canonicalJson(other.row.input) === input &&
        !other.row.isCancelled,
    );
    if (same) return joined(at, same, askedBy);
    refuseMany(at, askedBy);
    const task = openTask(
      at,
      {
        id: newId(),
        number: ++last,
        name,
        input: given as JsonValue,
        state: 'queued',
        progress: 0,
        detail: null,
        remarks: null,
        createdAt: at.clock.now(),
        startedAt: null,
        endedAt: null,
        error: null,
        why: null,
        cursor: undefined,
        isCancelled: 0,
        deaths: 0,
        isAsked: askedBy === undefined ? 0 : 1,
      },
      declared,
      parsed.data,
    );
    task.askedBy = askedBy;
    task.written = at.store.put(task.row);
    task.written.then(
      () => {
        notifyTaskChanged(at, task, true);
        work(at);
      },
      () => at.open.delete(task.row.id),
    );
    await task.written;
    return taskStatusOf(at, task.row);
  };
}

/** Returns the status of a task that is asked for again. One that is queued gets the place of an asked-for one. */
async function joined(at: Works, task: OpenTask, askedBy: string | undefined): Promise<TaskStatus> {
  await task.written;
  if (askedBy !== undefined && task.row.state === 'queued' && task.row.isAsked === 0) {
    changeTask(task, { isAsked: 1 });
    await noteTask(at, task);
    work(at);
  }
  return taskStatusOf(at, task.row);
}

function refuseMany(at: Works, askedBy: string | undefined): void {
  if (askedBy === undefined) return;
  const open = [...at.open.values()].filter((task) => task.askedBy === askedBy && isTaskOpen(task));
  if (open.length >= MAX_ASKED)
    throw new Failure('throttled', `${MAX_ASKED} tasks that you started have not ended yet`, {
      reason: 'too-many-tasks',
    });
}

async function cancel(at: Works, id: string): Promise<TaskStatus> {
  const task = at.open.get(id);
  if (!task) found(await at.store.one(id), 'no such task', 'no-such-task');
  await task?.written;
  if (!task || at.open.get(id) !== task || !isTaskOpen(task))
    throw new Failure('conflict', 'this task has ended', { reason: 'task-ended' });
  changeTask(task, { isCancelled: 1 });
  if (task.row.state === 'queued') await finishTask(at, task, { state: 'cancelled' });
  else {
    // First on the disk, so that a death in between does not bring it back.
    await at.store.put(task.row);
    task.control.abort(new Failure('conflict', 'the task was cancelled', { reason: 'task-cancelled' }));
  }
  return taskStatusOf(at, task.row);
}

async function resume(at: Works, start: Tasks['start']): Promise<void> {
  for (const row of await at.store.open()) {
    if (!at.open.has(row.id)) await takeUp(at, row);
  }
  at.schedule = createSchedule({
    declarations: [...at.declared.values()],
    clock: at.clock,
    last: await at.store.lastScheduled(),
    isOpen: (name) => [...at.open.values()].some((task) => task.row.name === name && isNothingGiven(task.row)),
    start: (name) =>
      void start(name).catch((error: unknown) => at.log.fault('task.unscheduled', error, { task: name })),
    correct: (name, endedAt) =>
      void at.store
        .scheduled(name, endedAt)
        .catch((error: unknown) => at.log.fault('task.unscheduled', error, { task: name })),
  });
  at.isWorking = true;
  work(at);
  at.schedule.look();
}

/** Puts a row from before the restart in the queue again, or ends it where that would be wrong. */
async function takeUp(at: Works, row: TaskRow): Promise<void> {
  const declared = at.declared.get(row.name);
  const parsed = declared?.input.safeParse(row.input);
  const deaths = row.deaths + (row.state === 'running' ? 1 : 0);
  const task = openTask(at, { ...row, state: 'queued', deaths }, declared ?? unknown(row.name), parsed?.data);
  if (row.isCancelled) await finishTask(at, task, { state: 'cancelled' });
  else if (!parsed?.success) await finishTask(at, task, failedWith({ reason: 'no-such-task', values: {} }));
  else if (deaths >= DEATHS) await finishTask(at, task, failedWith({ reason: 'given-up', values: { deaths: DEATHS } }));
  else await at.store.note(task.row);
}

const unknown = (name: string): TaskDefinition => ({
  name,
  title: name,
  summary: '',
  input: undefined as never,
  run: () => Promise.reject(new Error('unknown')),
});

async function stop(at: Works, deadlineMs: number): Promise<void> {
  at.isStopped = true;
  clearTimeout(at.look);
  at.schedule?.stop();
  const running: OpenTask[] = [...at.open.values()].filter((task) => task.run !== undefined);
  for (const task of running)
    task.control.abort(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, deadlineMs);
  await Promise.race([Promise.allSettled(running.map((task) => task.run)), late.promise]);
  clearTimeout(timer);
  // A task that ignored the signal is queued for the next start like the rest; its later results are ignored.
  await Promise.all(running.map((task) => putBack(at, task)));
}
