/** Bounded batches: what is wanted, and upkeep, on demand and after scans. */
import type { z } from 'zod';
import type { Given } from '../../contract/endpoint.ts';
import type { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { Failure } from '../../lib/failure.ts';
import type { Task } from '../../lib/tasks/index.ts';

export interface Batches {
  fetchWanted(asked: Given<typeof endpoints.fetchWanted>, signal: AbortSignal): Promise<z.input<typeof endpoints.fetchWanted.result>>;
  maintain(asked: Given<typeof endpoints.maintain>, signal: AbortSignal): Promise<z.input<typeof endpoints.maintain.result>>;
  tasks: readonly Task<never>[];
}

export function createBatches(_needs: object): Batches {
  const later = async (): Promise<never> => {
    throw new Failure('unavailable', 'not built yet');
  };
  return { fetchWanted: later, maintain: later, tasks: [] };
}
