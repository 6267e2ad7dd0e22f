/**
 * Limits concurrent work; the rest waits in order of arrival.
 *
 * Work that fails frees its slot, and a freed slot goes to the caller that waits longest, before any caller
 * that asks at that moment.
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

export interface Slots {
  /** Takes one slot of an owner and returns how to give it back, which counts once; undefined when all are taken. */
  take(owner: string, max: number): (() => void) | undefined;
  /** Number of owners who hold a slot. */
  readonly size: number;
}

/**
 * Counts what each owner holds at a time, so that one cannot take what is there for all. Keeps nothing of an owner who
 * holds none.
 */
export function createSlots(): Slots {
  const held = new Map<string, number>();
  return {
    take: (owner, max) => {
      const count = held.get(owner) ?? 0;
      if (count >= max) return undefined;
      held.set(owner, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (held.get(owner) ?? 1) - 1;
        if (left > 0) held.set(owner, left);
        else held.delete(owner);
      };
    },
    get size() {
      return held.size;
    },
  };
}
