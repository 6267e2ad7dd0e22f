/**
 * At most so many pieces of work at a time; the rest waits in the order it came.
 *
 * A piece that fails frees its place, and a place that is freed goes to the one that waits longest: nobody
 * who asks at that moment slips in beside it.
 */

export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimit(most: number): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
