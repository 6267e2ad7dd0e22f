/**
 * Converted streams as renditions: segments on a fixed grid, made by runs of an encoder when they are asked for,
 * shared between viewers, kept in the cache, and made again when a run fails.
 */
import type { PlaybackFinding } from '../../contract/playback/findings.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import {
  type MediaEncoder,
  type EncodedPictures,
  SAMPLE_RATE,
  VIDEO_TIMESCALE,
  videoCodecs,
} from '../../lib/ffmpeg/encode/index.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createPromiseCache } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { initSegment } from '../cmaf/init.ts';
import { createFragmentReader } from '../cmaf/reader.ts';
import type { AcceleratorName, AudioRecipe, EncoderChoice, Trouble, VideoRecipe } from '../plan/types.ts';
import type { Rendition, MediaSource } from '../rendition.ts';
import { createSegmentCache, type CacheNeeds } from './cache.ts';
import { convertedAudioEntry } from './entries.ts';
import { createFacts } from './facts.ts';
import { audioPlan, streamId, videoPlan } from './recipes.ts';
import { createStream, type ConvertedStream } from './stream.ts';
import { TRANSCODE_LIMITS, type TranscodeLimits, type StreamPlan } from './types.ts';
import { createWatchPositions, WATCHED_MS } from './watch-positions.ts';

export interface TranscodeNeeds {
  encoders: MediaEncoder;
  ffmpeg: Pick<Ffmpeg, 'probe'>;
  log: Log;
  /** The server's folder for what can be made again (`paths.cache`). */
  cache: string;
  /** Conversions of video in software at a time (half the processors, at least one). */
  mostSoftware: number;
  /** Called when an accelerator failed on a film, with what it failed with. */
  onHardwareFailure?: ((accelerator: AcceleratorName, error: unknown) => void) | undefined;
  clock?: Pick<Clock, 'monotonic'> | undefined;
  limits?: Partial<TranscodeLimits> | undefined;
  room?: Pick<CacheNeeds, 'budget' | 'measure'> | undefined;
}

/** A run under way, for a session that asked it. */
export interface LiveConversion {
  session: string;
  kind: 'video' | 'audio';
  /** `none` in software. */
  accelerator: AcceleratorName | 'none';
  /** Seconds of media made in a second of work; absent until there is some. */
  speed?: number;
  isHeld: boolean;
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

const MAX_STREAMS = 500;
const MAX_INITS = 100;
/** When a session that was refused may ask again. */
const BUSY_RETRY_S = 5;

interface Kept extends ConvertedStream {
  identity: string;
  /** Encoder of the last plan. */
  encoder: EncoderChoice | undefined;
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
  const streams = new Map<string, Kept>();
  const positions = createWatchPositions(now);
  /** Sessions that have a place for video in software, and when they last asked for a segment. */
  const places = new Map<string, number>();
  const inits = createPromiseCache<Buffer>(MAX_INITS);
  const isWatched = (id: string, index: number): boolean =>
    positions.isWatched(id, index * (streams.get(id)?.plan.segmentSeconds ?? 0));
  const cache = createSegmentCache({ folder: `${folder}/streams`, log, isWatched, now, ...room });
  void cache.open();

  /** The stream of a plan: one for all who have the same file and recipe. */
  function streamFor(plan: StreamPlan, identity: string, encoder?: EncoderChoice): Kept {
    const there = streams.get(plan.id);
    if (there) {
      streams.delete(plan.id);
      streams.set(plan.id, there);
      there.encoder = encoder;
      return there;
    }
    const leave = (who: string, head: Parameters<ConvertedStream['leave']>[1]): void => {
      for (const one of streams.values()) if (one.plan.kind === plan.kind) one.leave(who, head);
    };
    const made = Object.assign(
      createStream({
        plan,
        cache,
        limits,
        log,
        now,
        admit: plan.kind === 'video' ? admit : () => {},
        onStart: leave,
        onHardwareFailure: (name, error) => onHardwareFailure?.(name as AcceleratorName, error),
      }),
      { identity, encoder },
    );
    streams.set(plan.id, made);
    for (const [id, one] of streams) if (streams.size > MAX_STREAMS && one.heads().length === 0) streams.delete(id);
    return made;
  }

  const isBusy: Transcode['isBusy'] = (...sessions) => {
    const software = [...streams.values()]
      .filter(({ plan }) => plan.kind === 'video')
      .flatMap(({ heads }) => heads())
      .filter(({ accelerator }) => accelerator === undefined);
    return (
      software.filter(({ askers }) => [...askers.keys()].some((one) => !sessions.includes(one))).length >= mostSoftware
    );
  };
  /**
   * Reserves a place for a session, or throws. A plan is refused when all are taken, but several plans may be made
   * before the first of them begins. A session that has a place keeps it while it plays, wherever it seeks.
   */
  function admit(who: string): void {
    if (!places.has(who) && isBusy(who))
      throw new Failure('unavailable', 'this server is converting as many films as it can', {
        reason: 'too-busy',
        retryAfterSeconds: BUSY_RETRY_S,
      });
    places.set(who, now());
  }

