/**
 * Returns memory to the system while the server is idle. The engine collects only when more is needed, so an idle
 * server would keep the garbage of its start, a scan or a busy evening for days.
 *
 * It collects only after some seconds in which next to nothing ran, and only when enough has piled up to be
 * worth a pause of about 50 ms. Without `--expose-gc`, which `npm start` sets, it does nothing.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** How often it looks. */
const EVERY_MS = 5_000;
/** At rest: the share of that time in which anything ran. */
const REST = 0.03;
/** Bytes of garbage since the last collection that are worth another one. */
const WORTH = 6 * 1024 ** 2;

export interface IdleHeapNeeds {
  /** Left out where the engine was not told to let itself be asked. */
  collect?: (() => void) | undefined;
  /** Bytes in use, garbage counted in. */
  used?: () => number;
  /** The share of the time since the last call in which anything ran. */
  busy?: () => number;
}

/**
 * How much the heap grows between two full collections, in percent of what is in use. `--optimize-for-size` alone lets
 * it grow by 2 MiB, at most half of which was garbage: with 100,800 items the list bench ran 26 full collections of
 * about 10 ms, and 14 with this growth.
 */
const GROWTH_PERCENT = 40;

/**
 * Lets the heap grow less between two collections of old objects. By default the engine waits until the heap is several
 * times as large as what is in use. With 100,800 items, pages and searches took the process to 277 MiB; with this flag
 * it is 165 MiB for the same processor time.
 *
 * The engine begins a full collection when the room that is left is less than twice `--max-semi-space-size`. With the 8
 * MiB that `npm start` once gave it, the next one began right after the last, however much the heap was allowed to
 * grow.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  // By default code whose objects have survived some small collections puts all later ones among the old objects, for
  // ever, and what they refer to follows. With 100,800 items half of the servers began that in the page of a person:
  // each page then left 0.3 to 0.6 MB for the next full collection, of which 400 pages had up to 23 instead of none.
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Looks from now on, and keeps no process alive for it. */
export function watchIdleHeap({ collect = engine(), used = inUse, busy = busyShare() }: IdleHeapNeeds = {}): {
  stop(): void;
} {
  if (!collect) return { stop: () => {} };
  let least = 0;
  const timer = setInterval(() => {
    const now = used();
    // The engine may have collected meanwhile.
    least = Math.min(least, now);
    if (busy() > REST || now - least < WORTH) return;
    collect();
    least = used();
    // The pause itself does not count as work.
    busy();
  }, EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function engine(): (() => void) | undefined {
  const { gc } = globalThis;
  return gc && (() => void gc({ type: 'major', flavor: 'last-resort' }));
}

function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function busyShare(): () => number {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
