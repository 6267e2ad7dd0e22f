/**
 * Admission to password hashing, which costs 19 MiB and tens of milliseconds: two jobs at once, the rest wait or are
 * refused.
 *
 * Strangers and known callers wait in separate queues, each bounded. While both wait, each has one of the two slots;
 * a slot that one side does not need goes to the other. So a storm of made-up names delays a known device by one hash
 * at most, and no number of known callers keeps strangers out. A known caller has few places, so one cannot take them
 * all.
 */
import { Failure } from '../../lib/failure.ts';

const AT_ONCE = 2;
const MAX_WAITING = { stranger: 16, known: 32 } as const;
/** Jobs that one known caller may have waiting or running. */
const MAX_PER_CALLER = 8;

interface Queue {
  running: number;
  waiting: (() => void)[];
}

export interface Admission {
  /**
   * Runs `work` in its turn. `known` names a known device or session; strangers leave it out. Throws `throttled` before
   * any work when too many wait.
   */
  run<T>(known: string | undefined, work: () => Promise<T>): Promise<T>;
}

export function createAdmission(): Admission {
  const strangers: Queue = { running: 0, waiting: [] };
  const knowns: Queue = { running: 0, waiting: [] };
  const places = new Map<string, number>();

  const start = (): void => {
    while (strangers.running + knowns.running < AT_ONCE) {
      const next = [knowns, strangers].find(
        (queue) =>
          queue.waiting.length > 0 &&
          (queue.running === 0 || (queue === knowns ? strangers : knowns).waiting.length === 0),
      );
      if (!next) return;
      next.running += 1;
      next.waiting.shift()?.();
    }
  };

  return {
    run: async (known, work) => {
      const queue = known === undefined ? strangers : knowns;
      const held = known === undefined ? 0 : (places.get(known) ?? 0);
      if (queue.waiting.length >= MAX_WAITING[known === undefined ? 'stranger' : 'known'] || held >= MAX_PER_CALLER) {
        throw new Failure('throttled', 'too many people are signing in: try again in a moment', {
          reason: 'sign-in-busy',
          retryAfterSeconds: 2,
        });
      }
      if (known !== undefined) places.set(known, held + 1);
      await new Promise<void>((resolve) => {
        queue.waiting.push(resolve);
        start();
      });
      try {
        return await work();
      } finally {
        queue.running -= 1;
        if (known !== undefined) {
          const left = (places.get(known) ?? 1) - 1;
          if (left > 0) places.set(known, left);
          else places.delete(known);
        }
        start();
      }
    },
  };
}
