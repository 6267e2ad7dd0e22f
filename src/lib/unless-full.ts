/** Steps of a start that write: a full disk does not keep the server from starting. */
import { failedFor } from './failure.ts';
import type { Log } from './log.ts';

/** Does a step of the start. On a full disk, what it would have written waits for a later try. */
export const unlessFull = (step: () => Promise<unknown>, log: Pick<Log, 'fault'>): Promise<unknown> =>
  step().catch((error: unknown) => {
    if (!failedFor(error, 'disk-full', 'storage-failed')) throw error;
    log.fault('start.not-saved', error);
  });
