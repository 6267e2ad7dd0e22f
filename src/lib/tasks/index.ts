/** The door of the task floor: declare with `task`, run with `createTasks`. */
export { createTasks } from './create.ts';
export { runPiece } from './places.ts';
export { shownTask } from './shown.ts';
export { taskMigrations } from './store.ts';
export { task, waitsWhile } from './types.ts';
export type { HeavyWork, TaskDefinition, TaskContext, Tasks, TaskState, TaskStatus } from './types.ts';
export type { JsonValue } from './json.ts';
