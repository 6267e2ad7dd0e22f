/** Running the server: tasks, the event stream, and diagnostics. */
import { z } from 'zod';
import { OWNERS, OWNER_READERS, PLAYERS } from '../kernel/access.ts';
import { Finding } from '../findings.ts';
import { Id, integer, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';

export const TASK_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export const Task = z
  .strictObject({
    id: Id,
    name: z.string(),
    title: z.string().meta({ description: 'Its name for people.' }),
    state: z.enum(TASK_STATES),
    progress: z.number().min(0).max(1),
    detail: z.string().optional(),
    createdAt: Time,
    startedAt: Time.optional(),
    endedAt: Time.optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'Task' });
export type Task = z.output<typeof Task>;

const byTask = z.strictObject({ task: Id });

export const tasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/tasks',
    summary: 'Tasks, the newest first, and which can be started',
    access: OWNER_READERS,
    result: z
      .strictObject({
        items: z.array(Task),
        total: z.int().min(0),
        startable: z.array(
          z.strictObject({ name: z.string(), title: z.string(), summary: z.string(), every: z.number().optional() }),
        ),
      })
      .meta({ id: 'Tasks' }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/tasks/{task}',
    summary: 'Start a task; a second start of a running one returns that one',
    access: OWNERS,
    params: z.strictObject({
      task: z
        .string()
        .regex(/^[a-z][a-z-]{0,63}$/, 'expected a task name')
        .meta({ description: 'Name of a task that can be started.', examples: ['scan'] }),
    }),
    body: z.strictObject({ library: Id.optional().meta({ description: 'For scan: only this library.' }) }),
    result: Task,
    status: 202,
    fails: ['task-input', 'no-such-task'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/tasks/{task}',
    summary: 'One task',
    access: OWNER_READERS,
    params: byTask,
    result: Task,
    fails: ['no-such-task'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/v1/tasks/{task}',
    summary: 'Cancel a task',
    access: OWNERS,
    params: byTask,
    result: Task,
    status: 202,
    fails: ['no-such-task', 'task-ended'],
  }),
};

/** Kinds of events. An event names what to read again; the listing is the truth. */
export const EVENT_KINDS = [
  'hello',
  'task',
  'catalog',
  'subtitles',
  'watching',
  'configuration',
  'playback',
  'missed',
] as const;
export const Event = z
  .strictObject({
    kind: z.enum(EVENT_KINDS),
    item: Id.optional(),
    task: Task.optional(),
    at: Time,
  })
  .meta({ id: 'Event' });
export type Event = z.output<typeof Event>;

export const events = {
  stream: endpoint({
    method: 'GET',
    path: '/api/v1/events',
    summary: 'Server-sent events of this Profile; resumes from Last-Event-ID, and says missed when it cannot',
    access: PLAYERS,
    query: z.strictObject({
      last: integer(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .meta({ description: 'Id of the last event that was received; the header Last-Event-ID goes before it.' }),
    }),
    result: { events: Event },
  }),
};

export const diagnostics = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/diagnostics',
    summary: 'State of the server and its machine, with findings',
    access: OWNER_READERS,
    result: z
      .strictObject({
        version: z.string(),
        node: z.string(),
        engine: z.enum(['sqlite', 'postgres']),
        startedAt: Time,
        memoryBytes: z.int(),
        sandbox: z.enum(['full', 'limits', 'none']),
        findings: z.array(Finding),
      })
      .meta({ id: 'Diagnostics' }),
  }),
};
