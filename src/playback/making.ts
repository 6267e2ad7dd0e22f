/**
 * Makes streams of files: copied where they can be cut, converted where they have to be, with the indexes that both
 * need.
 */
import type { PlaybackFinding } from '../contract/playback/findings.ts';
import { availableParallelism } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { MediaEncoder } from '../lib/ffmpeg/encode/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import type { BackgroundLoad } from './extras.ts';
import { faultReason, hardwareFault, trialText } from './hardware/reasons.ts';
import type { StreamMakers } from './hls/streams.ts';
import { createWalks } from './media-index/walk/walks.ts';
import { hardwareFailed } from './plan/causes.ts';
import { videoOf } from './plan/support.ts';
import type { EncoderChoice } from './plan/types.ts';
import { causeOnly } from './plan/words.ts';
import { createRemux, type Remux } from './remux/index.ts';
import type { ConversionState } from './session/playing.ts';
import type { Sources } from './sources.ts';
import { createTranscode, type Transcode, type TranscodeNeeds } from './transcode/index.ts';

export interface MakingNeeds extends Pick<TranscodeNeeds, 'onHardwareFailure'> {
  processes: Pick<Processes, 'startHelper'>;
  encoders: MediaEncoder;
  ffmpeg: Pick<Ffmpeg, 'probe'>;
  log: Log;
  clock: Clock;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  sources: Sources;
  /** Whether anything is played: work in the background is slow meanwhile. */
  isPlaying(): boolean;
  /** Returns the free space of a folder, for tests. */
  measure?: ((folder: string) => Promise<{ free: number }>) | undefined;
}

export interface Making {
  streams: StreamMakers;
  remux: Pick<Remux, 'facts' | 'fonts' | 'warm'>;
  transcode: Pick<Transcode, 'trouble' | 'isBusy' | 'isRunning' | 'leave'>;
  /** Returns what is worth an Owner's attention. */
  findings(): PlaybackFinding[];
  /** Returns the conversion that decides about a session: of its video where there is one. */
  stateOf(session: string): ConversionState;
  background: BackgroundLoad;
  close(): Promise<void>;
}

/** Places for conversions in software; each takes about two processors. */
const PROCESSORS_EACH = 2;
/** For a recipe that was stored without who encodes it. */
const ANY_ENCODER: EncoderChoice = { preset: 'veryfast' };

export function createMaking({
  processes,
  encoders,
  ffmpeg,
  log,
  clock,
  cache,
  sources,
  isPlaying,
  measure,
  onHardwareFailure,
}: MakingNeeds): Making {
  const walks = createWalks({ processes, log, clock, cache, isPlaying });
  const remux = createRemux({ processes, log, stored: walks.stored });
  const transcode = createTranscode({
    encoders,
    ffmpeg,
    log,
    cache,
    clock,
    mostSoftware: Math.max(1, Math.floor(availableParallelism() / PROCESSORS_EACH)),
    onHardwareFailure,
    ...(measure && { room: { measure } }),
  });
  return {
    streams: {
      copy: remux.rendition,
      video: (source, recipe, encoder, signal) => transcode.video(source, recipe, encoder ?? ANY_ENCODER, signal),
      audio: transcode.audio,
    },
    remux,
    transcode,
    stateOf: (session) => stateOf(transcode, session),
    findings: () => {
      const why = walks.trouble();
      const ofIndexes: PlaybackFinding[] =
        why === undefined
          ? []
          : [
              {
                level: 'warning',
                code: 'indexes-not-kept',
                subject: 'playback',
                sentence:
                  `Indexes of recordings cannot be kept on the disk (${why}). ` +
                  'Recordings are read through again after a restart.',
                values: { why },
              },
            ];
      return [...transcode.findings(), ...ofIndexes];
    },
    background: {
      isPlaying,
      isConverting: () =>
        transcode.live().some(({ kind, accelerator, isHeld }) => kind === 'video' && accelerator === 'none' && !isHeld),
      walk: async (file, options, signal) => void (await walks.walk(await sources.of(file), options, signal)),
      hasRoomForIndexes: walks.hasRoom,
      copiedVideo: async (file, signal) => {
        const video = videoOf(file.info);
        if (!video) return undefined;
        try {
          return await remux.rendition(await sources.of(file), video.index, { isOpenGopAllowed: true }, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof Failure && error.kind === 'conflict') return undefined;
          throw error;
        }
      },
    },
    close: async () => {
      transcode.close();
      await walks.close();
      await remux.close();
    },
  };
}

function stateOf(transcode: Pick<Transcode, 'live' | 'fallback'>, session: string): ConversionState {
  const own = transcode.live().filter((one) => one.session === session);
  const one = own.find(({ kind }) => kind === 'video') ?? own[0];
  const fallback = transcode.fallback(session);
  const reasons = fallback
    ? [causeOnly(hardwareFailed(fallback.accelerator, trialText(faultReason(hardwareFault(fallback.error)))))]
    : [];
  return {
    reasons,
    ...(one && one.accelerator !== 'none' && { accelerator: one.accelerator }),
    ...(one?.speed !== undefined && { speed: one.speed }),
  };
}
