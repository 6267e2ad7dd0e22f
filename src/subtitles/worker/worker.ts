/**
 * A process that works on large subtitles, one request at a time, so that the main thread never reads, changes or
 * writes a text whose work takes longer than a moment.
 *
 * A few requests wait and more are refused. An aborted request ends its process. A process that dies, grows too large
 * or takes too long fails the request that it was at; it writes nothing, so nothing is lost. Without work it ends.
 */
import { Failure } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { type Helper, HelperFailure, type HelperFault, type Processes } from '../../lib/process.ts';
import type { WorkReply, WorkRequest } from './messages.ts';

export interface WorkerNeeds {
  processes: Pick<Processes, 'startHelper'>;
  log: Log;
  /** Bytes from which a text is large; `LARGE_BYTES` unless a test says otherwise. */
  largeBytes?: number;
  /** Tests put another process in, and are in a hurry. */
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
 * Bytes from which a text is worked on in the other process. One step of the work (reading, writing, one rule) takes
 * 0.03 to 0.1 ms for each KiB of an ordinary file and up to 0.45 ms of the worst known, so that the main thread is held
 * for less than 50 ms. The files of most films are smaller and start no process.
 */
export const LARGE_BYTES = 96 * 1024;
export const isLargeFor = ({ largeBytes = LARGE_BYTES }: Pick<WorkerNeeds, 'largeBytes'>, bytes: number): boolean =>
  bytes >= largeBytes;

/**
 * Measured: 100,000 cues with everything that can be done to them need 450 MiB. Node may use half of the limit for
 * objects.
 */
const MEMORY_LIMIT = 1536 * 1024 ** 2;
/** The worst file takes 2 s on a quiet machine; a machine may be slow, busy, and starting the process. */
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
function failureOf({ kind, message, reason }: Extract<WorkReply, { is: 'refused' }>): Failure {
  return new Failure(...([kind, message, { reason }] as ConstructorParameters<typeof Failure>));
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
    // A request that waited while the server stopped must not start a process that nothing would end.
    if (isClosed) throw new Failure('unavailable', SENTENCES.closed, { reason: 'stopping' });
    helper ??= processes.startHelper({ name: 'subtitles', module, deadlineMs, isBinary: true, memoryLimit, reads: [] });
    try {
      return await helper.ask<WorkReply>(request, signal);
    } catch (error) {
      // The process is ended with the request that was aborted, and one that failed is not asked again.
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
        if (reply.is !== kind) throw new Error('another answer than was asked for');
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
