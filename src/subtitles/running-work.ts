/** Work that is cancelled when the server stops, and that the stop waits for. */
export interface RunningWork {
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  /** Runs work with a signal that is aborted by the caller's signal and by the stop. */
  run<T>(signal: AbortSignal, start: (until: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts all work, and resolves when it has ended. */
  stop(): Promise<void>;
}

export function createRunningWork(): RunningWork {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    signal: stopping.signal,
    run: (signal, start) => {
      const work = start(AbortSignal.any([signal, stopping.signal]));
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    stop: async () => {
      stopping.abort(new Error('the server is stopping'));
      await Promise.allSettled(running);
    },
  };
}
