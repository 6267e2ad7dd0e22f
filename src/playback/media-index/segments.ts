/** Divides a file into segments at its keyframes, and says when that cannot be done well. Pure. */
import { MIN_LAST_SEGMENT, type SegmentSpan } from '../rendition.ts';
import type { Keyframes, IndexObstacle } from './types.ts';

/** Minimum length of a segment in seconds, except the last one. */
export const MIN_SEGMENT = 4;
/** Keyframes that are rounded to milliseconds, or that follow a late first picture, still count as so far apart. */
const TOLERANCE = 0.05;
/** Seconds that a segment may last, without what is left at the end of the file. */
const MAX_SEGMENT = 20;

export interface SegmentPlan {
  segments: readonly SegmentSpan[];
  /** Number of the keyframe that each segment begins with. */
  keys: Uint32Array;
  /** Why these segments should not be offered; absent when they can be. */
  obstacle?: Extract<IndexObstacle, 'open-gop' | 'sparse-keyframes'>;
}

/**
 * Begins a segment at the first keyframe that comes at least 4 s after the last boundary. The first segment begins
 * at 0, also when its first picture comes later.
 *
 * With `isIdrNeeded` a single recovery point is an obstacle, wherever segments begin: Chromium takes each one for a
 * keyframe, also inside a segment and against the flags of the container, and its decoder fails at the pictures that
 * lead it.
 */
export function planSegments(keyframes: Keyframes, duration: number, isIdrNeeded: boolean): SegmentPlan {
  const found = boundaries(keyframes, duration);
  const plan = {
    segments: found.map(({ start }, i) => ({ start, duration: (found[i + 1]?.start ?? duration) - start })),
    keys: Uint32Array.from(found, ({ key }) => key),
  };
  if ((found.length === 0 && duration > 0) || isTooLong(found, duration))
    return { ...plan, obstacle: 'sparse-keyframes' };
  return isIdrNeeded && keyframes.isIdr.includes(0) ? { ...plan, obstacle: 'open-gop' } : plan;
}

interface Boundary {
  start: number;
  key: number;
}

function boundaries({ times }: Keyframes, duration: number): Boundary[] {
  if (times.length === 0 || !(duration > 0)) return [];
  const found: Boundary[] = [{ start: 0, key: 0 }];
  let last = 0;
  times.forEach((time, key) => {
    if (key === 0 || time - last < MIN_SEGMENT - TOLERANCE || time > duration - MIN_LAST_SEGMENT) return;
    found.push({ start: time, key });
    last = time;
  });
  return found;
}

const isTooLong = (found: readonly Boundary[], duration: number): boolean =>
  found.some(({ start }, i) => (found[i + 1]?.start ?? duration - MIN_LAST_SEGMENT) - start > MAX_SEGMENT);