  const segmentOf =
    ({ id, kind, segmentSeconds }: StreamPlan, kept: () => Kept): Rendition['segment'] =>
    async (index, who, signal) => {
      positions.note(who, id, index * segmentSeconds);
      if (kind === 'video' && places.has(who)) places.set(who, now());
      for (const [session, at] of places) if (now() - at > WATCHED_MS) places.delete(session);
      const bytes = await kept().segment(index, who, signal);
      return { size: bytes.length, bytes };
    };

  /** The header that all runs of equal pictures have, made of one black picture. */
  function initOf(pictures: EncodedPictures, preset: EncoderChoice['preset']): Promise<Buffer> {
    return inits(JSON.stringify(pictures), () => blankInit(encoders, pictures, preset, log));
  }

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
      const kept = (): Kept => streamFor(plan, source.identity, encoder);
      kept();
      const pictures: EncodedPictures = {
        codec: recipe.codec,
        width: recipe.width,
        height: recipe.height,
        frameRate,
        maxrate: recipe.bitrate,
      };
      return {
        kind: 'video',
        codecs: videoCodecs(pictures),
        bandwidth: { peak: Math.round(recipe.bitrate * 1.25), average: recipe.bitrate },
        width: recipe.width,
        height: recipe.height,
        frameRate,
        range: 'SDR',
        segments: grid.spans,
        init: async () => initOf(pictures, encoder.preset),
        segment: segmentOf(plan, kept),
      };
    },
    audio: async (source, recipe, signal) => {
      const facts = await factsOf(source, signal);
      signal?.throwIfAborted();
      const { plan, grid } = audioPlan({ source, facts, recipe, encoders });
      const kept = (): Kept => streamFor(plan, source.identity);
      kept();
      const init = initSegment({ kind: 'audio', timescale: SAMPLE_RATE, entry: convertedAudioEntry(recipe), shift: 0 });
      return {
        kind: 'audio',
        codecs: recipe.codec === 'aac' ? 'mp4a.40.2' : 'ec-3',
        bandwidth: { peak: Math.round(recipe.bitrate * 1.1), average: recipe.bitrate },
        channels: recipe.channels,
        segments: grid.spans,
        init: () => Promise.resolve(init),
        segment: segmentOf(plan, kept),
      };
    },
    leave: (session) => {
      for (const stream of streams.values()) stream.leave(session);
      places.delete(session);
      positions.leave(session);
    },
    live: () =>
      [...streams.values()].flatMap(({ plan, heads }) =>
        heads().flatMap((head) =>
          [...head.askers.keys()].map((session): LiveConversion => {
            const speed = head.speed();
            return {
              session,
              kind: plan.kind,
              accelerator: (head.accelerator ?? 'none') as LiveConversion['accelerator'],
              ...(speed !== undefined && { speed }),
              isHeld: head.isHeld,
            };
          }),
        ),
      ),
    fallback: (session) => {
      // The newest position is in the quality that is being watched.
      const video = positions
        .streamsOf(session)
        .map((stream) => streams.get(stream))
        .findLast((stream) => stream?.plan.kind === 'video');
      const failed = [...(video?.trouble().hardwareFailed ?? [])].at(-1);
      return failed && { accelerator: failed[0] as AcceleratorName, error: failed[1] };
    },
    isBusy,
    isRunning: (source, recipe) =>
      streams
        .get(streamId(source, recipe))
        ?.heads()
        .some(({ isStopping }) => !isStopping) === true,
    trouble: (identity) => {
      const all = [...streams.values()]
        .filter((one) => one.identity === identity && one.plan.kind === 'video')
        .map((one) => one.trouble());
      return {
        hardwareFailed: [
          ...new Set(all.flatMap(({ hardwareFailed }) => [...hardwareFailed.keys()])),
        ] as AcceleratorName[],
        cannotDecode: all.some(({ cannotDecode }) => cannotDecode),
      };
    },
    findings: () => notKept(cache.trouble()),
    close: () => {
      for (const stream of streams.values()) stream.close();
    },
  };
}

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

async function blankInit(
  encoders: MediaEncoder,
  pictures: EncodedPictures,
  preset: EncoderChoice['preset'],
  log: Log,
): Promise<Buffer> {
  const events = createFragmentReader().push(await encoders.blank({ ...pictures, preset }));
  const track = events.flatMap((event) => (event.type === 'init' ? event.tracks : []))[0];
  if (!track) throw new Failure('unavailable', 'the encoder wrote no header', { reason: 'program-failed' });
  const at = track.entry.indexOf('avcC');
  const made = at < 0 ? undefined : `avc1.${track.entry.toString('hex', at + 5, at + 8)}`;
  if (made !== undefined && made !== videoCodecs(pictures))
    log.warn('playback.transcode.codecs', { told: videoCodecs(pictures), made });
  return initSegment({
    kind: 'video',
    timescale: VIDEO_TIMESCALE,
    entry: track.entry,
    width: pictures.width,
    height: pictures.height,
    shift: 0,
  });
}
