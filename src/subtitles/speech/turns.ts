/**
 * Whose turn it is to be listened to: one at a time, and what a person waits for before what the server does by
 * itself. What is going on is never cut off; within a kind, whoever came first.
 */
export interface Turns {
  /** `isFirst` is asked when a turn is free: somebody may have come to wait for what began by itself. An abort while waiting throws the signal's reason. */
  run<T>(work: () => Promise<T>, isFirst: () => boolean, signal: AbortSignal): Promise<T>;
}

interface Waiting {
  isFirst(): boolean;
  start(): void;
}

export function createTurns(): Turns {
  const waiting = new Set<Waiting>();
  let isHeld = false;

  const turn = (isFirst: () => boolean, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (!isHeld) {
      isHeld = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(own);
        signal.removeEventListener('abort', abandon);
      };
      const own: Waiting = { isFirst, start: () => (leave(), resolve()) };
      const abandon = (): void => (leave(), reject(signal.reason));
      signal.addEventListener('abort', abandon, { once: true });
      waiting.add(own);
    });
  };
  const next = (): void => {
    const all = [...waiting];
    const one = all.find(({ isFirst }) => isFirst()) ?? all[0];
    if (one) one.start();
    else isHeld = false;
  };

  return {
    run: async (work, isFirst, signal) => {
      await turn(isFirst, signal);
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
