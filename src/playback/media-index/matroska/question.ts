/** Says what is needed of a Matroska file for a segment of a plan. Pure. */
import type { SegmentPlan } from '../segments.ts';
import type { ClusterLayout, Keyframes } from '../types.ts';
import type { ClusterKey, ClusterQuestion } from './segment.ts';

const MAX_EARLIER = 32;
const NANOSECONDS = 1e9;

export const clusterKeyAt = ({ scale }: ClusterLayout, { times, places }: Keyframes, key: number): ClusterKey => ({
  ticks: Math.round(((times[key] ?? 0) * NANOSECONDS) / scale),
  at: places[key] ?? 0,
});

export function clusterQuestion(
  layout: ClusterLayout,
  keyframes: Keyframes,
  { keys, segments }: SegmentPlan,
  n: number,
): ClusterQuestion {
  const { scale, end, tracks, first } = layout;
  const key = keys[n] ?? 0;
  const start = clusterKeyAt(layout, keyframes, key);
  const isLast = n + 1 >= segments.length;
  const earlier: ClusterKey[] = [];
  for (let before = key - 1; before >= 0 && earlier.length < MAX_EARLIER; before -= 1) {
    const one = clusterKeyAt(layout, keyframes, before);
    if (one.at < (earlier.at(-1)?.at ?? start.at)) earlier.push(one);
  }
  if (earlier.length < MAX_EARLIER && first < (earlier.at(-1)?.at ?? start.at)) earlier.push({ ticks: 0, at: first });
  return {
    scale,
    end,
    tracks,
    earlier,
    isFirst: n === 0,
    start: n === 0 ? { ...start, at: Math.min(first, start.at) } : start,
    ...(!isLast && { next: clusterKeyAt(layout, keyframes, keys[n + 1] ?? 0) }),
  };
}
