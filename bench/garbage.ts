/**
 * The garbage of a bench itself, which it collects between the requests that it measures: its pauses of about 10 ms
 * were most of what a p99 showed.
 */
const { gc } = globalThis;

/** Requests between two collections. */
const COLLECT_EVERY = 10;

/**
 * Collects what has piled up since the last collection, before some rounds. `askOnce` then makes a request that is not
 * measured: a collection displaces what both processes had in the caches of the processor.
 */
export async function collectBefore(round: number, askOnce: () => Promise<unknown>): Promise<void> {
  if (!gc) throw new Error('run it with node --expose-gc');
  if (round % COLLECT_EVERY !== 0) return;
  gc();
  await askOnce();
}
