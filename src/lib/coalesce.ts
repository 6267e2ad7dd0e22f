/** Work that is asked for more than once, done no more often than it has to be. */
import { Failure } from './failure.ts';

/**
 * Returns a function that runs the work one at a time: a call made while it runs makes it run once more, and every
 * caller waits until there is nothing left to do. No call is lost and none overlap.
 *
 * A failure goes to everyone who waits, and does not eat a call made in the meantime: the work
 * is still run once more for it, and then the first failure is thrown.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
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

export interface Debouncer {
  /** Asks for the work. It begins when nothing has asked for `quietMs`, and `mostMs` after the first at the latest. */
  ask(): void;
  /** Forgets what was asked for, and ignores all that is asked from now on. */
  stop(): void;
}

export function debounce(work: () => void, { quietMs, mostMs }: { quietMs: number; mostMs: number }): Debouncer {
  let quiet: NodeJS.Timeout | undefined;
  let most: NodeJS.Timeout | undefined;
  let isStopped = false;
  const clear = (): void => {
    clearTimeout(quiet);
    clearTimeout(most);
    quiet = most = undefined;
  };
  const begin = (): void => {
    clear();
    work();
  };
  return {
    ask: () => {
      if (isStopped) return;
      clearTimeout(quiet);
      quiet = setTimeout(begin, quietMs).unref();
      most ??= setTimeout(begin, mostMs).unref();
    },
    stop: () => {
      isStopped = true;
      clear();
    },
  };
}

/**
 * Returns the result of work, or rejects with the signal's reason as soon as it is aborted. The work continues for
 * others.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // A caller that has left must not make a failure of the work an unhandled rejection.
  work.catch(() => {});
  signal.throwIfAborted();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/**
 * Joins concurrent calls with the same key: they share one promise. The work always runs to its end, because its result
 * is cached. Combine it with `untilAborted` for callers that may leave.
 */
export function createInFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, work) => {
    const begun =
      running.get(key) ??
      Promise.resolve()
        .then(work)
        .finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  };
}

/**
 * Keeps the results of the calls that were used last, at most `most`. A call for one that is under way joins it, and a
 * failed one is forgotten.
 */
export function createPromiseCache<T>(most: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key, work) => {
    const had = kept.get(key);
    const result = had ?? Promise.resolve().then(work);
    kept.delete(key);
    kept.set(key, result);
    if (!had) result.catch(() => kept.get(key) === result && kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return result;
  };
}

export interface WorkContext {
  progress(part: number): void;
  /** Whether a person waits for it, and not only the server. */
  isAwaited(): boolean;
  signal: AbortSignal;
}
export interface SharedRequest<T> {
  work(share: WorkContext): Promise<T>;
  progress?(part: number): void;
  /** True for a request of background work, which no person waits for. */
  isBackground?: boolean;
  signal: AbortSignal;
}
export interface SharedWork<T> {
  /**
   * Begins the work under `key`, or joins it. An abort leaves it at once and throws the signal's reason; the work ends
   * when the last has left.
   */
  join(key: string, asked: SharedRequest<T>): Promise<T>;
  /** Ends all of it. */
  close(): void;
}

interface Running<T> {
  result: Promise<T>;
  stop: AbortController;
  /** Progress callbacks of the callers, each with whether it is background work. */
  askers: Map<(part: number) => void, boolean>;
  part: number;
}

const stopping = (): Failure => new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });

