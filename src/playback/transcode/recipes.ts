/** Turns a file and a recipe into a stream: its name, its grid, and the runs that make it. */
import { createHash } from 'node:crypto';
import type {
  AcceleratorName,
  AudioRequest,
  BurnedSubtitle,
  MediaEncoder,
  VideoRequest,
} from '../../lib/ffmpeg/encode/index.ts';
import { FRAMES, SAMPLE_RATE, TIME_SHIFT } from '../../lib/ffmpeg/encode/index.ts';
import { Failure, found } from '../../lib/failure.ts';
import { inRoot, openForReading } from '../../lib/files.ts';
import type { AudioRecipe, EncoderChoice, VideoRecipe } from '../plan/types.ts';
import type { MediaSource } from '../rendition.ts';
import { createAudioCutter, createVideoCutter } from './cutter.ts';
import type { FileFacts, TimeFacts } from './facts.ts';
import { type AudioGrid, audioGrid, type VideoGrid, videoGrid } from './grid.ts';
import type { StreamPlan } from './types.ts';

/** Grows when the same recipe makes other segments than before. */
const VERSION = 1;
/** How far a last run goes beyond the end that the file states. */
const BEYOND_SECONDS = 30;

/** Returns the name of the stream that a recipe makes of a file, whoever encodes it. */
export function streamId({ identity }: Pick<MediaSource, 'identity'>, recipe: VideoRecipe | AudioRecipe): string {
  const fields = Object.entries(recipe)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([VERSION, identity, fields]))
    .digest('hex')
    .slice(0, 40);
}

interface Needs<R> {
  source: MediaSource;
  facts: FileFacts;
  recipe: R;
  encoders: MediaEncoder;
}

const checkOf = (source: MediaSource) => async (): Promise<void> => {
  const file = await source.open();
  await file.check().finally(() => file.close());
};
const streamOf = ({ facts, recipe }: Needs<VideoRecipe | AudioRecipe>): TimeFacts =>
  found(facts.streams.get(recipe.stream), 'no such stream in this file', 'no-such-stream');

export function videoPlan(needs: Needs<VideoRecipe> & { encoder(): EncoderChoice; runSegments: number }): {
  plan: StreamPlan;
  grid: VideoGrid;
  frameRate: number;
} {
  const { source, facts, recipe, encoders } = needs;
  const stream = streamOf(needs);
  const { frameRate } = stream;
  if (!(stream.end > stream.start))
    throw new Failure('unavailable', 'the length of this file is not known', { reason: 'length-unknown' });
  const grid = videoGrid({ first: stream.start, end: stream.end, frameRate, zero: facts.zero });
  const burn = burnOf(needs, stream);
  const plan: StreamPlan = {
    id: streamId(source, recipe),
    kind: 'video',
    count: grid.count,
    segmentSeconds: grid.segmentSeconds,
    check: checkOf(source),
    runAt: (first, { isSoftware }) => {
      const { accelerator, preset } = needs.encoder();
      const end = Math.min(grid.count, first + needs.runSegments);
      const request: VideoRequest = {
        open: () => source.open(),
        stream: recipe.stream,
        container: facts.container,
        containerStart: facts.containerStart,
        codec: recipe.codec,
        width: recipe.width,
        height: recipe.height,
        frameRate,
        maxrate: recipe.bitrate,
        preset,
        ...(first > 0 && { from: grid.boundary(first) / 1e6 }),
        keyframes: Array.from({ length: end - first }, (_, i) => grid.boundary(first + i) / 1e6),
        until: end < grid.count ? grid.boundary(end) / 1e6 : Math.max(stream.end, facts.end) + BEYOND_SECONDS,
        ...(accelerator && !isSoftware && { accelerator: accelerator as { name: AcceleratorName } }),
        ...(recipe.toneMap && { toneMap: recipe.toneMap }),
        deinterlace: recipe.deinterlace,
        rotate: recipe.rotate,
        ...(burn && { burn }),
      };
      return {
        first,
        start: (signal) => encoders.video(request, signal),
        cutter: createVideoCutter({
          grid,
          first,
          end,
          zero: facts.zero,
          pictures: { codec: recipe.codec, width: recipe.width, height: recipe.height },
        }),
        ...(request.accelerator && { accelerator: request.accelerator.name }),
      };
    },
  };
  return { plan, grid, frameRate };
}

function burnOf(
  { source, facts, recipe: { burn } }: Needs<VideoRecipe>,
  { width, height }: TimeFacts,
): BurnedSubtitle | undefined {
  if (!burn) return undefined;
  const size = { videoWidth: width, videoHeight: height };
  if ('sidecar' in burn) {
    const { media } = source;
    if (typeof media === 'string')
      throw new Failure('unavailable', 'this subtitle cannot be reached', { reason: 'subtitle-unavailable' });
    return {
      ...size,
      stream: 0,
      sidecar: { open: () => openForReading(inRoot(media.root, burn.sidecar)), zero: facts.zero },
    };
  }
  const pacer = [...facts.streams].find(([, { isAudio }]) => isAudio)?.[0];
  return { ...size, stream: burn.stream, ...(pacer !== undefined && { pacer }) };
}

export function audioPlan(needs: Needs<AudioRecipe>): { plan: StreamPlan; grid: AudioGrid } {
  const { source, facts, recipe, encoders } = needs;
  const stream = streamOf(needs);
  const { size, priming } = FRAMES[recipe.codec];
  const duration = facts.end - facts.zero;
  if (!(duration > 0))
    throw new Failure('unavailable', 'the length of this file is not known', { reason: 'length-unknown' });
  const grid = audioGrid({ duration, frameSize: size, sampleRate: SAMPLE_RATE });
  /** The beginning of the timeline, counted in samples on the clock of the file. */
  const zero = Math.round(facts.zero * SAMPLE_RATE);
  const plan: StreamPlan = {
    id: streamId(source, recipe),
    kind: 'audio',
    count: grid.count,
    segmentSeconds: grid.segmentSeconds,
    check: checkOf(source),
    runAt: (first) => {
      const request: AudioRequest = {
        open: () => source.open(),
        stream: recipe.stream,
        container: facts.container,
        containerStart: facts.containerStart,
        codec: recipe.codec,
        channels: recipe.channels,
        bitrate: recipe.bitrate,
        source: { codec: stream.codec, channels: stream.channels, sampleRate: stream.sampleRate, start: stream.start },
        firstSample: zero + firstSampleOf(grid.boundary(first), size, priming),
        // One frame more, so that the last one wanted is complete.
        endSample: zero + (grid.boundary(grid.count) + 1) * size + priming,
      };
      return {
        first,
        start: (signal) => encoders.audio(request, signal),
        cutter: createAudioCutter({ grid, first, frameSize: size, origin: zero + TIME_SHIFT * SAMPLE_RATE }),
      };
    },
  };
  return { plan, grid };
}

/** Frames that an encoder needs before it makes what one that began long ago would make. */
const EARLY_FRAMES = 4;

/**
 * The sample at which an encoder begins so that its frames are on the grid. Before the beginning of the timeline is
 * silence.
 */
export const firstSampleOf = (frame: number, size: number, priming: number): number =>
  (frame - EARLY_FRAMES) * size + priming;
