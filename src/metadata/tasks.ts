/** The task that keeps facts from the internet current. */
import type { TaskRemark } from '../contract/ops/task-remarks.ts';
import { z } from 'zod';
import { Id } from '../contract/kernel/common.ts';
import type { Clock } from '../lib/clock.ts';
import { task, type TaskDefinition } from '../lib/tasks/index.ts';
import type { MetadataClient } from './client.ts';
import type { Refresh, RefreshReport } from './refresh.ts';

export const REFRESH_TASK = 'refresh-metadata';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIN_PAUSE_MS = 5000;

const remarksOf = ({ refreshed, unsure, notFound, left }: RefreshReport): TaskRemark[] => [
  { reason: 'metadata-updated', values: { count: refreshed } },
  ...(unsure > 0 ? [{ reason: 'metadata-unsure' as const, values: { count: unsure } }] : []),
  ...(notFound > 0 ? [{ reason: 'metadata-not-found' as const, values: { count: notFound } }] : []),
  ...(left > 0 ? [{ reason: 'metadata-left' as const, values: { count: left } }] : []),
];

export function metadataTasks({
  client,
  refresh,
  clock,
}: {
  client: MetadataClient;
  refresh: Refresh;
  clock: Clock;
}): readonly TaskDefinition<never>[] {
  let isUnfinished = false;
  const input = z.strictObject({
    library: Id.optional(),
    mode: z.enum(['due', 'missing', 'all']).optional(),
    images: z.boolean().optional(),
  });
  return [
    task({
      name: REFRESH_TASK,
      title: 'Update metadata',
      summary: 'Look up new films and shows at the metadata provider, and read again what is due',
      input,
      // If no provider is configured, a run only removes facts that are too old.
      every: () =>
        !client.isConfigured ? DAY_MS : isUnfinished ? Math.max(MIN_PAUSE_MS, client.pausedFor()) : HOUR_MS,
      run: async ({ input: given, saved, save, progress, signal }) => {
        const since = typeof saved === 'number' ? saved : clock.now();
        await save(since);
        const report = await refresh.run(
          { library: given.library, mode: given.mode ?? 'due', images: given.images ?? false, since },
          progress,
          signal,
        );
        isUnfinished = report.left > 0;
        progress(1, ...remarksOf(report));
      },
    }),
  ] as unknown as readonly TaskDefinition<never>[];
}
