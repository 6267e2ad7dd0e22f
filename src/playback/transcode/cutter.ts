/**
 * Cuts the output of an encoder into the segments of a grid, with times of the file's timeline.
 *
 * What an encoder sees before its first segment is dropped. Video whose keyframes are anywhere but at the boundaries
 * throws `OffGrid`: its segments could not follow those of another run.
 */
import { TIME_SHIFT, VIDEO_TIMESCALE } from '../../lib/ffmpeg/encode/index.ts';
import { fragmentHeader } from '../cmaf/fragment.ts';
import { createFragmentReader, type FragmentSample, type FragmentTrack } from '../cmaf/reader.ts';
import type { AudioGrid, VideoGrid } from './grid.ts';
import { sizeIn, startsDecoding } from '../hardware/verify.ts';
import type { VideoCodec } from '../plan/types.ts';
import type { Cut, Cutter } from './types.ts';

export class OffGrid extends Error {}

/** Segments that may show the last picture: pictures that end earlier were not read, rather than not there. */
const MAX_HELD = 30;

/** A sample as it is written: its time is on the timeline of the file. */
interface Sample {
  time: number;
  duration: number;
  isKey: boolean;
  data: Buffer;
}

function segment(index: number, kind: 'video' | 'audio', samples: readonly Sample[]): Cut {
  const header = fragmentHeader(index + 1, {
    start: Math.max(0, samples[0]?.time ?? 0),
    durations: Uint32Array.from(samples, ({ duration }) => duration),
    sizes: Uint32Array.from(samples, ({ data }) => data.length),
    ...(kind === 'video' && {
      offsets: new Int32Array(samples.length),
      isKey: Uint8Array.from(samples, ({ isKey }) => Number(isKey)),
    }),
  });
  return { index, bytes: Buffer.concat([header, ...samples.map(({ data }) => data)]) };
}

/** The samples of what an encoder writes. */
function createSamples(onTrack: (track: FragmentTrack) => void = () => {}): {
  push(bytes: Uint8Array): FragmentSample[][];
  end(): void;
} {
  const reader = createFragmentReader();
  return {
    push: (bytes) =>
      reader.push(bytes).flatMap((event) => {
        if (event.type === 'fragment') return [event.samples];
        for (const track of event.tracks) onTrack(track);
        return [];
      }),
    end: () => reader.end(),
  };
}

export interface VideoCutting {
  grid: VideoGrid;
  /** The first segment wanted, and the one after the last. */
  first: number;
  end: number;
  /** Zero of the timeline on the clock of the file, in seconds. */
  zero: number;
  /** Required properties of the pictures: others could not follow another run. */
  pictures?: { codec: VideoCodec; width: number; height: number };
}

/**
 * Each fragment begins with a keyframe and its last sample lasts to the next fragment, so that a segment is complete
 * with the fragment that reaches its end. A segment without a picture, in a file whose pictures come seldom, shows the
 * picture that follows; one after the last picture of the file shows its last keyframe.
 */
