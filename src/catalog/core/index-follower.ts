/**
 * Work in the background that follows the items: an index in the database that is brought up to date after changes.
 *
 * It waits until a scan is quiet, and leaves others their turn between two transactions.
 */

/**
 * Between two transactions others have their turn: at least so long, and this many times as long as a transaction took.
 */
const PAUSE_MS = 5;
const PAUSE_FACTOR = 3;
/**
 * While a scan writes, indexing would only slow it down: it begins after this long without a change, and after a minute
 * at the latest.
 */
const QUIET_MS = 2_000;
const MAX_QUIET_MS = 60_000;

export interface IndexFollower {
  /** Brings the index up to date in the background, soon; returns at once. */
  follow(): void;
  /** Brings the index up to date now, without pauses. */
  catchUp(): Promise<void>;
  /** Stops the background work, and waits for the transaction under way. */
  close(): Promise<void>;
}

export interface IndexFollowerNeeds {
  /** Indexes some of what changed. Returns false when nothing is left. */
  step(): Promise<boolean>;
  /** Called with what stopped the background work until the next change. */
  failed(error: unknown): void;
  quietMs?: number | undefined;
}

export function createIndexFollower({ step, failed, quietMs = QUIET_MS }: IndexFollowerNeeds): IndexFollower {
  let isClosed = false;
  let isBehind = false;
  let work: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let latest = 0;

  const run = async (): Promise<void> => {
    while (!isClosed) {
      const since = performance.now();
      if (!(await step())) return;
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(PAUSE_MS, (performance.now() - since) * PAUSE_FACTOR)),
      );
    }
  };
  const begin = () => {
    timer = undefined;
    isBehind = false;
    work = run()
      .catch(failed)
      .finally(() => {
        work = undefined;
        if (isBehind) follow();
      });
  };
  const follow = () => {
    isBehind = true;
    if (isClosed || work) return;
    const now = performance.now();
    if (timer === undefined) latest = now + MAX_QUIET_MS;
    clearTimeout(timer);
    timer = setTimeout(begin, Math.max(0, Math.min(quietMs, latest - now)));
    timer.unref();
  };

  return {
    follow,
    catchUp: async () => {
      while (await step());
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await work;
    },
  };
}
