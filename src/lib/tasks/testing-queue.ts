/** Queues of tasks for tests, whose runs end when the test says so, and whose clock it sets. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { z } from 'zod';
import { createBus } from '../bus.ts';
import { openSqlite } from '../db/sqlite.ts';
import { copyOfEarlier } from '../db/testing-sqlite.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../log.ts';
import type { TasksOptions } from './create.ts';
import { createTasks, task, taskMigrations } from './index.ts';
import type { TaskContext, TaskDefinition } from './index.ts';

export function makeTasks(db: Database, declarations: readonly TaskDefinition[], changes: Partial<TasksOptions> = {}) {
  const time = { now: 1_700_000_000_000 };
  const bus = createBus((error) => assert.fail(String(error)));
  const tasks = createTasks({
    db,
    bus,
    // Real time would be added to what a test says has passed.
    clock: { now: () => time.now, monotonic: () => time.now },
    log: silentLog,
    declarations,
    noticeMs: 1,
    lookMs: 1,
    heavyPlaces: 1,
    ...changes,
  });
  return { tasks, bus, time };
}

/** A task whose runs continue until the test ends them, or they are aborted. */
export function fakeTask(name: string, more: Partial<TaskDefinition> = {}) {
  const runs: (TaskContext<unknown> & { end(error?: Error): void })[] = [];
  const declared = task({
    name,
    title: 'Wait',
    summary: 'Waits',
    input: z.strictObject({ part: z.number().optional() }) as z.ZodType<unknown>,
    ...more,
    run: (context: TaskContext<unknown>) =>
      new Promise<void>((resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
        runs.push({ ...context, end: (error) => (error ? reject(error) : resolve()) });
      }),
  });
  return { declared, runs };
}

/** Returns a function that opens a database which outlives what uses it, as a file does. */
export function openFile(t: TestContext): () => Promise<Database> {
  const folder = mkdtemp(join(tmpdir(), 'matinee-tasks-'));
  let db: Database | undefined;
  t.after(async () => {
    await db?.close();
    await rm(await folder, { recursive: true, force: true });
  });
  return async () => {
    await db?.close();
    return (db = await openSqlite({
      file: join(await folder, 'a.db'),
      migrations: taskMigrations,
      makeNew: copyOfEarlier,
    }));
  };
}
