/** Starts the thread that does slow work on a database file, and hands it one job at a time. */
import { Worker } from 'node:worker_threads';
import { createLock } from '../../lock.ts';

/**
 * `passive` folds the log into the database as far as readers allow; `reset` folds in the rest and empties the log.
 * `check` reads every page.
 */
export type UpkeepJob =
  | { is: 'passive' }
  | { is: 'reset' }
  | { is: 'copy'; to: string }
  | { is: 'check' }
  | { is: 'end' };

export interface UpkeepReply {
  /** Complaints that `copy` or `check` found. */
  complaints: readonly string[];
  /** Whether a reader or a writer blocked it. */
  isBusy: boolean;
}

export interface ThreadFailure {
  message: string;
  /** SQLite's result code. */
  errcode: unknown;
}

export interface Thread {
  /** Fails with SQLite's error, or when the thread has ended. */
  ask(job: Exclude<UpkeepJob, { is: 'end' }>): Promise<UpkeepReply>;
  /** Waits for the job under way and ends the thread. */
  end(): Promise<void>;
}

/** The thread keeps no process alive. Its heap is small: SQLite's memory is not part of it. */
export function startThread(file: string): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { file },
    resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
  const turns = createLock();
  let failure: unknown;
  const hasEnded = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
  worker.once('error', (error) => void (failure = error));

  return {
    ask: (job) =>
      turns.run(
        () =>
          new Promise<UpkeepReply>((resolve, reject) => {
            const ended = (): void => reject(failure ?? new Error('the thread of the database ended early'));
            worker.once('exit', ended);
            worker.once('message', (reply: UpkeepReply | { failure: ThreadFailure }) => {
              worker.off('exit', ended);
              worker.unref();
              // Cloning an error drops SQLite's code.
              if ('failure' in reply)
                reject(Object.assign(new Error(reply.failure.message), { errcode: reply.failure.errcode }));
              else resolve(reply);
            });
            // A job keeps an otherwise idle process alive.
            worker.ref();
            worker.postMessage(job);
          }),
      ),
    end: () =>
      turns.run(async () => {
        worker.ref();
        worker.postMessage({ is: 'end' } satisfies UpkeepJob);
        await hasEnded;
      }),
  };
}
