/**
 * Maps times of the source to moved times, and back. The server moves the lines; this finds the place of an
 * anchor from a cue that is already moved. Pure; milliseconds.
 */
import { workbenchWords as m } from '../../messages/workbench.ts';

/** Whole milliseconds. `at` is a time of the source, before anything is moved. */
export interface TimingAnchor {
  at: number;
  offset: number;
}
export type TimingChange =
  | { kind: 'none' }
  | { kind: 'offset'; ms: number }
  | { kind: 'anchors'; anchors: readonly TimingAnchor[] }
  | { kind: 'framerate'; from: number; to: number }
  | { kind: 'auto' };

/** How the server says that it aligned cues. */
export interface AlignmentResult {
  ratio: number;
  segments: readonly { from: number; to: number; offsetMilliseconds: number }[];
}

/** Returns the two anchors around a time, or the nearest two. `of` returns the time of an anchor. */
function pairAt(
  anchors: readonly TimingAnchor[],
  at: number,
  of: (anchor: TimingAnchor) => number,
): readonly [TimingAnchor, TimingAnchor | undefined] | undefined {
  const first = anchors[0];
  if (!first) return undefined;
  let n = 1;
  while (n < anchors.length - 1 && at > of(anchors[n] ?? first)) n++;
  return [anchors[n - 1] ?? first, anchors[n]];
}
const landing = ({ at, offset }: TimingAnchor): number => at + offset;

/** One anchor moves everything; two set a line that continues before and after them. */
function byAnchors(anchors: readonly TimingAnchor[], at: number): number {
  const pair = pairAt(anchors, at, (anchor) => anchor.at);
  if (!pair) return at;
  const [a, b] = pair;
  return b ? at + a.offset + ((at - a.at) * (b.offset - a.offset)) / (b.at - a.at) : at + a.offset;
}
function notByAnchors(anchors: readonly TimingAnchor[], at: number): number {
  const pair = pairAt(anchors, at, landing);
  if (!pair) return at;
  const [a, b] = pair;
  return b ? a.at + ((at - landing(a)) * (b.at - a.at)) / (landing(b) - landing(a)) : at - a.offset;
}

/** Returns the moved time of a time of the source. Times outside of an alignment stay. */
export function movedTime(timing: TimingChange, at: number): number {
  if (timing.kind === 'offset') return at + timing.ms;
  if (timing.kind === 'framerate') return (at * timing.from) / timing.to;
  return timing.kind === 'anchors' ? byAnchors(timing.anchors, at) : at;
}

/** Whether the anchors keep the order of time; the server refuses others. */
export const isSteady = (anchors: readonly TimingAnchor[]): boolean =>
  anchors.every((one, n) => n === 0 || landing(anchors[n - 1] ?? one) < landing(one));

/**
 * The time of the source that became `at`. `cue` is which proposed cue it belongs to, for what was aligned in parts.
 */
export function unmoved(timing: TimingChange, at: number, aligned?: AlignmentResult, cue = 0): number {
  if (timing.kind === 'offset') return at - timing.ms;
  if (timing.kind === 'framerate') return (at * timing.to) / timing.from;
  if (timing.kind === 'anchors') return notByAnchors(timing.anchors, at);
  if (timing.kind !== 'auto' || !aligned || aligned.ratio === 0) return at;
  const part =
    aligned.segments.find(({ from, to }) => cue >= from && cue <= to) ?? aligned.segments[aligned.segments.length - 1];
  return (at - (part?.offsetMilliseconds ?? 0)) / aligned.ratio;
}

/** The usual frame rates of films, as exact as they are. */
export const RATES = [
  { label: '23.976', value: 24_000 / 1001 },
  { label: '24', value: 24 },
  { label: '25', value: 25 },
  { label: '29.97', value: 30_000 / 1001 },
  { label: '30', value: 30 },
] as const;
export const rateLabel = (rate: number): string =>
  RATES.find(({ value }) => Math.abs(value - rate) < 0.001)?.label ?? String(Math.round(rate * 1000) / 1000);

/** Names a usual ratio of lengths: "from 25 to 23.976 frames a second". */
export function ratioWords(ratio: number): string | undefined {
  if (Math.abs(ratio - 1) < 0.0002) return undefined;
  for (const from of RATES)
    for (const to of RATES)
      if (Math.abs(from.value / to.value - ratio) < 0.0004)
        return m.fromToFramesPerSecond({ label: from.label, label2: to.label });
  return ratio > 1
    ? m.slowerBy({ value: ((ratio - 1) * 100).toFixed(2) })
    : m.fasterBy({ value: ((1 - ratio) * 100).toFixed(2) });
}
