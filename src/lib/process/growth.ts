/** Starts one more child of a helper once those that run stay busy. A small library is read by one. */
import type { Child } from './child.ts';

/** Time in ms after which busy children get one more, which costs as much to start. */
const BUSY_MS = 100;

/**
 * Returns a function that looks, after a while, whether all children are busy and requests wait behind theirs, and then
 * calls `grow`. It does nothing while no child is ready, because one that starts is not busy.
 */
export function createGrowth({
  children,
  hasRoom,
  waiting,
  grow,
  busyMs = BUSY_MS,
}: {
  children: ReadonlySet<Child>;
  hasRoom: () => boolean;
  /** Returns the number of requests that no child has. */
  waiting: () => number;
  grow: () => void;
  busyMs?: number | undefined;
}): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    // One that is leaving takes no work.
    const loads = [...children].map(({ load }) => load).filter(Number.isFinite);
    const requests = loads.reduce((sum, load) => sum + load, waiting());
    if (hasRoom() && loads.length > 0 && loads.every((load) => load > 0) && requests > loads.length) grow();
  };
  return () => {
    if (hasRoom() && [...children].some(({ isReady }) => isReady)) timer ??= setTimeout(look, busyMs).unref();
  };
}
