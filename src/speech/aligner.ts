/** Compares cues with a curve in a helper process, one request at a time. Aborting a request ends the process. */
import { Failure } from '../lib/failure.ts';
import { createLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import { type Helper, HelperFailure, type Processes } from '../lib/process.ts';
import type { AlignReply, AlignRequest } from './messages.ts';

export interface Aligner {
  /** Throws `Failure('unavailable')` when the process dies or hangs. */
  find(request: AlignRequest, signal: AbortSignal): Promise<AlignReply>;
  close(): Promise<void>;
}

const MIB = 1024 ** 2;

export function createAligner({
  processes,
  log,
  module = new URL('./align-helper.ts', import.meta.url),
  deadlineMs = 120_000,
}: {
  processes: Pick<Processes, 'startHelper'>;
  log: Log;
  module?: URL;
  deadlineMs?: number;
}): Aligner {
  const lock = createLock();
  let helper: Helper | undefined;
  const dismiss = async (): Promise<void> => {
    const old = helper;
    helper = undefined;
    await old?.close();
  };
  return {
    find: (request, signal) =>
      lock.run(async () => {
        helper ??= processes.startHelper({
          name: 'alignment',
          module,
          deadlineMs,
          isBinary: true,
          memoryLimit: 1024 * MIB,
          reads: [],
        });
        try {
          return await helper.ask<AlignReply>(request, signal);
        } catch (error) {
          await dismiss();
          signal.throwIfAborted();
          if (!(error instanceof HelperFailure)) throw error;
          log.warn('alignment.helper-failed', { reason: error.fault, detail: error.detail });
          throw new Failure(
            'unavailable',
            error.fault === 'hung' ? 'comparing the cues took too long' : 'comparing the cues was interrupted',
            { reason: 'helper-failed' },
            { cause: error },
          );
        }
      }, signal),
    close: dismiss,
  };
}
