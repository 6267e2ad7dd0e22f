/**
 * Records tasks that failed. A task ends in a separate transaction, so those that ended just before the server was
 * killed are looked for at the next start.
 */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Tasks, TaskStatus } from '../lib/tasks/index.ts';
import type { Activity } from './index.ts';

/** Failures from before that are looked for at a start. */
const LOOK_BACK_MS = 86_400_000;

export function recordFailedTasks({
  activity,
  tasks,
  clock,
  log,
}: {
  activity: Pick<Activity, 'recordOnce'>;
  tasks: Pick<Tasks, 'watch' | 'list'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'fault'>;
}): { start(): Promise<void>; close(): void } {
  const record = async ({ id, name, state, why, endedAt }: TaskStatus): Promise<void> => {
    if (state !== 'failed') return;
    const reason = why?.reason === 'failed' ? why.values.failure : (why?.reason ?? 'unexpected');
    await activity.recordOnce(
      { kind: 'task-failed', outcome: 'failed', via: 'server', target: id, details: { task: name, reason } },
      endedAt,
    );
  };
  const close = tasks.watch(
    (status) => void record(status).catch((error: unknown) => log.fault('activity.failed', error)),
  );
  return {
    start: async () => {
      const since = clock.now() - LOOK_BACK_MS;
      for (const status of await tasks.list()) if ((status.endedAt ?? 0) >= since) await record(status);
    },
    close,
  };
}
