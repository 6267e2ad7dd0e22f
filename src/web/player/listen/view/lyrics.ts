/** Lines of lyrics by time. Pure. */
export interface LyricsLine {
  /** Seconds at which it is sung; undefined in lyrics without times. */
  start?: number | undefined;
  text: string;
}

/** Returns the index of the line that is sung at a time; -1 before the first one. Lines are in order of time. */
export function lineAt(lines: readonly LyricsLine[], time: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
