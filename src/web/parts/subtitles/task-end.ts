/** Brings pages about subtitles up to date when a task has ended, also where no event came through. */
import { useEffect } from 'preact/hooks';
import type { Task } from '../../../contract/ops/operations.ts';
import { readAgain } from '../../data/query.ts';

/** Reads the inventory and the results of checks again: the last rows of a task may come after its last event. */
export function useTaskEnd(task: Task | undefined): void {
  const state = task?.state;
  useEffect(() => {
    if (state !== undefined && state !== 'running' && state !== 'queued') {
      readAgain('subtitles');
      readAgain('subtitleAudit');
    }
  }, [task?.id, state]);
}
