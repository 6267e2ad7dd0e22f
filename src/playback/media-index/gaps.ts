/**
 * Finds sound that is missing for so long that a copied stream would stop. A player shows a picture only while it has
 * the sound for it, or knows that no more of either will come. Pure.
 */

/** Seconds; over a shorter pause a player jumps. */
const MAX_GAP = 1;

export interface GapFinder {
  /** Adds the time of a packet in seconds, in the order of the file. */
  add(time: number): void;
  /** `lastStart`: the time at which the last segment begins. Sound that ends in it has ended with the film. */
  hasGap(lastStart: number): boolean;
}

export function createGapFinder(): GapFinder {
  let [last, longest, count] = [0, 0, 0];
  let first: number | undefined;
  return {
    add: (time) => {
      first ??= time;
      longest = Math.max(longest, time - last);
      last = Math.max(last, time);
      count += 1;
    },
    // Packets of many frames are far apart although nothing is missing.
    hasGap: (lastStart) => last < lastStart || longest > MAX_GAP + (2 * (last - (first ?? 0))) / Math.max(1, count - 1),
  };
}
