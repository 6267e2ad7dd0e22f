/**
 * Jobs that run one at a time, by name. Those that a person waits for run before those of background work.
 *
 * A job is shared by all who ask for it. One that only background work asked for ends when its last caller leaves; one
 * that a person asked for is run to its end, because the person may ask again at any moment.
 */
import { setTimeout } from 'node:timers/promises';
import { untilAborted } from './coalesce.ts';
import { Failure } from './failure.ts';

export interface JobContext {
  /** Reports how far the job is, from 0 to 1. */
  progress(part: number): void;
  signal: AbortSignal;
}

export interface QueuedJob<T> {
  /** From 0 to 1. */
  progress: number;
  /** Returns the result of the job, or throws what it throws. An abort stops waiting and throws its reason. */
  wait(signal: AbortSignal, progress?: (part: number) => void): Promise<T>;
}

export interface JobQueue<T> {
  /**
   * Joins the job of that name, or adds one that does `work`. `isWanted`: a person asks for it. Throws
   * `Failure('unavailable')` after `close`.
   */
  ask(name: string, job: { isWanted: boolean; work(context: JobContext): Promise<T> }): QueuedJob<T>;
  has(name: string): boolean;
  /** Returns how far a job is; undefined if there is none of that name. */
  progressOf(name: string): number | undefined;
  /** Number of jobs that wait or run. */
  readonly size: number;
  /** Ends all jobs, and waits for the one that runs. */
  close(): Promise<void>;
}

interface Job<T> {
  name: string;
  isWanted: boolean;
  callers: number;
  progress: number;
  listeners: Set<(part: number) => void>;
  control: AbortController;
  work(context: JobContext): Promise<T>;
  ended: PromiseWithResolvers<T>;
}

export function createJobQueue<T>(): JobQueue<T> {
  const jobs = new Map<string, Job<T>>();
  let running: Promise<void> | undefined;
  let isClosed = false;

  const add = (name: string, work: Job<T>['work']): Job<T> => {
    const job: Job<T> = {
      name,
      work,
      isWanted: false,
      callers: 0,
      progress: 0,
      listeners: new Set(),
      control: new AbortController(),
      ended: Promise.withResolvers<T>(),
    };
    // Its callers may have left when it fails.
    job.ended.promise.catch(() => {});
    jobs.set(name, job);
    running ??= Promise.resolve().then(runAll);
    return job;
  };
  const forget = (job: Job<T>): void => {
    if (jobs.get(job.name) === job) jobs.delete(job.name);
  };
  /** Ends a job, so that a later request begins another one. */
  const stop = (job: Job<T>, reason: unknown): void => {
    forget(job);
    job.control.abort(reason);
  };
  const run = async (job: Job<T>): Promise<void> => {
    const progress = (part: number): void => {
      job.progress = part;
      for (const listener of job.listeners) listener(part);
    };
    const { signal } = job.control;
    try {
      signal.throwIfAborted();
      job.ended.resolve(await job.work({ progress, signal }));
    } catch (error) {
      job.ended.reject(error);
    } finally {
      forget(job);
    }
  };
  const next = (): Job<T> | undefined => {
    const all = [...jobs.values()];
    return all.find(({ isWanted }) => isWanted) ?? all[0];
  };
  const runAll = async (): Promise<void> => {
    for (let job = next(); job && !isClosed; job = next()) await run(job);
    running = undefined;
  };
  const wait = async (job: Job<T>, signal: AbortSignal, progress?: (part: number) => void): Promise<T> => {
    signal.throwIfAborted();
    job.callers += 1;
    // Two callers may pass the same function.
    const listener = (part: number): void => progress?.(part);
    job.listeners.add(listener);
    try {
      return await untilAborted(job.ended.promise, signal);
    } finally {
      job.callers -= 1;
      job.listeners.delete(listener);
      if (signal.aborted && job.callers === 0 && !job.isWanted) stop(job, signal.reason);
    }
  };

  return {
    ask: (name, { isWanted, work }) => {
      if (isClosed) throw stopping();
      const job = jobs.get(name) ?? add(name, work);
      job.isWanted ||= isWanted;
      return { progress: job.progress, wait: (signal, progress) => wait(job, signal, progress) };
    },
    has: (name) => jobs.has(name),
    progressOf: (name) => jobs.get(name)?.progress,
    get size() {
      return jobs.size;
    },
    close: async () => {
      isClosed = true;
      for (const job of jobs.values()) {
        stop(job, stopping());
        job.ended.reject(job.control.signal.reason);
      }
      await running;
    },
  };
}

const stopping = (): Failure => new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });

/** Resolves when `isHeld` returns false, which is checked every `everyMs`, or when the signal is aborted. */
export async function whileHeld(isHeld: () => boolean, everyMs: number, signal: AbortSignal): Promise<void> {
  while (isHeld() && !signal.aborted) await setTimeout(everyMs, undefined, { signal }).catch(() => {});
}
