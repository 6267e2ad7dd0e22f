/** Running the server: what it tells of itself, what it does in the background, and what it found out. */
import type { Diagnostics } from './diagnostics.ts';
import { createHub, type Hub } from './hub.ts';
import type { Bus, Topic } from '../lib/bus.ts';
import { type Clock, iso } from '../lib/clock.ts';
import type { Tasks, TaskStatus } from '../lib/tasks/index.ts';
import type { Event, Task } from '../contract/operations.ts';

export { createDiagnostics } from './diagnostics.ts';
export type { Diagnostics } from './diagnostics.ts';
export { createDatabaseCare } from './database-care.ts';
export { createInstallation, databaseFile, TRACES } from './installation.ts';
export type { Installation } from './installation.ts';
export { laterFindings } from './later.ts';
export type { Hub } from './hub.ts';

/** A task as replies and events carry it. */
export const taskOf = (status: TaskStatus): Task => ({
  id: status.id,
  name: status.name,
  state: status.state,
  progress: status.progress,
  ...(status.detail !== undefined && { detail: status.detail }),
  createdAt: iso(status.createdAt),
  ...(status.startedAt !== undefined && { startedAt: iso(status.startedAt) }),
  ...(status.endedAt !== undefined && { endedAt: iso(status.endedAt) }),
  ...(status.error !== undefined && { error: status.error }),
});

const TOLD: readonly (readonly [Topic, Event['kind']])[] = [
  ['catalog.changed', 'catalog'],
  ['subtitles.changed', 'subtitles'],
  ['watching.changed', 'watching'],
  ['config.changed', 'configuration'],
];

export interface Ops {
  hub: Hub;
  tasks: Tasks;
  diagnostics: Diagnostics;
  /** Whether the server can do its work. */
  isReady(): boolean;
}

/** Ties what the domains announce to the event stream. */
export function createOps({ bus, tasks, clock, diagnostics, isReady }: { bus: Bus; tasks: Tasks; clock: Clock; diagnostics: Diagnostics; isReady(): boolean }): Ops {
  const hub = createHub({ clock });
  for (const [topic, kind] of TOLD) bus.on(topic, () => hub.tell({ kind }));
  tasks.watch((status) => hub.tell({ kind: 'task', task: taskOf(status) }));
  return { hub, tasks, diagnostics, isReady };
}
