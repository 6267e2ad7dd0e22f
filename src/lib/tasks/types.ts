/**
 * Tasks: long work with a name, a progress and an end, that survives a restart.
 *
 * A task is declared as a value. Its `run` may be stopped at any moment (cancelled, or the server goes down) and
 * started again later, so it repeats work rather than losing it, and saves a cursor where that is worth something.
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
}

export interface TaskDefinition<I = unknown> {
  /** In kebab case, as in POST /tasks/{name}. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  readonly summary: string;
  /** Higher goes first among those that wait. */
  readonly priority: number;
  /** Checked before anything is stored. Without one, the task takes nothing. */
  readonly input: z.ZodType<I>;
  /** How many of this name may run at once, with different inputs. Left out, one. */
  readonly atOnce?: number;
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
   * Puts a task in the queue. One of the same name and input that is queued or running already is answered instead.
   * With `evenIfRunning`, only a queued one is: a running one may have read what has changed since.
   * Unknown names fail as `missing`, a bad input as `invalid`; after `stop` everything fails as `unavailable`.
   */
  start(name: string, input?: unknown, options?: { evenIfRunning?: boolean }): Promise<TaskStatus>;
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

const nothing = z.strictObject({});

/** Declares a task. Left out, `input` is an empty object and `priority` 0. */
export function task<I = z.output<typeof nothing>>(
  t: Omit<TaskDefinition<I>, 'input' | 'priority'> & { priority?: number; input?: z.ZodType<I> },
): TaskDefinition<I> {
  if (!/^[a-z][a-z-]{0,62}$/.test(t.name)) throw new Error(`${t.name}: a task is named in kebab case`);
  return { ...t, priority: t.priority ?? 0, input: t.input ?? (nothing as unknown as z.ZodType<I>) };
}
