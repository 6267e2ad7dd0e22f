/**
 * The arithmetic of a list whose rows differ in height and of which only a few exist: heights are guessed until a
 * row has been measured. Pure but for remembering; pixels.
 */
export interface Heights {
  /** The top of a row; of `count` it is the height of the whole. */
  top(at: number): number;
  /** The row at a height. */
  at(y: number): number;
  /** Tells what a row measures; true when that is news. */
  measured(at: number, height: number): boolean;
  count: number;
}

export function createHeights(count: number, usual: number): Heights {
  const heights = new Float64Array(count).fill(usual);
  const tops = new Float64Array(count + 1);
  // Tops up to here are right.
  let right = 0;
  const settle = (to: number) => {
    for (; right < to; right++) tops[right + 1] = (tops[right] ?? 0) + (heights[right] ?? usual);
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
    measured(at, height) {
      if (at < 0 || at >= count || height <= 0 || Math.abs((heights[at] ?? 0) - height) < 0.5) return false;
      heights[at] = height;
      right = Math.min(right, at);
      return true;
    },
  };
}
