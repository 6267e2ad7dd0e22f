/** Divides a file into segments at its keyframes, and says when that cannot be done well. Pure. */
import type { SegmentSpan } from '../rendition.ts';
import type { Keyframes, IndexObstacle } from './types.ts';

/** Minimum length of a segment in seconds, except the last one. */
export const MIN_SEGMENT = 4;
/** Keyframes that are rounded to milliseconds, or that follow a late first picture, still count as so far apart. */
const TOLERANCE = 0.05;
/** Seconds that a segment may last. */
const MAX_SEGMENT = 20;
/** Seconds; a keyframe that is closer to the end of the file begins no segment. */
const MIN_LAST_SEGMENT = 0.001;

export interface SegmentPlan {
  segments: readonly SegmentSpan[];
  /** Number of the keyframe that each segment begins with. */
  keys: Uint32Array;
  /** Why these segments should not be offered; absent when they can be. */
  obstacle?: Extract<IndexObstacle, 'open-gop' | 'sparse-keyframes'>;
}

/**
 * Begins a segment at the first keyframe that comes at least 4 s after the last boundary. The first segment begins
 * at 0, also when its first picture comes later. With `isIdrNeeded` only keyframes that need no earlier frame count.
 */
export function planSegments(keyframes: Keyframes, duration: number, isIdrNeeded: boolean): SegmentPlan {
  const all = boundaries(keyframes, duration, false);
  const chosen = isIdrNeeded ? boundaries(keyframes, duration, true) : all;
  const plan = {
    segments: chosen.map(({ start }, i) => ({ start, duration: (chosen[i + 1]?.start ?? duration) - start })),
    keys: Uint32Array.from(chosen, ({ key }) => key),
  };
  if ((all.length === 0 && duration > 0) || isTooLong(all, duration)) return { ...plan, obstacle: 'sparse-keyframes' };
  const isOpen = isIdrNeeded && (keyframes.isIdr[0] !== 1 || isTooLong(chosen, duration));
  return isOpen ? { ...plan, obstacle: 'open-gop' } : plan;
}

interface Boundary {
  start: number;
  key: number;
}

function boundaries({ times, isIdr }: Keyframes, duration: number, isIdrNeeded: boolean): Boundary[] {
  if (times.length === 0 || !(duration > 0)) return [];
  const found: Boundary[] = [{ start: 0, key: 0 }];
  let last = 0;
  times.forEach((time, key) => {
    if (key === 0 || time - last < MIN_SEGMENT - TOLERANCE || time > duration - MIN_LAST_SEGMENT) return;
    if (isIdrNeeded && isIdr[key] !== 1) return;
    found.push({ start: time, key });
    last = time;
  });
  return found;
}

const isTooLong = (found: readonly Boundary[], duration: number): boolean =>
  found.some(({ start }, i) => (found[i + 1]?.start ?? duration) - start > MAX_SEGMENT);
