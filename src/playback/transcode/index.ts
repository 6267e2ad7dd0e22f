/**
 * Converted streams as renditions: segments on a fixed grid, made by runs of an encoder when they are asked for,
 * shared between viewers, kept in the cache, and made again when a run fails.
 */
import type { PlaybackFinding } from '../../contract/playback/findings.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import type { MediaEncoder } from '../../lib/ffmpeg/encode/index.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { AcceleratorName, AudioRecipe, EncoderChoice, Trouble, VideoRecipe } from '../plan/types.ts';
import type { Rendition, MediaSource } from '../rendition.ts';
import { createSegmentCache, type CacheNeeds } from './cache.ts';
import { createFacts } from './facts.ts';
import { audioPlan, streamId, videoPlan } from './recipes.ts';
import { audioRendition, createVideoHeaders, videoRendition } from './renditions.ts';
import { createSoftwarePlaces } from './software-places.ts';
import { createStream } from './stream.ts';
import { createStreamTable, type LiveConversion, type TableStream } from './stream-table.ts';
import { TRANSCODE_LIMITS, type TranscodeLimits, type StreamPlan } from './types.ts';
import { createWatchPositions } from './watch-positions.ts';

export interface TranscodeNeeds {
  encoders: MediaEncoder;
  ffmpeg: Pick<Ffmpeg, 'probe'>;
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  /** Conversions of video in software at a time (half the processors, at least one). */
  mostSoftware: number;
  /** Called when an accelerator failed on a film, with what it failed with. */
  onHardwareFailure?: ((accelerator: AcceleratorName, error: unknown) => void) | undefined;
  clock?: Pick<Clock, 'monotonic'> | undefined;
  limits?: Partial<TranscodeLimits> | undefined;
  room?: Pick<CacheNeeds, 'budget' | 'measure'> | undefined;
}

export interface Transcode {
  video(source: MediaSource, recipe: VideoRecipe, encoder: EncoderChoice, signal?: AbortSignal): Promise<Rendition>;
  audio(source: MediaSource, recipe: AudioRecipe, signal?: AbortSignal): Promise<Rendition>;
  /** Ends the runs that only this session asked. */
  leave(session: string): void;
  live(): LiveConversion[];
  /**
   * The accelerator that failed on what a session watches now, so that software converts it, and what it failed with.
   */
  fallback(session: string): { accelerator: AcceleratorName; error: unknown } | undefined;
  /**
   * Whether all places for software conversions of video are taken, not counting runs that only these sessions asked.
   */
  isBusy(...sessions: string[]): boolean;
  /** Whether a run makes this stream now: another session that takes it needs no place. */
  isRunning(source: Pick<MediaSource, 'identity'>, recipe: VideoRecipe): boolean;
  /** Recent faults of a file. */
  trouble(identity: string): Trouble;
  /** Sentences for diagnostics. */
  findings(): PlaybackFinding[];
  close(): void;
}

export function createTranscode({
  encoders,
  ffmpeg,
  log,
  cache: folder,
  mostSoftware,
  onHardwareFailure,
  clock = systemClock,
  limits: given,
  room,
}: TranscodeNeeds): Transcode {
  const limits: TranscodeLimits = { ...TRANSCODE_LIMITS, ...given };
  const now = (): number => clock.monotonic();
  const factsOf = createFacts({ ffmpeg });
  const positions = createWatchPositions(now);
  const headers = createVideoHeaders(encoders, log);
  const isWatched = (id: string, index: number): boolean =>
    positions.isWatched(id, index * (streams.get(id)?.plan.segmentSeconds ?? 0));
  const cache = createSegmentCache({ folder: `${folder}/streams`, log, isWatched, now, ...room });
  const streams = createStreamTable((plan) =>
    createStream({
      plan,
      cache,
      limits,
      log,
      now,
      admit: plan.kind === 'video' ? places.admit : () => {},
      onStart: (session, head) => streams.leave(session, plan.kind, head),
      onHardwareFailure: (name, error) => onHardwareFailure?.(name as AcceleratorName, error),
    }),
  );
  const places = createSoftwarePlaces({ most: mostSoftware, now, running: streams.inSoftware });
  void cache.open();

  const segmentOf =
    ({ id, kind, segmentSeconds }: StreamPlan, stream: () => TableStream): Rendition['segment'] =>
    async (index, who, signal) => {
      positions.note(who, id, index * segmentSeconds);
      if (kind === 'video') places.note(who);
      places.sweep();
      const bytes = await stream().segment(index, who, signal);
      return { size: bytes.length, bytes };
    };

  return {
    video: async (source, recipe, encoder, signal) => {
      const facts = await factsOf(source, signal);
      signal?.throwIfAborted();
      const { plan, grid, frameRate } = videoPlan({
        source,
        facts,
        recipe,
        encoders,
        runSegments: limits.runSegments,
        encoder: () => streams.get(plan.id)?.encoder ?? encoder,
      });
      const stream = (): TableStream => streams.take(plan, source.identity, encoder);
      stream();
      return videoRendition(
        recipe,
        { frameRate, preset: encoder.preset, headers },
        { segments: grid.spans, segment: segmentOf(plan, stream) },
      );
    },
    audio: async (source, recipe, signal) => {
      const facts = await factsOf(source, signal);
      signal?.throwIfAborted();
      const { plan, grid } = audioPlan({ source, facts, recipe, encoders });
      const stream = (): TableStream => streams.take(plan, source.identity);
      stream();
      return audioRendition(recipe, { segments: grid.spans, segment: segmentOf(plan, stream) });
    },
    leave: (session) => {
      streams.leave(session);
      places.leave(session);
      positions.leave(session);
    },
    live: streams.live,
    fallback: (session) => {
      // The newest position is in the quality that is being watched.
      const video = positions
        .streamsOf(session)
        .map((stream) => streams.get(stream))
        .findLast((stream) => stream?.plan.kind === 'video');
      const failed = [...(video?.trouble().hardwareFailed ?? [])].at(-1);
      return failed && { accelerator: failed[0] as AcceleratorName, error: failed[1] };
    },
    isBusy: places.isBusy,
    isRunning: (source, recipe) =>
      streams
        .get(streamId(source, recipe))
        ?.heads()
        .some(({ isStopping }) => !isStopping) === true,
    trouble: streams.trouble,
    findings: () => notKept(cache.trouble()),
    close: streams.close,
  };
}

/** Returns what diagnostics say while segments cannot be written, and why. */
const notKept = (why: string | undefined): PlaybackFinding[] =>
  why === undefined
    ? []
    : [
        {
          level: 'warning',
          code: 'streams-not-kept',
          subject: 'playback',
          sentence:
            `Converted video cannot be kept on the disk (${why}). ` +
            'Playback continues, but uses more memory and CPU.',
          values: { why },
        },
      ];
