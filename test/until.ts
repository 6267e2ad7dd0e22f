/**
 * Waiting in tests: for a condition, never for a time. What is bound to come is waited for as long as a slow machine
 * needs; what does not come fails in a sentence, long before the runner ends the file without one.
 */
export interface Waiting {
  everyMs?: number;
  /** A limit for what never comes, and no measure of speed. */
  withinMs?: number;
}

/** Polls until a value is truthy, and returns it. Throws with the description of the awaited event. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { everyMs = 5, withinMs = 60_000 }: Waiting = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs;
  // A machine that stood still has not looked yet, whatever the clock says.
  for (let looks = 0; performance.now() < end || looks < 200; looks++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`waited ${withinMs / 1000} s in vain: ${what}`);
}
