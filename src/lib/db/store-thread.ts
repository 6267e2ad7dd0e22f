/**
 * Threads that each own a separate database file: an index that can be rebuilt, whose reads and writes would hold up
 * the main thread.
 *
 * A thread is started by its first request and ends when it was idle for a while. It answers one request at a time. One
 * that takes too long, grows too large or crashes is ended, and its request fails; the next request starts another.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createLock } from '../lock.ts';

export interface StoreThreadNeeds {
  /** The module to run: it calls `serveStoreThread`. */
  module: URL;
  /** Plain data that the module is opened with. */
  data: unknown;
  deadlineMs: number;
  idleMs: number;
  heapMiB: number;
}

export interface StoreThread {
  /** Fails with `StoreThreadFailure`. */
  ask(request: unknown, signal?: AbortSignal): Promise<unknown>;
  /** Waits for the request under way and ends the thread. */
  close(): Promise<void>;
}

/** `damaged` means that the file makes no sense, `ended` that the thread was ended while it worked. */
export class StoreThreadFailure extends Error {
  readonly fault: 'damaged' | 'ended' | 'failed';
  constructor(fault: StoreThreadFailure['fault'], message: string) {
    super(message);
    this.name = 'StoreThreadFailure';
    this.fault = fault;
  }
}

type Reply = { reply: unknown } | { failure: { message: string; isDamage: boolean } };

/** SQLite's primary result codes (https://sqlite.org/rescode.html): a damaged file, and one that is no database. */
const DAMAGE: readonly number[] = [11, 26];

export function startStoreThread({ module, data, deadlineMs, idleMs, heapMiB }: StoreThreadNeeds): StoreThread {
  const turns = createLock();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    const old = worker;
    worker = undefined;
    clearTimeout(idle);
    if (!old) return;
    const ended = new Promise((resolve) => void old.once('exit', resolve));
    old.ref();
    old.postMessage({ end: true });
    const timer = setTimeout(() => void old.terminate(), deadlineMs);
    await ended;
    clearTimeout(timer);
  };
  const start = (): Worker => {
    const started = new Worker(module, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 8 },
    });
    // Its request fails at `exit`; without a listener the error would end the process.
    started.on('error', () => {});
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  };
  const one = (request: unknown): Promise<unknown> => {
    clearTimeout(idle);
    const running = (worker ??= start());
    return new Promise<unknown>((resolve, reject) => {
      running.ref();
      const timer = setTimeout(() => void running.terminate(), deadlineMs);
      const done = (settle: () => void): void => {
        clearTimeout(timer);
        running.off('exit', ended);
        running.off('message', answered);
        running.unref();
        settle();
      };
      const ended = (): void => done(() => reject(new StoreThreadFailure('ended', 'the thread ended while it worked')));
      const answered = (reply: Reply): void =>
        done(() => {
          if ('reply' in reply) resolve(reply.reply);
          else reject(new StoreThreadFailure(reply.failure.isDamage ? 'damaged' : 'failed', reply.failure.message));
        });
      running.once('exit', ended);
      running.once('message', answered);
      running.postMessage({ request });
    }).finally(() => {
      idle = setTimeout(() => void turns.run(end), idleMs);
      idle.unref();
    });
  };
  return {
    ask: (request, signal) => turns.run(() => one(request), signal),
    close: () => turns.run(end),
  };
}

/** The inside of such a thread. `open` is called with its data at the first request. */
export function serveStoreThread(
  open: (data: unknown) => { answer(request: unknown): Promise<unknown> | unknown; close(): void },
): void {
  if (isMainThread || !parentPort) throw new Error('this module runs in a thread');
  const port = parentPort;
  let opened: ReturnType<typeof open> | undefined;
  port.on('message', (message: { request: unknown } | { end: true }) => {
    if ('end' in message) {
      opened?.close();
      port.close();
      return;
    }
    void Promise.try(() => (opened ??= open(workerData)).answer(message.request)).then(
      (reply) => port.postMessage({ reply } satisfies Reply),
      (error: unknown) => port.postMessage({ failure: failureOf(error) } satisfies Reply),
    );
  });
}

function failureOf(error: unknown): { message: string; isDamage: boolean } {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return {
    message: error instanceof Error ? error.message : String(error),
    isDamage: error instanceof DamagedStore || (typeof code === 'number' && DAMAGE.includes(code & 0xff)),
  };
}

/** Thrown inside a thread when its file cannot be used: one of another format, or with rows that make no sense. */
export class DamagedStore extends Error {}
