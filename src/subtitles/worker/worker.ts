/**
 * A process that works on large subtitles, one request at a time, so that the main thread never spends more than a
 * moment on a text.
 *
 * A few requests are queued and more are refused. An aborted request ends the process. A process that crashes, needs
 * too much memory or takes too long fails its current request; it writes nothing, so nothing is lost. An idle process
 * ends.
 */
import type { FailureReason } from '../../contract/failures.ts';
import { Failure } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { type Helper, HelperFailure, type HelperFault, type Processes } from '../../lib/process.ts';
import type { WorkReply, WorkRequest } from './messages.ts';

export interface WorkerNeeds {
  processes: Pick<Processes, 'startHelper'>;
  log: Log;
  /** Size from which a text counts as large, in bytes. Default: `LARGE_BYTES`. */
  largeBytes?: number;
  /** Replaced by tests, to run another program with short limits. */
  module?: URL;
  deadlineMs?: number;
  memoryLimit?: number;
}

export interface Worker {
  ask<K extends WorkReply['is']>(
    request: WorkRequest,
    kind: K,
    signal: AbortSignal,
  ): Promise<Extract<WorkReply, { is: K }>>;
  close(): Promise<void>;
}

/**
 * Size in bytes from which a text is processed in the other process. One step (reading, writing, one rule) takes 0.03
 * to 0.1 ms per KiB of an ordinary file and up to 0.45 ms of the worst known one, so the main thread is blocked for
 * less than 50 ms. Files of most films are smaller and start no process.
 */
export const LARGE_BYTES = 96 * 1024;
export const isLargeFor = ({ largeBytes = LARGE_BYTES }: Pick<WorkerNeeds, 'largeBytes'>, bytes: number): boolean =>
  bytes >= largeBytes;

/** Measured: 100,000 cues with every operation applied need 450 MiB. Node may use half of the limit for objects. */
const MEMORY_LIMIT = 1536 * 1024 ** 2;
/** The worst file takes 2 s on a quiet machine. The machine may be slow or busy, and the process has to start. */
const DEADLINE_MS = 60_000;
const MAX_WAITING = 8;
const SENTENCES: Record<HelperFault, string> = {
  hung: 'this subtitle takes too long to be worked on',
  memory: 'this subtitle takes too much memory to be worked on',
  crashed: 'the work on this subtitle broke off; nothing was changed',
  closed: 'the server is stopping',
  failed: 'this subtitle cannot be worked on now',
  aborted: 'the work on this subtitle was ended',
};

/** Returns the failure that the process replied with. Its kind and reason were checked against each other there. */
function failureOf({ kind, message, reason, cause }: Extract<WorkReply, { is: 'refused' }>): Failure {
  const failure = (of: FailureReason | undefined, options?: ErrorOptions): Failure =>
    new Failure(...([kind, message, { reason: of }, options] as ConstructorParameters<typeof Failure>));
  return failure(reason, cause && { cause: failure(cause) });
}

export function createWorker({
  processes,
  log,
  module = new URL('./worker-helper.ts', import.meta.url),
  deadlineMs = DEADLINE_MS,
  memoryLimit = MEMORY_LIMIT,
}: WorkerNeeds): Worker {
  const lock = createLock();
  let helper: Helper | undefined;
  let waiting = 0;
  let isClosed = false;
  const dismiss = async (): Promise<void> => {
    const old = helper;
    helper = undefined;
    await old?.close();
  };

  async function one(request: WorkRequest, signal: AbortSignal): Promise<WorkReply> {
    // A request that was queued while the server stopped must not start a process, because nothing would end it.
    if (isClosed) throw new Failure('unavailable', SENTENCES.closed, { reason: 'stopping' });
    helper ??= processes.startHelper({ name: 'subtitles', module, deadlineMs, isBinary: true, memoryLimit, reads: [] });
    try {
      return await helper.ask<WorkReply>(request, signal);
    } catch (error) {
      // The process is ended with its aborted request, and a failed process is not used again.
      await dismiss();
      signal.throwIfAborted();
      if (!(error instanceof HelperFailure)) throw error;
      log.warn('subtitles.helper-failed', { reason: error.fault, detail: error.detail });
      throw new Failure('unavailable', SENTENCES[error.fault], { reason: 'helper-failed' }, { cause: error });
    }
  }

  return {
    async ask<K extends WorkReply['is']>(
      request: WorkRequest,
      kind: K,
      signal: AbortSignal,
    ): Promise<Extract<WorkReply, { is: K }>> {
      if (waiting >= MAX_WAITING)
        throw new Failure('unavailable', 'too many large subtitles are being worked on; try again in a moment', {
          reason: 'too-busy',
        });
      waiting += 1;
      try {
        const reply = await lock.run(() => one(request, signal), signal);
        if (reply.is === 'refused') throw failureOf(reply);
        if (reply.is !== kind) throw new Error('the worker returned another kind of reply than requested');
        return reply as Extract<WorkReply, { is: K }>;
      } finally {
        waiting -= 1;
      }
    },
    close: async () => {
      isClosed = true;
      await dismiss();
    },
  };
}