/** Shares work by key among callers that ask while it runs, and ends it when the last caller has left. */
export function createSharedWork<T>(): SharedWork<T> {
  const all = new Map<string, Running<T>>();
  let isClosed = false;

  const forget = (key: string, one: Running<T>): void => {
    if (all.get(key) === one) all.delete(key);
  };
  const begin = (key: string, work: (share: WorkContext) => Promise<T>): Running<T> => {
    const stop = new AbortController();
    const askers: Running<T>['askers'] = new Map();
    const isAwaited = (): boolean => [...askers.values()].includes(false);
    const progress = (part: number): void => {
      begun.part = part;
      for (const notify of askers.keys()) notify(part);
    };
    const begun: Running<T> = {
      stop,
      askers,
      part: 0,
      result: Promise.resolve().then(() => work({ signal: stop.signal, progress, isAwaited })),
    };
    begun.result.then(
      () => forget(key, begun),
      () => forget(key, begun),
    );
    all.set(key, begun);
    return begun;
  };

  return {
    join: async (key, { work, progress, isBackground = false, signal }) => {
      if (isClosed) throw stopping();
      signal.throwIfAborted();
      const joined = all.get(key) ?? begin(key, work);
      // Two askers may bring the same function.
      const notify = (part: number): void => progress?.(part);
      joined.askers.set(notify, isBackground);
      try {
        notify(joined.part);
        return await untilAborted(joined.result, signal);
      } finally {
        joined.askers.delete(notify);
        if (joined.askers.size === 0) {
          // A later caller starts the work again instead of joining one that is ending.
          forget(key, joined);
          joined.stop.abort(new Error('all callers have left'));
        }
      }
    },
    close: () => {
      isClosed = true;
      for (const { stop } of all.values()) stop.abort(stopping());
    },
  };
}

/** A pass over something that brings pieces little by little. */
export interface Producer<S> {
  /** Result so far. */
  state: S;
  /** Does the work, and calls `arrived` after each change of the state. */
  run(arrived: () => void, signal: AbortSignal): Promise<void>;
}
export interface Producers<S> {
  /**
   * Follows the producer under `key` from its first piece on. It is started, unless it is running, when the first piece
   * is requested. `pieceAt` returns a piece by its number, undefined while it is missing. Fails as the producer does,
   * and as `unavailable` when the signal is aborted. A producer without followers is ended.
   */
  follow<P>(
    key: string,
    begin: () => Producer<S>,
    pieceAt: (state: S, at: number) => P | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<P, void, undefined>;
  /** Number of producers that are running. */
  readonly size: number;
  /** Ends every pass. */
  close(): void;
}

interface RunningProducer<S> {
  state: S;
  followers: Set<() => void>;
  stop: AbortController;
  /** Undefined while it runs. */
  end: { failed?: { error: unknown } } | undefined;
}

export function createProducers<S>(): Producers<S> {
  const passes = new Map<string, RunningProducer<S>>();

  const start = (key: string, { state, run }: Producer<S>): RunningProducer<S> => {
    const one: RunningProducer<S> = { state, followers: new Set(), stop: new AbortController(), end: undefined };
    passes.set(key, one);
    const arrived = (): void => {
      for (const wake of one.followers) wake();
    };
    const finish = (end: NonNullable<RunningProducer<S>['end']>): void => {
      one.end = end;
      if (passes.get(key) === one) passes.delete(key);
      arrived();
    };
    run(arrived, one.stop.signal).then(
      () => finish({}),
      (error: unknown) => finish({ failed: { error } }),
    );
    return one;
  };

  return {
    follow: async function* follow(key, begin, pieceAt, signal) {
      if (signal.aborted) throw gone();
      const one = passes.get(key) ?? start(key, begin());
      let wake = (): void => {};
      const woken = (): void => wake();
      one.followers.add(woken);
      signal.addEventListener('abort', woken);
      try {
        for (let at = 0; ;) {
          if (signal.aborted) throw gone();
          const piece = pieceAt(one.state, at);
          if (piece !== undefined) {
            at += 1;
            yield piece;
          } else if (one.end === undefined) await new Promise<void>((resolve) => void (wake = resolve));
          else if (one.end.failed) throw one.end.failed.error;
          else return;
        }
      } finally {
        one.followers.delete(woken);
        signal.removeEventListener('abort', woken);
        if (one.followers.size === 0 && one.end === undefined) {
          // A later caller must not join a pass that is ending.
          if (passes.get(key) === one) passes.delete(key);
          one.stop.abort();
        }
      }
    },
    get size() {
      return passes.size;
    },
    close: () => {
      for (const { stop } of passes.values()) stop.abort();
      passes.clear();
    },
  };
}

const gone = (): Failure => new Failure('unavailable', 'the request has ended', { reason: 'request-ended' });

/** Returns a function that calls `work` this long after its first call, once for all calls until then. */
export function createDelayed(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, ms);
    timer.unref();
  };
}
