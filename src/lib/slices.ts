/**
 * Long computations on the main thread, in slices: requests are answered between two of them.
 *
 * A computation is a generator that yields after each piece, which takes some milliseconds at most. What it reads may
 * change whenever it yields.
 */

/** A computation that yields wherever others may have their turn. */
export type Computation<T> = Generator<void, T, void>;

/**
 * Time after which others have their turn. With its last piece, the longest slice of a rule in bench/rules.ts takes 7
 * ms in the median and 13 ms at most.
 */
const SLICE_MS = 3;
/** Values of one piece. Folding as many titles, the slowest of what is done with one, takes a millisecond or two. */
const PIECE = 512;

/** Runs a computation to its end. Others have their turn between its slices. */
export async function runSliced<T>(computation: Computation<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = computation.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Calls `each` for the pieces of a range that begins at 0, and yields after each. */
export function* inPieces(end: number, each: (from: number, to: number) => void): Computation<void> {
  for (let from = 0; from < end; from += PIECE) {
    each(from, Math.min(from + PIECE, end));
    yield;
  }
}

/** Calls `each` for every value, and yields after as many as a piece has. */
export function* everyInPieces<V>(values: Iterable<V>, each: (value: V) => void): Computation<void> {
  let count = 0;
  for (const value of values) {
    each(value);
    if (++count % PIECE === 0) yield;
  }
}

/** Sorts in place, stably. */
export function* sortInPieces(
  values: Uint32Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
): Computation<void> {
  yield* inPieces(values.length, (from, to) => values.subarray(from, to).sort(compare));
  let [sorted, next] = [values, new Uint32Array(values.length)];
  for (let width = PIECE; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      const [from, into] = [sorted, next];
      const isLeftNext = (): boolean =>
        right >= end || (left < middle && compare(from[left] as number, from[right] as number) <= 0);
      yield* inPieces(end - start, (first, last) => {
        for (let at = start + first; at < start + last; at++)
          into[at] = from[isLeftNext() ? left++ : right++] as number;
      });
    }
    [sorted, next] = [next, sorted];
  }
  if (sorted !== values) values.set(sorted);
}
