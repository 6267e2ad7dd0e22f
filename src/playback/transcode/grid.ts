/**
 * Starts of segments: fixed by file and kind, never by the start of an encoder. Pure.
 *
 * A boundary of video lies half a picture before the first picture of its segment, so that rounding never decides in
 * which segment a picture is. Audio is cut between whole frames of its encoder.
 */
import { Failure } from '../../lib/failure.ts';
import { MIN_LAST_SEGMENT, type SegmentSpan } from '../rendition.ts';

const VIDEO_SECONDS = 2;
const AUDIO_SECONDS = 4;

export interface SegmentGrid {
  count: number;
  segmentSeconds: number;
  /** On the timeline of the file. */
  spans: readonly SegmentSpan[];
}

export interface VideoGrid extends SegmentGrid {
  /** Microseconds on the clock of the file, where segment `k` begins; Infinity for the end of the last. */
  boundary(k: number): number;
}

/** `first` and `end` of the pictures, and `zero` of the timeline, are on the clock of the file. */
export function videoGrid({
  first,
  end,
  frameRate,
  zero,
}: {
  first: number;
  end: number;
  frameRate: number;
  zero: number;
}): VideoGrid {
  const count = Math.max(1, Math.floor((end - first - MIN_LAST_SEGMENT) / VIDEO_SECONDS) + 1);
  const start = (k: number): number => first + Math.round(VIDEO_SECONDS * k * frameRate) / frameRate;
  return {
    count,
    segmentSeconds: VIDEO_SECONDS,
    boundary: (k) => (k >= count ? Infinity : Math.round((start(k) - 0.5 / frameRate) * 1e6)),
    spans: spansOf(count, (k) => start(k) - zero, end - zero),
  };
}

export interface AudioGrid extends SegmentGrid {
  /** Frames of the encoder before segment `k`. */
  boundary(k: number): number;
}

/** Frames of `frameSize` samples from the beginning of the timeline, up to `duration` seconds. */
export function audioGrid({
  duration,
  frameSize,
  sampleRate,
}: {
  duration: number;
  frameSize: number;
  sampleRate: number;
}): AudioGrid {
  const count = Math.max(1, Math.floor((duration - MIN_LAST_SEGMENT) / AUDIO_SECONDS) + 1);
  const frames = Math.max(1, Math.ceil((duration * sampleRate) / frameSize));
  const boundary = (k: number): number =>
    k >= count ? frames : Math.round((AUDIO_SECONDS * k * sampleRate) / frameSize);
  const start = (k: number): number => (boundary(k) * frameSize) / sampleRate;
  return { count, segmentSeconds: AUDIO_SECONDS, boundary, spans: spansOf(count, start, start(count)) };
}

/** Two days of video; a header that claims more is wrong. */
const MAX_SEGMENTS = 90_000;

function spansOf(count: number, start: (k: number) => number, end: number): SegmentSpan[] {
  if (!(count <= MAX_SEGMENTS))
    throw new Failure('unavailable', 'this file claims to last for days', { reason: 'length-unknown' });
  return Array.from({ length: count }, (_, k) => {
    const at = Math.max(0, start(k));
    return { start: at, duration: Math.max(0.001, (k === count - 1 ? Math.max(end, at + 0.001) : start(k + 1)) - at) };
  });
}
