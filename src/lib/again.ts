/**
 * Runs work one at a time: a call made while it runs makes it run once more, and every
 * caller waits until there is nothing left to do. No call is lost and none overlap.
 *
 * A failure goes to everyone who waits, and does not eat a call made meanwhile: the work
 * is still run once more for it, and then the first failure is thrown.
 */
export function again(work: () => Promise<void>): () => Promise<void> {
  let isAsked = false;
  let running: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    let failed: { error: unknown } | undefined;
    try {
      while (isAsked) {
        isAsked = false;
        try {
          // Called inside an async function, so that work which throws at once still fails a turn later.
          await (async () => work())();
        } catch (error) {
          failed ??= { error };
        }
      }
    } finally {
      running = undefined;
    }
    if (failed) throw failed.error;
  };

  return () => {
    isAsked = true;
    return (running ??= drain());
  };
}

export interface Debounced {
  /** Asks for the work. It begins when nothing has asked for `quietMs`, and `mostMs` after the first at the latest. */
  ask(): void;
  /** Forgets what was asked for. */
  stop(): void;
}

export function debounce(work: () => void, { quietMs, mostMs }: { quietMs: number; mostMs: number }): Debounced {
  let quiet: NodeJS.Timeout | undefined;
  let most: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(quiet);
    clearTimeout(most);
    quiet = most = undefined;
  };
  const begin = (): void => {
    stop();
    work();
  };
  return {
    ask: () => {
      clearTimeout(quiet);
      quiet = setTimeout(begin, quietMs).unref();
      most ??= setTimeout(begin, mostMs).unref();
    },
    stop,
  };
}
