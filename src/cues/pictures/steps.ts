/** Runs work on a large file in steps, so that other work runs in between. */

/** Runs all steps at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs one step in each turn of the event loop. */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = steps.next();
    if (done === true) return value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
