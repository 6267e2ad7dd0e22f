/**
 * Positions of rows in a list whose rows differ in height and of which only a few are in the page: the height of a row
 * is guessed until it has been measured. All values are in pixels.
 */
export interface Heights {
  /** Returns the top of a row. `top(count)` is the height of the whole list. */
  top(at: number): number;
  /** Returns the row at a distance from the top of the list. */
  at(y: number): number;
  /** Records the height of a row. Returns true if it has changed. */
  measured(at: number, height: number): boolean;
  /** Returns the measured height of a row; undefined if it was not measured yet. */
  known(at: number): number | undefined;
  count: number;
}

/** `guess` says what a row will likely measure. What `before` has measured stays, for the rows that it had. */
export function createHeights(count: number, guess: (at: number) => number, before?: Heights): Heights {
  const heights = Float64Array.from({ length: count }, (_, at) => before?.known(at) ?? guess(at));
  const isKnown = Uint8Array.from({ length: count }, (_, at) => (before?.known(at) === undefined ? 0 : 1));
  const tops = new Float64Array(count + 1);
  // The tops of all rows up to this one are valid.
  let right = 0;
  const settle = (to: number) => {
    for (; right < to; right++) tops[right + 1] = (tops[right] ?? 0) + (heights[right] ?? 0);
  };
  return {
    count,
    top(at) {
      const limited = Math.min(count, Math.max(0, at));
      settle(limited);
      return tops[limited] ?? 0;
    },
    at(y) {
      settle(count);
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((tops[middle + 1] ?? 0) <= y) low = middle + 1;
        else high = middle;
      }
      return Math.max(0, Math.min(count - 1, low));
    },
    known: (at) => (isKnown[at] === 1 ? heights[at] : undefined),
    measured(at, height) {
      if (at < 0 || at >= count || height <= 0) return false;
      isKnown[at] = 1;
      if (Math.abs((heights[at] ?? 0) - height) < 0.5) return false;
      heights[at] = height;
      right = Math.min(right, at);
      return true;
    },
  };
}
