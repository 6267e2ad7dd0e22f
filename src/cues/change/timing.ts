/**
 * Moves cues in time, by hand or by the result of an alignment: one offset, anchors, a frame rate, segments.
 *
 * Promises: no cue is lost. A cue that would begin before the video begins at 0 and stays readable; these are counted.
 * A cue never ends before it starts. Times over the limit of 36 hours fail as `invalid`. Times inside a cue (karaoke)
 * move with it; those that ASS counts from the cue's start are scaled by its writer, which receives the pace. Linear.
 */
import { Failure } from '../../lib/failure.ts';
import type { Alignment } from '../align/types.ts';
import { isWrapping, type Cue, type Span } from '../cue.ts';
import { LIMITS } from '../limits.ts';

/** Position in the current subtitle and the offset there, both in ms. */
export interface TimeAnchor {
  at: number;
  offset: number;
}

/**
 * One way of moving cues:
 * - `offset`: adds so many ms to every time (negative: earlier).
 * - `anchors`: one anchor moves everything by its offset. Between two, the offset is interpolated; the
 * line of the first two continues before them and that of the last two after them, as in the point
 * synchronization of other programs: two anchors anywhere correct any shift and any wrong rate.
 * - `framerate`: made for `from` frames a second, played at `to`: times × from / to.
 * - `alignment`: times × ratio, then the offset of the segment that a cue is in. Segments name cues by
 * their index in order of time; a cue between two segments moves with the one before it, and one
 * before the first with the first.
 */
export type Timing =
  | { offset: number }
  | { anchors: readonly TimeAnchor[] }
  | { framerate: { from: number; to: number } }
  | { alignment: Pick<Alignment, 'ratio' | 'segments'> };

export interface MovedCues {
  /** One cue for each given one, in the same order. */
  cues: Cue[];
  /** Number of cues that would have begun before the video. */
  clamped: number;
}

/** Returns the new time of an old one, for the cue at an index. */
type Move = (time: number, index: number) => number;

/** Minimum length of a cue that would begin before the video, unless it was shorter (ms). */
const LEAST = 500;
const MAX_ANCHORS = 8;

/** Moves cues, which are in order of time. */
export function retime(cues: readonly Cue[], timing: Timing): MovedCues {
  const move = moveOf(timing);
  let clamped = 0;
  const moved = cues.map((cue, index) => {
    const start = Math.round(move(cue.start, index));
    const end = Math.round(move(cue.end, index));
    // A cue that ends before it starts keeps its length of 0 or less: a change of timing does not hide that.
    const length = Math.max(0, cue.end - cue.start);
    if (start < 0) clamped++;
    const from = Math.max(0, start);
    const to = start < 0 ? Math.max(end, Math.min(length, LEAST)) : end;
    if (!(from <= LIMITS.time && to <= LIMITS.time))
      throw new Failure('invalid', 'the change would move a cue beyond 36 hours', { reason: 'change-invalid' });
    const pace = (cue.pace ?? 1) * paceAt(cue, (time) => move(time, index));
    return {
      ...cue,
      start: from,
      end: Math.max(0, to),
      ...(cue.origin?.raw !== undefined && (cue.pace !== undefined || Math.abs(pace - 1) > 1e-6) && { pace }),
      ...(hasTimes(cue.spans)
        ? { spans: movedSpans(cue.spans, (time) => Math.max(0, Math.round(move(time, index)))) }
        : {}),
    };
  });
  return { cues: moved, clamped };
}

/** Returns the factor by which the cue becomes longer; for a cue without length, that of one second at its place. */
function paceAt({ start, end }: Cue, move: (time: number) => number): number {
  const to = end > start ? end : start + 1000;
  return (move(to) - move(start)) / (to - start);
}

function moveOf(timing: Timing): Move {
  if ('offset' in timing) {
    const { offset } = timing;
    if (!Number.isFinite(offset))
      throw new Failure('invalid', 'the offset is not a number', { reason: 'change-invalid' });
    return (time) => time + offset;
  }
  if ('framerate' in timing) {
    const { from, to } = timing.framerate;
    if (!(from > 0 && to > 0 && Number.isFinite(from) && Number.isFinite(to)))
      throw new Failure('invalid', 'a frame rate must be above zero', { reason: 'change-invalid' });
    return (time) => (time * from) / to;
  }
  return 'anchors' in timing ? byAnchors(timing.anchors) : bySegments(timing.alignment);
}

function byAnchors(given: readonly TimeAnchor[]): Move {
  const anchors = given.toSorted((a, b) => a.at - b.at);
  const [first] = anchors;
  if (!first || anchors.length > MAX_ANCHORS)
    throw new Failure('invalid', 'expected one to eight anchors', { reason: 'change-invalid' });
  anchors.forEach((anchor, n) => {
    const before = anchors[n - 1];
    if (!Number.isFinite(anchor.at) || !Number.isFinite(anchor.offset))
      throw new Failure('invalid', 'an anchor must be two numbers', { reason: 'change-invalid' });
    if (before && before.at === anchor.at)
      throw new Failure('invalid', 'two anchors have the same time', { reason: 'change-invalid' });
    if (before && before.at + before.offset >= anchor.at + anchor.offset)
      throw new Failure('invalid', 'the anchors would reverse the order of the lines', { reason: 'change-invalid' });
  });
  return (time) => {
    // The pair of anchors around the time, or the nearest pair.
    let n = 1;
    while (n < anchors.length - 1 && time > (anchors[n]?.at ?? 0)) n++;
    const [a, b] = [anchors[n - 1] ?? first, anchors[n]];
    return b ? time + a.offset + ((time - a.at) * (b.offset - a.offset)) / (b.at - a.at) : time + a.offset;
  };
}

function bySegments({ ratio, segments }: Pick<Alignment, 'ratio' | 'segments'>): Move {
  if (!(ratio > 0 && Number.isFinite(ratio)))
    throw new Failure('invalid', 'the ratio must be above zero', { reason: 'change-invalid' });
  const inOrder = segments.toSorted((a, b) => a.from - b.from);
  let at = 0;
  return (time, index) => {
    // Cues come in order, so the segment only advances; a call from the start resets it.
    if (index < (inOrder[at]?.from ?? 0)) at = 0;
    while (at + 1 < inOrder.length && index >= (inOrder[at + 1]?.from ?? 0)) at++;
    return time * ratio + (inOrder[at]?.offset ?? 0);
  };
}

function hasTimes(spans: readonly Span[]): boolean {
  return spans.some((span) => span.kind === 'timestamp' || (isWrapping(span) && hasTimes(span.children)));
}

function movedSpans(spans: readonly Span[], move: (time: number) => number): Span[] {
  return spans.map((span) =>
    span.kind === 'timestamp'
      ? { kind: 'timestamp', at: move(span.at) }
      : isWrapping(span)
        ? { ...span, children: movedSpans(span.children, move) }
        : span,
  );
}
