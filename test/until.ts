/**
 * Waiting in tests: for a condition, never for a time. What is bound to come is waited for as long as a slow machine
 * needs; what does not come fails in a sentence with what was there instead, long before the runner ends the file.
 */
import { inspect } from 'node:util';

/** Limit of every wait in tests, in milliseconds: for what never comes, and no measure of speed. */
export const WAIT_LIMIT_MS = 120_000;

export interface Waiting {
  everyMs?: number;
  withinMs?: number;
}

/** Calls `look` again until `isDone` accepts its outcome. Returns the last one when the time is over. */
async function poll<T>(
  look: () => Promise<T>,
  isDone: (found: T) => boolean,
  { everyMs = 5, withinMs = WAIT_LIMIT_MS }: Waiting,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (let looks = 1; ; looks++) {
    const began = performance.now();
    const found = await look();
    // A machine that stood still has not looked, whatever the clock says.
    const isLate = performance.now() > end && (looks >= 200 || performance.now() - began > 1_000);
    if (isDone(found) || isLate) return found;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Polls until a value is truthy, and returns it. Throws with the awaited event and the last value. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  waiting: Waiting = {},
): Promise<NonNullable<T>> {
  const found = await poll(async () => look(), Boolean, waiting);
  if (found) return found;
  throw new Error(`waited ${(waiting.withinMs ?? WAIT_LIMIT_MS) / 1000} s in vain: ${what} (last: ${inspect(found)})`);
}

/**
 * Repeats a check until it passes, and returns what it returns. Throws the error of the last try, which names the
 * value that was there. For a value that follows an action after a while, such as a text of a page.
 */
export async function passes<T>(check: () => T | Promise<T>, waiting: Waiting = {}): Promise<T> {
  type Try = { value: T } | { error: unknown };
  const last = await poll<Try>(
    async () => {
      try {
        return { value: await check() };
      } catch (error) {
        return { error };
      }
    },
    (one) => 'value' in one,
    waiting,
  );
  if ('value' in last) return last.value;
  throw last.error;
}
