/** Work on a large file in steps, between which others may have their turn. */

/** Takes every step at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Takes a step in each turn of the event loop. */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = steps.next();
    if (done === true) return value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
