/** The endpoints of running the server: tasks, events, diagnostics, health, and the document of them all. */
import { activity as activityEndpoints, security as securityEndpoints } from '../contract/activity/activity.ts';
import {
  diagnostics as diagnosticsEndpoints,
  events as eventEndpoints,
  tasks as taskEndpoints,
} from '../contract/ops/operations.ts';
import { restart as restartEndpoints } from '../contract/ops/restart.ts';
import { API_VERSION, health as healthEndpoints, service as serviceEndpoints } from '../contract/ops/service.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import { openapi } from '../http/openapi.ts';
import { sortedPage } from '../lib/json/page.ts';
import type { TaskStatus } from '../lib/tasks/index.ts';
import { Failure, found } from '../lib/failure.ts';
import { shownTask } from '../lib/tasks/index.ts';
import { readerOf } from './hub.ts';
import type { Ops } from './index.ts';

export interface OpsRouteNeeds {
  ops: Ops;
  serverName(): string | undefined;
  /** Every mounted endpoint, these included: read once all are mounted. */
  mounted(): readonly MountedEndpoint[];
}

export function opsRoutes({ ops, serverName, mounted }: OpsRouteNeeds): MountedEndpoint[] {
  const { tasks, hub, diagnostics, restart, activity } = ops;
  let document: Record<string, unknown> | undefined;
  return [
    ...implement(serviceEndpoints, {
      describe: () => ({ name: serverName() ?? 'Matinee', version: API_VERSION, openapi: '/api/v1/openapi.json' }),
      document: () => (document ??= openapi(mounted())),
    }),
    ...implement(healthEndpoints, {
      alive: () => ({ status: 'ok' as const }),
      ready: async () => {
        if (!(await ops.isReady())) throw new Failure('unavailable', 'not ready', { reason: 'not-ready' });
        return { status: 'ok' as const };
      },
    }),
    ...implement(taskEndpoints, {
      list: async (paging) => {
        const list = { query: ['tasks'], keyOf: ({ number }: TaskStatus) => [-number], ...paging };
        return {
          ...(await sortedPage(await tasks.list(), list, shownTask)),
          startable: tasks.declarations.map(({ name, title, summary, every }) => ({
            name,
            title,
            summary,
            ...every_(every),
          })),
        };
      },
      start: async ({ task, ...input }, { by }) => shownTask(await tasks.start(task, input, { askedBy: by.profile })),
      read: async ({ task }) => shownTask(found(await tasks.get(task), 'no such task', 'no-such-task')),
      cancel: async ({ task }) => shownTask(await tasks.cancel(task)),
    }),
    ...implement(eventEndpoints, {
      stream: async function* ({ last }, { by, lastEvent, signal, onlyWhile }) {
        // With another role the client has to reconnect, to another mailbox.
        onlyWhile(({ role }) => role === by.role);
        for await (const { id, event } of hub.listen({ reader: readerOf(by), last: lastEvent ?? last }, signal))
          yield { id, data: event };
      },
    }),
    ...implement(diagnosticsEndpoints, { read: () => diagnostics.read() }),
    ...implement(activityEndpoints, {
      list: (query, { by }) => activity.page(by, query),
      check: () => activity.check(),
      export: ({ format, ...filters }, { by }) => ({
        type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
        filename: `activity.${format}`,
        bytes: activity.file(by, filters, format),
      }),
    }),
    ...implement(securityEndpoints, {
      notices: ({ seen }, { by }) => activity.notices(by, seen === 'true'),
      seen: ({ seen }, { by }) => activity.see(by, seen),
    }),
    ...implement(restartEndpoints, { read: () => restart.state(), begin: () => restart.request() }),
  ];
}

const every_ = (every: (() => number | undefined) | undefined) => {
  const ms = every?.();
  return ms === undefined ? {} : { every: ms / 1_000 };
};
