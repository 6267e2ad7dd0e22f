/**
 * Pool for file calls to libraries: a disk or network share that hangs affects only its own library.
 *
 * Node does file work on a small pool of threads, and a read from a dead share holds its thread until the kernel gives
 * up, which may be never. So every call that touches a library goes through this pool. It limits the calls that are
 * outstanding for one library (`maxPerLibrary`) and for all libraries (`maxOutstanding`), so that some threads are
 * always free. A call that exceeds the deadline fails for its caller, and its library counts as away: further calls
 * fail at once until the overdue call returns. The server is started with UV_THREADPOOL_SIZE=24; the creator of the
 * pool passes the number of threads.
 */
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { Failure } from './failure.ts';

/** Access to the pool for one library. */
export interface LibraryIo {
  /**
   * Runs `work`, which must have at most one file call outstanding at a time. Fails as `unavailable` if the library
   * is away or the deadline passes. A value that arrives after the deadline is passed to `late`, to close it.
   */
  run<T>(work: () => Promise<T>, late?: (value: T) => void): Promise<T>;
  /** Whether a call of this library is overdue. */
  isAway(): boolean;
  /** Number of calls that hold a thread, and of calls that wait for one. */
  load(): { outstanding: number; waiting: number };
}

export interface IoPool {
  /** Returns the access for a library, named by the path of its root. Equal names share their limit. */
  forLibrary(name: string): LibraryIo;
  /** Stops watching deadlines. Outstanding calls fail for their callers. */
  close(): void;
}

export interface IoPoolNeeds {
  /** Number of threads, from UV_THREADPOOL_SIZE (4 if not set). */
  threads: number;
  /** Maximum duration of a call. Default: 10 seconds. A disk that spins up needs seven. */
  deadlineMs?: number;
  /** Maximum number of calls that wait for one library. Further calls are refused. */
  maxWaiting?: number;
  clock?: Clock;
}

/** Access without a limit, for the server's own folders and for tests. */
export const unlimitedIo: LibraryIo = {
  run: (work) => work(),
  isAway: () => false,
  load: () => ({ outstanding: 0, waiting: 0 }),
};

interface Call {
  start(): void;
  giveUp(): void;
  since: number;
  isOverdue: boolean;
}

interface State {
  waiting: Call[];
  outstanding: Set<Call>;
  overdue: number;
}

const away = (): Failure => new Failure('unavailable', 'this library is not responding', { reason: 'library-offline' });

/** Creates the pool of all libraries, with the limits explained at the top of this file. */
export function createIoPool(needs: IoPoolNeeds): IoPool {
  const { threads, deadlineMs = 10_000, maxWaiting: mostWaiting = 10_000, clock = systemClock } = needs;
  const maxOutstanding = Math.max(1, Math.floor(threads * 0.75));
  const maxPerLibrary = Math.max(1, Math.floor(threads / 6));
  const states = new Map<string, State>();
  let inAll = 0;
  let isClosed = false;

  const startNext = (): void => {
    // Starts one call of each library in turn, so that a busy library does not delay the others.
    for (let hasStarted = true; hasStarted && inAll < maxOutstanding;) {
      hasStarted = false;
      for (const state of states.values()) {
        if (inAll >= maxOutstanding) return;
        if (state.waiting.length === 0 || state.outstanding.size >= maxPerLibrary) continue;
        const call = state.waiting.shift();
        if (!call) continue;
        hasStarted = true;
        begin(state, call);
      }
    }
  };
  const begin = (state: State, call: Call): void => {
    inAll += 1;
    call.since = clock.monotonic();
    state.outstanding.add(call);
    call.start();
  };
  const finish = (state: State, call: Call): void => {
    inAll -= 1;
    state.outstanding.delete(call);
    if (call.isOverdue) state.overdue -= 1;
    startNext();
  };

  const watch = setInterval(
    () => {
      const now = clock.monotonic();
      for (const state of states.values()) {
        for (const call of state.outstanding) {
          if (call.isOverdue || now - call.since < deadlineMs) continue;
          call.isOverdue = true;
          state.overdue += 1;
          call.giveUp();
        }
        const first = state.waiting[0];
        if (state.overdue > 0 || (first && now - first.since >= deadlineMs))
          for (const call of state.waiting.splice(0)) call.giveUp();
      }
    },
    Math.min(1000, Math.max(10, deadlineMs / 4)),
  );
  watch.unref();

  const run = <T>(state: State, work: () => Promise<T>, late?: (value: T) => void): Promise<T> => {
    if (isClosed || state.overdue > 0 || state.waiting.length >= mostWaiting) return Promise.reject(away());
    return new Promise<T>((resolve, reject) => {
      let isGivenUp = false;
      const call: Call = {
        since: clock.monotonic(),
        isOverdue: false,
        giveUp: () => {
          isGivenUp = true;
          reject(away());
        },
        start: () => {
          work().then(
            (value) => {
              finish(state, call);
              if (isGivenUp) late?.(value);
              else resolve(value);
            },
            (error: unknown) => {
              finish(state, call);
              reject(error);
            },
          );
        },
      };
      if (inAll < maxOutstanding && state.outstanding.size < maxPerLibrary && state.waiting.length === 0)
        begin(state, call);
      else state.waiting.push(call);
    });
  };

  return {
    forLibrary(name) {
      const state = states.get(name) ?? { waiting: [], outstanding: new Set<Call>(), overdue: 0 };
      states.set(name, state);
      return {
        run: (work, late) => run(state, work, late),
        isAway: () => state.overdue > 0,
        load: () => ({ outstanding: state.outstanding.size, waiting: state.waiting.length }),
      };
    },
    close() {
      isClosed = true;
      clearInterval(watch);
      for (const state of states.values()) {
        for (const call of state.waiting.splice(0)) call.giveUp();
        for (const call of state.outstanding) call.giveUp();
      }
    },
  };
}
