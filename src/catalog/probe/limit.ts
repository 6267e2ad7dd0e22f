/**
 * At most so many pieces of work at a time; the rest waits in the order it came.
 *
 * Promise: a piece that fails frees its place; nothing waits without end unless a piece does.
 */

export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

export const createLimit = (most: number): Limit => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};
