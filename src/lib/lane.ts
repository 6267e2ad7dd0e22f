/**
 * Lanes: a hanging disk or network share stalls only itself.
 *
 * Node does file work on a small pool of threads, and a read from a dead share holds its thread until the
 * kernel gives up, which may be never. So every call that touches a library passes its lane: at most
 * `mostPerRoot` calls of one library and `mostInAll` of all libraries are outstanding, always fewer than the
 * pool has threads. A call that has not come back within the deadline is given up for its caller, and its
 * library is "away": calls fail at once, until an overdue call returns. The server is started with
 * UV_THREADPOOL_SIZE=24; whoever creates the lanes says how many threads there are.
 */
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { Failure } from './failure.ts';

/** The lane of one library root. */
export interface Lane {
  /**
   * Runs `work`, which must have at most one file call outstanding at a time. Fails as `unavailable` when
   * the library is away or the deadline passes; `late` then gets a value that arrives after that, to close it.
   */
  run<T>(work: () => Promise<T>, late?: (value: T) => void): Promise<T>;
  isAway(): boolean;
  /** Calls that hold a thread now, and calls that wait for one. */
  load(): { outstanding: number; waiting: number };
}

export interface Lanes {
  /** The lane with this name (a library root's path); the same name gives the same lane. */
  lane(name: string): Lane;
  /** Stops watching the deadlines. Calls under way are given up. */
  close(): void;
}

export interface LanesNeeds {
  /** Threads of the pool, as UV_THREADPOOL_SIZE has it (4 when it is not set). */
  threads: number;
  /** How long a call may take; 10 seconds unless said otherwise. A disk that spins up needs seven. */
  deadlineMs?: number;
  /** Calls that may wait in one lane before more are refused. */
  mostWaiting?: number;
  clock?: Clock;
}

/** A lane without a bound, for the server's own folders and for tests. */
export const openLane: Lane = {
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

const away = (): Failure => new Failure('unavailable', 'this library does not answer');

/** Makes the lanes of all libraries; see the head of this file for the bounds. */
export function createLanes(needs: LanesNeeds): Lanes {
  const { threads, deadlineMs = 10_000, mostWaiting = 10_000, clock = systemClock } = needs;
  const mostInAll = Math.max(1, Math.floor(threads * 0.75));
  const mostPerRoot = Math.max(1, Math.floor(threads / 6));
  const states = new Map<string, State>();
  let inAll = 0;
  let isClosed = false;

  const startNext = (): void => {
    // One call of each lane in turn, so that a busy library does not keep the others waiting.
    for (let hasStarted = true; hasStarted && inAll < mostInAll;) {
      hasStarted = false;
      for (const state of states.values()) {
        if (inAll >= mostInAll) return;
        if (state.waiting.length === 0 || state.outstanding.size >= mostPerRoot) continue;
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
      if (inAll < mostInAll && state.outstanding.size < mostPerRoot && state.waiting.length === 0) begin(state, call);
      else state.waiting.push(call);
    });
  };

  return {
    lane(name) {
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