export function createVideoCutter({ grid, first, end, zero, pictures }: VideoCutting): Cutter {
  let entry: Buffer | undefined;
  const samples = createSamples((track) => {
    entry = track.entry;
    const { width, height } = sizeIn(track.entry);
    if (pictures && (width !== pictures.width || height !== pictures.height))
      throw new OffGrid(`pictures of ${width} x ${height}`);
  });
  const clock = TIME_SHIFT * VIDEO_TIMESCALE;
  const origin = clock + Math.round(zero * VIDEO_TIMESCALE);
  let next = first;
  let own: Sample[] = [];
  let lastKey: Sample | undefined;
  /**
   * Keyframes that come unasked: ffmpeg takes one time off its list with each picture, and lags behind after a hole.
   */
  let late = 0;

  /**
   * Whether a time of the encoder's clock is at or after the beginning of a segment: the comparison that ffmpeg makes.
   */
  const isFrom = (dts: number, k: number): boolean => (dts - clock) * 100 >= grid.boundary(k) * 9;
  const startOf = (k: number): number => Math.round((grid.spans[k]?.start ?? 0) * VIDEO_TIMESCALE);
  const endOf = (k: number): number =>
    Math.round(((grid.spans[k]?.start ?? 0) + (grid.spans[k]?.duration ?? 0)) * VIDEO_TIMESCALE);
  const held = (k: number, key: Sample, until: number): Cut =>
    segment(k, 'video', [{ ...key, time: startOf(k), duration: Math.max(1, until - startOf(k)) }]);
  const flush = (): Cut[] => {
    const last = own.at(-1);
    if (!last) return [];
    if (last.duration === 0) last.duration = Math.max(1, endOf(next) - last.time);
    const cut = segment(next, 'video', own);
    next += 1;
    own = [];
    return [cut];
  };

  function place(found: readonly FragmentSample[]): Cut[] {
    const kept = found.filter(({ dts }) => isFrom(dts, first));
    const [head] = kept;
    const last = kept.at(-1);
    if (!head || !last || next >= end) return [];
    if (kept.some(({ isKey }, i) => i > 0 && isKey)) throw new OffGrid(`a keyframe within segment ${next}`);
    const cuts = own.length > 0 && isFrom(head.dts, next + 1) ? flush() : [];
    let k = next;
    while (k + 1 < grid.count && isFrom(head.dts, k + 1)) k += 1;
    if (k >= end) return cuts;
    if (own.length > 0 && late-- <= 0) throw new OffGrid(`a keyframe within segment ${next}`);
    if (!head.isKey || (pictures && entry && !startsDecoding(pictures.codec, entry, head.data)))
      throw new OffGrid(`segment ${next} does not begin with a keyframe`);
    if (isFrom(last.dts, k + 1)) throw new OffGrid(`no keyframe at the end of segment ${k}`);
    const placed = kept.map(({ dts, duration, isKey, data }): Sample => ({
      time: dts - origin,
      duration,
      isKey,
      data,
    }));
    const [key] = placed;
    if (!key) return cuts;
    late += k - next;
    for (; next < k; next++) cuts.push(held(next, key, startOf(next + 1)));
    own.push(...placed);
    lastKey = { ...key, data: Buffer.from(key.data) };
    return last.duration === 0 || isFrom(last.dts + last.duration, k + 1) ? [...cuts, ...flush()] : cuts;
  }

  return {
    push: (bytes) => samples.push(bytes).flatMap(place),
    end: () => {
      samples.end();
      const cuts = flush();
      if (!lastKey) return cuts;
      if (end - next > MAX_HELD) throw new OffGrid(`the pictures end at segment ${next}, long before the file does`);
      for (; next < end; next++) cuts.push(held(next, lastKey, endOf(next)));
      return cuts;
    },
  };
}

export interface AudioCutting {
  grid: AudioGrid;
  first: number;
  frameSize: number;
  /** Samples of the encoder's clock at the beginning of the timeline. */
  origin: number;
}

export function createAudioCutter({ grid, first, frameSize, origin }: AudioCutting): Cutter {
  const samples = createSamples();
  let next = first;
  let frames: Sample[] = [];
  const flush = (): Cut => {
    const cut = segment(next, 'audio', frames);
    next += 1;
    frames = [];
    return cut;
  };
  return {
    push: (bytes) => {
      const cuts: Cut[] = [];
      for (const { dts, isKey, data } of samples.push(bytes).flat()) {
        const frame = (dts - origin) / frameSize;
        if (!Number.isInteger(frame)) throw new OffGrid(`an audio frame at ${frame}`);
        if (frame < grid.boundary(first) || next >= grid.count || frame >= grid.boundary(grid.count)) continue;
        if (frame >= grid.boundary(next + 1)) cuts.push(flush());
        if (frame !== grid.boundary(next) + frames.length)
          throw new OffGrid(`audio frame ${frame} follows frame ${grid.boundary(next) + frames.length - 1}`);
        frames.push({ time: frame * frameSize, duration: frameSize, isKey, data });
        if (frame + 1 === grid.boundary(next + 1)) cuts.push(flush());
      }
      return cuts;
    },
    end: () => {
      samples.end();
      return frames.length > 0 ? [flush()] : [];
    },
  };
}
