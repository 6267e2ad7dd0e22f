/**
 * Jobs that make something of a file, one at a time. What a person waits for comes before what the background asks for.
 *
 * A job is shared by everybody who asks for it. One that only the background asked for ends when the background stops
 * waiting; one that a person asked for is made to its end, since they may ask again at any moment.
 */
import { setTimeout } from 'node:timers/promises';
import { Failure } from '../../lib/failure.ts';

export interface MakerNeeds {
  /** Whether work should wait. */
  isHeld(): boolean;
  /** How often that is looked at, in ms. */
  everyMs?: number;
}

type Work = (
  progress: (part: number) => void,
  turn: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

export interface AskedJob {
  /** 0 to 1. */
  progress: number;
  /** Resolves when the job is done, rejects as it does. An abort stops waiting. */
  wait(signal: AbortSignal, progress?: (part: number) => void): Promise<void>;
}

interface Job {
  name: string;
  isWanted: boolean;
  waiting: number;
  progress: number;
  listeners: Set<(part: number) => void>;
  control: AbortController;
  /** Ends it, so that a later request begins another one. */
  stop(reason: unknown): void;
  work: Work;
  ended: PromiseWithResolvers<void>;
}

export interface Maker {
  ask(name: string, job: { isWanted: boolean; work: Work }): AskedJob;
  /** Ends all jobs, and waits for the one under way. */
  close(): Promise<void>;
}

export function createMaker({ isHeld, everyMs = 1_000 }: MakerNeeds): Maker {
  const jobs = new Map<string, Job>();
  let running: Promise<void> | undefined;
  let isClosed = false;

  const turn = async (signal: AbortSignal): Promise<void> => {
    while (isHeld() && !signal.aborted) await setTimeout(everyMs, undefined, { signal }).catch(() => {});
  };
  const run = async (job: Job): Promise<void> => {
    const told = (part: number): void => {
      job.progress = part;
      for (const listener of job.listeners) listener(part);
    };
    try {
      job.control.signal.throwIfAborted();
      await job.work(told, turn, job.control.signal);
      job.ended.resolve();
    } catch (error) {
      job.ended.reject(error);
    } finally {
      if (jobs.get(job.name) === job) jobs.delete(job.name);
    }
  };
  const newJob = (name: string, work: Work): Job => {
    const control = new AbortController();
    const job: Job = {
      name,
      work,
      control,
      isWanted: false,
      waiting: 0,
      progress: 0,
      listeners: new Set(),
      ended: Promise.withResolvers<void>(),
      stop: (reason) => {
        if (jobs.get(name) === job) jobs.delete(name);
        control.abort(reason);
      },
    };
    return job;
  };
  const runAll = async (): Promise<void> => {
    for (let next = first(jobs); next && !isClosed; next = first(jobs)) await run(next);
    running = undefined;
  };

  return {
    ask: (name, { isWanted, work }) => {
      if (isClosed) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
      const job = jobs.get(name) ?? newJob(name, work);
      if (isWanted) job.isWanted = true;
      if (!jobs.has(name)) {
        // The caller may have left by the time it fails.
        job.ended.promise.catch(() => {});
        jobs.set(name, job);
        running ??= Promise.resolve().then(runAll);
      }
      return { progress: job.progress, wait: (signal, progress) => wait(job, signal, progress) };
    },
    close: async () => {
      isClosed = true;
      for (const job of jobs.values()) {
        job.stop(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
        job.ended.reject(job.control.signal.reason);
      }
      await running;
    },
  };
}

function first(jobs: ReadonlyMap<string, Job>): Job | undefined {
  const all = [...jobs.values()];
  return all.find(({ isWanted }) => isWanted) ?? all[0];
}

async function wait(job: Job, signal: AbortSignal, progress?: (part: number) => void): Promise<void> {
  signal.throwIfAborted();
  job.waiting += 1;
  if (progress) job.listeners.add(progress);
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([job.ended.promise, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
    job.waiting -= 1;
    if (progress) job.listeners.delete(progress);
    if (signal.aborted && job.waiting === 0 && !job.isWanted) job.stop(signal.reason);
  }
}
