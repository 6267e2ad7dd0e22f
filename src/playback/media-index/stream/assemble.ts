/** Puts the index of a file without a table of samples together, from what is known of its streams. */
import { uncertain } from '../../../lib/media/source.ts';
import { createGapFinder } from '../gaps.ts';
import { planSegments } from '../segments.ts';
import type { IndexData, Keyframes, PacketLayout, TrackData } from '../types.ts';
import { CLOCK } from './payload.ts';
import type { WalkedStream } from './stream-walk.ts';

/** Seconds between the places at which a file without copied video is divided. */
const AUDIO_KEY_STEP = 1;

/** Keyframes of video, or places with a time of audio, in order. */
export interface FoundMarks {
  /** Ticks. */
  times: ArrayLike<number>;
  places: ArrayLike<number>;
  /** Count of the stream at each position, for containers that count. */
  counts?: ArrayLike<number>;
  /** For each keyframe, 1 if it needs no earlier picture. */
  isIdr: ArrayLike<number>;
}

export interface FoundStream
  extends
    Pick<WalkedStream, 'data' | 'packets' | 'end'>,
    Pick<PacketLayout['tracks'][number], 'pid' | 'kind' | 'jumps' | 'pace'> {
  stream: number;
  /** Bytes of the stream. */
  bytes: number;
  marks: FoundMarks;
}

/**
 * Returns the index. `zero` is the time in ticks at which the timeline begins; streams of video behind the first are
 * left out.
 */
export function assembleIndex(
  streams: readonly FoundStream[],
  { zero, ...layout }: Pick<PacketLayout, 'container' | 'stride' | 'origin' | 'end' | 'zero'>,
): IndexData {
  const shown = streams.find(({ kind }) => kind === 'video');
  const chosen = streams.filter((one) => one === shown || one.kind === 'audio');
  const isCopied = ({ data, marks }: FoundStream): boolean => data.obstacles.length === 0 && marks.times.length > 0;
  const main =
    shown && isCopied(shown)
      ? shown
      : (chosen.find((one) => one.kind === 'audio' && isCopied(one)) ?? uncertain('a file with nothing to copy'));
  const duration = (chosen.reduce((most, { end }) => Math.max(most, end), zero) - zero) / CLOCK;
  if (!(duration > 0)) return uncertain('a file without a duration');
  const keys = keysOf(main, zero);
  const keyframes: Keyframes = {
    times: Float64Array.from(keys, (i) => ((main.marks.times[i] ?? 0) - zero) / CLOCK),
    places: Float64Array.from(keys, (i) => main.marks.places[i] ?? 0),
    isIdr: Uint8Array.from(keys, (i) => (main.kind === 'audio' ? 1 : (main.marks.isIdr[i] ?? 0))),
  };
  const rates = chosen.map(({ bytes }) => (bytes * 8) / duration);
  const sound = chosen.reduce((sum, { kind }, i) => sum + (kind === 'audio' ? (rates[i] ?? 0) : 0), 0);
  const peak = peakOf(keyframes, duration, layout.end) - sound;
  const lastStart = planSegments(keyframes, duration, false).segments.at(-1)?.start ?? 0;
  const isSilent = (one: FoundStream): boolean =>
    main.kind === 'video' && one.kind === 'audio' && isCopied(one) && hasGaps(one, zero, lastStart);
  return {
    duration,
    main: chosen.indexOf(main),
    keyframes,
    obstacles: [],
    tracks: chosen.map((one, i): TrackData => ({
      ...one.data,
      stream: one.stream,
      kind: one.kind,
      ...(isSilent(one) && { hasGaps: true }),
      bandwidth: bandwidthOf(one.kind, rates[i] ?? 0, peak),
    })),
    layout: {
      kind: 'packets',
      ...layout,
      zero,
      tracks: chosen.map((one) => {
        const {
          packets,
          pid,
          kind,
          jumps,
          pace,
          marks: { places, counts },
        } = one;
        const at = one === main ? keys : marksBefore(one, keyframes, zero);
        return {
          ...packets,
          pid,
          kind,
          places: Float64Array.from(at, (i) => places[i] ?? 0),
          ...(jumps && { jumps }),
          ...(pace && { pace }),
          ...(counts && { counts: Float64Array.from(at, (i) => counts[i] ?? 0) }),
        };
      }),
    },
  };
}

function hasGaps({ marks: { times }, end, pace }: FoundStream, zero: number, lastStart: number): boolean {
  const gaps = createGapFinder();
  // The time of a stream without a clock passes with its bytes, so that none can be missing.
  if (pace === undefined) for (let i = 0; i < times.length; i += 1) gaps.add(((times[i] ?? 0) - zero) / CLOCK);
  return pace === undefined ? gaps.hasGap(lastStart) : (end - zero) / CLOCK < lastStart;
}

/** Numbers of the marks that become keyframes. */
function keysOf({ kind, marks: { times } }: FoundStream, zero: number): number[] {
  const kept: number[] = [];
  let last = -Infinity;
  for (let i = 0; i < times.length; i += 1) {
    const time = times[i] ?? 0;
    if (time < zero || (kind === 'audio' && time - last < AUDIO_KEY_STEP * CLOCK)) continue;
    last = time;
    kept.push(i);
  }
  return kept;
}

/**
 * For each keyframe, the mark at which to begin to read a stream so that nothing of its time is missed: the last one
 * that begins no later. The first segment takes everything before it, too.
 */
function marksBefore({ marks: { times } }: FoundStream, keyframes: Keyframes, zero: number): number[] {
  let mark = 0;
  return Array.from(keyframes.times, (time, key) => {
    if (key === 0) return 0;
    while (mark + 1 < times.length && ((times[mark + 1] ?? 0) - zero) / CLOCK <= time) mark += 1;
    return mark;
  });
}

/** Bits per second of the busiest segment, everything in the file counted. */
function peakOf(keyframes: Keyframes, duration: number, end: number): number {
  const { segments, keys } = planSegments(keyframes, duration, false);
  return segments.reduce((most, span, i) => {
    const from = keyframes.places[keys[i] ?? 0] ?? 0;
    const to = i + 1 < keys.length ? (keyframes.places[keys[i + 1] ?? 0] ?? end) : end;
    return Math.max(most, ((to - from) * 8) / span.duration);
  }, 0);
}

/** Frames of audio are of one size or nearly; what the file has besides them is at most video. */
const AUDIO_PEAK = 1.6;

const bandwidthOf = (kind: 'video' | 'audio', average: number, peak: number): { peak: number; average: number } => ({
  peak: Math.ceil(kind === 'video' ? Math.max(average, peak) : average * AUDIO_PEAK),
  average: Math.ceil(average),
});
