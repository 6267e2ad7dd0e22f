/**
 * Tasks: long work with a name, a progress and an end, that survives a restart.
 *
 * A task is declared as a value. Its `run` may be stopped at any moment (cancelled, or the server goes down) and
 * started again later, so it repeats work rather than losing it, and saves a cursor where that is worth something.
 *
 * No task waits for a place that another name holds:
 *
 * - A task that is not heavy starts at once, unless runs of its own name fill the places of that name. `ownAtOnce`
 *   keeps some of these for runs that people ask for, such as scans.
 * - Heavy tasks (hours of decoding) share places for at most half of the processors: one place on two cores. They give
 *   it back while they wait, and after some minutes if another one waits. They wait while a scan is queued or runs.
 *   Those that a person asked for run first.
 *
 * One Profile can have only some runs queued or running.
 */
import { z } from 'zod';
import type { TASK_STATES } from '../../contract/ops/operations.ts';
import type { TaskError } from '../../contract/ops/task-errors.ts';
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import type { JsonValue } from './json.ts';

export type TaskState = (typeof TASK_STATES)[number];

export interface TaskContext<I> {
  readonly id: string;
  readonly input: I;
  /** Aborted when the task is cancelled or the server stops. Hand it on to everything that waits. */
  readonly signal: AbortSignal;
  /** Whether an earlier run of this same task was cut off. */
  readonly resumed: boolean;
  /** Value that an interrupted run last passed to `save`, or undefined. */
  readonly saved: JsonValue | undefined;
  /**
   * Says how far it is, 0 to 1, and what it does. Cheap: written and told about at most every so often.
   */
  progress(part: number, ...remarks: readonly TaskRemark[]): void;
  /** Keeps a cursor for the run after a restart. */
  save(cursor: JsonValue): Promise<void>;
  /**
   * Resolves when the next piece of work may begin. Heavy tasks call it between pieces of at most some minutes: while
   * they have to wait, others use their place. It resolves at once for other tasks. Throws the reason of `signal`.
   */
  turn(): Promise<void>;
  /**
   * Runs a piece of work in its turn. The signal of the piece is aborted when the task has to wait (`waitsFor`), and
   * the piece is run again from the beginning after that.
   */
  piece<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Work that takes a processor or a disk for hours, in the background. */
export interface HeavyWork {
  /**
   * Returns why the task has to wait now, for example because something is played. Undefined while it may work. Called
   * every second, and before each piece.
   */
  waitsFor?(): TaskRemark | undefined;
}

export interface TaskDefinition<I = unknown> {
  /** In kebab case, as in POST /tasks/{name}. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  readonly summary: string;
  /** Checked before anything is stored. Without one, the task takes nothing. */
  readonly input: z.ZodType<I>;
  /** How many of this name may run at once, with different inputs. Left out, one. */
  readonly atOnce?: number;
  /** How many of these may run without a person who asked for them. Left out, all. */
  readonly ownAtOnce?: number;
  /** Declares a heavy task. */
  readonly heavy?: HeavyWork;
  /** Whether heavy tasks wait while it is queued or runs. */
  readonly isBeforeHeavy?: boolean;
  /**
   * How long after the end of one run the next one starts by itself, in ms; undefined is never. Asked again and again,
   * so a setting behind it is live. The very first run comes one such time after the server has started; it is given an
   * empty input.
   */
  readonly every?: () => number | undefined;
  /** Whether the server refuses to restart while it runs. A stop ends it all the same. */
  readonly holdsRestart?: boolean;
  run(context: TaskContext<I>): Promise<void>;
}

/** A task as callers see it. Times are milliseconds since the epoch. */
export interface TaskStatus {
  readonly id: string;
  /** Grows with each task that is started. */
  readonly number: number;
  readonly name: string;
  /** Its name for people; the name itself where this version has no such task. */
  readonly title: string;
  readonly state: TaskState;
  /** 0 to 1. */
  readonly progress: number;
  readonly detail?: string;
  /** The detail as reasons with values. */
  readonly remarks?: readonly TaskRemark[];
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** A sentence for people. */
  readonly error?: string;
  /** The error as a reason with values. */
  readonly why?: TaskError;
}

export interface Tasks {
  /**
   * Puts a task in the queue. Returns one of the same name and input instead that is queued or running already. With
   * `evenIfRunning`, only a queued one is returned: a running one may have read what has changed since. `askedBy` is
   * the id of the Profile that asked for it: such a run goes before those of the schedule.
   * Unknown names fail as `missing`, a bad input as `invalid`, too many runs of one Profile as `throttled`; after
   * `stop` everything fails as `unavailable`.
   */
  start(name: string, input?: unknown, options?: { evenIfRunning?: boolean; askedBy?: string }): Promise<TaskStatus>;
  /** Newest first, all that wait or run and the newest 200 that have ended. */
  list(): Promise<TaskStatus[]>;
  get(id: string): Promise<TaskStatus | undefined>;
  /**
   * Cancels a queued task at once, and asks a running one to stop. Fails as `missing` when unknown, as `conflict` when
   * it has ended.
   */
  cancel(id: string): Promise<TaskStatus>;
  /** Settles when the task has ended, with its last status. For callers that wait, and tests. */
  ended(id: string): Promise<TaskStatus>;
  /** Hears of every change, with the task as it is now. Returns the function that stops listening. */
  watch(listener: (task: TaskStatus) => void): () => void;
  /** Queues again what a dead process left running, and starts working and scheduling. Call once. */
  resume(): Promise<void>;
  /**
   * Starts nothing more, aborts what runs and waits for it up to `deadlineMs`. What was cut off runs again after the
   * next start.
   */
  stop(deadlineMs: number): Promise<void>;
  /** Adds tasks to those that can be started. Call it before `resume`. */
  declare(tasks: readonly TaskDefinition[]): void;
  readonly declarations: readonly TaskDefinition[];
}

/** Returns a `waitsFor` with one reason. */
export const waitsWhile =
  (isHeld: () => boolean, reason: Extract<TaskRemark['reason'], `waiting-${string}`>): (() => TaskRemark | undefined) =>
  () =>
    isHeld() ? { reason, values: {} } : undefined;

const nothing = z.strictObject({});

/** Declares a task. Left out, `input` is an empty object. */
export function task<I = z.output<typeof nothing>>(
  t: Omit<TaskDefinition<I>, 'input'> & { input?: z.ZodType<I> },
): TaskDefinition<I> {
  if (!/^[a-z][a-z-]{0,62}$/.test(t.name)) throw new Error(`${t.name}: a task is named in kebab case`);
  return { ...t, input: t.input ?? (nothing as unknown as z.ZodType<I>) };
}
