/** Running the server: tasks, the event stream, and diagnostics. */
import { about, rarely, EXAMPLE_IDS, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNERS, OWNER_READERS, PLAYERS_AT_ANY_HOUR } from '../kernel/access.ts';
import { Finding } from '../findings.ts';
import { Id, integer, list, paging, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { TaskError } from './task-errors.ts';
import { TaskRemark } from './task-remarks.ts';

export const TASK_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export const Task = z
  .strictObject({
    id: idOf('task', 'Id of this run of the task.'),
    name: z.string().meta(about('Name of the task, as it is started.', 'scan')),
    title: z.string().meta({ description: 'Its name for people.', examples: ['Scan all libraries'] }),
    state: z.enum(TASK_STATES).meta(about('Where the run is: waiting, running, or how it ended.', 'running')),
    progress: z.number().min(0).max(1).meta(about('Part that is done, from 0 to 1.', 0.4)),
    detail: z.string().optional().meta(about('What it is at, why it waits, or what it did, for people.', 'Films')),
    remarks: z
      .array(TaskRemark)
      .optional()
      .meta(about('What `detail` says, as reasons with values. Left out by runs of earlier versions.')),
    createdAt: Time.meta(about('When it was asked for.', '2026-11-21T18:30:00.000Z')),
    startedAt: Time.optional().meta(about('When it began. Left out while it waits.', '2026-11-21T18:30:01.000Z')),
    endedAt: Time.optional().meta(rarely('When it ended. Left out until then.')),
    error: z.string().optional().meta(rarely('Why it failed, for people. Only of a failed run.')),
    why: TaskError.optional().meta(
      rarely('What `error` says, as a reason with values. Left out by runs of earlier versions.'),
    ),
  })
  .meta({ id: 'Task', description: 'Run of a task.' });
export type Task = z.output<typeof Task>;

const byTask = z.strictObject({ task: idOf('task', 'Id of a run, from the reply to its start or from the list.') });

export const tasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/tasks',
    summary: 'Tasks, the newest first, and which can be started',
    description: 'Lists the last runs of all tasks, and the tasks that an Owner can start.',
    access: OWNER_READERS,
    query: z.strictObject({ ...paging }),
    result: list(Task)
      .extend({
        startable: z
          .array(
            z.strictObject({
              name: z.string().meta(about('Name to start the task by.', 'scan')),
              title: z.string().meta(about('Its name for people.', 'Scan all libraries')),
              summary: z.string().meta(about('Effect of the task, for people.', 'Look at every file of the libraries')),
              every: z
                .number()
                .optional()
                .meta(about('Seconds between its runs by schedule. Left out: only on demand.', 600)),
            }),
          )
          .meta(about('Tasks that can be started.')),
      })
      .meta({ id: 'Tasks', description: 'Last runs of tasks, and tasks that can be started.' }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/tasks/{task}',
    summary: 'Start a task; a second start of a running one returns that one',
    description: 'Returns the run at once; its progress is at `GET /api/v1/tasks/{id}` and on the event stream.',
    access: OWNERS,
    params: z.strictObject({
      task: z
        .string()
        .regex(/^[a-z][a-z-]{0,63}$/, 'expected a task name')
        .meta({ description: 'Name of a task that can be started.', examples: ['scan'] }),
    }),
    body: z.strictObject({
      library: Id.optional().meta({
        description: 'For scan and refresh-metadata: only this library.',
        examples: [EXAMPLE_IDS.library],
      }),
      mode: z
        .enum(['due', 'missing', 'all'])
        .optional()
        .meta({
          description:
            'For refresh-metadata: only what is due, also items that are not matched, or all items. Left out: due.',
          examples: ['all'],
        }),
      images: z
        .boolean()
        .optional()
        .meta({ description: 'For refresh-metadata: whether pictures are fetched again.', examples: [true] }),
    }),
    result: Task,
    status: 202,
    fails: ['task-input', 'no-such-task', 'too-many-tasks'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/tasks/{task}',
    summary: 'One task',
    description: 'Returns a run with its progress, or how it ended.',
    access: OWNER_READERS,
    params: byTask,
    result: Task,
    fails: ['no-such-task'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/v1/tasks/{task}',
    summary: 'Cancel a task',
    description: 'Asks a run to stop. It keeps what it has finished.',
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
  'lists',
  'configuration',
  'playback',
  'requests',
  'security',
  'missed',
] as const;
export const Event = z
  .strictObject({
    kind: z
      .enum(EVENT_KINDS)
      .meta(
        about(
          'What changed. hello begins the stream; missed says that events were lost, so everything should ' +
            'be read again.',
          'task',
        ),
      ),
    item: Id.optional().meta(rarely('Id of the item that it is about, if it is about one.')),
    task: Task.optional().meta(about('The task, for an event of the kind task.')),
    at: Time.meta(about('When it happened.', '2026-11-21T18:30:02.000Z')),
  })
  .meta({ id: 'Event', description: 'Change that a client is notified of.' });
export type Event = z.output<typeof Event>;

export const events = {
  stream: endpoint({
    method: 'GET',
    path: '/api/v1/events',
    summary: 'Server-sent events of this Profile; resumes from Last-Event-ID, and says missed when it cannot',
    description:
      'Notifies a client of changes, so that it need not ask again and again. An event names what ' +
      'changed; the operations have the new state.',
    access: PLAYERS_AT_ANY_HOUR,
    reach: 'everywhere',
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
    description:
      'Returns facts about this installation, and findings: what is missing, full or wrong, and which ' +
      'setting changes it.',
    access: OWNER_READERS,
    result: z
      .strictObject({
        version: z.string().meta(about('Version of Matinee.', '0.1.0')),
        node: z.string().meta(about('Version of Node.js that it runs on.', '26.10.0')),
        engine: z.enum(['sqlite', 'postgres']).meta(about('Kind of database.', 'sqlite')),
        startedAt: Time.meta(about('When the server was started.', '2026-11-21T08:00:00.000Z')),
        memoryBytes: z.int().meta(about('Memory that the server uses, in bytes.', 125829120)),
        sandbox: z
          .enum(['full', 'limits', 'none'])
          .meta(
            about(
              'How media programs are confined: full hides all other files, limits bounds memory and time, none ' +
                'does neither.',
              'full',
            ),
          ),
        findings: z.array(Finding).meta(about('What was checked, with the result.')),
      })
      .meta({ id: 'Diagnostics', description: 'State of this installation.' }),
  }),
};
