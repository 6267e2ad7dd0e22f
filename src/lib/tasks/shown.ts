/** Turns a task's status into the form that replies and events carry. */
import type { Task as ShownTask } from '../../contract/ops/operations.ts';
import { iso } from '../clock.ts';
import type { TaskStatus } from './types.ts';

export const shownTask = (status: TaskStatus): ShownTask => ({
  id: status.id,
  name: status.name,
  title: status.title,
  state: status.state,
  progress: status.progress,
  ...(status.detail !== undefined && { detail: status.detail }),
  ...(status.remarks !== undefined && { remarks: [...status.remarks] }),
  createdAt: iso(status.createdAt),
  ...(status.startedAt !== undefined && { startedAt: iso(status.startedAt) }),
  ...(status.endedAt !== undefined && { endedAt: iso(status.endedAt) }),
  ...(status.error !== undefined && { error: status.error }),
  ...(status.why !== undefined && { why: status.why }),
});
