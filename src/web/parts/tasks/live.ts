/** The tasks of the server as they run: the list, with what the event stream says newer put in. */
import { useEffect, useState } from 'preact/hooks';
import type { Task } from '../../../contract/ops/operations.ts';
import { onEvent } from '../../data/events.ts';
import { useAsk, type Reply } from '../../data/query.ts';
import { translatedTask } from './translated.ts';

export const isUnfinished = ({ state }: Pick<Task, 'state'>): boolean => state === 'queued' || state === 'running';

/** Runs on the page of tasks; the server keeps as many. */
const MAX_SHOWN_TASKS = 200;

export interface LiveTasks {
  items: readonly Task[];
  startable: Reply<'tasks', 'list'>['startable'];
}
/** Asked again every few seconds while something runs, for where the stream does not come through. */
export function useTasks(): { tasks: LiveTasks | undefined; error: unknown; refetch: () => unknown } {
  const [live, setLive] = useState<ReadonlyMap<string, Task>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const { data, error, refetch } = useAsk(
    'tasks',
    'list',
    { limit: MAX_SHOWN_TASKS },
    { every: isBusy ? 3000 : 30_000 },
  );
  useEffect(() => onEvent(({ task }) => task && setLive((before) => new Map(before).set(task.id, task))), []);
  // A reply is newer than the events before it.
  useEffect(() => setLive(new Map()), [data]);
  const items = data?.items.map((task) => live.get(task.id) ?? task) ?? [];
  const fresh = [...live.values()].filter((task) => !items.some(({ id }) => id === task.id));
  const all = [...fresh, ...items];
  const isAnyOpen = all.some(isUnfinished);
  useEffect(() => setBusy(isAnyOpen), [isAnyOpen]);
  const tasks = data && { items: all.map(translatedTask), startable: data.startable.map(translatedTask) };
  return { tasks, error, refetch };
}
